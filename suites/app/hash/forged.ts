/**
 * Whether the app distinguishes what the service sent from what anyone may send: without a hash, with a wrong one, with one that is
 * almost right, with parameters altered after hashing. All three kinds of load are tried.
 */
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { DEBUG_SWITCHES } from '../../../harness/integrator/debug-switches.ts';
import { PATH_SPELLINGS } from '../../../harness/integrator/path-spellings.ts';
import { type AppCheck, appCheck } from '../session.ts';
import { parametersOf, withHash, withParameters } from '../steps/address.ts';
import type { Alteration } from '../steps/loads/index.ts';
import {
  expectNoneServedLater,
  expectRefused,
  FORGED_REFUSED,
  forgedTrials,
  givenForgedRefused,
  type LoadKind,
  tryAlterations,
} from '../steps/refusals.ts';
import { expectRefusedInSession } from '../steps/sessions/refused-in-session.ts';
import { expectOwnCodeInstalled, expectOwnCodeUsed } from '../steps/smuggled-code.ts';
import { alterationsOf, effective } from './alterations.ts';
import { nearMisses } from './near-misses.ts';
import { unrelated, WRONG_HASH } from './wrong-hash.ts';

const NAMES: Readonly<Record<LoadKind, string>> = {
  first: 'the first load',
  second: 'the second load',
  settings: 'a settings request',
};
const KINDS = ['first', 'second', 'settings'] as const satisfies readonly LoadKind[];
const REFUSED: Readonly<Record<LoadKind, string>> = {
  first: 'no redirect to the callback',
  second: 'no call for the installation and no redirect to the callback',
  settings: 'no call for the installation, and not the page of an authentic request',
};

const FORGERIES: readonly Alteration[] = [
  { change: 'a request without hash', alter: (url) => withHash(url, undefined) },
  WRONG_HASH,
  { change: 'a request with hash[] instead of hash', alter: (url) => url.replace(/([?&])hash=/, '$1hash%5B%5D=') },
  { change: 'a request with "1" as hash', alter: (url) => withHash(url, '1') },
  // What makes the verification itself fail must not let the request pass.
  { change: 'a request with a hash of other letters', alter: (url) => withHash(url, 'ž'.repeat(64)) },
  {
    change: 'a request with a malformed percent sign and the hash of something else',
    alter: (url) => `${withHash(url, unrelated())}&added=%E0%A4%A`,
  },
  { change: 'a posted form with the hash of something else', alter: WRONG_HASH.alter, body: '' },
  // The others name no page that they come from, as a link in a mail doesn't.
  {
    change: 'a request with the hash of something else that names a page of the service as its Referer',
    alter: WRONG_HASH.alter,
    isFromService: true,
  },
  ...DEBUG_SWITCHES.map(([switched, pairs]) => ({
    change: `${WRONG_HASH.change} and ${switched}`,
    alter: (url: string) => withParameters(url, [...parametersOf(WRONG_HASH.alter(url)), ...pairs]),
  })),
  ...PATH_SPELLINGS.map(([spelling, spell]) => ({
    change: `${WRONG_HASH.change} and ${spelling}`,
    alter: (url: string) => spell(WRONG_HASH.alter(url)),
  })),
];

/** What was found of a request may be kept without regard to its hash, as caches of pages keep it. */
const SERVED_BEFORE: Alteration = {
  change: 'a request that was served before, with the hash of something else',
  alter: WRONG_HASH.alter,
  isServedBefore: true,
};

const FORGED = {
  first: forgedTrials('first', [...FORGERIES, SERVED_BEFORE]),
  // An installation that is finished is tried by itself.
  second: forgedTrials('second', FORGERIES),
  settings: forgedTrials('settings', [...FORGERIES, SERVED_BEFORE]),
} as const;

const perKind = (
  ids: { readonly [kind in LoadKind]: string },
  make: (kind: LoadKind, id: string) => AppCheck,
): AppCheck[] => KINDS.map((kind) => make(kind, ids[kind]));
const needs = ['browser', 'app'];

export const checks: readonly AppCheck[] = [
  ...perKind(
    {
      first: 'app.hash.forged-refused-first',
      second: 'app.hash.forged-refused-second',
      settings: 'app.hash.forged-refused-settings',
    },
    (kind, id) =>
      appCheck(
        id,
        `MUST refuse ${NAMES[kind]} if the hash is missing or wrong` satisfies CheckTitle,
        { clauses: [FORGED_REFUSED[kind]], needs },
        async (context) => {
          const trial = await FORGED[kind](context);
          expectRefused(context, trial, REFUSED[kind]);
          await expectRefusedInSession(context, kind, WRONG_HASH);
          expectNoneServedLater(context, kind, trial, REFUSED[kind]);
        },
      ),
  ),
  ...perKind(
    { first: 'app.hash.exact-first', second: 'app.hash.exact-second', settings: 'app.hash.exact-settings' },
    (kind, id) =>
      appCheck(
        id,
        `MUST compare the whole hash of ${NAMES[kind]} exactly` satisfies CheckTitle,
        { clauses: ['app.hash.exact'], needs },
        async (context) => {
          await givenForgedRefused(context, kind, FORGED[kind]);
          expectRefused(context, await tryAlterations(context, kind, await nearMisses(context, kind)), REFUSED[kind]);
        },
      ),
  ),
  ...perKind(
    {
      first: 'app.hash.altered-refused-first',
      second: 'app.hash.altered-refused-second',
      settings: 'app.hash.altered-refused-settings',
    },
    (kind, id) =>
      appCheck(
        id,
        `MUST refuse ${NAMES[kind]} if a parameter was added, removed, changed or moved after hashing` satisfies CheckTitle,
        { clauses: ['app.hash.covers-all-parameters'], needs },
        async (context) => {
          await givenForgedRefused(context, kind, FORGED[kind]);
          expectRefused(
            context,
            await tryAlterations(context, kind, effective(context, await alterationsOf(context, kind))),
            REFUSED[kind],
          );
          if (kind === 'settings') await expectOwnCodeUsed(context);
          if (kind === 'second') await expectOwnCodeInstalled(context);
        },
      ),
  ),
];
