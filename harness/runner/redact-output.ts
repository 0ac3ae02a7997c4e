/**
 * What a driver prints ends in the log of a CI job and in the reports of Playwright. A driver is given keys to work with, so that
 * a line for debugging shows one.
 */
import type { Redaction } from '../evidence/redaction/index.ts';

/**
 * From now on, everything that is written to the stream is redacted, write by write. Bytes without a secret are written as they are: they
 * need not be text.
 */
export function redactOutput(stream: Pick<NodeJS.WriteStream, 'write'>, redaction: Redaction): void {
  const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    const redacted = redaction.text(text);
    return write(redacted === text ? chunk : redacted, ...rest);
  }) as typeof stream.write;
}

/**
 * From now on, warnings of this process are redacted before they are printed: Node writes them past the stream. A driver gives one with
 * `process.emitWarning`, and Node itself where it quotes what a driver did.
 */
export function redactWarnings(redaction: Redaction): void {
  // Before the listener of Node, which prints the same object.
  process.prependListener('warning', (warning: Error & { detail?: unknown }) => {
    for (const name of ['name', 'message', 'stack', 'detail'] as const) {
      const text = warning[name];
      if (typeof text !== 'string') continue;
      const redacted = redaction.text(text);
      if (redacted !== text) Object.defineProperty(warning, name, { value: redacted, configurable: true });
    }
  });
}
