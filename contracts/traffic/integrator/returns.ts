/** How an app sends its user back to the service (spec: Installation and settings requests, step 2). */
import { HASH_PARAMETER, type Pairs, pairsOf, queryOf } from '../../install-hash/index.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { Memory } from '../memory.ts';
import { GivenValues, isPlaceholder } from '../reading/given-values.ts';
import { type AppLoad, type AppReturn, fieldOf } from '../reading/pages.ts';
import { isRedacted } from '../reading/redacted.ts';
import { named, say } from '../service/responses.ts';
import { isHashed } from '../signatures.ts';
import { isSecure } from './bodies.ts';

const REDIRECTS = 'app.install.first-load-redirects';
const KEEPS = 'app.install.redirect-keeps-parameters';
const DROPS = 'app.install.redirect-drops-hash-and-callback';
const ADDS = 'app.install.redirect-adds-nothing';
const INSTALLED = 'app.install.calls-installed';

const FORGED_FIRST = 'app.hash.forged-refused-first';
const FORGED_SECOND = 'app.hash.forged-refused-second';
/** Whether forged requests are refused takes a forged one with its control; here only the opposite shows. */
export const RETURN_CLAUSES_BROKEN = [FORGED_FIRST, FORGED_SECOND];

export const RETURN_CLAUSES = ['app.manifest.https', REDIRECTS, KEEPS, DROPS, ADDS, INSTALLED];

/** Codes that are remembered. */
const MAX_CODES = 2_000;

/** A rule with memory: call it with loads and returns, and with the calls of all bases, in their order. */
export class ReturnRule {
  readonly #scene: RuleContext;
  readonly #notes: RuleContext['notes'];
  readonly #loadedCodes = new Memory<true>({ entries: MAX_CODES });
  readonly #givenCodes = new GivenValues();
  /** Whether the hash of a load is right, where the secret is known; of a code, whether that of any of its loads is. */
  readonly #rightLoads = new WeakMap<AppLoad, boolean>();
  readonly #rightCodes = new Memory<boolean>({ entries: MAX_CODES });
  /** A load that is right shows that the secret is. */
  readonly #control = { hasRight: false };

  constructor(scene: RuleContext) {
    this.#scene = scene;
    this.#notes = scene.notes;
  }

  load(load: AppLoad): void {
    const { seen, query, page, hasCode } = load;
    if (seen.method === 'GET')
      say(this.#scene, 'app.manifest.https', seen.n, isSecure(seen.exchange.request.url), {
        message: `the ${page} page of the app uses plain http`,
        pointer: 'address',
        expected: 'an https address',
        actual: seen.origin,
      });
    const code = fieldOf(query, 'authCode');
    this.#givenCodes.give(code);
    const isRight = isHashed(this.#scene, seen.exchange.request.url);
    if (isRight !== undefined) this.#rightLoads.set(load, isRight);
    this.#control.hasRight ||= isRight === true;
    if (code !== undefined && isRight !== undefined)
      this.#rightCodes.set(code, isRight || this.#rightCodes.get(code) === true);
    if (page === 'install' && hasCode && code !== undefined) this.#loadedCodes.set(code, true);
  }

  call(call: ServiceRequest): void {
    const { operation, seen } = call;
    const code = seen.query.findLast(([name]) => name.toLowerCase() === 'authcode')?.[1];
    if (code !== undefined && responseKind(call) === 'refused') this.#judgeRefusedCode(call, code);
    if (operation?.id !== 'finishInstallation') return;
    if (code === undefined) return;
    if (this.#loadedCodes.get(code) === true) this.#notes.keeps(INSTALLED, seen.n);
    if (this.#control.hasRight && this.#rightCodes.get(code) === false) {
      this.#notes.breaks(FORGED_SECOND, seen.n, {
        message: `${named(call)} finishes an installation of which every load had a wrong hash`,
        pointer: 'query authCode',
        expected: 'no call for a forged load',
      });
    }
  }

  back({ seen, loads }: AppReturn): void {
    const last = loads.at(-1);
    if (last === undefined) return;
    const { n } = seen;
    if (seen.method !== 'GET') {
      this.#notes.breaks(REDIRECTS, n, {
        message: `the user returns to the callback by ${seen.method}, without the parameters in the address`,
        pointer: 'method',
        expected: 'GET',
        actual: seen.method,
      });
      return;
    }
    // A page that is loaded again, or gone back to, repeats the return of an earlier load.
    const load = loads.findLast((one) => differences(one, seen.query).length === 0) ?? last;
    if (!load.hasCode) this.#notes.keeps(REDIRECTS, n);
    const meant = loads.filter((one) => differences(one, seen.query).length === 0);
    if (
      this.#control.hasRight &&
      !load.hasCode &&
      meant.length > 0 &&
      meant.every((one) => this.#rightLoads.get(one) === false)
    ) {
      this.#notes.breaks(FORGED_FIRST, n, {
        message: 'a load with a wrong hash was answered with the redirect to the callback',
        pointer: 'query',
        expected: 'a refusal',
      });
    }
    this.#judgeReturn(load, seen.query, n);
  }

  #judgeRefusedCode(call: ServiceRequest, code: string): void {
    const { seen } = call;
    const mistake = isPlaceholder(code) || isRedacted(code) ? undefined : this.#givenCodes.mistakeOf(code, seen);
    if (mistake === undefined) return;
    this.#notes.breaks('app.calls.auth-code-in-query', seen.n, {
      message: `${named(call)} was refused: its authCode ${mistake}`,
      pointer: 'query authCode',
      expected: 'the authCode of the installation, as it was received',
    });
  }

  #judgeReturn(load: AppLoad, got: Pairs, n: number): void {
    const wrong = differences(load, got);
    for (const clause of [KEEPS, DROPS, ADDS]) {
      const first = wrong.find((one) => one.clause === clause);
      if (first === undefined) this.#notes.keeps(clause, n);
      else if (isRedacted(first.expected) || isRedacted(first.actual)) {
        this.#notes.undecided(clause, n, `the parameter ${first.name} was redacted in the recording`);
      } else {
        const isCode = first.name.toLowerCase() === 'authcode';
        const of = (value: string | undefined): string => value ?? 'no such parameter';
        this.#notes.breaks(clause, n, {
          message: first.message,
          pointer: `query ${first.name}`,
          expected: isCode ? 'the code that was received' : of(first.expected),
          actual: isCode ? 'another value' : of(first.actual),
        });
      }
    }
  }
}

interface Difference {
  readonly clause: string;
  readonly name: string;
  readonly message: string;
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

/** How the query of a return differs from the one that the load asks for; the order of parameters is free. */
function differences({ query }: AppLoad, got: Pairs): Difference[] {
  const own = pairsOf(queryOf(fieldOf(query, 'callback') ?? ''));
  const received = query.filter(([name]) => name !== 'callback' && name !== HASH_PARAMETER);
  const wanted = [...own, ...received];
  const left = [...got];
  const found: Difference[] = [];
  for (const [name, value] of wanted) {
    const at = left.findIndex(([other, its]) => other === name && its === value);
    if (at >= 0) left.splice(at, 1);
    else {
      const actual = got.find(([other]) => other === name)?.[1];
      const message = `the redirect ${actual === undefined ? 'lacks' : 'contains another value of'} the parameter ${name}`;
      found.push({ clause: KEEPS, name, message, expected: value, actual });
    }
  }
  const names = new Set(wanted.map(([name]) => name));
  for (const [name, value] of left) {
    if (name === HASH_PARAMETER || name === 'callback') {
      found.push({ clause: DROPS, name, message: `the redirect contains ${name}`, expected: undefined, actual: value });
    } else if (!names.has(name) || !found.some((one) => one.clause === KEEPS && one.name === name)) {
      const how = names.has(name) ? 'once more than it was received' : 'which was not received';
      const message = `the redirect contains the parameter ${name}, ${how}`;
      found.push({ clause: ADDS, name, message, expected: undefined, actual: value });
    }
  }
  return found;
}
