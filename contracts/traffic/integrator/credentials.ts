/** Key, code and token in the calls of an integrator (spec: Authentication), and the operations that it calls. */

import { shortened } from '../../json/words.ts';
import type { OperationId } from '../../operations/index.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { GivenValues, isPlaceholder } from '../reading/given-values.ts';
import { apiKeysOf, isHidden, isRedacted, restored } from '../reading/redacted.ts';
import { named } from '../service/responses.ts';

export const CREDENTIAL_CLAUSES = [
  'provider.calls.authorization-header',
  'provider.calls.known-operations',
  'app.calls.authorization-header',
  'app.calls.auth-code-in-query',
  'app.calls.auth-code-spelling',
  'app.calls.known-operations',
  'reseller.calls.known-operations',
];

/** What the whole recording shows of headers: browsers leave `Authorization` out of all exchanges or of none. */
export interface HeadersSeen {
  authorization: boolean;
}

const STRIPPED =
  'the recording contains no Authorization header: browsers omit it from HAR files, so export the file with sensitive data';

/** A browser writes down what it meant to send: nothing, or what was known before the last headers were added. */
const wasNotSent = ({ seen: { exchange } }: ServiceRequest): boolean =>
  exchange.response === undefined || exchange.request.headers.length === 0;

interface Missing {
  readonly clause: string;
  readonly n: number;
  readonly name: string;
}

/** Calls without the header that wait for the end of the recording, at most. */
const MAX_WAITING = 200;

/** A rule with memory: takes every call of one base, and `end` after the last one of all bases. */
export class CredentialRule {
  readonly #scene: RuleContext;
  readonly #headers: HeadersSeen;
  readonly #notes: RuleContext['notes'];
  readonly #facts: RuleContext['facts'];
  readonly #missing: Missing[] = [];
  readonly #codes = new GivenValues();
  /** A call with an empty Authorization header was served: then its value is missing in the recording alone. */
  #servesEmpty = false;

  constructor(scene: RuleContext, headers: HeadersSeen) {
    this.#headers = headers;
    this.#scene = scene;
    this.#notes = scene.notes;
    this.#facts = scene.facts;
  }

  call(call: ServiceRequest): void {
    if (isPreflight(call)) return;
    const room = roomOf(call);
    if (room === undefined) return;
    judgeOperation(call, this.#scene, room);
    if (room === 'reseller') return;
    this.#judgeHeader(call, `${CALLER[room]}.calls.authorization-header`);
    if (room === 'apps') judgeAuthCode(call, this.#scene, this.#codes);
  }

  end(): void {
    for (const { clause, n, name } of this.#missing) {
      if (!this.#facts.headersComplete && !this.#headers.authorization) this.#notes.undecided(clause, n, STRIPPED);
      else {
        this.#notes.breaks(clause, n, {
          message: `${name} has no Authorization header`,
          pointer: 'header authorization',
          expected: 'Authorization: ApiKey <the key>',
          actual: 'no such header',
        });
      }
    }
  }

  /** A key in another place, where the call was refused for its credentials: a recording without Authorization still shows it. */
  #adviseOnOtherPlace(call: ServiceRequest, clause: string): void {
    const { seen } = call;
    if (responseKind(call) !== 'refused' || (seen.status !== 401 && seen.status !== 403)) return;
    const header = OTHER_HEADERS.find((name) => (seen.header(name) ?? '') !== '');
    const parameter = seen.query.find(([name, value]) => OTHER_PARAMETERS.test(name) && value !== '')?.[0];
    if (header === undefined && parameter === undefined) return;
    const where = header === undefined ? `query ${parameter}` : `header ${header}`;
    this.#notes.advises(clause, seen.n, {
      message: `${named(call)} was refused: its key is in the ${where}, and not in the header Authorization`,
      pointer: where,
      expected: 'Authorization: ApiKey <the key>',
    });
  }

  #judgeHeader(call: ServiceRequest, clause: string): void {
    const { n } = call.seen;
    const value = call.seen.header('authorization');
    if (value === undefined && !this.#facts.headersComplete && wasNotSent(call)) {
      this.#notes.undecided(
        clause,
        n,
        'the request was blocked or aborted, so its headers were not recorded as they would have been sent',
      );
      return;
    }
    if (value === undefined) {
      if (this.#missing.length < MAX_WAITING) this.#missing.push({ clause, n, name: named(call) });
      this.#adviseOnOtherPlace(call, clause);
      return;
    }
    const expected = 'Authorization: ApiKey <the key>';
    const [, word, key] = /^(\S+)(?:\s+(\S.*))?$/s.exec(value.trim()) ?? [];
    if (word !== undefined && (key === undefined ? isRedacted(word) : isHidden(value))) {
      this.#notes.undecided(clause, n, 'the value of the Authorization header was redacted in the recording');
      return;
    }
    if (word === undefined && !this.#facts.headersComplete) {
      this.#servesEmpty ||= responseKind(call) === 'served';
      if (this.#servesEmpty || (call.seen.status !== 401 && call.seen.status !== 403)) {
        this.#notes.undecided(
          clause,
          n,
          'the Authorization header is empty in the recording, and its value may have been removed',
        );
        return;
      }
    }
    const finding = { pointer: 'header authorization', expected, actual: `${key === undefined ? '' : word} …`.trim() };
    if (word?.toLowerCase() !== 'apikey' || key === undefined || key === '') {
      const what =
        key === undefined || key === '' ? 'no key after the word ApiKey' : 'a key after a word other than ApiKey';
      this.#notes.breaks(clause, n, { ...finding, message: `${named(call)} carries ${what}` });
      return;
    }
    const odd = responseKind(call) === 'refused' ? oddKey(key, call) : undefined;
    if (odd !== undefined) {
      this.#notes.breaks(clause, n, { ...finding, message: `${named(call)} was refused: its key ${odd}` });
      return;
    }
    const isKnown = isOneOf(key, this.#facts.keys);
    if (isKnown === false) {
      this.#notes.breaks(clause, n, {
        ...finding,
        message: `${named(call)} has a key that is not among the given ones`,
      });
      return;
    }
    this.#notes.keeps(clause, n);
    const also = call.seen.query.find(([, value]) => value === key && !isHidden(key));
    if (also !== undefined)
      this.#notes.advises(clause, n, {
        pointer: `query ${also[0]}`,
        expected: 'the key in the Authorization header alone',
        message: `${named(call)} has the key in its address too, where logs and proxies keep it`,
      });
    if (word !== 'ApiKey')
      this.#notes.advises(clause, n, {
        ...finding,
        message: `${named(call)} writes the word ApiKey in another letter case`,
      });
  }
}

/** Where programs put a key of other services. */
const OTHER_HEADERS = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-authorization'];
const OTHER_PARAMETERS = /^(?:api_?key|key|access_?token|authorization)$/i;

/** What shows that a text can't be a key, as the end of a sentence. */
function oddKey(key: string, { seen }: ServiceRequest): string | undefined {
  if (isRedacted(key) || isHidden(key)) return undefined;
  if (isPlaceholder(key)) return 'is a value that a program did not fill in';
  if (/^(?:apikey|bearer|basic|token)\b/i.test(key)) return 'has a scheme in front of it once more';
  if (/^(["'<]).*["'>]$/s.test(key)) return 'has quotes or brackets around it';
  return seen.query.some(([name, value]) => /^authcode$/i.test(name) && value === key)
    ? 'is the authCode of the installation'
    : undefined;
}

/** Whether a key is one of those known; undefined when that can't be said. */
function isOneOf(key: string, keys: Readonly<Record<string, string>>): boolean | undefined {
  const known = restored(key, keys);
  if (Object.keys(keys).length === 0 || known.guessed || known.incomplete) return undefined;
  return apiKeysOf(keys).some(([, value]) => value === key);
}

/** Whose operations a path belongs to; undefined for another interface of the service below the same base. */
type Room = 'delivery' | 'apps' | 'reseller';

/** Who calls an interface, as clause ids name it. */
const CALLER: Readonly<Record<Room, string>> = { delivery: 'provider', apps: 'app', reseller: 'reseller' };

/** Paths of Apps without their first segment, or with another one: names that no other interface is likely to have, and all of them. */
const OF_APPS =
  /^(?:(?:[\w-]+\/+)?(?:installed|[gs]et_(?:data|snippet))|(?:app\w*\/+)?(?:user|website|languages|delete))(?:\/|$)/i;
/** The same of Delivery. */
const OF_DELIVERY = /^(?:[\w-]+\/+)?(?:delivery_(?:methods?|provider_settings)|pickup_points?)(?:\/|$)/i;

/** The interface that a call is for, by its path; undefined for a path of none of them. */
export function roomOf(call: ServiceRequest): Room | undefined {
  const { document, behind, seen } = call;
  // The version once more in front is a mistake in joining base and link.
  const path = behind.replace(/^\/*(?:v1\/+)*/, '');
  if (document === 'api') return 'reseller';
  if (/^apps(?:\/|$)/i.test(path)) return 'apps';
  // A client that forgets the store in front means this interface as well.
  if (/^(?:store\/+delivery|delivery_(?:methods?|provider_settings)(?:\/|$))/i.test(path)) return 'delivery';
  // A platform may have further interfaces, which serve what is theirs.
  if (responseKind(call) !== 'refused') return undefined;
  const hasCode = seen.query.some(([name]) => name.toLowerCase() === 'authcode');
  if (hasCode) return path === '' || OF_APPS.test(path) ? 'apps' : undefined;
  return OF_DELIVERY.test(path) ? 'delivery' : undefined;
}

const isPreflight = ({ seen }: ServiceRequest): boolean => seen.method === 'OPTIONS' || seen.method === 'HEAD';

function judgeOperation(call: ServiceRequest, { notes }: RuleContext, room: Room): void {
  const { seen, match, operation } = call;
  const clause = `${CALLER[room]}.calls.known-operations`;
  if (operation === undefined) {
    const what = match === undefined ? 'has a path' : `calls ${match.template} with an HTTP method`;
    const isBeside = call.lacksVersion === true;
    notes.breaks(clause, seen.n, {
      message: isBeside
        ? `${seen.method} ${shortened(seen.path, SHOWN_CHARACTERS)} was refused: it lacks the version v1. The path of a call, and a next_page_uri without the version, belong behind the base`
        : `${named(call)} ${what} that the interface does not have`,
      pointer: match === undefined ? 'path' : 'method',
      expected: isBeside
        ? `/v1/${shortened(call.behind, SHOWN_CHARACTERS)}`
        : match === undefined
          ? 'a path of the interface'
          : [...match.operations.keys()].join(' or '),
      actual: match === undefined ? named(call) : seen.method,
    });
    return;
  }
  const several = severalHandles(call);
  if (several !== undefined) {
    notes.breaks(clause, seen.n, {
      message: `${named(call)} names several methods, which only calls that add, change, delete or replace points may do`,
      pointer: 'path',
      expected: 'one handle',
      actual: several,
    });
    return;
  }
  notes.keeps(clause, seen.n);
  const unfilled = Object.values(match?.params ?? {}).find(isPlaceholder);
  if (unfilled !== undefined && room !== 'reseller' && responseKind(call) === 'refused') {
    notes.advises(clause, seen.n, {
      message: `${named(call)} was refused: its path has ${JSON.stringify(unfilled)} instead of a value, which a program did not fill in`,
      pointer: 'path',
      expected: operation.template,
    });
  }
  if (match?.exact === false) {
    notes.advises(clause, seen.n, {
      message: `${seen.method} ${shortened(seen.path, SHOWN_CHARACTERS)} ${responseKind(call) === 'refused' ? 'was refused' : 'works only because the service is lenient'}: the path of the interface is ${operation.template}, slashes included`,
      pointer: 'path',
      expected: operation.template,
    });
  }
}

const SHOWN_CHARACTERS = 80;

/** Paths of points may name several methods to add, change, delete or replace points. */
const TAKES_SEVERAL: ReadonlySet<OperationId> = new Set([
  'addPoint',
  'changePoint',
  'deletePoint',
  'batchReplace',
] as const);

/** The handles of a path that may name only one; undefined where it does. A comma can't be a part of a handle. */
function severalHandles({ operation, match }: ServiceRequest): string | undefined {
  const handle = match?.params.handle ?? '';
  if (operation === undefined || TAKES_SEVERAL.has(operation.id)) return undefined;
  return handle.split(',').filter((part) => part.trim() !== '').length > 1 ? handle : undefined;
}

function judgeAuthCode(call: ServiceRequest, { notes }: RuleContext, known: GivenValues): void {
  const { seen, operation } = call;
  if (operation === undefined) return;
  const { n } = seen;
  const codes = seen.query.filter(([name]) => name.toLowerCase() === 'authcode');
  const [first] = codes;
  if (first === undefined || codes.every(([, value]) => value === '')) {
    notes.breaks('app.calls.auth-code-in-query', n, {
      message: `${named(call)} has ${first === undefined ? 'no authCode' : 'an empty authCode'} in its query`,
      pointer: 'query authCode',
      expected: 'the authCode of the installation',
      actual: first === undefined ? 'no such parameter' : 'empty',
    });
    return;
  }
  const kind = responseKind(call);
  if (kind === 'served')
    for (const [, value] of codes) {
      known.take(value);
      known.give(value);
    }
  const mistake =
    kind === 'refused'
      ? codes.map(([, value]) => known.mistakeOf(value, seen)).find((one) => one !== undefined)
      : undefined;
  if (mistake !== undefined) {
    notes.breaks('app.calls.auth-code-in-query', n, {
      message: `${named(call)} was refused: its authCode ${mistake}`,
      pointer: 'query authCode',
      expected: 'the authCode of the installation',
    });
    return;
  }
  notes.keeps('app.calls.auth-code-in-query', n);
  if (new Set(codes.map(([, value]) => value)).size > 1)
    notes.advises('app.calls.auth-code-in-query', n, {
      message: `${named(call)} has several values of authCode in its query: which of them counts is not stated`,
      pointer: 'query authCode',
      expected: 'one authCode',
      actual: codes.length,
    });
  if (codes.some(([name]) => name === 'authCode')) notes.keeps('app.calls.auth-code-spelling', n);
  else {
    notes.breaks('app.calls.auth-code-spelling', n, {
      message: `${named(call)} spells the parameter ${first[0]}, which works only because the service is lenient`,
      pointer: `query ${first[0]}`,
      expected: 'authCode',
      actual: first[0],
    });
  }
}
