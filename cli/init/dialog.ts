/** The questions of `proofmark init` on a terminal; without one, the flags and defaults answer them. */
import { createInterface } from 'node:readline/promises';
import { nearest } from '../../harness/process/nearest.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { oneLine } from '../../reports/words/text.ts';

export interface Dialog {
  /** Whether a person answers. */
  readonly isInteractive: boolean;
  /** The answer; the default where it is empty or the session is not interactive. */
  ask(question: string, byDefault: string): Promise<string>;
  /** One line for the reader, whatever a target said. */
  say(line: string): void;
  close(): void;
}

/** A dialog on this terminal; a pipe, a CI job or `--yes` has no one to answer. */
export function openDialog(answersByDefault: boolean): Dialog {
  const say = (line: string): void => console.log(oneLine(line));
  const isInteractive = !answersByDefault && process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (!isInteractive)
    return { isInteractive, say, ask: async (_question, byDefault) => byDefault, close: () => undefined };
  // The terminal edits the line: what Node would write to move the cursor is made visible by the gate before the output.
  const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const ended = new Promise<never>((_resolve, reject) => {
    terminal.once('close', () => reject(new UsageError('The dialog was ended: nothing was written.')));
  });
  ended.catch(() => undefined);
  return {
    isInteractive,
    say,
    ask: async (question, byDefault) => {
      const shown = byDefault === '' ? '' : ` [${byDefault}]`;
      const answer = await Promise.race([terminal.question(`${oneLine(`${question}${shown}`)}: `), ended]);
      return answer.trim() === '' ? byDefault : answer.trim();
    },
    close: () => terminal.close(),
  };
}

/** Asks a question that is answered with yes or no; without an answer it is no. */
export async function confirms(dialog: Dialog, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await dialog.ask(`${question} (y/n)`, 'n'));
}

/** Asks until the answer can be read: on a terminal a mistake costs one more question, elsewhere it ends the command. */
export async function askUntil<T>(
  dialog: Dialog,
  question: string,
  byDefault: string,
  read: (answer: string) => T | Promise<T>,
): Promise<T> {
  for (;;) {
    const answer = await dialog.ask(question, byDefault);
    try {
      return await read(answer);
    } catch (error) {
      if (!dialog.isInteractive || !(error instanceof UsageError)) throw error;
      // Without the place that a file would have.
      dialog.say(`! ${error.message.replace(/^--\w+:(\d+:\d+:)? /, '')}`);
    }
  }
}

/** Words of a known set, separated by commas or spaces; asks again, with the nearest word, until all are known. */
export async function askForWords<W extends string>(
  dialog: Dialog,
  question: string,
  known: readonly W[],
  byDefault: readonly W[],
): Promise<W[]> {
  for (;;) {
    const answer = await dialog.ask(question, byDefault.join(', ') || 'none');
    const words = answer.split(/[\s,]+/).filter((word) => word !== '' && word !== 'none');
    const unknown = words.filter((word) => !(known as readonly string[]).includes(word));
    if (unknown.length === 0) return [...new Set(words as W[])];
    for (const word of unknown) dialog.say(`  ${unknownWord(word, known)}`);
  }
}

/** The message for an unknown word. */
export function unknownWord(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return `"${word}" is not known${near === undefined ? '.' : `: did you mean "${near}"?`} Use ${known.join(', ')}.`;
}
