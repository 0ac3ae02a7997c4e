/** A request as a command for a shell, with secrets as `$NAMES` that the shell fills in. */
import { handleIn } from './given.ts';
import type { Redaction } from './redaction.ts';
import type { Answer, OutgoingRequest } from './target/client.ts';
import { plain } from './target/secret.ts';

/** Longer bodies are cut: the exchange in the record has the rest. */
const MOST_BODY_CHARACTERS = 8_000;

/**
 * The command that repeats a request. Texts go in single quotes; redacted secrets (`$STORE_KEY`) stand in double quotes,
 * so that the shell puts the value in.
 */
export function curlOf(request: OutgoingRequest, redaction: Redaction): string {
  const parts = ['curl', '-sS', '-i', '-X', request.method, quote(redaction.text(request.url))];
  for (const [name, value] of request.headers ?? [])
    parts.push('-H', quote(`${name}: ${redaction.field(name, plain(value))}`));
  if (request.body !== undefined) {
    const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
    const cut = body.length > MOST_BODY_CHARACTERS ? `${body.slice(0, MOST_BODY_CHARACTERS)}…` : body;
    parts.push('--data-binary', quote(redaction.text(cut)));
  }
  return parts.join(' ');
}

/** A sequence with more requests than this is told by its beginning. */
const MOST_LINES = 60;

/**
 * The commands that repeat a sequence of requests, a line each. Handles, which the target makes up anew each time, stand
 * as `$METHOD_1`, `$METHOD_2`; a line after their creation, or before their first use, says so. Methods that nothing is done with are left out.
 */
export function scriptOf(answers: readonly Answer[], redaction: Redaction): string {
  const names = new Map<string, string>();
  for (const { request } of answers) {
    for (const handle of handlesIn(request)) if (!names.has(handle)) names.set(handle, `METHOD_${names.size + 1}`);
  }
  const isIdle = (answer: Answer): boolean => {
    const made = madeIn(answer);
    return made !== undefined && !names.has(made);
  };
  const shown = answers.filter((answer) => !isIdle(answer));
  const told = new Set<string>();
  const lines = shown.slice(0, MOST_LINES).flatMap((answer) => {
    const { request } = answer;
    const handles = handlesIn(request);
    const untold = handles.filter((handle) => !told.has(handle));
    for (const handle of untold) told.add(handle);
    const url = request.url.replace(HANDLES, (_all, before: string, _handles, after: string) => {
      return `${before}${handles.map((handle) => `$${names.get(handle)}`).join(',')}${after}`;
    });
    const made = madeIn(answer);
    if (made !== undefined) told.add(made);
    return [
      ...untold.map((handle) => `# ${names.get(handle)}=… (the handle of a method made above)`),
      curlOf({ ...request, url }, redaction),
      ...(made === undefined ? [] : [`# ${names.get(made)}=… (the handle in this answer)`]),
    ];
  });
  const more = shown.length - MOST_LINES;
  return [...lines, ...(more > 0 ? [`# and ${more} more requests`] : [])].join('\n');
}

const HANDLES = /^(.*\/store\/delivery_method\/)([^/?]+)(\/.*)$/;

const handlesIn = (request: OutgoingRequest): string[] => HANDLES.exec(request.url)?.[2]?.split(',') ?? [];

/** The handle of the method that a request made, as it stands in addresses; undefined when the answer does not tell it. */
function madeIn({ request, json }: Answer): string | undefined {
  if (request.method !== 'POST' || !/\/store\/delivery_method\/$/.test(request.url)) return undefined;
  const handle = handleIn({ json });
  return handle === undefined ? undefined : encodeURIComponent(handle);
}

/** Single-quoted for a POSIX shell, but for `$NAMES`, which are double-quoted so that they are filled in. */
export function quote(text: string): string {
  return (
    text
      .split(/(\$[A-Z][A-Z0-9_]+)/)
      .map((part, index) => (index % 2 === 1 ? `"${part}"` : part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`))
      .join('') || "''"
  );
}
