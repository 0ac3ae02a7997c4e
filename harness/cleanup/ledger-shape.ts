/**
 * What a line of a ledger may hold. A ledger is read after a crash, perhaps by hand edited or by another version written, and
 * what it says is done to a store: a line of another shape is refused, not guessed at.
 */
import { isJsonObject } from '../../contracts/json/object.ts';

type Json = Readonly<Record<string, unknown>>;
type Judge = (value: unknown) => boolean;

const text: Judge = (value) => typeof value === 'string';
const number: Judge = (value) => typeof value === 'number';
const whole: Judge = (value) => Number.isSafeInteger(value);
const list: Judge = Array.isArray;
const anything: Judge = (value) => value !== undefined;
const oneOf =
  (...values: readonly unknown[]): Judge =>
  (value) =>
    values.includes(value);
const optional =
  (judge: Judge): Judge =>
  (value) =>
    value === undefined || judge(value);
const orNull =
  (judge: Judge): Judge =>
  (value) =>
    value === null || judge(value);
const object =
  (members: Readonly<Record<string, Judge>>): Judge =>
  (value) =>
    isJsonObject(value) && Object.entries(members).every(([name, judge]) => judge(own(value, name)));

const own = (value: Json, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);

/** Letters, digits and `-`: it becomes the name of a file. */
export const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

const runId: Judge = (value) => typeof value === 'string' && RUN_ID.test(value);
/** A mark that is short or empty would be found in objects of other people. */
const mark: Judge = (value) => typeof value === 'string' && /^pm-./.test(value);
const recordId: Judge = (value) => typeof value === 'string' && /^-?\d+$/.test(value);
const owner = oneOf('private', 'other', 'public');
const installation = oneOf('own', 'other');
const texts: Judge = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string');
const sealedCode = optional(object({ aesGcm: text }));
const registration = optional(object({ installUrl: text, settingsUrl: text, tabMode: optional(text) }));

const LINES: Readonly<Record<string, Readonly<Record<string, Judge>>>> = {
  ledger: {
    run: runId,
    mark,
    proofmark: text,
    startedAt: text,
    target: object({ name: text, v1: orNull(text), api: orNull(text) }),
    profile: orNull(text),
  },
  opened: { pid: whole, host: text, at: number },
  closed: { pid: whole, host: text, at: number },
  will: { id: text, entry: anything },
  created: { id: text, known: isJsonObject },
  removed: { id: text },
  restored: { id: text },
  settled: {},
};

const ENTRIES: Readonly<Record<string, Readonly<Record<string, Judge>>>> = {
  'delivery-method': { owner, reference: text, handle: optional(text), given: optional(texts) },
  domain: { website: recordId, domain: text },
  installation: { sealedCode },
  'pickup-points': { owner, handle: text, country: optional(text), old: list },
  snippet: { installation, language: optional(text), old: orNull(text) },
  'app-data': { installation, old: anything, text: optional(text) },
  'reseller-settings': {
    old: (value) => isJsonObject(value) && Object.values(value).every((one) => text(one) || number(one)),
  },
  'website-status': { website: recordId, old: oneOf('enabled', 'disabled') },
  'website-premium': { website: recordId, old: oneOf('none') },
  password: {},
  'app-uninstalled': { installation },
  'registered-app': { old: registration },
};

/** What is wrong with a line, as the end of a sentence; undefined for a good one. Its entry is judged by itself, unsealed. */
export const lineProblem = (line: unknown): string | undefined => problemOf(line, 'type', LINES);

/** What is wrong with an entry, as the end of a sentence. */
export const entryProblem = (entry: unknown): string | undefined => problemOf(entry, 'kind', ENTRIES);

const isCreated = object({
  handle: optional(text),
  given: optional(texts),
  sealedCode,
  old: registration,
});

/** What is wrong with what is known of a created object, as the end of a sentence; unsealed. */
export const createdProblem = (known: unknown): string | undefined => (isCreated(known) ? undefined : 'is invalid');

function problemOf(
  value: unknown,
  name: string,
  known: Readonly<Record<string, Readonly<Record<string, Judge>>>>,
): string | undefined {
  const kind = isJsonObject(value) ? own(value, name) : undefined;
  if (!isJsonObject(value) || typeof kind !== 'string' || !Object.hasOwn(known, kind)) return `has no known "${name}"`;
  const wrong = Object.entries(known[kind] ?? {}).find(([member, judge]) => !judge(own(value, member)));
  return wrong === undefined ? undefined : `has a "${kind}" with an invalid "${wrong[0]}"`;
}
