/** Calls of a client of the Reseller interface: its token, its parameters, the ids in its paths (spec: C. Reseller endpoints). */
import { ACCOUNT_SETTINGS } from '../../fields/catalogue/reseller.ts';
import { isJsonObject } from '../../json/object.ts';
import { shortened } from '../../json/words.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { GivenValues, isPlaceholder, isTemplate } from '../reading/given-values.ts';
import { parametersOf, tokenOf } from '../reading/parameters.ts';
import { isRedacted } from '../reading/redacted.ts';
import { named, say } from '../service/responses.ts';

const TOKEN = 'reseller.calls.token';
const PARAMETERS = 'reseller.calls.parameters';
const IDS = 'reseller.calls.ids-in-paths';
const LEVEL = 'reseller.calls.subscription-level';
const DOMAIN = 'reseller.calls.domain-without-www';
export const RESELLER_CLAUSES = [TOKEN, PARAMETERS, IDS, LEVEL, DOMAIN];

/** What operations take beside the token; of settings any one. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  authorize: ['email', 'password'],
  addDomain: ['domain'],
  changePassword: ['password'],
};
const SETTINGS: ReadonlySet<string> = new Set(Object.keys(ACCOUNT_SETTINGS));

/** A rule with memory: takes every call of one base, in their order. */
export class ResellerRule {
  readonly #scene: RuleContext;
  readonly #notes: RuleContext['notes'];
  readonly #tokens = new GivenValues();

  constructor(scene: RuleContext) {
    this.#scene = scene;
    this.#notes = scene.notes;
  }

  call(call: ServiceRequest): void {
    const { operation, document } = call;
    if (document !== 'api' || operation === undefined || /^(?:OPTIONS|HEAD)$/.test(call.seen.method)) return;
    if (operation.id !== 'authorize') this.#judgeToken(call);
    this.#judgeParameters(call);
    this.#judgeIds(call);
    if (operation.id === 'enablePremium') this.#judgeLevel(call);
    if (operation.id === 'addDomain') this.#judgeDomain(call);
    this.#remember(call);
  }

  #remember({ operation, seen }: ServiceRequest): void {
    const response = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    if (operation?.id === 'authorize' && isJsonObject(response)) this.#tokens.give(response.apiToken);
    if (operation?.id === 'logOut' && isJsonObject(response) && response.error === false)
      this.#tokens.end(tokenOf(seen), seen);
  }

  #judgeToken(call: ServiceRequest): void {
    const { seen } = call;
    const { n } = seen;
    const expected = 'the token that authorize returned';
    const token = tokenOf(seen);
    if (token === undefined || token === '') {
      if (this.#isUnreadable(call, TOKEN, 'the token')) return;
      this.#notes.breaks(TOKEN, n, {
        message: `${named(call)} has no apiToken parameter${inJson(call, 'apiToken')}`,
        pointer: 'query apiToken',
        expected,
        actual: token === '' ? 'empty' : 'no such parameter',
      });
      return;
    }
    // A service that takes a value knows better what it gave.
    const kind = responseKind(call);
    if (kind === 'served') this.#tokens.take(token);
    const mistake = kind === 'refused' && !isRedacted(token) ? this.#tokens.mistakeOf(token, seen) : undefined;
    say(this.#scene, TOKEN, n, mistake === undefined, () => ({
      message: `${named(call)} was refused: its apiToken ${mistake}`,
      pointer: 'query apiToken',
      expected,
    }));
  }

  #judgeParameters(call: ServiceRequest): void {
    const { operation, seen } = call;
    const sent = parametersOf(seen);
    const wanted = WANTED[operation?.id ?? ''] ?? [];
    const missing = wanted.find((name) => !sent.some(([other, value]) => other === name && value !== ''));
    const setsNothing = operation?.id === 'changeSettings' && !sent.some(([name]) => SETTINGS.has(name));
    if (missing === undefined && !setsNothing) {
      this.#adviseOnBytes(call, sent);
      if (wanted.length > 0 || operation?.id === 'changeSettings') this.#notes.keeps(PARAMETERS, seen.n);
      return;
    }
    if (this.#isUnreadable(call, PARAMETERS, 'the parameters')) return;
    const others = sent.map(([name]) => name).filter((name) => name !== 'apiToken' && name !== 'password');
    this.#notes.breaks(PARAMETERS, seen.n, {
      message: setsNothing
        ? `${named(call)} changes no setting: none of its parameters is the name of one${inJson(call, ...SETTINGS)}`
        : `${named(call)} has no parameter ${missing}${inJson(call, missing ?? '')}`,
      pointer: setsNothing ? 'query' : `query ${missing}`,
      expected: setsNothing ? 'one name/value pair for each setting to change' : wanted,
      actual: others.slice(0, SHOWN_NAMES),
    });
  }

  /** Values whose bytes are not UTF-8, in a call that was refused: the damage shows in no other way. */
  #adviseOnBytes(call: ServiceRequest, sent: ReturnType<typeof parametersOf>): void {
    const damaged = sent.find(([name, value]) => name !== 'apiToken' && value.includes('\uFFFD'))?.[0];
    if (damaged === undefined || responseKind(call) !== 'refused') return;
    this.#notes.advises(PARAMETERS, call.seen.n, {
      message: `${named(call)} was refused: its parameter ${damaged} has bytes that are not UTF-8`,
      pointer: `query ${damaged}`,
      expected: 'text that is encoded as UTF-8',
    });
  }

  /** Notes why a parameter that seems to be missing may have been sent. */
  #isUnreadable(call: ServiceRequest, clause: string, what: string): boolean {
    const { requestBody, n, form } = call.seen;
    if (requestBody.kind !== 'unknown' && !(requestBody.kind === 'bytes' && form === undefined)) return false;
    const why = requestBody.kind === 'unknown' ? requestBody.why : 'its body is not text';
    this.#notes.undecided(clause, n, `${what} of ${named(call)} can't be searched for: ${why}`);
    return true;
  }

  #judgeIds(call: ServiceRequest): void {
    for (const [name, value] of Object.entries(call.match?.params ?? {})) {
      if ((name !== 'website' && name !== 'domain') || isRedacted(value)) continue;
      say(this.#scene, IDS, call.seen.n, /^\d+$/.test(value), () => ({
        message: `${named(call)} names ${JSON.stringify(shortened(value, SHOWN_CHARACTERS))} instead of the id of the ${name}${isPlaceholder(value) ? ', which a program did not fill in' : ''}`,
        pointer: 'path',
        expected: name === 'website' ? 'a websiteID of the websites list' : 'a domainID of the domains list',
        actual: shortened(value, SHOWN_CHARACTERS),
      }));
    }
  }

  #judgeLevel(call: ServiceRequest): void {
    const level = call.match?.params.subscription ?? '';
    say(this.#scene, LEVEL, call.seen.n, level === 'premium' || level === 'premiumplus', {
      message: `${named(call)} requests the level ${JSON.stringify(level)}`,
      pointer: 'path',
      expected: 'premium or premiumplus',
      actual: level,
    });
  }

  #judgeDomain(call: ServiceRequest): void {
    const { n } = call.seen;
    const domain = parametersOf(call.seen).findLast(([name]) => name === 'domain')?.[1];
    // A missing one breaks another clause.
    if (domain === undefined || domain === '') return;
    if (isRedacted(domain) || isTemplate(domain)) {
      this.#notes.undecided(DOMAIN, n, `the domain of ${named(call)} was redacted in the recording`);
      return;
    }
    const fault = faultOfDomain(domain.trim());
    say(this.#scene, DOMAIN, n, fault === undefined, () => ({
      message: `${named(call)} adds a domain ${fault}`,
      pointer: 'field domain',
      expected: 'the domain name without www',
      actual: domain,
    }));
  }
}

const SHOWN_NAMES = 10;
const SHOWN_CHARACTERS = 80;

/** Said where a parameter that is missing is a member of a JSON body. */
function inJson({ seen: { requestBody } }: ServiceRequest, ...names: readonly string[]): string {
  const value = requestBody.kind === 'json' && isJsonObject(requestBody.value) ? requestBody.value : {};
  return names.some((name) => Object.hasOwn(value, name))
    ? ': it is in a JSON body, where the interface takes request parameters'
    : '';
}

/** Names in any alphabet are names. */
function faultOfDomain(domain: string): string | undefined {
  if (domain === '') return 'of blanks';
  if (isPlaceholder(domain)) return 'that a program did not fill in';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(domain)) return 'as a whole address instead of its name';
  if (/^www\./i.test(domain)) return 'with www in front';
  const odd = /[\s/:@?#\\,;]/.exec(domain)?.[0];
  return odd === undefined ? undefined : `with ${JSON.stringify(odd)} in its name`;
}
