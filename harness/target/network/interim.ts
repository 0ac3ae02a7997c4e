/** Interim answers that the HTTP library does not take. */
import type { Duplex } from 'node:stream';

/** How the status line of `100 Continue` begins. */
const CONTINUE = 'HTTP/1.1 100';
/** It has no headers worth naming; more than this is handed on, to be refused as what it is. */
const MAX_CONTINUE_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Takes `100 Continue` out of what a connection reads. A server may send it unasked and a client has to pass over it (RFC 9110,
 * "Informational 1xx"); undici ends the connection instead. It is looked for only where a response begins: after a request was
 * written and before anything else was read. One request at a time goes over a connection.
 */
export function withoutContinue(socket: Duplex): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let isBeginning = false;
  let held: Buffer = NOTHING;
  socket.write = (...args: unknown[]): boolean => {
    isBeginning = true;
    return write(...args);
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || !isBeginning) return chunk;
      held = withoutWhole(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      if (mayBeContinue(held) && held.length <= MAX_CONTINUE_BYTES) continue;
      const begun = held;
      held = NOTHING;
      isBeginning = false;
      return begun;
    }
  };
}

/** Without the whole 100s at its start. */
function withoutWhole(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= CONTINUE.length && mayBeContinue(rest)) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

/** Whether bytes are the beginning of a 100, or nothing yet. */
const mayBeContinue = (bytes: Buffer): boolean =>
  CONTINUE.startsWith(bytes.subarray(0, CONTINUE.length).toString('latin1'));
