/** Changing account settings (spec: Endpoints, C. Reseller endpoints). */
import { TEXT_SETTINGS } from '../../../contracts/fields/catalogue/reseller.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed, NOT_OFFERED } from '../../../harness/target/response/judge-response.ts';
import { givenRestUnchanged, wholeAccount } from '../account/whole.ts';
import { sendRefused } from '../steps/login/bad-tokens.ts';
import { isGetFirst } from '../steps/login/session.ts';
import { SETTINGS } from '../steps/options.ts';
import { settingsOf } from '../steps/records.ts';
import {
  acceptsCurrentValues,
  allChanged,
  CANDIDATE_NAMES,
  type Candidate,
  candidates,
  changed,
  differing,
  givenQuietSettings,
  isKnownChangeable,
  isKnownSpoiled,
  noneChangeable,
  notStoredTogether,
  pairsOf,
  restorable,
  seenChange,
  set,
  setSomeText,
  showedFresh,
  textOf,
  track,
  untestableSettings,
} from '../steps/settings.ts';
import { meansSame, showAwkwardTexts } from './awkward-texts.ts';

const APPLIES = 'reseller.settings.set-applies';
const REFUSED = 'envelope.reseller.refusal-changes-nothing';

const outcome = (response: ServiceResponse): string =>
  isServed(response) ? 'served' : `refused with ${response.status}`;

/** Which settings may be changed is not stated, but there is a call for it. */
async function expectOffered(context: Context): Promise<void> {
  const [one] = await restorable(context);
  if (one === undefined) return;
  const response = await set(context, [[one.name, one.old]], 'same value');
  if (NOT_OFFERED.has(response.status))
    context.expect.served(response, 'the call that changes settings must be offered');
}

/**
 * Asserts that a change which is refused is not made all the same, where the target refuses the present text of every setting: one of
 * them gets another text. It has one already, which is put back when the check ends.
 */
async function refusedChangeIsNotMade(context: Context): Promise<void> {
  const candidate = (await restorable(context)).find(({ old }) => old !== '');
  if (candidate === undefined) return;
  const { name, fresh } = candidate;
  track(context, candidate);
  const response = await set(context, [[name, fresh]]);
  if (isServed(response)) return;
  const { settings } = await settingsOf(context);
  const isMade = textOf(settings[name]) === fresh;
  await givenQuietSettings(context, isMade ? [name] : []);
  context.expect.that(!isMade, `${name} must keep its text when a change of it is refused`, {
    clauses: [REFUSED],
    expected: 'the text that it had',
    actual: 'the text of the refused change',
    pointer: `/${name}`,
    response,
  });
}

/** Two settings in one call, of those that return their text: none of them may be lost. Each gets a text that it does not have. */
async function showsBoth(context: Context, shown: readonly Candidate[]): Promise<void> {
  if (shown.length < 2) return;
  const now = (await settingsOf(context)).settings;
  const both = shown
    .slice(0, 2)
    .map(({ name, old, fresh }) => [name, textOf(now[name]) === fresh ? old : fresh] as const);
  if (!isServed(await set(context, both))) return;
  const { settings, response } = await settingsOf(context);
  await givenQuietSettings(
    context,
    both.filter(([name, value]) => textOf(settings[name]) !== value),
  );
  for (const [name, value] of both) {
    context.expect.equal(
      textOf(settings[name]),
      value,
      `${name} must show the value that was set together with another`,
      {
        pointer: `/${name}`,
        response,
      },
    );
  }
}

/**
 * A few subsets of a list so that for any two items one subset has the first and not the second, and one has the second and not the
 * first: overwriting by an earlier and by a later setting both show. Each item is in another half of the subsets.
 */
export function separatingSubsets<T>(all: readonly T[]): T[][] {
  for (let count = 2; ; count += 2) {
    const halves = Array.from({ length: 2 ** count }, (_, bits) => bits).filter((bits) => ones(bits) === count / 2);
    if (halves.length < all.length) continue;
    const subsets = Array.from({ length: count }, (_, bit) => all.filter((_item, at) => (halves[at]! >> bit) & 1));
    return subsets.filter((some) => some.length > 0);
  }
}

const ones = (bits: number): number => bits.toString(2).replaceAll('0', '').length;

/** The settings that accept their present text: in one call, or in separate calls if that is refused. */
async function takingTheirOwn(context: Context): Promise<readonly Candidate[]> {
  const all = await restorable(context);
  if (all.length > 0 && (await acceptsCurrentValues(context, all))) return all;
  const taken: Candidate[] = [];
  for await (const candidate of candidates(context)) taken.push(candidate);
  return taken;
}

/**
 * Asserts that settings which kept their text when another one was set with success keep it by the other method as well: then they may be
 * read-only.
 */
async function ignoredEitherWay(context: Context, ignored: readonly Candidate[]): Promise<void> {
  if (ignored.length === 0) return;
  const reseller = await context.reseller();
  const via = isGetFirst(context) ? 'POST' : 'GET';
  const change = (which: 'old' | 'fresh') => context.send(reseller.changeSettings(pairsOf(ignored, which), via), 'set');
  if (!isServed(await change('fresh'))) return;
  const { settings, response } = await settingsOf(context);
  const kept = ignored.filter(({ name, fresh }) => textOf(settings[name]) === fresh).map(({ name }) => name);
  if (kept.length > 0) await change('old');
  context.expect.equal(kept, [], `a setting that can be set by ${via} must not be ignored by the other method`, {
    expected: 'the text that was set with success',
    actual: 'the text from before',
    pointer: `/${kept[0] ?? ''}`,
    response,
  });
}

/**
 * States that settings which got their present text are as they were, and so are all others. Some of them no other check sets: what sends
 * mail to a stranger, and what the account sells.
 */
async function givenUnchanged(context: Context, before: Json): Promise<void> {
  const how = 'setting each of the settings to its present text';
  await givenOthersKept(context, before, [], how, await settingsOf(context));
}

/** States that no setting has changed since a reading except the named ones. */
async function givenOthersKept(
  context: Context,
  before: Json,
  named: readonly string[],
  how: string,
  { settings, response }: Awaited<ReturnType<typeof settingsOf>>,
): Promise<void> {
  const isChanged = (name: string): boolean => !meansSame(name, textOf(settings[name]), textOf(before[name]));
  const changed = differing(before, settings, named).filter(isChanged);
  await givenQuietSettings(context, changed);
  const lost = CANDIDATE_NAMES.filter((name) => changed.includes(name));
  track(context, ...lost.map((name) => ({ name, old: textOf(before[name]) })));
  const [name = ''] = changed;
  context.given.holds(
    changed.length === 0,
    'reseller.settings.set-keeps-others',
    `${how} changed ${changed.join(', ')}`,
    { expected: textOf(before[name]), actual: textOf(settings[name]), pointer: `/${name}`, response },
  );
}

export const checks: readonly Check[] = [
  // First: a lost value cannot be observed to be lost again.
  check(
    'reseller.settings.set-keeps-others',
    'MUST keep the settings that a change does not name',
    { clauses: ['reseller.settings.set-keeps-others'], ...SETTINGS },
    async (context) => {
      const { given, expect, profile } = context;
      // The other checks of side effects come later, when what the first change loses is lost.
      const account =
        profile.reseller?.website === undefined ? undefined : await unlessUndecided(() => wholeAccount(context));
      let reading = (await settingsOf(context)).settings;
      const kept = async (how: string, named: readonly string[]): Promise<void> => {
        const { settings, response } = await settingsOf(context);
        const others = differing(reading, settings, named);
        await givenQuietSettings(context, others);
        expect.equal(
          others,
          [],
          `${how} must leave all other settings as they were (only those that differ are shown)`,
          {
            response,
          },
        );
        reading = settings;
      };
      // The first changes of a run. They may leave one of these with a text.
      const empty = CANDIDATE_NAMES.filter((name) => textOf(reading[name]) === '');
      await restorable(context);
      await kept('setting and emptying one that was empty', empty);

      const [first, second] = await changed(context, 2);
      const both = second === undefined ? [first] : [first, second];
      const names = both.map(({ name }) => name);
      await kept(`setting ${names.join(' and ')}, one after the other,`, names);
      expect.equal(
        textOf(reading[first.name]),
        first.fresh,
        `setting ${second?.name ?? first.name} must leave ${first.name} as it was`,
        { pointer: `/${first.name}` },
      );
      const old = both.map((candidate) => [candidate.name, candidate.old] as const);
      // A service may accept only one setting per call.
      if (isServed(await set(context, old))) await kept(`setting ${names.join(' and ')} together`, names);
      else {
        for (const one of old) await given.accepted(set(context, [one]), APPLIES);
        reading = (await settingsOf(context)).settings;
      }
      await given.accepted(set(context, [[first.name, first.fresh]]), APPLIES);
      await sendRefused(context);
      await kept(`setting ${first.name} alone`, [first.name]);
      const shown = textOf(reading[first.name]);
      await givenQuietSettings(context, shown === first.fresh ? [] : [first.name]);
      given.holds(shown === first.fresh, APPLIES, `${first.name} does not show what was set`, {
        expected: first.fresh,
        actual: shown,
        pointer: `/${first.name}`,
      });
      if (account !== undefined) await givenRestUnchanged(context, ['settings'], { like: account });
      if (second === undefined) return;
      const pairs = [
        [first.name, first.old],
        [second.name, second.fresh],
      ] as const;
      const responses = await atOnce(pairs.map((pair) => () => set(context, [pair])));
      const { settings, response } = await settingsOf(context);
      const lost = pairs.filter(([name, text], at) => isServed(responses[at]!) && textOf(settings[name]) !== text);
      // By itself each of them can be set.
      for (const pair of lost) await given.accepted(set(context, [pair]), APPLIES);
      if (lost.length > 0) {
        const now = (await settingsOf(context)).settings;
        const applies = lost.every(([name, text]) => textOf(now[name]) === text);
        given.holds(applies, APPLIES, 'a setting is not what was set alone');
      }
      expect.equal(
        lost.map(([name]) => name),
        [],
        'settings that are set at the same time must all be kept (those that are lost are named)',
        { response },
      );
    },
  ),
  check(
    'reseller.settings.set-keeps-names-separate',
    'MUST return each setting under its own name after all were set, and again after some were set',
    { clauses: ['reseller.settings.set-keeps-others'], ...SETTINGS },
    async (context) => {
      const { expect } = context;
      const before = (await settingsOf(context)).settings;
      const all = await allChanged(context);
      const shown = async (when: string, expected: readonly (readonly [string, string])[]): Promise<void> => {
        const { settings, response } = await settingsOf(context);
        await givenQuietSettings(
          context,
          expected.filter(([name, value]) => textOf(settings[name]) !== value),
        );
        for (const [name, value] of expected) {
          expect.equal(textOf(settings[name]), value, `${name} must have the value that was set ${when}`, {
            pointer: `/${name}`,
            response,
          });
        }
      };
      const fresh = all.map(({ name, fresh: value }) => [name, value] as const);
      await shown('after the others were set', fresh);
      // Those that a run never sets, such as the address of the contact: a value of another setting may end there.
      const now = await settingsOf(context);
      const others = differing(before, now.settings, CANDIDATE_NAMES);
      await givenQuietSettings(context, others);
      expect.equal(
        others,
        [],
        'settings that no call named must stay as they were (only those that differ are shown)',
        {
          pointer: `/${others[0] ?? ''}`,
          response: now.response,
        },
      );
      for (const some of separatingSubsets(fresh)) {
        // A service may accept only one setting per call.
        const now = isServed(await set(context, some)) ? some : some.slice(0, 1);
        if (now !== some && !isServed(await set(context, now))) return;
        const names = now.map(([name]) => name).join(', ');
        await shown(`after ${names} ${now.length === 1 ? 'was' : 'were'} set without it`, fresh);
        if (now !== some) return;
      }
    },
  ),
  check(
    'reseller.settings.set-applies',
    'MUST return the new value of a setting after it was set',
    { clauses: [APPLIES, REFUSED], ...SETTINGS },
    async (context) => {
      const { expect } = context;
      const ignored: string[] = [];
      const all = await takingTheirOwn(context);
      track(context, ...all);
      // Another check may have seen that all of them show what was set in one call.
      const areSeen = all.every(({ name }) => isKnownChangeable(context, name)) && seenChange(context) !== undefined;
      const open = areSeen ? [] : await notStoredTogether(context, pairsOf(all, 'fresh'));
      const shown = all.filter(({ name }) => !open.includes(name));
      let reading = open.length === 0 ? {} : (await settingsOf(context)).settings;
      for (const usual of all.filter(({ name }) => open.includes(name))) {
        const candidate = await setSomeText(context, usual);
        if (candidate === undefined) continue;
        const { name, fresh, old } = candidate;
        const before = reading;
        const { settings, response } = await settingsOf(context);
        reading = settings;
        if (textOf(settings[name]) === old && !isKnownSpoiled(context, name)) {
          // It may be read-only: then another one has to be found that can be changed.
          const how = `setting ${name}, which kept its text,`;
          await givenOthersKept(context, before, [name], how, { settings, response });
          ignored.push(name);
          continue;
        }
        await givenQuietSettings(context, settings[name] === fresh ? [] : [name]);
        expect.equal(settings[name], fresh, `${name} must show the value that was set`, {
          pointer: `/${name}`,
          response,
        });
        shown.push(candidate);
      }
      await ignoredEitherWay(
        context,
        all.filter(({ name }) => ignored.includes(name)),
      );
      if (shown.length > 0) {
        showedFresh(context, shown);
        await showAwkwardTexts(context, shown);
        expect.that(shown.length > 0, 'a setting must return the text that was set');
        // Where all were stored in one call, two were.
        return open.length === 0 && shown.length > 1 ? undefined : showsBoth(context, shown);
      }
      // The settings that could not be tested may be the ones that can be changed.
      const missing = await untestableSettings(context);
      if (ignored.length === 0) {
        await expectOffered(context);
        await refusedChangeIsNotMade(context);
      }
      if (ignored.length === 0 || missing.length > 0) throw noneChangeable(missing);
      expect.that(false, 'at least one of the settings that were set with success must show its new value', {
        expected: `another value of one of ${ignored.join(', ')}`,
        actual: 'all of them as they were',
      });
    },
  ),
  check(
    'reseller.settings.changeable-names',
    'OBSERVES which settings may be changed',
    { clauses: [], observations: ['reseller.settings.changeable'], ...SETTINGS },
    async (context) => {
      const { settings } = await settingsOf(context);
      const seen: Record<string, string[]> = {};
      for (const name of TEXT_SETTINGS) {
        // With its present value, so that nothing changes.
        const how = isKnownChangeable(context, name)
          ? 'served'
          : outcome(await set(context, [[name, textOf(settings[name])]], 'same value'));
        seen[how] = [...(seen[how] ?? []), name];
      }
      await givenUnchanged(context, settings);
      context.observe('reseller.settings.changeable', seen);
    },
  ),
  check(
    'reseller.settings.unknown-name-handling',
    'OBSERVES what happens to a setting that does not exist',
    { clauses: [], observations: ['reseller.settings.unknown-name-handling'], ...SETTINGS },
    async (context) => {
      const { settings } = await settingsOf(context);
      // Empty, so that nothing remains if it is accepted.
      const known = ['contactName', textOf(settings.contactName)] as const;
      // Alone at the end: what it does to other settings the call with a known one must not put right.
      const beside = await set(context, [known, ['proofmarkSetting', '']], 'probe');
      const alone = await set(context, [['proofmarkSetting', '']], 'probe');
      const now = await settingsOf(context);
      const touched = differing(settings, now.settings);
      await givenQuietSettings(context, touched);
      const rule = `a call with an unknown setting changed ${touched.join(', ')}`;
      context.given.holds(touched.length === 0, 'reseller.settings.set-keeps-others', rule, { response: now.response });
      context.observe('reseller.settings.unknown-name-handling', {
        alone: outcome(alone),
        'beside contactName with its present value': outcome(beside),
      });
    },
  ),
];
