/** Reads a small file that a flag names; whatever keeps it from being read is one sentence. */

import { readFileSync } from 'node:fs';
import { whyUnusable } from '../../../harness/process/file-error.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { statOf } from './stat-of.ts';

const MEBIBYTE = 1024 * 1024;

/** @param flag what to correct, for the message: `--keys` */
export function readFileOf(file: string, flag: string, maxBytes: number = MEBIBYTE): string {
  const stat = statOf(file, `correct ${flag}`);
  if (stat === undefined) throw new UsageError(`There is no file ${file}: correct ${flag}.`);
  if (stat.isDirectory()) throw new UsageError(`${file} is a folder: correct ${flag}.`);
  if (stat.size > maxBytes)
    throw new UsageError(
      `${file} is larger than ${maxBytes / MEBIBYTE} MiB, the maximum for such a file: correct ${flag}.`,
    );
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can't be read, ${whyUnusable(error)}: correct ${flag}.`);
  }
}

/**
 * The value of a text of JSON. The error quotes the text, so this is not for files that hold secrets.
 * @param remedy what to do about a text that is not JSON, as the end of a sentence: `correct it or delete it`
 */
export function parseJson(text: string, file: string, remedy: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON (${(error as Error).message.replace(/\s+/g, ' ')}): ${remedy}.`);
  }
}
