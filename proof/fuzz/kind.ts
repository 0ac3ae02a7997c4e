/** One kind of input: how it is generated, who reads it, and which outcomes are allowed. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describeError } from '../../cli/common/failure.ts';
import { EXIT } from '../../contracts/run/verdicts.ts';
import type { Chance } from './prng.ts';

/** `taken`: the input was accepted; `refused`: with a sentence. */
export type CheckVerdict = 'taken' | 'refused';

export interface Kind {
  readonly name: string;
  /** Inputs in every `npm test`; the soak takes `SOAK_INPUTS` of each kind. */
  readonly few: number;
  /** Generates one input and lets it be read; `folder` is its own folder for files. Throws what a user must never see. */
  tried(chance: Chance, folder: string): Promise<CheckVerdict>;
}

export const SOAK_INPUTS = 10_000;

/** Longer messages do not help a user. */
const MAX_MESSAGE_CHARACTERS = 6_000;

/**
 * Runs the reader of the input. An internal error of Proofmark is passed on to the caller. Any other
 * message must name the file and be a sentence for the person at the terminal.
 */
export async function expectPlainRefusal(read: () => unknown, file?: string): Promise<CheckVerdict> {
  try {
    await read();
    return 'taken';
  } catch (error) {
    const { message, exitCode } = describeError(error);
    if (exitCode !== EXIT.usage) throw error;
    judgeMessage(message, file);
    return 'refused';
  }
}

export function judgeMessage(message: string, file?: string): void {
  assert.ok(message.length > 10 && message.length < MAX_MESSAGE_CHARACTERS, `of ${message.length} characters`);
  assert.ok(!/\n\s+at |node:internal|\.ts:\d+:\d+\)/.test(message), `shows a stack: ${message}`);
  // A message may repeat the input, but must not print a missing value as `undefined`.
  const own = message.replaceAll(/"(?:[^"\\]|\\.)*"|throws? .*/g, '');
  assert.ok(!/\bundefined\b|\[object Object\]/.test(own), `shows its own words: ${message}`);
  if (file !== undefined) assert.ok(message.includes(basename(file)), `does not name ${basename(file)}: ${message}`);
}

/** Runs a command in this process and captures its output. Returns the exit code and the output. */
export async function captureRun(run: () => Promise<number>): Promise<{ code: number; printed: string }> {
  const { log, error } = console;
  const { stdout, stderr } = process;
  const [writeOut, writeError] = [stdout.write, stderr.write];
  let printed = '';
  const line = (text: unknown): void => {
    printed += `${text}\n`;
  };
  // Node's test runner sends bytes to its parent on the same stream.
  const keep =
    (write: typeof stdout.write, stream: NodeJS.WriteStream) =>
    (text: string | Uint8Array): boolean => {
      if (typeof text !== 'string') return write.call(stream, text);
      printed += text;
      return true;
    };
  console.log = line;
  console.error = line;
  stdout.write = keep(writeOut, stdout) as typeof stdout.write;
  stderr.write = keep(writeError, stderr) as typeof stderr.write;
  try {
    return { code: await run(), printed };
  } finally {
    Object.assign(console, { log, error });
    stdout.write = writeOut;
    stderr.write = writeError;
  }
}

/** Events without the line of a check: whether it was ever written cannot be known. */
const LOST = 'its line was taken out of the events';

/** A command may end with any of its exit codes except that of an internal error, unless a result is lost. */
export async function commandPlainly(run: () => Promise<number>, file?: string): Promise<CheckVerdict> {
  return expectPlainRefusal(async () => {
    const { code, printed } = await captureRun(run);
    const isOurs = code === EXIT.harnessError && !printed.includes(LOST);
    assert.ok(!isOurs, `ended with code ${code}: ${printed.slice(0, 500)}`);
    assert.ok(!/\n\s+at .*:\d+:\d+/.test(printed), `shows a stack: ${printed}`);
  }, file);
}
