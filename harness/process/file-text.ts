/** The text of a file that a person wrote, in the encodings that editors and shells leave. */
import { isUtf8 } from 'node:buffer';
import { UsageError } from './usage-error.ts';

/**
 * Without the mark of its encoding. The shell of Windows writes UTF-16 where a command prints into a file.
 * Throws a `UsageError` for any other encoding: a password with a replacement character in it would be refused like a wrong one.
 */
export function fileText(bytes: Buffer, file: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (!isUtf8(bytes)) throw new UsageError(`${file} is not UTF-8 text: save it as UTF-8.`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
