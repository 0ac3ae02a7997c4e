/** Runs the body of a check with plain stand-ins for its values, and says what such a run has decided. */
import { screenshotPages } from '../browser/steps/failed-pages.ts';
import type { Check } from '../check/check.ts';
import { Context } from '../check/context.ts';
import { type Ending, endingOf, isFinding } from '../check/ending.ts';
import { needsPages } from '../check/needs/index.ts';
import {
  longTemporaryPassword,
  plainTemporaryPassword,
  temporaryPassword,
} from '../cleanup/undo/reseller/temporary-passwords.ts';
import type { Resources } from '../resources/resources.ts';
import type { CodeForm } from './stand-ins/codes.ts';
import { COUNTRY_OF_CHECKS, homeOf } from './stand-ins/home-country.ts';
import type { ValueKind } from './stand-ins/kinds.ts';
import { StandIns } from './stand-ins/stand-ins.ts';

/** A check that ran, and how it ended. */
export interface Attempt {
  readonly context: Context;
  readonly ending: Ending;
}

/** A run of a body in plain values. */
export interface PlainRun {
  readonly plain: Context;
  readonly decided: Ending;
}

/** How a check runs once more. */
export interface PlainOptions {
  /** Sends the minimum that proves its rule. */
  readonly sendsMinimum?: boolean;
  /** Puts everything in the country of the store. */
  readonly hasOneCountry?: boolean;
  /** Gives methods no label address, as long as the target has taken none. */
  readonly hasNoLabelAddress?: boolean;
  /** The form of codes, if it is not the usual one. */
  readonly codes?: CodeForm;
  /** The kinds of values that are replaced, if not all of them. */
  readonly only?: ReadonlySet<ValueKind>;
}

/** Runs the body in plain values and cleans up after it; runs it again if the target was away meanwhile. */
export async function runPlain(check: Check, resources: Resources, options: PlainOptions = {}): Promise<PlainRun> {
  const first = await runPlainOnce(check, resources, options);
  const isLeft = leftSomething(first.plain);
  const wasAway = first.plain.wasAway || first.decided.isLost === true;
  if (!isFinding(first.decided) || !wasAway || isLeft) return first;
  await resources.client.untilBack();
  const second = await runPlainOnce(check, resources, options);
  second.plain.adopt(first.plain);
  return second;
}

async function runPlainOnce(check: Check, resources: Resources, options: PlainOptions): Promise<PlainRun> {
  const { sendsMinimum = false, hasOneCountry = false, hasNoLabelAddress = false, codes } = options;
  const standIns = standInsOf(check, resources, options);
  const plain = new Context(check, resources, { standIns, sendsMinimum, hasOneCountry, hasNoLabelAddress, codes });
  const decided = await endingOf(check, plain);
  if (isFinding(decided)) await screenshotPages(plain);
  await plain.cleanUp();
  return { plain, decided };
}

/**
 * Whether the target seems to take an address only by this one of GET and POST: it has served it by this one, or refused the other one as
 * a method, or serves logins only by this one, because it reads parameters only from the address, or only from a form. It has never served
 * the address by the other one.
 */
export function takesOnly({ operations, profile }: Resources, method: 'GET' | 'POST', path: string): boolean {
  const other = method === 'GET' ? 'POST' : 'GET';
  const at = (name: string): string => `${profile.api ?? ''}${name}`;
  const isServedBy = (one: string, name = path): boolean => operations.wasServedBy(one, at(name));
  if (isServedBy(other)) return false;
  const isLoginBy = (one: string): boolean => isServedBy(one, 'authorize/');
  const logsInOnlyByThis = isLoginBy(method) && !isLoginBy(other);
  return isServedBy(method) || operations.refusesMethod({ method: other, url: at(path) }) || logsInOnlyByThis;
}

/** Whether a run has decided nothing about the rule of its check, and has seen no breach of another clause either. */
export const isUndecided = (ending: Ending): boolean =>
  ending.verdict === 'error' ||
  (ending.verdict === 'inconclusive' && ending.because === undefined) ||
  restsOnRefusal(ending);

/** Whether a check ended only with a refusal: of its precondition, or of the call that it is about. */
export function restsOnRefusal({ restsOn, verdict, evidence }: Ending): boolean {
  if (restsOn !== undefined) return true;
  return (verdict === 'fail' || verdict === 'warn') && evidence?.refusedChoice === true;
}

/** Whether a try left something on the target that it could not remove or restore. */
export const leftSomething = ({ changes }: Context): boolean => changes.some(({ what }) => what === 'orphan');

function standInsOf(check: Check, resources: Resources, options: PlainOptions): StandIns {
  const { sendsMinimum = false, hasNoLabelAddress = false, codes, only } = options;
  const { website, reseller } = resources.profile;
  const old = reseller?.password;
  const another = sendsMinimum ? longTemporaryPassword : plainTemporaryPassword;
  const { run } = resources.run;
  const password =
    old === undefined
      ? undefined
      : ([
          resources.secret('TEMPORARY_PASSWORD', temporaryPassword(old, run)),
          resources.secret('TEMPORARY_PASSWORD', another(old, run)),
        ] as const);
  return new StandIns({
    mark: resources.newMark(),
    languages: website?.languages ?? [],
    defaultLanguage: website?.defaultLanguage,
    country: website?.country ?? COUNTRY_OF_CHECKS,
    // Pages show the real country of the store.
    home: needsPages(check) ? undefined : homeOf(website?.country),
    password,
    codes,
    only,
    exact: check.exactValues ?? [],
    codeServedAs: (code) => resources.operations.codeServedAs(code),
    methodReference: () => resources.operations.methodReference,
    fillsLabelAddress: () => !(sendsMinimum || hasNoLabelAddress) || resources.operations.takesLabelAddress,
    takesOnly: (method, path) => takesOnly(resources, method, path),
  });
}
