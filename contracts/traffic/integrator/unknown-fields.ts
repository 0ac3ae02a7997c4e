/**
 * Fields of methods, points and uploads that neither the contract nor the service has (spec: Resources and their fields; A. Delivery
 * endpoints). A service may ignore them, so that a misspelt one loses its value without a sign. The contract does not forbid them.
 */
import { METHOD, POINT } from '../../fields/catalogue/delivery.ts';
import { isJsonObject } from '../../json/object.ts';
import { pointerOf } from '../../json/pointer.ts';
import { shortened } from '../../json/words.ts';
import type { OperationId } from '../../operations/index.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { isRedacted } from '../reading/redacted.ts';
import { named } from '../service/responses.ts';
import { UnknownNames } from './unknown-names.ts';

const CLAUSE = 'provider.calls.field-types';
const SHOWN_CHARACTERS = 40;

/** What a body holds under a name, and the members that the contract has there. */
const RESOURCES = {
  delivery_method: Object.keys(METHOD),
  pickup_point: Object.keys(POINT),
  pickup_points: Object.keys(POINT),
  delivery_methods: Object.keys(METHOD),
} as const;
type ResourceName = keyof typeof RESOURCES;
const RESOURCE_NAMES = Object.keys(RESOURCES) as readonly ResourceName[];

const UPLOAD_MEMBERS = ['pickup_points', 'country', 'is_initialization', 'is_finalization'];
/** The members of bodies as a whole. */
const BODIES: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  addMethod: ['delivery_method'],
  changeMethod: ['delivery_method'],
  addPoint: ['pickup_point'],
  changePoint: ['pickup_point'],
  batchReplace: UPLOAD_MEMBERS,
};

interface Unknown {
  readonly n: number;
  readonly call: string;
  readonly pointer: string;
  readonly expected: readonly string[];
}

/** A rule with memory: takes every call of one base, and `end` after the last one. */
export class UnknownFieldRule {
  readonly #notes: RuleContext['notes'];
  /** A client may send back what it read. */
  readonly #names = new UnknownNames<Unknown>();

  constructor({ notes }: RuleContext) {
    this.#notes = notes;
  }

  call(call: ServiceRequest): void {
    const { responseBody, requestBody } = call.seen;
    for (const { record } of responseBody.kind === 'json' ? resourcesIn(responseBody.value) : [])
      this.#names.shown(record);
    const members = call.operation === undefined ? undefined : BODIES[call.operation.id];
    if (members === undefined || requestBody.kind !== 'json' || responseKind(call) !== 'served') return;
    const body = requestBody.value;
    // Without its wrapper a body is all unknown: that is another mistake.
    if (!isJsonObject(body) || !RESOURCE_NAMES.some((name) => Object.hasOwn(body, name))) return;
    this.#note(call, body, { known: members, at: '' });
    for (const { record, known, at } of resourcesIn(body)) this.#note(call, record, { known, at });
  }

  end(): void {
    for (const [name, { n, call, pointer, expected }] of this.#names.left()) {
      this.#notes.advises(CLAUSE, n, {
        message: `${call} sends ${JSON.stringify(shortened(name, SHOWN_CHARACTERS))}, which neither the interface nor a response has: its value may be lost`,
        pointer,
        expected,
        actual: name,
      });
    }
  }

  #note(call: ServiceRequest, record: object, { known, at }: { known: readonly string[]; at: string }): void {
    for (const name of Object.keys(record)) {
      if (known.includes(name) || isRedacted(name)) continue;
      this.#names.sent(name, { n: call.seen.n, call: named(call), pointer: at + pointerOf(name), expected: known });
    }
  }
}

interface Resource {
  readonly record: object;
  readonly known: readonly string[];
  readonly at: string;
}

/** The methods and points of a request or a response, alone and in lists, wrapped or bare. */
function resourcesIn(body: unknown): Resource[] {
  if (!isJsonObject(body)) return [];
  const wrapped = RESOURCE_NAMES.flatMap((name): Resource[] => {
    const value = body[name];
    const known = RESOURCES[name];
    if (!Array.isArray(value)) return isJsonObject(value) ? [{ record: value, known, at: pointerOf(name) }] : [];
    return value.flatMap((record: unknown, at) =>
      isJsonObject(record) ? [{ record, known, at: pointerOf(name, at) }] : [],
    );
  });
  return wrapped.length > 0 ? wrapped : [{ record: body, known: Object.keys(body), at: '' }];
}
