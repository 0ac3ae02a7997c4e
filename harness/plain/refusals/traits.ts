/** What a call consists of, as far as a service may refuse it for that: two calls with the same parts differ in nothing but state. */
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { PLAIN_ID, PLAIN_TEXT, WRAPPER_MEMBERS } from '../stand-ins/plain-forms.ts';

/** Members of which a service may accept only some values, or one form. */
const CODES = /countr|^language$|^zip$/;

const HANDLES = /^(store\/delivery_method\/)([^/]+)\//;
const POINT_ID = /(\/pickup_point\/)([^/]+)(\/)$/;

/** Whether a call contains anything that a check chose: a body, parameters other than the token, or several handles. */
export const holdsChoices = ({ method, path, query, body }: ServiceRequest): boolean =>
  /^store\/delivery_method\/[^/]+(,|%2C)/i.test(path) ||
  (body !== undefined && method !== 'DELETE') ||
  query.some(([name]) => !CREDENTIALS.has(name));

const CREDENTIALS: ReadonlySet<string> = new Set(['apiToken', 'authCode']);

/**
 * Everything for which a service may refuse a call, each as one text: its kind and number of handles, which fields it names, and each
 * of their values. A country and a postal code count together, because the form of one may depend on the other.
 */
export function traitsOf(call: ServiceRequest): string[] {
  const path = call.path
    .replace(HANDLES, (_, before: string, handles: string) => `${before}${handles.split(/,|%2C/i).length} handles/`)
    .replace(POINT_ID, (_, before: string, id: string, after: string) => `${before}${shapeOfId(id)}${after}`);
  const traits = [...traitsOfPairs(call.query), ...traitsOfBody(call)];
  return ['', ...traits].map((trait) => `${call.api} ${call.method} ${path} ${trait}`);
}

function traitsOfBody({ body }: ServiceRequest): string[] {
  if (body === undefined) return [];
  if ('form' in body) return traitsOfPairs(body.form);
  return 'json' in body && isJsonObject(body.json)
    ? Object.entries(body.json).flatMap(traitsOfMember)
    : [shapeOfValue(body, '')];
}

/** Of one member of a body: a resource, a list of points, or a value. */
function traitsOfMember([name, value]: [string, unknown]): string[] {
  if (name === 'pickup_points' && Array.isArray(value))
    return [
      `${value.length} points`,
      ...value.flatMap((point) => (isJsonObject(point) ? traitsOfResource(point) : ['?'])),
    ];
  if (isJsonObject(value) && WRAPPER_MEMBERS.some((holder) => holder === name)) return traitsOfResource(value);
  return [`${name}: ${shapeOfValue(value, name)}`];
}

function traitsOfResource(fields: Record<string, unknown>): string[] {
  const { country, zip } = fields;
  return [
    `fields ${Object.keys(fields).sort().join()}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${shapeOfValue(value, name)}`),
    ...(zip === undefined ? [] : [`zip in country: ${JSON.stringify([country, zip])}`]),
  ];
}

function traitsOfPairs(all: ServiceRequest['query']): string[] {
  const own = all.filter(([name, value]) => !CREDENTIALS.has(name) && !(value instanceof Secret));
  if (own.length === 0) return [];
  const names = own.map(([name]) => name).sort();
  return [`names ${names.join()}`, ...own.map(([name, value]) => `${name}: ${shapeOfText(String(value))}`)];
}

const shapeOfId = (id: string): string => (PLAIN_ID.test(id) ? '*' : `=${id}`);

/** Plain texts of the same kinds of characters count as one; any other text may be refused for its content. */
const shapeOfText = (text: string): string => (PLAIN_TEXT.test(text) ? kindsOfCharacters(text) : `=${text}`);

/** A service may want letters, digits or both, and an address to begin with the name of a street. */
function kindsOfCharacters(text: string): string {
  const begin = /^\d/.test(text) ? 'digit first' : 'letter first';
  return [begin, ...(/[A-Za-z]/.test(text) ? ['letters'] : []), ...(/\d/.test(text) ? ['digits'] : [])].join(', ');
}

function shapeOfValue(value: unknown, name: string): string {
  if (typeof value === 'string') {
    if (name === 'id') return shapeOfId(value);
    return CODES.test(name) ? `=${value}` : shapeOfText(value);
  }
  if (Array.isArray(value)) return `[${value.map((one) => shapeOfValue(one, name)).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${shapeOfValue(one, key)}`);
  return `{${members.sort().join()}}`;
}
