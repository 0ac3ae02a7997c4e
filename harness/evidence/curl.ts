/** A request as a command for a shell, with secrets as `$NAMES` that the shell fills in. */

import { handleIn } from '../check/given/index.ts';
import type { OutgoingRequest, ServiceResponse } from '../target/client/types.ts';
import { plain } from '../target/secrets/secret.ts';
import { cutPieces } from './cut.ts';
import type { RedactedPiece, Redaction } from './redaction/index.ts';

/** Longer bodies are cut: the exchange in the record has the rest. */
const MAX_BODY_CHARACTERS = 8_000;

/**
 * The command that repeats a request. Texts go in single quotes; the names of secrets that were taken out go in double quotes, so that
 * the shell puts the value in. Whatever else looks like a name or a pattern was written by the target: `-g` keeps curl from
 * expanding it, `--data-raw` from reading files.
 */
export function curlOf(request: OutgoingRequest, redaction: Redaction, url = redaction.pieces(request.url)): string {
  const shell = (pieces: readonly RedactedPiece[]): string => quotePieces(pieces, redaction);
  // With -X HEAD curl would wait for a body that does not follow.
  const method = request.method === 'HEAD' ? ['-I'] : ['-i', '-X', request.method];
  const parts = ['curl', '-sS', '-g', ...method, shell(url)];
  for (const [name, value] of request.headers ?? []) {
    const text = plain(value);
    // Without a value curl would leave the header out.
    const before = { text: text === '' ? `${name};` : `${name}: `, isLabel: false };
    parts.push('-H', shell([before, ...redaction.pieces(text, name)]));
  }
  if (request.body !== undefined) {
    const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
    parts.push('--data-raw', shell(cutPieces(body, MAX_BODY_CHARACTERS, (text) => redaction.pieces(text))));
  }
  return parts.join(' ');
}

/** Of a sequence with more requests than this, only the beginning is shown. */
const MAX_LINES = 60;

/**
 * The commands that repeat a sequence of requests, a line each. The target assigns new handles each time, so they are
 * written as `$METHOD_1`, `$METHOD_2`; a line after their creation, or before their first use, says so. Methods without further calls are
 * left out.
 */
export function scriptOf(responses: readonly ServiceResponse[], redaction: Redaction): string {
  const names = new Map<string, string>();
  for (const { request } of responses) {
    for (const handle of handlesIn(request)) if (!names.has(handle)) names.set(handle, `METHOD_${names.size + 1}`);
  }
  const isIdle = (response: ServiceResponse): boolean => {
    const made = madeIn(response);
    return made !== undefined && !names.has(made);
  };
  const shown = responses.filter((response) => !isIdle(response));
  const announced = new Set<string>();
  const lines = shown.slice(0, MAX_LINES).flatMap((response) => {
    const { request } = response;
    const handles = handlesIn(request);
    const unannounced = handles.filter((handle) => !announced.has(handle));
    for (const handle of unannounced) announced.add(handle);
    const url = urlOf(request, redaction, names);
    const made = madeIn(response);
    if (made !== undefined) announced.add(made);
    return [
      ...unannounced.map((handle) => `# ${names.get(handle)}=… (the handle of a method created above)`),
      curlOf(request, redaction, url),
      ...(made === undefined ? [] : [`# ${names.get(made)}=… (the handle in this response)`]),
    ];
  });
  const more = shown.length - MAX_LINES;
  return [...lines, ...(more > 0 ? [`# and ${more} more requests`] : [])].join('\n');
}

/** Bounded: the address may be one that the target handed out. */
const HANDLES = /^([^?]{0,1000}?\/store\/delivery_method\/)([^/?]{1,4000})(\/.*)$/s;

const handlesIn = (request: OutgoingRequest): string[] => HANDLES.exec(request.url)?.[2]?.split(',') ?? [];

/** An address whose handles are variables. */
function urlOf(request: OutgoingRequest, redaction: Redaction, names: ReadonlyMap<string, string>): RedactedPiece[] {
  const [, before = '', handles, after = ''] = HANDLES.exec(request.url) ?? [];
  if (handles === undefined) return [...redaction.pieces(request.url)];
  const variables = handles
    .split(',')
    .flatMap((handle, at): RedactedPiece[] => [
      ...(at === 0 ? [] : [{ text: ',', isLabel: false }]),
      { text: `$${names.get(handle)}`, isLabel: true },
    ]);
  return [...redaction.pieces(before), ...variables, ...redaction.pieces(after)];
}

/** The handle of the method that a request made, as it is written in addresses; undefined when the response does not contain it. */
function madeIn({ request, json }: ServiceResponse): string | undefined {
  if (request.method !== 'POST' || !/\/store\/delivery_method\/$/.test(request.url)) return undefined;
  const handle = handleIn({ json });
  return handle === undefined ? undefined : encodeURIComponent(handle);
}

/** A name that a shell fills in; what is only a form of a secret (`$STORE_KEY(base64)`) stays text. */
const VARIABLE = /^\$[A-Z][A-Z0-9_]*$/;

function quotePieces(pieces: readonly RedactedPiece[], redaction: Redaction): string {
  const words: string[] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') words.push(quote(text));
    text = '';
  };
  for (const piece of pieces) {
    if (piece.isLabel && VARIABLE.test(piece.text)) {
      endText();
      words.push(redaction.shellOf(piece.text.slice(1)) ?? `"${piece.text}"`);
    } else text += piece.text;
  }
  endText();
  return words.join('') || "''";
}

/** Single-quoted for a POSIX shell: nothing in it is expanded. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
