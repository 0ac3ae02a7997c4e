/**
 * Which refusals in a sequence of calls may be due to values that the check chose. A model sends hundreds of calls with values of its
 * own, and a service may refuse any of them. A refusal counts against the service only if each part of the call was served before, if
 * only in other calls: then the state, not the values, is the reason for the refusal.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { isRefusalOfPromise, isRefused, isServed } from '../../target/response/judge-response.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { PLAIN_ID, PLAIN_TEXT, WRAPPER_MEMBERS } from '../stand-ins/plain-forms.ts';
import type { CallHistory } from './calls-on-points.ts';
import { DeletedIds } from './deleted-ids.ts';
import { OpenUploads } from './open-uploads.ts';
import { PointTitles } from './point-titles.ts';

/** Members of which a service may accept only some values, or one form. */
const CODES = /countr|^language$|^zip$/;

const HANDLES = /^(store\/delivery_method\/)([^/]+)\//;
const POINT_ID = /(\/pickup_point\/)([^/]+)(\/)$/;

/** Calls that are kept before they are analysed; a property sends thousands. */
const MAX_NOTED = 100;

/** What to report if a refusal turns out to be due to the state. */
export interface Refusal {
  readonly clause: string;
  /** A sentence: `the call "add 1 to A" must be served`. */
  readonly message: string;
}

interface SkippedRefusal extends Refusal {
  readonly response: ServiceResponse;
}

export class Choices {
  readonly #served = new Set<string>();
  readonly #traits = new WeakMap<ServiceResponse, readonly string[]>();
  readonly #skipped: SkippedRefusal[] = [];
  readonly #postponed = new Map<string, SkippedRefusal[]>();
  #proven: SkippedRefusal | undefined;
  readonly #histories: readonly CallHistory[] = [new OpenUploads(), new DeletedIds(), new PointTitles()];
  /** Not analysed yet: most checks never need the result. */
  #noted: [call: ServiceRequest, answer: ServiceResponse][] = [];
  #refusals = 0;

  /** Notes a call, as it was sent, and its response. */
  note(call: ServiceRequest, response: ServiceResponse): void {
    this.#noted.push([call, response]);
    if (this.#noted.length >= MAX_NOTED) this.#catchUp();
  }

  /** How many refusals may be due to values alone. */
  get refusals(): number {
    this.#catchUp();
    return this.#refusals;
  }

  #catchUp(): void {
    const noted = this.#noted;
    this.#noted = [];
    for (const [call, response] of noted) this.#noteResponse(call, response);
  }

  #noteResponse(call: ServiceRequest, response: ServiceResponse): void {
    const served = isServed(response);
    const traits = [...traitsOf(call), ...this.#histories.flatMap((history) => history.traitsOf(call, served))];
    if (served) {
      for (const trait of traits) this.#served.add(trait);
      for (const history of this.#histories) history.note(call);
    } else if (isRefused(response) === 'refused' && holdsChoices(call)) {
      if (!this.#areServed(traits)) this.#refusals += 1;
      this.#traits.set(response, traits);
    }
  }

  /** Whether a refusal may be due to values alone, as far as is known by now. Then it is kept, and judged again at the end. */
  skipsRefusal(response: ServiceResponse, refusal: Refusal): boolean {
    this.#catchUp();
    const traits = this.#traits.get(response);
    if (traits === undefined || (isRefusalOfPromise(response) && this.#areServed(traits))) return false;
    this.#skipped.push({ ...refusal, response });
    return true;
  }

  /**
   * Keeps a refusal that may be due to a limit on the number of such calls, since the contract excludes no such limit. It counts if a
   * call of the same kind is served later, because a limit that is reached stays reached.
   */
  postpone(kind: string, response: ServiceResponse, refusal: Refusal): void {
    const all = this.#postponed.get(kind) ?? [];
    this.#postponed.set(kind, [...all, { ...refusal, response }]);
  }

  /** Notes that a call of a kind was served after all that were postponed. */
  servedLater(kind: string): void {
    this.#proven ??= this.#postponed.get(kind)?.[0];
  }

  /** How many refusals a model skipped. */
  get skipped(): number {
    return this.#skipped.length;
  }

  /** A refusal that was skipped before everything in it, or a call of its kind, was served. */
  proven(): SkippedRefusal | undefined {
    this.#catchUp();
    const ofValues = this.#skipped.find(
      ({ response }) => isRefusalOfPromise(response) && this.#areServed(this.#traits.get(response) ?? []),
    );
    return ofValues ?? this.#proven;
  }

  #areServed(traits: readonly string[]): boolean {
    return traits.every((trait) => this.#served.has(trait));
  }
}

/** Whether a call contains anything that a check chose: a body, parameters other than the token, or several handles. */
const holdsChoices = ({ method, path, query, body }: ServiceRequest): boolean =>
  /^store\/delivery_method\/[^/]+(,|%2C)/i.test(path) ||
  (body !== undefined && method !== 'DELETE') ||
  query.some(([name]) => !CREDENTIALS.has(name));

const CREDENTIALS: ReadonlySet<string> = new Set(['apiToken', 'authCode']);

/**
 * Everything for which a service may refuse a call, each as one text: its kind and number of handles, which fields it names, and each
 * of their values. A country and a postal code count together, because the form of one may depend on the other.
 */
function traitsOf(call: ServiceRequest): string[] {
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
