/** Pages on which a program shows its own output in place of something for a person: data, messages, a stack trace. */
import type { PageSnapshot } from './page-inspection.ts';

/** As PHP writes them into a page where errors are displayed; a path and a line are part of each. */
const PROGRAM_MESSAGE =
  /^(?:PHP )?(?:Warning|Notice|Deprecated): .+ in (?:\/|[A-Z]:\\).+\.(?:php|phtml|inc) on line #$/;

/** A call in a stack trace, which names a file of the server and a line in it; numbers are written as `#`. */
const CALLS: readonly RegExp[] = [
  // JavaScript, then Python, Java, PHP, Ruby and C#.
  /^at [^()]*\((?:node:|file:\/\/|\/|[A-Z]:\\)[^()]*:#:#\)$/,
  /^at (?:async )?(?:node:|file:\/\/|\/|[A-Z]:\\)[^()]*:#:#$/,
  /^File "(?:\/|[A-Z]:\\|<).*", line #, in /,
  /^at [\w.$<>/#]+\([\w$#]+\.(?:java|kt|scala):#\)$/,
  /^## (?:\/|[A-Z]:\\).+\(#\): /,
  /^(?:from )?\/\S+\.rb:#:in /,
  /^at .+ in (?:\/|[A-Z]:\\).+:line #$/,
];
/** Fewer may be an example in a text. */
const MIN_CALLS = 2;
/** The message, a heading, and what a template has around them. */
const MAX_OTHER_LINES = 5;

/** What languages write in place of a text that is not there. */
const NO_TEXT = /^(?:undefined|null|None|nil|NaN|true|false|\[object \w+\])$/;

/** How a page of HTML begins, where a browser shows it as a text. */
const SOURCE = /^<(?:!doctype html|html|head|body)\b/i;

/** What a page shows in place of something for a person, as the end of a sentence; undefined where it does not. */
export function programOutputOf({ contentType = '', lines, things }: PageSnapshot): string | undefined {
  if (/[/+]json\b/i.test(contentType)) return 'is bare data in JSON';
  const [only] = lines;
  if (/^text\/plain\b/i.test(contentType) && SOURCE.test(only ?? ''))
    return 'is the source of a page: its content type is text/plain';
  if (only !== undefined && lines.length === 1 && things.length === 0 && NO_TEXT.test(only))
    return `consists of the word ${only}`;
  const message = lines.find((line) => PROGRAM_MESSAGE.test(line));
  if (message !== undefined) return `shows a message of its program: ${message.slice(0, MAX_SHOWN)}`;
  const calls = lines.filter((line) => CALLS.some((call) => call.test(line))).length;
  // Python shows the code of each call below it. A page that has more to show may be about errors.
  const others = lines.length - calls * (lines.some((line) => line.startsWith('File "')) ? 2 : 1);
  if (calls >= MIN_CALLS && others <= MAX_OTHER_LINES && things.length === 0) return 'is a stack trace of its program';
  return undefined;
}

const MAX_SHOWN = 120;
