/** Which operations a target has served in this process: what it refuses of them later, it refuses for the values. */

import { METHOD_COUNTRY_LISTS } from '../../contracts/fields/catalogue/delivery.ts';
import { isJsonObject } from '../../contracts/json/object.ts';
import { jsonIn } from '../../contracts/json/parse.ts';
import { operationAt } from '../../contracts/operations/match.ts';
import { withoutMarks } from '../resources/run-info.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { OutgoingRequest } from '../target/client/types.ts';
import { plain } from '../target/secrets/secret.ts';
import { subjectOf } from './refusals/calls-on-points.ts';
import { ServedUpdates } from './refusals/served-updates.ts';
import { hasLabelAddress } from './simplified.ts';
import { type Code, ID_FORMS, type IdForm, IN_FORM, withoutWords } from './stand-ins/codes.ts';

type Sent = Pick<OutgoingRequest, 'method' | 'url' | 'headers' | 'body'>;

export class Operations {
  readonly #served = new Set<string>();
  /** Served with the parameters in the usual place of the method: the address of a GET, or the form of a POST. */
  readonly #servedInUsualPlace = new Set<string>();
  /** Updates, in their parts: whether what is there explains that one is refused. */
  readonly updates = new ServedUpdates();
  /** What creates of methods that were served have sent, without the marks of the run and the words of stand-ins. */
  readonly #createsServed = new Set<string>();
  readonly #changed = new Set<string>();
  /** The same where other fields went out beside the check's own, as the target has shown them. */
  readonly #changedInWhole = new Set<string>();
  readonly #refusedMethods = new Set<string>();
  #takesLabelAddress = false;
  readonly #codesServed = new Set<string>();
  /** Whether the target has refused a create as if the owner had all the methods that it can have. */
  takesFewMethods = false;
  /**
   * What new methods carry as their reference, where the target refuses one that the run makes: `null` for none, or one that
   * another method of the owner carries.
   */
  methodReference: string | null | undefined;
  /** Handles of methods that were there before one with the reference of another was made: a create must not return them. */
  readonly handlesBefore = new Set<unknown>();
  /** The fields of new methods with which it was tried what else the target takes as a reference. */
  readonly #triedReferences = new Set<string>();

  /** Notes that a request was served. */
  served(request: Sent): void {
    // A list without points says nothing about the values of points.
    if (!isEmptyList(request)) for (const key of keysOf(request)) this.#served.add(key);
    if (request.method === 'GET' || !request.url.includes('?')) this.#servedInUsualPlace.add(keyOf(request));
    if (isCreateOfMethod(request)) this.#createsServed.add(apartFromMarks(request));
    if (request.method === 'POST' && typeof request.body === 'string') this.#noteNew(jsonIn(request.body));
  }

  /**
   * Whether it may be tried what else the target takes as a reference in place of the one of a refused create: once for each set of
   * fields, since another field may have been missing as well, and each `way` of sending it: for another owner, or in other values.
   */
  mayTryReferences({ body }: Pick<OutgoingRequest, 'body'>, way: string): boolean {
    const value = typeof body === 'string' ? jsonIn(body) : undefined;
    const method = isJsonObject(value) && isJsonObject(value.delivery_method) ? value.delivery_method : {};
    const fields = Object.keys(method).filter((name) => method[name] !== null);
    // Codes in capitals may have been refused as well: then no reference was served beside them.
    const hasSmallCodes = METHOD_COUNTRY_LISTS.some((name) => /[a-z]/.test(JSON.stringify(method[name] ?? [])));
    const key = [...fields.sort(), hasSmallCodes, way].join();
    if (this.#triedReferences.has(key)) return false;
    this.#triedReferences.add(key);
    return true;
  }

  /** Whether a create of a method was served that differs from this one in nothing but marks of the run and words of stand-ins. */
  wasServedAlike(request: OutgoingRequest): boolean {
    return this.#createsServed.has(apartFromMarks(request));
  }

  /** Whether the target has served the create of a method with the address of a label page. */
  get takesLabelAddress(): boolean {
    return this.#takesLabelAddress;
  }

  /**
   * The form of references or ids with which the target has served a new method or point: these need no other form. Words, which have
   * small letters, before codes.
   */
  codeServedAs(code: Code): 'words' | IdForm | undefined {
    return (['words', ...ID_FORMS] as const).find((form) => this.#codesServed.has(`${code} ${form}`));
  }

  #noteNew(body: unknown): void {
    this.#takesLabelAddress ||= hasLabelAddress(body);
    if (!isJsonObject(body)) return;
    const { delivery_method: method, pickup_point: point, pickup_points: points } = body;
    this.#noteCode(method, 'reference');
    const sent: readonly unknown[] = Array.isArray(points) ? points : [point];
    for (const one of sent) this.#noteCode(one, 'id');
  }

  #noteCode(fields: unknown, code: Code): void {
    const value = isJsonObject(fields) ? fields[code] : undefined;
    if (typeof value !== 'string') return;
    const form = /[a-z]/.test(value) ? 'words' : ID_FORMS.find((one) => IN_FORM[one].test(value));
    if (form !== undefined) this.#codesServed.add(`${code} ${form}`);
  }

  /** Notes the field that a served update changes alone, as the check wrote it. `isWhole`: other fields went out beside it, unchanged. */
  noteChange(own: ServiceRequest, isWhole: boolean): void {
    if (own.method !== 'PUT') return;
    const changed = isWhole ? this.#changedInWhole : this.#changed;
    for (const [holder, fields] of Object.entries(subjectOf(own).json)) {
      const [name, ...others] = isJsonObject(fields) ? Object.keys(fields) : [];
      if (name !== undefined && others.length === 0) changed.add(`${holder} ${name}`);
    }
  }

  /** The first of these fields of a resource that a check has changed alone in this process. */
  changeable<F extends string>(holder: 'delivery_method' | 'pickup_point', fields: readonly F[]): F | undefined {
    const oneOf = (changed: ReadonlySet<string>) => fields.find((name) => changed.has(`${holder} ${name}`));
    // A rule about omitted fields needs one that goes out alone.
    return oneOf(this.#changed) ?? oneOf(this.#changedInWhole);
  }

  /** Notes that a request was refused because of its method of HTTP. */
  refusedMethod({ method, url }: Pick<Sent, 'method' | 'url'>): void {
    this.#refusedMethods.add(methodKey(method, url));
  }

  /** Whether such a request was refused because of its method. */
  refusesMethod({ method, url }: Pick<Sent, 'method' | 'url'>): boolean {
    return this.#refusedMethods.has(methodKey(method, url));
  }

  /**
   * Whether a Reseller operation was served by this method with its parameters in the usual place: a target that reads them only from
   * the address serves a POST that carries them there.
   */
  wasServedBy(method: string, url: string): boolean {
    return this.#servedInUsualPlace.has(keyOf({ method, url, headers: [] }));
  }

  /** Whether requests of the same operation and forms, of the same caller, were served before. */
  wasServed(request: Sent): boolean {
    return keysOf(request).every((key) => this.#served.has(key));
  }
}

const methodKey = (method: string, url: string): string => `${method} ${url.split('?', 1)[0]}`;

function isEmptyList(request: Sent): boolean {
  const list = listIn(request);
  return list !== undefined && (!Array.isArray(list.pickup_points) || list.pickup_points.length === 0);
}

/** The body of a batch call; undefined for any other call, and where it is not an object. */
function listIn({ method, url, body }: Sent): Record<string, unknown> | undefined {
  if (typeof body !== 'string' || operationAt(method, url)?.id !== 'batchReplace') return undefined;
  const value = jsonIn(body);
  return isJsonObject(value) ? value : {};
}

/**
 * What a call is beside its values, each as a text: the parameters of a batch call, and whether it names several methods (spec: A. Delivery
 * endpoints). A service that serves whole lists of one method may know no portions, no country or no second handle, and no flag is a
 * choice of the run. It may serve portions and several handles and have reasons against both at once: one upload at a time.
 */
function formsOf(request: Sent): string[] {
  const { is_initialization: first, is_finalization: last, country } = listIn(request) ?? {};
  const parameters = JSON.stringify([first, last, country !== undefined]);
  const handles = HANDLES.exec(request.url)?.[1] ?? '';
  return /,|%2c/i.test(handles) ? [parameters, 'several handles'] : [parameters];
}

const HANDLES = /\/delivery_method\/([^/?#]*)\//;

const isCreateOfMethod = ({ method, url }: Sent): boolean =>
  method === 'POST' && operationAt(method, url)?.id === 'addMethod';

const apartFromMarks = (request: Sent): string =>
  `${keyOf(request)} ${withoutWords(withoutMarks(String(request.body ?? '')))}`;

/** An address that is not an operation of the contract counts as an operation of its own. */
function keyOf(request: Sent): string {
  const { method, url, headers = [] } = request;
  const operation = operationAt(method, url)?.id ?? url.replace(/[?#].*/s, '');
  const caller = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return `${method} ${operation} ${caller === undefined ? '' : plain(caller)}`;
}

const keysOf = (request: Sent): string[] => formsOf(request).map((form) => `${keyOf(request)} ${form}`);
