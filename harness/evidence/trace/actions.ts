/**
 * The actions of a trace, built again from the members that are known to be harmless, each cleaned. Whatever else Playwright records
 * (arguments and results of scripts, typed texts, files, pictures, snapshots of pages) is left out.
 */
import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import type { Cleaner } from './clean.ts';
import { NOT_SHOWN } from './clean.ts';

type Json = Readonly<Record<string, unknown>>;

/** Parameters of actions that say what was done; of all others only that they were there. */
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'url',
  'selector',
  'timeout',
  'waitUntil',
  'state',
  'event',
  'button',
  'clickCount',
  'force',
  'strict',
  'noWaitAfter',
]);
/** Parameters that hold what a person would type, and what a log quotes of them. */
const TYPED_PARAMETERS = ['value', 'text', 'key'] as const;
/** `Enter`: a key that types nothing. */
const NAMED_KEY = /^[A-Z][A-Za-z]{2,}$/;
/** `fill("abc")` in the log of an action. */
const QUOTES_TYPED = /^\s*(?:fill|type|press|insertText|selectOption|setInputFiles|selected)\b/;
/** A page in a loop has no end of lines; the newest say how it ended. */
const MAX_LINES = 4_000;
const MAX_TEXT_CHARS = 4_000;

/** Reads the lines of a raw trace; one that was not finished is left out. */
export function parseLines(lines: string): Json[] {
  return lines.split('\n').flatMap((line) => {
    const value = jsonIn(line);
    return isJsonObject(value) ? [value] : [];
  });
}

/** What the actions typed into pages. */
export function typedTexts(events: readonly Json[]): string[] {
  return events.flatMap(({ type, params }) => {
    if (type !== 'before' || !isJsonObject(params)) return [];
    const options = Array.isArray(params.options) ? params.options.filter(isJsonObject) : [];
    const { value, text, key } = params;
    const typedKey = typeof key === 'string' && NAMED_KEY.test(key) ? undefined : key;
    const texts = [value, text, typedKey, ...options.flatMap((one) => Object.values(one))];
    return texts.filter((one) => typeof one === 'string');
  });
}

/** The events that a trace shows, each with nothing but what `cleaner` lets through. */
export function shownEvents(events: readonly Json[], cleaner: Cleaner): Json[] {
  const [context] = events.filter(({ type }) => type === 'context-options');
  if (context === undefined) return [];
  const newest = events.filter((event) => event !== context).slice(-MAX_LINES);
  const known = new Set(newest.flatMap(({ type, callId }) => (type === 'before' ? [callId] : [])));
  const shown = newest.flatMap((event) => {
    const isOrphan = event.callId !== undefined && !known.has(event.callId);
    const one = isOrphan ? undefined : (SHOWN[String(event.type)]?.(event, cleaner) ?? undefined);
    return one === undefined ? [] : [{ type: event.type, ...one }];
  });
  return [contextShown(context), ...shown];
}

type Show = (event: Json, cleaner: Cleaner) => Json | undefined;

const SHOWN: Readonly<Record<string, Show>> = {
  before: (event, { text }) => ({
    ...plain(event, ['callId', 'parentId', 'pageId', 'startTime', 'class', 'method']),
    ...(typeof event.title === 'string' ? { title: cut(text(event.title)) } : {}),
    params: parametersShown(event.params, text),
  }),
  input: (event) => ({
    ...plain(event, ['callId']),
    ...(isJsonObject(event.point) ? { point: plain(event.point, ['x', 'y']) } : {}),
  }),
  log: (event, { text }) => {
    const message = String(event.message ?? '');
    if (QUOTES_TYPED.test(message)) return undefined;
    return { ...plain(event, ['callId', 'time']), message: cut(text(withoutFields(message))) };
  },
  after: (event, { text }) => ({
    ...plain(event, ['callId', 'endTime']),
    ...(isJsonObject(event.error) ? { error: errorShown(event.error, text) } : {}),
  }),
  console: (event, { text }) => ({
    ...plain(event, ['messageType', 'time', 'pageId']),
    text: cut(text(String(event.text ?? ''))),
    args: [],
    location: locationShown(event.location, text),
  }),
  event: (event, { text }) => {
    const params = isJsonObject(event.params) ? event.params : {};
    const { error, location } = params;
    const inner = isJsonObject(error) && isJsonObject(error.error) ? error.error : undefined;
    return {
      ...plain(event, ['time', 'class', 'method', 'pageId']),
      params: {
        ...plain(params, ['pageId', 'openerPageId', 'type']),
        ...textsOf(params, ['message', 'url'], text),
        ...(inner === undefined ? {} : { error: { error: errorShown(inner, text) } }),
        ...(location === undefined ? {} : { location: locationShown(location, text) }),
      },
    };
  },
};

function contextShown(context: Json): Json {
  const options = isJsonObject(context.options) ? context.options : {};
  return {
    ...plain(context, ['version', 'type', 'origin', 'browserName', 'channel', 'playwrightVersion', 'platform']),
    ...plain(context, ['wallTime', 'monotonicTime', 'sdkLanguage']),
    options: isJsonObject(options.viewport) ? { viewport: plain(options.viewport, ['width', 'height']) } : {},
  };
}

function parametersShown(params: unknown, text: Cleaner['text']): Json {
  if (!isJsonObject(params)) return {};
  const shown: [string, unknown][] = [];
  for (const [name, value] of Object.entries(params)) {
    const isTyped = (TYPED_PARAMETERS as readonly string[]).includes(name);
    if (isTyped) shown.push([name, name === 'key' && NAMED_KEY.test(String(value)) ? value : NOT_SHOWN]);
    else if (!SHOWN_PARAMETERS.has(name)) continue;
    else if (typeof value === 'string') shown.push([name, cut(text(value))]);
    else if (typeof value === 'number' || typeof value === 'boolean') shown.push([name, value]);
  }
  return Object.fromEntries(shown);
}

/** Logs describe elements by their tags: what is in a field was typed by a person, or is a token of the page. */
const withoutFields = (message: string): string =>
  message
    .replace(/(\svalue=)"[^"]*"?/gi, `$1"${NOT_SHOWN}"`)
    // Each piece is looked through once, however many tags are not closed: a page may throw a megabyte of them.
    .split(/(?=<textarea\b)/i)
    .map((piece, at) => (at === 0 && !/^<textarea\b/i.test(piece) ? piece : withoutText(piece)))
    .join('');

/** What begins with a tag, without the text behind it. */
function withoutText(piece: string): string {
  const start = piece.indexOf('>') + 1;
  if (start === 0) return piece;
  const end = piece.indexOf('<', start);
  return `${piece.slice(0, start)}${NOT_SHOWN}${end < 0 ? '' : piece.slice(end)}`;
}

/** Errors repeat the log of their action. */
function errorShown(error: Json, text: Cleaner['text']): Json {
  const message = String(error.message ?? '')
    .split('\n')
    .filter((line) => !QUOTES_TYPED.test(line.replace(/^\s*-\s*/, '')))
    .join('\n');
  return { ...textsOf(error, ['name'], text), message: cut(text(withoutFields(message))), stack: '' };
}

const locationShown = (location: unknown, text: Cleaner['text']): Json =>
  isJsonObject(location)
    ? { ...textsOf(location, ['url'], text), ...plain(location, ['lineNumber', 'columnNumber', 'line', 'column']) }
    : {};

function textsOf(event: Json, names: readonly string[], text: Cleaner['text']): Json {
  return Object.fromEntries(
    names.flatMap((name) => (typeof event[name] === 'string' ? [[name, cut(text(event[name] as string))]] : [])),
  );
}

/** Members that Playwright fills by itself: ids, times, names of methods. */
function plain(event: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.flatMap((name) => (name in event ? [[name, event[name]]] : [])));
}

const cut = (text: string): string => (text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)} (cut)` : text);
