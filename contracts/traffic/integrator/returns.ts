/** How an app sends its user back to the service (spec: Installation and settings requests, step 2). */
import { HASH_PARAMETER, type Pairs, pairsOf, queryOf } from '../../install-hash/index.ts';
import type { Scene, ServiceRequest } from '../call.ts';
import { Memory } from '../memory.ts';
import { type AppLoad, type AppReturn, fieldOf } from '../reading/pages.ts';
import { isRedacted } from '../reading/redacted.ts';
import { say } from '../service/answers.ts';
import { isSecure } from './bodies.ts';

const REDIRECTS = 'app.install.first-load-redirects';
const KEEPS = 'app.install.redirect-keeps-parameters';
const DROPS = 'app.install.redirect-drops-hash-and-callback';
const ADDS = 'app.install.redirect-adds-nothing';
const INSTALLED = 'app.install.calls-installed';

export const RETURN_CLAUSES = ['app.manifest.https', REDIRECTS, KEEPS, DROPS, ADDS, INSTALLED];

/** Codes that are remembered. */
const MAX_CODES = 2_000;

/** A rule with memory: call it with loads and returns, and with the calls of all bases, in their order. */
export function returnRule(scene: Scene) {
  const { notes } = scene;
  const loadedCodes = new Memory<true>({ entries: MAX_CODES });

  return {
    load({ seen, query, page, hasCode }: AppLoad): void {
      say(scene, 'app.manifest.https', seen.n, isSecure(seen.exchange.request.url), {
        message: `the ${page} page of the app is reached over plain http`,
        pointer: 'address',
        expected: 'an https address',
        actual: seen.origin,
      });
      const code = fieldOf(query, 'authCode');
      if (page === 'install' && hasCode && code !== undefined) loadedCodes.set(code, true);
    },
    call({ operation, seen }: ServiceRequest): void {
      if (operation?.id !== 'finishInstallation') return;
      const code = seen.query.findLast(([name]) => name.toLowerCase() === 'authcode')?.[1];
      if (code !== undefined && loadedCodes.get(code) === true) notes.keeps(INSTALLED, seen.n);
    },
    back({ seen, loads }: AppReturn): void {
      const last = loads.at(-1);
      if (last === undefined) return;
      const { n } = seen;
      if (seen.method !== 'GET') {
        notes.breaks(REDIRECTS, n, {
          message: `the user comes back to the callback by ${seen.method}, without the parameters in the address`,
          pointer: 'method',
          expected: 'GET',
          actual: seen.method,
        });
        return;
      }
      // A page that is loaded again, or gone back to, repeats the return of an earlier load.
      const load = loads.findLast((one) => differences(one, seen.query).length === 0) ?? last;
      if (!load.hasCode) notes.keeps(REDIRECTS, n);
      judgeReturn(load, seen.query, n);
    },
  };

  function judgeReturn(load: AppLoad, got: Pairs, n: number): void {
    const wrong = differences(load, got);
    for (const clause of [KEEPS, DROPS, ADDS]) {
      const first = wrong.find((one) => one.clause === clause);
      if (first === undefined) notes.keeps(clause, n);
      else if (isRedacted(first.expected) || isRedacted(first.actual)) {
        notes.undecided(clause, n, `the parameter ${first.name} was taken out of the recording`);
      } else {
        const isCode = first.name.toLowerCase() === 'authcode';
        const of = (value: string | undefined): string => value ?? 'no such parameter';
        notes.breaks(clause, n, {
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
      const message = `the redirect carries the parameter ${name} ${actual === undefined ? 'not at all' : 'with another value'}`;
      found.push({ clause: KEEPS, name, message, expected: value, actual });
    }
  }
  const names = new Set(wanted.map(([name]) => name));
  for (const [name, value] of left) {
    if (name === HASH_PARAMETER || name === 'callback') {
      found.push({ clause: DROPS, name, message: `the redirect carries ${name}`, expected: undefined, actual: value });
    } else if (!names.has(name)) {
      const message = `the redirect carries the parameter ${name}, which was not received`;
      found.push({ clause: ADDS, name, message, expected: undefined, actual: value });
    }
  }
  return found;
}
