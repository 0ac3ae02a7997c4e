/** A request as a command for a shell, with secrets as `$NAMES` that the shell fills in. */
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
 * as `$METHOD_1`, `$METHOD_2`; a line before their first use says so.
 */
export function scriptOf(answers: readonly Answer[], redaction: Redaction): string {
  const names = new Map<string, string>();
  const lines = answers.slice(0, MOST_LINES).flatMap(({ request }) => {
    const [all, before = '', handles = '', after = ''] = HANDLES.exec(request.url) ?? [];
    if (all === undefined) return curlOf(request, redaction);
    const known = names.size;
    for (const handle of handles.split(',')) if (!names.has(handle)) names.set(handle, `METHOD_${names.size + 1}`);
    const made = [...names].slice(known).map(([, name]) => `# ${name}=… (the handle of a method made above)`);
    const url = `${before}${handles
      .split(',')
      .map((handle) => `$${names.get(handle)}`)
      .join(',')}${after}`;
    return [...made, curlOf({ ...request, url }, redaction)];
  });
  const more = answers.length - MOST_LINES;
  return [...lines, ...(more > 0 ? [`# and ${more} more requests`] : [])].join('\n');
}

const HANDLES = /^(.*\/store\/delivery_method\/)([^/?]+)(\/.*)$/;

/** Single-quoted for a POSIX shell, but for `$NAMES`, which are double-quoted so that they are filled in. */
export function quote(text: string): string {
  return (
    text
      .split(/(\$[A-Z][A-Z0-9_]+)/)
      .map((part, index) => (index % 2 === 1 ? `"${part}"` : part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`))
      .join('') || "''"
  );
}
