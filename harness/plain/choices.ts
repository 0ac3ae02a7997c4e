/**
 * Which refusals of a sequence of calls rest on values that the check chose. A model sends hundreds of calls with values of its own,
 * and a service may refuse any of them. A refusal counts against it only where a call of the same shape was served before: then
 * it is not the values that the service refuses, but the state that it is in.
 */
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { isRefused, isServed } from '../target/response/judge-response.ts';
import { Secret } from '../target/secrets/secret.ts';

/** Plain texts are one to every service; anything else may be refused for what it is. */
const PLAIN_TEXT = /^[A-Za-z][A-Za-z-]{0,15}$/;

/** Members whose values a service may know some of only. */
const CODES = /countr|^language$/;

const HANDLES = /^(store\/delivery_method\/)([^/]+)\//;
const POINT_ID = /(\/pickup_point\/)([^/]+)(\/)$/;

export class Choices {
  readonly #served = new Set<string>();
  readonly #forValues = new WeakMap<ServiceResponse, boolean>();
  /** How many refusals may be ones of values alone. */
  refusals = 0;
  /** How many of them a model passed over. */
  passedOver = 0;

  /** Notes what became of a call, as it was sent. */
  note(call: ServiceRequest, answer: ServiceResponse): void {
    const shape = shapeOf(call);
    if (isServed(answer)) {
      this.#served.add(shape);
      return;
    }
    const isForValues = isRefused(answer) === 'refused' && holdsChoices(call) && !this.#served.has(shape);
    if (isForValues) this.refusals += 1;
    this.#forValues.set(answer, isForValues);
  }

  /** Whether a refusal may be one of values alone; counts those that are. */
  passesOver(answer: ServiceResponse): boolean {
    const isForValues = this.#forValues.get(answer) === true;
    if (isForValues) this.passedOver += 1;
    return isForValues;
  }
}

/** Whether a call carries anything that a check chose: a body, parameters beside the token, or several handles. */
const holdsChoices = ({ method, path, query, body }: ServiceRequest): boolean =>
  /^store\/delivery_method\/[^/]+(,|%2C)/i.test(path) ||
  (body !== undefined && method !== 'DELETE') ||
  query.some(([name]) => !CREDENTIALS.has(name));

const CREDENTIALS: ReadonlySet<string> = new Set(['apiToken', 'authCode']);

/** What two calls have in common that a service has no reason to treat differently, unless for its state. */
function shapeOf(call: ServiceRequest): string {
  const path = call.path
    .replace(HANDLES, (_, before: string, handles: string) => `${before}${handles.split(/,|%2C/i).length} handles/`)
    .replace(POINT_ID, (_, before: string, id: string, after: string) => `${before}${shapeOfText(id)}${after}`);
  return JSON.stringify([call.api, call.method, path, pairs(call.query), bodyShape(call)]);
}

function bodyShape({ body }: ServiceRequest): unknown {
  if (body === undefined) return null;
  if ('json' in body) return shapeOfValue(body.json, '');
  return 'form' in body ? pairs(body.form) : String(body.raw);
}

const pairs = (all: ServiceRequest['query']): unknown =>
  all
    .filter(([name, value]) => !CREDENTIALS.has(name) && !(value instanceof Secret))
    .map(([name, value]) => [name, shapeOfText(String(value))]);

const shapeOfText = (text: string): string => (PLAIN_TEXT.test(text) ? '*' : `=${text}`);

function shapeOfValue(value: unknown, name: string): unknown {
  if (typeof value === 'string') return CODES.test(name) ? `=${value}` : shapeOfText(value);
  if (Array.isArray(value)) {
    const shapes = value.map((one) => shapeOfValue(one, name));
    return name === 'pickup_points'
      ? [value.length, [...new Set(shapes.map((one) => JSON.stringify(one)))].sort()]
      : shapes;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, one]) => [key, shapeOfValue(one, key)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
