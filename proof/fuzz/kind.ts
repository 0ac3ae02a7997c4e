/** One kind of input: how it is made, who reads it, and what may come of it. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describeError } from '../../cli/common/failure.ts';
import { EXIT } from '../../contracts/run/verdicts.ts';
import type { Chance } from './prng.ts';

/** `taken`: it was good enough; `refused`: in a sentence. */
export type CheckVerdict = 'taken' | 'refused';

export interface Kind {
  readonly name: string;
  /** Inputs in every `npm test`; the soak takes `SOAK_INPUTS` of each kind. */
  readonly few: number;
  /** Makes one input and has it read; `folder` is a place of its own for files. Throws what nobody should ever see. */
  tried(chance: Chance, folder: string): Promise<CheckVerdict>;
}

export const SOAK_INPUTS = 10_000;

/** A message that is longer tells nobody anything. */
const MAX_MESSAGE_CHARACTERS = 6_000;

/**
 * Runs what reads the input. What the command line would call an error of Proofmark's own goes on to the caller. The
 * message has to name the file, and to be a sentence for the person at the terminal.
 */
export async function refusedPlainly(read: () => unknown, file?: string): Promise<CheckVerdict> {
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
  // What the input said may be repeated; what it lacked must not be printed as a value.
  const own = message.replaceAll(/"(?:[^"\\]|\\.)*"|throws? .*/g, '');
  assert.ok(!/\bundefined\b|\[object Object\]/.test(own), `shows its own words: ${message}`);
  if (file !== undefined) assert.ok(message.includes(basename(file)), `does not name ${basename(file)}: ${message}`);
}

/** Runs a command in this process with its lines kept to itself: the exit code and what it printed. */
export async function quietly(run: () => Promise<number>): Promise<{ code: number; printed: string }> {
  const { log, error } = console;
  const { stdout, stderr } = process;
  const [writeOut, writeError] = [stdout.write, stderr.write];
  let printed = '';
  const line = (text: unknown): void => {
    printed += `${text}\n`;
  };
  // Bytes are what Node's test runner tells its parent.
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

/** What stands in events without the line of a check: nobody can tell whether it was written. */
const LOST = 'its line was taken out of the events';

/** A command may end with any code of its own, but not with that of an error of Proofmark's, unless a result is lost. */
export async function commandPlainly(run: () => Promise<number>, file?: string): Promise<CheckVerdict> {
  return refusedPlainly(async () => {
    const { code, printed } = await quietly(run);
    const isOurs = code === EXIT.harnessError && !printed.includes(LOST);
    assert.ok(!isOurs, `ended with code ${code}: ${printed.slice(0, 500)}`);
    assert.ok(!/\n\s+at .*:\d+:\d+/.test(printed), `shows a stack: ${printed}`);
  }, file);
}
