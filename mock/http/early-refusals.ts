/**
 * Requests that the server refuses before the service sees them: bytes that are not HTTP, another host, another Expect header.
 * They get the envelope as well, and a development server hears of them.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HINT_HEADER } from '../hints/request.ts';

/** What a client sent, as far as it could be read, and what it got. */
export interface EarlyRefusal {
  /** '' where the bytes hold no request line. */
  readonly method: string;
  /** '' where the bytes hold no request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly response: Response;
}

type FieldValues = Readonly<Record<string, string | number>>;

export class EarlyRefusals {
  /** Is called with each refusal once it was sent. */
  heard: ((refusal: EarlyRefusal) => void) | undefined;
  readonly #hints: boolean;
  readonly #maxHeaderBytes: number;
  readonly #maxHeaders: number;

  constructor(options: { readonly hints: boolean; readonly maxHeaderBytes: number; readonly maxHeaders: number }) {
    this.#hints = options.hints;
    this.#maxHeaderBytes = options.maxHeaderBytes;
    this.#maxHeaders = options.maxHeaders;
  }

  /** Answers without the service, and ends the connection: what is left of the request is not read. */
  refuse(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    status: number,
    message: string,
    { hint = message, headers = {} }: { readonly hint?: string; readonly headers?: FieldValues } = {},
  ): void {
    incoming.resume();
    const { method = '', url = '', rawHeaders } = incoming;
    const { body, fields } = this.#response(url, status, message, hint, headers);
    outgoing.writeHead(status, fields).end(body);
    const sent = rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
    );
    this.#report({ method, target: url, headers: sent }, status, fields, body);
  }

  /** A request to open a tunnel to another host. */
  refuseTunnel({ method = '', url = '' }: IncomingMessage, socket: Socket): void {
    // Node no longer handles the errors of this socket.
    socket.on('error', () => socket.destroy());
    this.#refuseRaw(socket, { method, target: url, headers: [] }, 405, 'This service is not a proxy.');
  }

  /** Bytes that are not HTTP get an envelope too. */
  refuseUnreadable(error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const packet = error.rawPacket?.toString('latin1') ?? '';
    const [status, message] = this.#unreadable(error.code, packet);
    this.#refuseRaw(socket, readableParts(packet), status, message);
  }

  #unreadable(code: string | undefined, packet: string): readonly [status: number, message: string] {
    if (code === 'HPE_HEADER_OVERFLOW')
      return [
        431,
        `The address and the headers are longer than ${this.#maxHeaderBytes} bytes, or more than ${this.#maxHeaders}.`,
      ];
    return code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'The request did not arrive in time.']
      : [400, mistakeIn(packet)];
  }

  #refuseRaw(socket: Socket, request: Omit<EarlyRefusal, 'response'>, status: number, message: string): void {
    const { body, fields } = this.#response(request.target, status, message, message, {});
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    this.#report(request, status, fields, body);
  }

  #response(target: string, status: number, message: string, hint: string, headers: FieldValues) {
    const body = envelopeFor(target, status, message);
    const fields: FieldValues = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      ...(this.#hints ? { [HINT_HEADER]: hint } : {}),
      ...headers,
    };
    return { body, fields };
  }

  #report(request: Omit<EarlyRefusal, 'response'>, status: number, fields: FieldValues, body: string): void {
    const headers = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
    this.heard?.({ ...request, response: new Response(body, { status, headers }) });
  }
}

const REQUEST_LINE = /^([A-Z]+) (.*) HTTP\/\d\.\d$/;

/** The request line and the headers in front of what could not be read. */
function readableParts(packet: string): Omit<EarlyRefusal, 'response'> {
  const [first = '', ...lines] = (packet.split('\r\n\r\n', 1)[0] ?? '').split('\r\n');
  const [, method = '', sent = ''] = REQUEST_LINE.exec(first) ?? /^([A-Z]+) (\S+)/.exec(first) ?? [];
  const target = Buffer.from(sent, 'latin1').toString();
  const headers = lines.flatMap((line): [string, string][] => {
    const [, name] = /^([\w-]+):/.exec(line) ?? [];
    return name === undefined ? [] : [[name, line.slice(name.length + 1).trim()]];
  });
  return { method, target, headers };
}

/** The first bytes of a TLS connection. */
const TLS_HELLO = /^\x16\x03/;

function mistakeIn(packet: string): string {
  if (TLS_HELLO.test(packet)) return 'This port speaks http, and the bytes are those of https.';
  const [, , address = ''] = REQUEST_LINE.exec(packet.split('\r\n', 1)[0] ?? '') ?? [];
  return address.startsWith('/') && /[^\x21-\x7e]/.test(address)
    ? 'The address has a space or a letter outside ASCII: percent-encode it as UTF-8.'
    : 'The request is not readable as HTTP.';
}

function envelopeFor(target: string, code: number, message: string): string {
  return JSON.stringify(
    /^(?:https?:\/\/[^/?#]*)?\/+api/i.test(target)
      ? { error: true, errorCode: code, errorMsg: message }
      : { error: true, error_code: code, error_message: message },
  );
}
