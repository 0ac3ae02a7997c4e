/**
 * The last gate before the terminal and the log of a CI job: whatever a target, a file or a driver said, the characters that
 * steer a terminal are shown as numbers, and what a CI system would take for a command of ours is broken up. The texts are
 * made readable where they are put together (`oneLine`); this keeps what was forgotten there from doing harm.
 */

/** Our own colours, and the beginning of a line that is written over another one. */
const OWN = /^\r(?:\u001b\[2K)?|\u001b\[(?:[0-2]|3[1-7])m/g;
/** Controls but for line feed and tab; what turns the direction of text; a carriage return where no line ends. */
const STEERING = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;
/** Of Azure Pipelines (`##vso[`), GitHub's older form (`##[`), and TeamCity: anywhere in a line. */
const MARKED_COMMAND = /#(?=#(?:vso|teamcity)?\[)/gi;
/** Of GitHub Actions: at the beginning of a line, behind any number of blanks. A line that JavaScript's own line separators begin is matched by itself. */
const LINE_COMMAND = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm;

/** The text as it may be printed. `continues`: it goes on with a line that has something in it already. */
export function safeText(text: string, continues = false): string {
  let output = '';
  let at = 0;
  for (const own of text.matchAll(OWN)) {
    output += shown(text.slice(at, own.index)) + own[0];
    at = own.index + own[0].length;
  }
  output += shown(text.slice(at));
  output = output.replace(MARKED_COMMAND, '# ');
  return output.replace(LINE_COMMAND, (command, blank: string, place: number) =>
    continues && place === 0 ? command : `${blank}: `,
  );
}

const shown = (text: string): string =>
  text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What writing fails with when the reader of a pipe has ended (`| head`), or the terminal was closed. */
const WITHOUT_READER = new Set(['EPIPE', 'EIO']);

/**
 * Lets only such text through to a stream from now on. What can't be written is lost and ends no run, since the target would keep what
 * the run has made; `lost` hears of it unless only the reader has gone.
 */
export function guardOutput(
  stream: Pick<NodeJS.WriteStream, 'write' | 'on'>,
  lost: (error: NodeJS.ErrnoException) => void = () => undefined,
): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!WITHOUT_READER.has(error.code ?? '')) lost(error);
  });
  const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
  let continues = false;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (typeof chunk !== 'string') return write(chunk, ...rest);
    const text = safeText(chunk, continues);
    const line = chunk.slice(chunk.lastIndexOf('\n') + 1);
    continues = line.trim() !== '' || (continues && !chunk.includes('\n'));
    return write(text, ...rest);
  }) as typeof stream.write;
}
