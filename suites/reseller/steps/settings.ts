/** Settings that may be changed: which ones is not stated, so harmless ones are tried until one works. */
import { ACCOUNT_SETTINGS } from '../../../contracts/fields/catalogue/reseller.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { againIfLost } from '../../../harness/check/sending/repeatable.ts';
import type { Resources } from '../../../harness/resources/resources.ts';
import type { Pairs } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { ask, isGetFirst } from './login/session.ts';
import { givenStable } from './quiet.ts';
import { settingsOf } from './records.ts';

/** Candidates, the least harmful first, each with a text that no service has a reason to refuse or to normalize. */
const CANDIDATES: readonly (readonly [name: string, text: (mark: string) => string])[] = [
  ['contactName', (mark) => `Proofmark ${mark}`],
  ['addrCity', (mark) => `Proofmark ${mark}`],
  ['addrAddress', (mark) => `Proofmark ${mark}`],
  ['supportPhone', () => '+37120000017'],
  ['contactPhone', () => '+37120000018'],
  ['supportEmail', (mark) => `${mark}@proofmark.example`],
  ['termsLink', (mark) => `https://proofmark.example/${mark}?of=shop&in=en`],
  ['buyLink', (mark) => `https://proofmark.example/${mark}`],
  ['company', (mark) => `Proofmark ${mark}`],
  ['addrRegion', (mark) => `Proofmark ${mark}`],
  ['addrPostal', () => 'LV-1017'],
  ['contactWebsite', (mark) => `https://proofmark.example/${mark}`],
  ['privacyLink', (mark) => `https://proofmark.example/${mark}`],
  ['faviconLink', (mark) => `https://proofmark.example/${mark}.png`],
  ['logoLink', (mark) => `https://proofmark.example/${mark}.png`],
  ['notifyLink', (mark) => `https://proofmark.example/${mark}`],
  ['addrCountry', () => 'ee'],
];

export interface Candidate {
  readonly name: string;
  /** The present text. */
  readonly old: string;
  /** Another text. */
  readonly fresh: string;
}

/** A setting as text; empty if it was never set. */
export const textOf = (value: unknown): string => (isUnset(value) ? '' : String(value));

/** Changes settings of the account in one call. The caller has them restored. */
export async function set(context: Context, changes: Pairs, role = 'set'): Promise<ServiceResponse> {
  const reseller = await context.reseller();
  return againIfLost(() => ask(context, (via) => reseller.changeSettings(changes, via), role));
}

/**
 * The candidates that the target accepts with their present text: that changes nothing, and an accepted text
 * can be restored. Settings that are not shown are left out.
 */
export async function* candidates(context: Context): AsyncGenerator<Candidate> {
  const all = await restorable(context);
  // Never all of them only to find one: an empty text would be written into every setting that was never set.
  const areTaken = context.mayShare && knownOf(context).taken.get(keyOf(all)) === true;
  let isAnyTaken = false;
  for (const candidate of all) {
    if (!areTaken && !(await acceptsCurrentValues(context, [candidate]))) continue;
    isAnyTaken = true;
    yield candidate;
  }
  if (!isAnyTaken && (await refusesOnlySameTexts(context, all))) yield* all.filter(({ old }) => old !== '');
}

/** A text that a service which takes another one has no reason to refuse. */
const PLAIN = /^[A-Za-z0-9 .,'+@-]{1,30}$/;

/**
 * Whether a service that refuses the present text of every setting does so because nothing would change: one of them, which has a text,
 * takes another one, and then its own. That an empty one could be emptied again is not known.
 */
async function refusesOnlySameTexts(context: Context, all: readonly Candidate[]): Promise<boolean> {
  const known = knownOf(context);
  if (context.mayShare && known.refusesSameTexts !== undefined) return known.refusesSameTexts;
  known.refusesSameTexts = false;
  for (const one of all.filter(({ old }) => PLAIN.test(old))) {
    track(context, one);
    if ((await setSomeText(context, one)) === undefined) continue;
    // A setting that can not be changed may be ignored.
    if (textOf((await settingsOf(context)).settings[one.name]) === one.old) continue;
    known.refusesSameTexts = isServed(await set(context, [[one.name, one.old]], 'back'));
    break;
  }
  return known.refusesSameTexts;
}

/** By run: the settings that were accepted, or not, in one call with their present texts, and those that accepted another text. */
interface KnownSettings {
  readonly taken: Map<string, boolean>;
  readonly changeable: Set<string>;
  /** Whether several were changed in one call. */
  areTakenTogether: boolean;
  /** The response to a call that changed several, which was seen to do so. */
  change?: ServiceResponse;
  /** Whether a changed setting could be emptied again; undefined if none was tried. */
  canBeEmptied?: boolean;
  /** Whether a setting took another text and its own again, where each refused the text that it had; undefined if none was tried. */
  refusesSameTexts?: boolean;
  /** Settings that showed neither the text they had nor the one that was set, after a call that was served. */
  readonly spoiled: Set<string>;
}

const known = new WeakMap<Resources, KnownSettings>();

function knownOf({ resources }: Context): KnownSettings {
  const of = known.get(resources) ?? {
    taken: new Map(),
    changeable: new Set(),
    areTakenTogether: false,
    spoiled: new Set(),
  };
  known.set(resources, of);
  return of;
}

/** Whether these settings are accepted in one call with their present texts; asked once for the same texts. */
export async function acceptsCurrentValues(context: Context, candidates: readonly Candidate[]): Promise<boolean> {
  const key = keyOf(candidates);
  const { taken } = knownOf(context);
  const known = context.mayShare ? taken.get(key) : undefined;
  const isTaken = known ?? isServed(await set(context, pairsOf(candidates, 'old'), 'same value'));
  taken.set(key, isTaken);
  return isTaken;
}

const keyOf = (candidates: readonly Candidate[]): string => JSON.stringify(pairsOf(candidates, 'old'));

/** Whether the account takes several settings in one call. These have been set to their new texts before. */
export async function takesTogether(context: Context, all: readonly Candidate[]): Promise<boolean> {
  if (all.length < 2) return false;
  if (context.mayShare && knownOf(context).areTakenTogether) return true;
  return isServed(await set(context, pairsOf(all, 'fresh'), 'given'));
}

/** Records settings that returned another text after it was set. */
export function showedFresh(context: Context, all: readonly Pick<Candidate, 'name'>[]): void {
  for (const { name } of all) knownOf(context).changeable.add(name);
}

/** The response to a change of settings that an earlier check of this run has seen to apply; undefined where a check makes its own. */
export function seenChange(context: Context): ServiceResponse | undefined {
  const { change } = knownOf(context);
  if (change === undefined || isGetFirst(context) || context.explains) return undefined;
  if (!context.exchanges.includes(change.exchange)) context.exchanges.push(change.exchange);
  return change;
}

/** Whether an earlier check of this run has set a setting with success and then read a third text: its present text proves nothing. */
export const isKnownSpoiled = (context: Context, name: string): boolean => knownOf(context).spoiled.has(name);

/** Whether an earlier check of this run has seen that a setting accepts another text. */
export const isKnownChangeable = (context: Context, name: string): boolean =>
  context.mayShare && knownOf(context).changeable.has(name);

/** Restores the present texts of these settings when the check ends. */
export function track(context: Context, ...all: readonly Pick<Candidate, 'name' | 'old'>[]): void {
  if (all.length === 0) return;
  context.given.track({ kind: 'reseller-settings', old: Object.fromEntries(all.map(({ name, old }) => [name, old])) });
}

/** Sets a setting to its new text, or to a short one if that is refused; undefined if both are refused. */
export async function setSomeText(context: Context, candidate: Candidate): Promise<Candidate | undefined> {
  for (const fresh of new Set([candidate.fresh, shortTextFor(candidate)]))
    if (isServed(await set(context, [[candidate.name, fresh]]))) return { ...candidate, fresh };
  return undefined;
}

/**
 * A text of at most twenty characters that differs from the present one: which lengths and top-level domains a setting accepts
 * is not stated. Requests to a notify link must not reach a stranger, so its host must not be resolvable.
 */
function shortTextFor({ name, old, fresh }: Candidate): string {
  if (!fresh.toLowerCase().includes('proofmark')) return fresh;
  const [one, other] =
    name === 'notifyLink'
      ? ['https://p.example/', 'https://q.example/']
      : /link|website$/i.test(name)
        ? ['https://example.com/', 'https://example.org/']
        : /email$/i.test(name)
          ? ['p@example.com', 'q@example.com']
          : ['Proofmark', 'Proofmark 2'];
  return old === one ? other : one;
}

/** At most `most` settings that really accept another text, which they have now. */
export async function changed(context: Context, most = 1): Promise<readonly [Candidate, ...Candidate[]]> {
  const found: Candidate[] = [];
  const unchanged: Candidate[] = [];
  for await (const usual of candidates(context)) {
    track(context, usual);
    const candidate = await setSomeText(context, usual);
    if (candidate === undefined) continue;
    const now = (await settingsOf(context)).settings[candidate.name];
    if (now !== candidate.fresh) {
      // Changed to something else: restore the accepted text, so that no later comparison differs.
      if (textOf(now) === candidate.old) unchanged.push(candidate);
      else {
        knownOf(context).spoiled.add(candidate.name);
        await set(context, [[candidate.name, candidate.old]], 'back');
      }
      continue;
    }
    found.push(candidate);
    showedFresh(context, [candidate]);
    if (found.length === most) break;
  }
  const [first, ...others] = found;
  if (first !== undefined) return [first, ...others];
  const { settings, response } = await settingsOf(context);
  const late = unchanged.filter(({ name, fresh }) => textOf(settings[name]) === fresh).map(({ name }) => name);
  if (late.length > 0) {
    const message = `${late.join(', ')} had the old value after a new one was set, and has the new one some calls later`;
    throw new GivenFailure(message, 'reseller.settings.set-applies', { response });
  }
  throw noneChangeable(missingIn(settings));
}

/**
 * A setting that accepts another text, and a text that it does not have now: one that an earlier check has seen to accept it, or one
 * that is changed for this. It is restored when the check ends.
 */
export async function settable(context: Context): Promise<readonly [name: string, text: string]> {
  const known = (await restorable(context)).find(({ name }) => isKnownChangeable(context, name));
  if (known === undefined) {
    const [{ name, old }] = await changed(context);
    return [name, old];
  }
  context.isBrief = true;
  track(context, known);
  return [known.name, known.fresh];
}

/**
 * Sets every setting that can be changed to another text, in as few calls as the target allows: in one call, and in separate
 * calls, with a reading after each one, only if that is refused or not all are changed.
 */
export async function allChanged(context: Context): Promise<readonly [Candidate, ...Candidate[]]> {
  const all = await restorable(context);
  if (all.length > 0 && (await acceptsCurrentValues(context, all))) {
    track(context, ...all);
    const fresh = pairsOf(all, 'fresh');
    const change = await set(context, fresh);
    const now = (await settingsOf(context)).settings;
    const [first, ...others] = all;
    if (first !== undefined && fresh.every(([name, text]) => now[name] === text)) {
      showedFresh(context, all);
      if (isServed(change)) knownOf(context).change = change;
      knownOf(context).areTakenTogether = all.length > 1;
      return [first, ...others];
    }
    for (const { name, old: text, fresh: sent } of all) {
      const shown = textOf(now[name]);
      if (isServed(change) && shown !== sent && shown !== text) knownOf(context).spoiled.add(name);
      if (shown !== text) await set(context, [[name, text]], 'back');
    }
  }
  return changed(context, CANDIDATES.length);
}

/**
 * Sets several settings in one call and returns those that do not return their new text. If the call is refused, each half of
 * them is tried: a service may refuse one of the texts.
 */
export async function notStoredTogether(
  context: Context,
  pairs: readonly (readonly [name: string, text: string])[],
): Promise<string[]> {
  if (pairs.length < 2) return pairs.map(([name]) => name);
  if (!isServed(await set(context, pairs))) {
    const half = Math.ceil(pairs.length / 2);
    const first = await notStoredTogether(context, pairs.slice(0, half));
    return [...first, ...(await notStoredTogether(context, pairs.slice(half)))];
  }
  const { settings } = await settingsOf(context);
  return pairs.filter(([name, text]) => textOf(settings[name]) !== text).map(([name]) => name);
}

/** The settings with one of their two texts. */
export const pairsOf = (all: readonly Candidate[], which: 'old' | 'fresh') =>
  all.map((candidate) => [candidate.name, candidate[which]] as const);

/**
 * The candidates that the settings show, without the empty ones if the service keeps a text in place of an empty one. One of them
 * shows that: the others could not be restored either.
 */
export async function restorable(context: Context): Promise<Candidate[]> {
  const all = candidatesIn(context, (await settingsOf(context)).settings);
  const empty = all.filter(({ old }) => old === '');
  const known = knownOf(context);
  for (const candidate of empty) {
    if (known.canBeEmptied !== undefined) break;
    if (!(await acceptsCurrentValues(context, [candidate]))) continue;
    track(context, candidate);
    if ((await setSomeText(context, candidate)) === undefined || (await isEmpty(context, candidate))) continue;
    await set(context, [[candidate.name, '']], 'back');
    known.canBeEmptied = await isEmpty(context, candidate);
  }
  return known.canBeEmptied === false ? all.filter(({ old }) => old !== '') : all;
}

const isEmpty = async (context: Context, { name }: Candidate): Promise<boolean> =>
  textOf((await settingsOf(context)).settings[name]) === '';

/** Whether a setting holds the address with which the account logs in, which may be the same value: a change could lock everyone out. */
const logsIn = ({ profile }: Context, name: string, value: unknown): boolean =>
  /email$/i.test(name) && textOf(value).toLowerCase() === profile.reseller?.email?.reveal().toLowerCase();

function candidatesIn(context: Context, settings: Json): Candidate[] {
  const isOffered = (name: string): boolean => Object.hasOwn(settings, name) && !logsIn(context, name, settings[name]);
  return CANDIDATES.filter(([name]) => isOffered(name)).map(([name, text]) => {
    const [old, fresh] = [textOf(settings[name]), text(context.resources.newMark())];
    // An earlier run may have left the same text.
    const other = name === 'addrCountry' ? 'lt' : `${fresh.slice(0, -1)}9`;
    return { name, old, fresh: fresh === old ? other : fresh };
  });
}

/** Every setting that a run may set. */
export const CANDIDATE_NAMES: readonly string[] = CANDIDATES.map(([name]) => name);

/** Candidates that are not shown because they have no value: they could not be restored. */
export async function untestableSettings(context: Context): Promise<string[]> {
  return missingIn((await settingsOf(context)).settings);
}

const missingIn = (settings: Json): string[] => CANDIDATE_NAMES.filter((name) => !Object.hasOwn(settings, name));

/** No setting accepts another text. Those that could not be tested might, once they have a value. */
export function noneChangeable(missing: readonly string[]): Inconclusive {
  const shown = CANDIDATE_NAMES.filter((name) => !missing.includes(name));
  const none = `none of the settings ${shown.join(', ')} accepts another text here, and the contract does not show which ones do`;
  if (missing.length === 0) return new Inconclusive(none, 'contract');
  const advice = `${missing.join(', ')} could not be tried, because the settings do not contain them: set a value in the account`;
  return new Inconclusive(`${none}; ${advice}`, 'configuration');
}

/**
 * The settings of the contract in which two readings differ, by name, without the given ones: other settings may change
 * by itself. Their values are not judged here.
 */
export function differing(before: Json, after: Json, except: readonly string[] = []): string[] {
  const names = Object.keys(ACCOUNT_SETTINGS);
  return names.filter((name) => !except.includes(name) && textOf(before[name]) !== textOf(after[name]));
}

/**
 * Checks whether settings change by themselves before a call is blamed. A text of the run that goes and comes back was not set again by
 * another client: then some of the readings are of an older state.
 */
export const givenQuietSettings = (context: Context, found: readonly unknown[]): Promise<void> =>
  givenStable(
    context,
    {
      differences: (before: Json, after: Json) => differing(before, after),
      read: async () => (await settingsOf(context)).settings,
      judge: (readings) => {
        const isOwn = (text: string): boolean => context.resources.markIn(text) !== undefined;
        const back = CANDIDATE_NAMES.find((name) =>
          comesBack(
            readings.map((one) => textOf(one[name])),
            isOwn,
          ),
        );
        if (back === undefined) return;
        const message = `${back} shows the text that was set in some readings, and an older one in others`;
        throw new GivenFailure(message, 'reseller.settings.set-applies');
      },
    },
    found,
  );

/** Whether one of these texts is there, then another text, and then the first one again. */
function comesBack(texts: readonly string[], isOne: (text: string) => boolean): boolean {
  const at = texts.findIndex(isOne);
  const one = texts[at];
  const gone = texts.findIndex((text, index) => at >= 0 && index > at && !isOne(text));
  return gone >= 0 && texts.indexOf(one!, gone) >= 0;
}
