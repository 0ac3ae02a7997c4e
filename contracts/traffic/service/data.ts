/** What served responses hold: names, types and formats of resources (spec: Resources and their fields), and sizes of pages. */
import { resourceOf } from '../../envelopes/index.ts';
import type { Fields } from '../../fields/catalogue/row.ts';
import { BEYOND_SCHEMA, FORMS, fits } from '../../fields/forms.ts';
import { isUnset } from '../../fields/unset.ts';
import { isJsonObject } from '../../json/object.ts';
import { pointerOf, valueAt } from '../../json/pointer.ts';
import { recordId } from '../../json/record-ids.ts';
import { inWords } from '../../json/words.ts';
import { type SchemaFault, schemaErrors } from '../../schemas/index.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { isRedacted } from '../reading/redacted.ts';
import type { SeenExchange } from '../reading/seen.ts';
import { named, say } from './responses.ts';
import type { SentCountries } from './sent-countries.ts';
import { RESPONSE_SHAPES, type ResponseShape, type Shape } from './shapes.ts';
import { spellingOf } from './spelling.ts';

const EXACT_LANGUAGES = 'apps.languages.exactly-website-languages';

/** Clauses that only a wrong kind of value shows broken: that a value was kept takes a look at what was sent before. */
const ONLY_BROKEN = new Set([
  'delivery.method.list-contains-own',
  'delivery.method.reference-kept',
  'delivery.method.print-label-url-kept',
  'delivery.point.list-contains',
  'delivery.point.id-kept',
  'delivery.point.address-kept',
  'delivery.point.city-kept',
  'delivery.point.zip-kept',
  'reseller.website.list-contains-own',
  EXACT_LANGUAGES,
]);

const clausesOf = ({ shape, nameClause, key, asked }: ResponseShape): string[] =>
  [...Object.values(shape.fields).map(({ form }) => form), nameClause, key?.clause, asked?.clause].filter(
    (clause) => clause !== undefined,
  );

const ALL = [
  ...Object.values(RESPONSE_SHAPES).flatMap((responseShape) =>
    responseShape === undefined ? [] : clausesOf(responseShape),
  ),
  EXACT_LANGUAGES,
];

export const DATA_CLAUSES: readonly string[] = [
  ...ALL.filter((clause) => !ONLY_BROKEN.has(clause)),
  'delivery.lists.page-size-respected',
];
export const DATA_CLAUSES_BROKEN: readonly string[] = ALL.filter((clause) => ONLY_BROKEN.has(clause));

interface DataContext extends RuleContext {
  /** What clients wrote as countries before; not known where a response is judged alone. */
  readonly sentCountries?: SentCountries;
}

/** Judges the data of one served response. */
export function judgeData(call: ServiceRequest, scene: DataContext): void {
  const responseShape = call.operation === undefined ? undefined : RESPONSE_SHAPES[call.operation.id];
  if (responseShape === undefined || responseKind(call) !== 'served') return;
  const body = call.seen.responseBody;
  if (body.kind === 'unknown') {
    for (const clause of new Set(clausesOf(responseShape)))
      scene.notes.undecided(clause, call.seen.n, `the response to ${named(call)} can't be judged: ${body.why}`);
    return;
  }
  // A response that is not an object breaks a clause of its own.
  if (body.kind !== 'json' || !isJsonObject(body.value)) return;
  if (responseShape.isList) judgeList(call, scene, responseShape, body.value);
  else judgeResource(call, scene, responseShape, body.value);
}

type Json = Readonly<Record<string, unknown>>;

function judgeList(call: ServiceRequest, scene: DataContext, responseShape: ResponseShape, response: Json): void {
  const { shape, name, nameClause, key } = responseShape;
  const { n } = call.seen;
  const list = response[name];
  const isArray = Array.isArray(list);
  if (nameClause !== undefined) {
    say(scene, nameClause, n, isArray && list.every(isJsonObject), () => ({
      message: `${named(call)} was answered without an array of objects named ${name}`,
      pointer: pointerOf(name),
      expected: `an array of objects named ${name}`,
      actual: isArray ? 'an array of something else' : inWords(list),
    }));
  }
  if (!isArray) return;
  const items = list.filter(isJsonObject);
  const said = new Set<string>();
  for (const [at, item] of list.entries())
    if (isJsonObject(item)) judgeMembers(call, scene, shape, item, [name, at], said);
  if (key !== undefined && items.length > 1) judgeKeys(call, scene, responseShape, items);
  judgePageSize(call, scene, list.length);
}

function judgeResource(call: ServiceRequest, scene: DataContext, responseShape: ResponseShape, response: Json): void {
  const { shape, name, nameClause, asked } = responseShape;
  const { seen, match } = call;
  if (nameClause !== undefined) {
    say(scene, nameClause, seen.n, isJsonObject(response[name]), () => ({
      message: `${named(call)} was answered without an object named ${name}`,
      pointer: pointerOf(name),
      expected: `an object named ${name}`,
      actual: inWords(response[name]),
    }));
  }
  const isWrapped = name !== '' && isJsonObject(response[name]);
  const resource = name === '' ? response : resourceOf(response, name);
  if (isJsonObject(resource)) judgeMembers(call, scene, shape, resource, isWrapped ? [name] : [], new Set());
  if (call.operation?.id === 'getLanguages') judgeLanguages(call, scene, response.languages);
  if (asked === undefined) return;
  const wanted = match?.params[asked.param];
  const got = isJsonObject(resource) ? resource[asked.member] : undefined;
  if (wanted === undefined || isRedacted(wanted) || isRedacted(got)) return;
  const isText = typeof got === 'string' || typeof got === 'number';
  // Whether another spelling names the same thing is open.
  if (isText && String(got) !== wanted && spellingOf(String(got)) === spellingOf(wanted)) return;
  say(scene, asked.clause, seen.n, isText && String(got) === wanted, () => ({
    message: `${named(call)} was answered with ${isJsonObject(resource) ? 'a resource other than the requested one' : 'no resource'}`,
    pointer: `${isWrapped ? pointerOf(name) : ''}${pointerOf(asked.member)}`,
    expected: wanted,
    actual: got ?? null,
  }));
}

/** Which languages a website has is not in the traffic, but that it has each of them once. */
function judgeLanguages(call: ServiceRequest, { notes }: RuleContext, languages: unknown): void {
  if (!Array.isArray(languages) || languages.some(isRedacted)) return;
  const twice = languages.find((language, index) => languages.indexOf(language) < index);
  if (twice === undefined) return;
  notes.breaks(EXACT_LANGUAGES, call.seen.n, {
    message: `${named(call)} contains the language ${JSON.stringify(twice)} twice`,
    pointer: '/languages',
    expected: 'each language of the website once',
    actual: languages,
  });
}

type Members = ReadonlyArray<readonly [member: string, row: Fields[string]]>;

interface MemberRows {
  readonly all: Members;
  /** Those whose form no schema can state. */
  readonly beyondSchema: Members;
}

/** The members of each shape, taken apart once: every item of every list is judged by them. */
const MEMBERS = new Map<Shape, MemberRows>();
function membersOf(shape: Shape): MemberRows {
  const known = MEMBERS.get(shape);
  if (known !== undefined) return known;
  const all = Object.entries(shape.fields);
  const rows = { all, beyondSchema: all.filter(([, { kind }]) => BEYOND_SCHEMA.has(kind)) };
  MEMBERS.set(shape, rows);
  return rows;
}

/** `path` leads to the record. `said`: clauses that this exchange was already counted as keeping, so that a list counts once. */
function judgeMembers(
  call: ServiceRequest,
  scene: DataContext,
  shape: Shape,
  record: Json,
  path: ReadonlyArray<string | number>,
  said: Set<string>,
): void {
  const { n } = call.seen;
  const faults = faultsByMember(shape, record);
  for (const [member, { form: clause, isEcho, kind }] of membersOf(shape).all) {
    const value = record[member];
    const fault = faults?.get(member);
    if (fault === undefined) {
      if (isUnset(value) || said.has(clause)) continue;
      said.add(clause);
      scene.notes.keeps(clause, n);
      continue;
    }
    const isType = fault.keyword === 'type' || fault.keyword === 'required';
    if ((isEcho === true && typeof value === 'string') || scene.sentCountries?.explains(member, value)) continue;
    if (holdsRedacted(value) || (isRedacted(value) && !isType)) {
      scene.notes.undecided(clause, n, `${member} in the response to ${named(call)} was redacted in the recording`);
      continue;
    }
    scene.notes.breaks(clause, n, {
      message: `${member} in the response to ${named(call)} ${fault.message}`,
      pointer: `${pointerOf(...path)}${fault.pointer === '' ? pointerOf(member) : fault.pointer}`,
      expected: FORMS[kind].expected,
      actual: kindInWords(valueAt(record, fault.pointer || pointerOf(member))),
    });
  }
}

/** The first fault of each member; undefined for a record without any, which nearly every one is. */
function faultsByMember(shape: Shape, record: Json): Map<string, SchemaFault> | undefined {
  const found = schemaErrors(shape.document, shape.schema, record);
  const odd = membersOf(shape).beyondSchema.filter(([member, { kind }]) => !fits(kind, record[member]));
  if (found.length === 0 && odd.length === 0) return undefined;
  const faults = new Map<string, SchemaFault>();
  for (const fault of found) {
    const missing =
      fault.keyword === 'required' && fault.pointer === '' ? /"([^"]+)"/.exec(fault.message)?.[1] : undefined;
    const member = missing ?? fault.pointer.split('/')[1] ?? '';
    const message = missing === undefined ? fault.message : 'is missing';
    if (!faults.has(member)) faults.set(member, { ...fault, message });
  }
  for (const [member, { kind }] of odd) {
    if (faults.has(member)) continue;
    faults.set(member, { pointer: pointerOf(member), message: `must be ${FORMS[kind].expected}`, keyword: 'value' });
  }
  return faults;
}

/** A text that was taken out may have been no text. */
const holdsRedacted = (value: unknown): boolean =>
  isRedacted(value) || (Array.isArray(value) && value.some(isRedacted));

/** Values are personal data: their kind is reported, and the shape of texts. */
function kindInWords(value: unknown): string {
  if (typeof value !== 'string') return inWords(value);
  const shape = value
    .replaceAll(/\p{Ll}/gu, 'a')
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/\d/g, '9');
  return `a text like ${JSON.stringify(shape.slice(0, SHAPE_CHARACTERS))}`;
}

const SHAPE_CHARACTERS = 40;

/** Two items under one key: the same item twice is the list's fault, two items the store's. */
function judgeKeys(
  call: ServiceRequest,
  scene: RuleContext,
  { name, key }: ResponseShape,
  items: readonly Json[],
): void {
  if (key === undefined) return;
  const { n } = call.seen;
  const known = new Map<string, Json>();
  for (const item of items) {
    const value = item[key.member];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const id = recordId(item, key.member) ?? String(value);
    const before = known.get(id);
    known.set(id, item);
    if (before === undefined || isRedacted(value)) continue;
    const isSame = JSON.stringify(before) === JSON.stringify(item);
    const isPaged = name === 'delivery_methods' || name === 'pickup_points';
    // One domain under two websites is one record.
    if (isSame && name === 'domains') continue;
    const clause = isSame && isPaged ? 'delivery.lists.every-item-once' : key.clause;
    scene.notes.breaks(clause, n, {
      message: `${named(call)} contains two items with the ${key.member} ${JSON.stringify(value)}`,
      pointer: pointerOf(name, items.indexOf(item), key.member),
      expected: `each ${key.member} once`,
      actual: value,
    });
    return;
  }
  if (!ONLY_BROKEN.has(key.clause)) scene.notes.keeps(key.clause, n);
}

/** The one page size that a request names; undefined where that is not clear. */
export function pageSizeOf({ query }: SeenExchange): number | undefined {
  const [first, second] = query.filter(([name]) => name === 'page_size');
  const size = second === undefined ? (first?.[1] ?? '') : '';
  return /^[1-9]\d{0,8}$/.test(size) ? Number(size) : undefined;
}

function judgePageSize(call: ServiceRequest, scene: RuleContext, count: number): void {
  const size = pageSizeOf(call.seen);
  if (size === undefined) return;
  say(scene, 'delivery.lists.page-size-respected', call.seen.n, count <= size, () => ({
    message: `${named(call)} holds ${count} items on a page that was requested with page_size=${size}`,
    pointer: '',
    expected: `at most ${size}`,
    actual: count,
  }));
}
