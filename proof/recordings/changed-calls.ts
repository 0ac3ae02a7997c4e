/**
 * Clients with one change in all calls of one operation, made systematically: another method of HTTP, path, parameter, key, field or value.
 * What a service answers to them is its own affair, so that `proofmark judge` may not blame it for what follows.
 */
import { isJsonObject } from '../../contracts/json/object.ts';
import { pointerOf, valueAt } from '../../contracts/json/pointer.ts';
import type { OutgoingCall } from './client.ts';
import type { Change } from './mistakes/mistake.ts';

export interface ChangedClient {
  /** The operation and what is done to its calls: `GET /v1/store/delivery_methods/ · method HEAD`. */
  readonly id: string;
  readonly change: Change;
}

type Edit = readonly [what: string, change: Change];

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'];
const WORDS = ['', ' ', '0', '-1', '1.5', 'x', 'null', 'undefined', 'true', '999999', 'ÄÖ<&>'];
/** Values of every kind of JSON. */
const VALUES = [
  null,
  0,
  -1,
  1.5,
  true,
  false,
  '',
  ' ',
  'text',
  'LV',
  'x'.repeat(300),
  [],
  ['a'],
  [1],
  [null],
  {},
  { a: 1 },
];
/** Fields are looked for so deep: the values of a text by language in a list of points. */
const MAX_DEPTH = 4;

/** What calls of the same operation have in common: ids are left out. */
export const operationOf = ({ method, path }: OutgoingCall): string =>
  `${method} ${path
    .replace(/\?.*/s, '')
    .replaceAll(/dm[\da-f]{16}/g, 'handle')
    .replaceAll(/(?<=\/)P?\d+(?=\/)/g, 'id')}`;

const splitAt = (path: string): readonly [path: string, query: string | undefined] => {
  const at = path.indexOf('?');
  return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 1)];
};
const inPathOnly =
  (change: (path: string) => string): Change =>
  (call) => {
    const [path, query] = splitAt(call.path);
    return { path: `${change(path)}${query === undefined ? '' : `?${query}`}` };
  };

const methodEdits = ({ method }: OutgoingCall): Edit[] =>
  METHODS.filter((other) => other !== method).map((other) => [
    `method ${other}`,
    () => (/GET|HEAD/.test(other) ? { method: other, body: undefined, form: undefined } : { method: other }),
  ]);

function pathEdits({ path }: OutgoingCall): Edit[] {
  const segments = splitAt(path)[0].split('/');
  const withSegment = (at: number, change: (segment: string) => string[]): Change =>
    inPathOnly((own) =>
      own
        .split('/')
        .flatMap((segment, place) => (place === at ? change(segment) : [segment]))
        .join('/'),
    );
  return [
    ['path without its last slash', inPathOnly((own) => own.replace(/\/$/, ''))],
    ['path with two slashes at its end', inPathOnly((own) => `${own}/`)],
    ['path in capitals', inPathOnly((own) => own.toUpperCase())],
    ...segments.flatMap((segment, at): Edit[] =>
      segment === ''
        ? []
        : [
            [`segment ${at} left out`, withSegment(at, () => [])],
            [`segment ${at} changed`, withSegment(at, (own) => [`${own}x`])],
            [`segment ${at} with dashes`, withSegment(at, (own) => [own.replaceAll('_', '-')])],
          ],
    ),
  ];
}

type PairsChange = (pairs: URLSearchParams) => void;

const inQuery =
  (change: PairsChange): Change =>
  (call) => {
    const [path, query] = splitAt(call.path);
    if (query === undefined) return undefined;
    const pairs = new URLSearchParams(query);
    change(pairs);
    return { path: `${path}?${pairs}` };
  };
const inForm =
  (change: PairsChange): Change =>
  ({ form }) => {
    if (form === undefined) return undefined;
    const pairs = new URLSearchParams(form);
    change(pairs);
    return { form: Object.fromEntries(pairs) };
  };

/** Of a query or a form that some calls have. */
function pairEdits(where: string, names: readonly string[], within: (change: PairsChange) => Change): Edit[] {
  const edits = (name: string): Array<readonly [what: string, change: PairsChange]> => [
    ['left out', (pairs) => pairs.delete(name)],
    ['twice', (pairs) => pairs.append(name, pairs.get(name) ?? '')],
    ['as a list', (pairs) => renamed(pairs, name, `${name}[]`)],
    ['in other letters', (pairs) => renamed(pairs, name, name.toUpperCase())],
    ...WORDS.map((word) => [JSON.stringify(word), (pairs: URLSearchParams) => pairs.set(name, word)] as const),
  ];
  return names.flatMap((name) =>
    edits(name).map(([what, change]): Edit => {
      const ifThere: PairsChange = (pairs) => void (pairs.has(name) && change(pairs));
      return [`${where} ${name} ${what}`, within(ifThere)];
    }),
  );
}

function renamed(pairs: URLSearchParams, name: string, other: string): void {
  const value = pairs.get(name) ?? '';
  pairs.delete(name);
  pairs.set(other, value);
}

const keyEdits = (): Edit[] => {
  const forms: Readonly<Record<string, (own: string) => string | undefined>> = {
    'left out': () => undefined,
    'without its word': (own) => own.replace(/^\S+ /, ''),
    'as Bearer': (own) => own.replace(/^\S+/, 'Bearer'),
    'in capitals': (own) => own.replace(/^\S+/, (word) => word.toUpperCase()),
    'behind two spaces': (own) => own.replace(' ', '  '),
    'of nothing': () => 'ApiKey ',
    'in other letters': (own) => own.replace(/ .*/, (key) => key.toUpperCase()),
  };
  return Object.entries(forms).map(([what, form]) => [
    `key ${what}`,
    ({ authorization }) => (authorization === undefined ? undefined : { authorization: form(authorization) }),
  ]);
};

type Place = readonly (string | number)[];

/** The members of a body, at any depth; of lists only the first item. */
function placesIn(value: unknown, above: Place = []): Place[] {
  if (above.length >= MAX_DEPTH) return [];
  const keys = Array.isArray(value) ? (value.length > 0 ? [0] : []) : isJsonObject(value) ? Object.keys(value) : [];
  return keys.flatMap((key) => {
    const place = [...above, key];
    return [place, ...placesIn((value as Record<string | number, unknown>)[key], place)];
  });
}

/** Replaces the member at a place of each body that has it by what `change` makes of it; undefined leaves it out. */
const atPlace =
  (place: Place, change: (own: unknown) => unknown): Change =>
  ({ body }) => {
    const changed: unknown = structuredClone(body);
    const key = place.at(-1) ?? '';
    const holder = valueAt(changed, pointerOf(...place.slice(0, -1)));
    if (typeof holder !== 'object' || holder === null || !(key in holder)) return undefined;
    const own = holder as Record<string | number, unknown>;
    const made = change(own[key]);
    if (made === undefined && Array.isArray(holder)) holder.splice(Number(key), 1);
    else own[key] = made;
    return { body: changed };
  };

function bodyEdits(bodies: readonly unknown[]): Edit[] {
  const places = new Map(bodies.flatMap((body) => placesIn(body)).map((place) => [place.join('/'), place]));
  const whole =
    (body: unknown): Change =>
    (call) =>
      call.body === undefined ? undefined : { body };
  return [
    ...VALUES.map((value): Edit => [`body ${JSON.stringify(value).slice(0, 20)}`, whole(value)]),
    ['no body', whole(undefined)],
    ...[...places].flatMap(([name, place]): Edit[] => [
      [`field ${name} left out`, atPlace(place, () => undefined)],
      [`field ${name} in a list`, atPlace(place, (own) => [own])],
      [`field ${name} as text`, atPlace(place, (own) => JSON.stringify(own))],
      ...VALUES.map(
        (value): Edit => [`field ${name} ${JSON.stringify(value).slice(0, 20)}`, atPlace(place, () => value)],
      ),
    ]),
  ];
}

/** All changes to the calls of a recorded client, for each operation that it uses. */
export function changedClients(calls: readonly OutgoingCall[]): ChangedClient[] {
  return [...Map.groupBy(calls, operationOf)].flatMap(([operation, own]) => {
    const [first] = own as [OutgoingCall];
    const namesIn = (texts: readonly (string | Readonly<Record<string, string>> | undefined)[]): string[] => [
      ...new Set(texts.flatMap((text) => [...new URLSearchParams(text).keys()])),
    ];
    const edits = [
      ...methodEdits(first),
      ...pathEdits(first),
      ...keyEdits(),
      ...pairEdits('parameter', namesIn(own.map(({ path }) => splitAt(path)[1])), inQuery),
      ...pairEdits('form field', namesIn(own.map(({ form }) => form)), inForm),
      ...bodyEdits(own.map(({ body }) => body).filter((body) => body !== undefined)),
    ];
    return edits.map(([what, change]) => ({
      id: `${operation} · ${what}`,
      change: (call: OutgoingCall) => (operationOf(call) === operation ? change(call) : undefined),
    }));
  });
}
