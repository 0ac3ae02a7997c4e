/**
 * Whether the app distinguishes what the service sent from what anyone may send: without a hash, with a wrong one, with one that is
 * almost right, with parameters altered after hashing. All three kinds of load are tried.
 */
import { randomBytes } from 'node:crypto';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { DEBUG_SWITCHES } from '../../../harness/integrator/debug-switches.ts';
import { PATH_SPELLINGS } from '../../../harness/integrator/path-spellings.ts';
import {
  FILTERED,
  KEYS_OF_NONE,
  nearMissesOf,
  nearMissOf,
  withFullWidth,
  withInMiddle,
} from '../../../harness/target/near-miss.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import {
  AFTER_HASHING,
  ALTERED_SUFFIX,
  bareDigestOf,
  hashOf,
  hashOfJson,
  hashOfValues,
  hashUnder,
  otherDigestOf,
  parametersOf,
  withHash,
  withoutParameter,
  withParameters,
  withSortedHash,
  withZeroInFront,
} from '../steps/address.ts';
import { givenSettings } from '../steps/given.ts';
import type { Alteration } from '../steps/loads/index.ts';
import { redirectsPrograms } from '../steps/loads/plain-loads.ts';
import { type Guess, mistakesOf } from '../steps/mistakes.ts';
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
import { loadedUnlikeRefusal, nextSecond, nextSettings } from '../steps/unlike-refusal.ts';
import { journeyOf } from '../steps/user-flow/index.ts';

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

/** A digest of nothing: it has the shape of a hash. */
const unrelated = (): string => randomBytes(32).toString('hex');

const WRONG_HASH: Alteration = {
  change: 'a request with the hash of something else',
  alter: (url) => withHash(url, unrelated()),
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

/**
 * Hashes that are not right by a little, or right under another secret. The first load is cheap and meets all of them; the
 * others, each of which takes a whole user flow, meet those that distinguish one kind of comparison from another.
 */
async function nearMisses(context: AppContext, kind: LoadKind): Promise<Alteration[]> {
  const { app, dialect } = context.session;
  const { first } = await journeyOf(context);
  const kinds = nearMissesOf('0a'.repeat(32)).map(({ change }) => change);
  const others: [string, string][] = [
    ['a hash under another secret', unrelated()],
    ['a hash under a secret that differs in one character', nearMissOf(app.secret?.reveal() ?? '')],
    ['a hash under the API key', app.apiKey.reveal()],
    ['a hash under an empty secret', ''],
    ['a hash under the appId', app.appId],
  ];
  const all: Alteration[] = [
    ...kinds.map((change) => ({
      change: `a hash with ${change}`,
      alter: (url: string) =>
        withHash(url, nearMissesOf(hashOf(url)).find((miss) => miss.change === change)?.value ?? ''),
    })),
    { change: 'a zero in front of the hash', alter: (url) => withHash(url, `0${hashOf(url)}`) },
    {
      change: 'a hash without the zeros that it begins with',
      alter: (url) => {
        const authentic = app.secret === undefined ? url : withZeroInFront(url, app.secret, dialect);
        return withHash(authentic, hashOf(authentic).replace(/^0+/, ''));
      },
    },
    { change: 'the hash followed by a space', alter: (url) => withHash(url, `${hashOf(url)} `) },
    // In many languages the end of a pattern also matches in front of a line break.
    { change: 'the hash followed by a line break', alter: (url) => withHash(url, `${hashOf(url)}\n`) },
    { change: 'the hash in capitals', alter: (url) => withHash(url, hashOf(url).toUpperCase()) },
    { change: 'the first half of the hash', alter: (url) => withHash(url, hashOf(url).slice(0, 32)) },
    {
      change: 'the bare digest of the parameters, without a secret',
      alter: (url: string) => withHash(url, bareDigestOf(url, dialect)),
    },
    {
      change: 'the bare digest of the secret and the parameters',
      alter: (url: string) => withHash(url, bareDigestOf(url, dialect, app.secret?.reveal())),
    },
    ...(['md5', 'sha1'] as const).map((algorithm) => ({
      change: `the bare ${algorithm.toUpperCase()} digest of the parameters, without a secret`,
      alter: (url: string) => withHash(url, bareDigestOf(url, dialect, '', algorithm)),
    })),
    {
      change: 'a hash of the values alone',
      alter: (url) => withHash(url, hashOfValues(url, app.secret?.reveal() ?? '')),
    },
    {
      change: 'a hash of the parameters as JSON',
      alter: (url) => withHash(url, hashOfJson(url, app.secret?.reveal() ?? '')),
    },
    // Comparisons of normalized or filtered texts take it for the right one.
    { change: 'a letter of the hash in full width', alter: (url) => withHash(url, withFullWidth(hashOf(url))) },
    ...FILTERED.map(([added, what]) => ({
      change: `${added} in the hash`,
      alter: (url: string) => withHash(url, withInMiddle(hashOf(url), what)),
    })),
    // Comparisons of sums or of sets of characters take it for the right one.
    {
      change: 'the characters of the hash in another order',
      alter: (url) => withHash(url, [...hashOf(url)].sort().join('')),
    },
    { change: 'an empty hash', alter: (url) => withHash(url, '') },
    ...SERVED_BEFORE_NEARLY.filter(() => kind !== 'second'),
    { change: 'the hash of an earlier authentic request', alter: (url) => withHash(url, hashOf(first.address)) },
    ...others.map(([change, secret]) => ({
      change,
      alter: (url: string) => withHash(url, hashUnder(url, secret, dialect)),
    })),
    // An app of many developers' looks the secret up, and may find none.
    ...KEYS_OF_NONE.map((secret) => ({
      change: `an unknown appId and a hash under ${secret === '' ? 'an empty secret' : `the secret ${JSON.stringify(secret)}`}`,
      alter: (url: string) => {
        const other = withParameters(
          url,
          parametersOf(url).map(([name, value]) => [name, name === 'appId' ? UNKNOWN_APP : value] as const),
        );
        return withHash(other, hashUnder(other, secret, dialect));
      },
    })),
    ...OTHER_DIGESTS.map(([change, ...digest]) => ({
      change,
      alter: (url: string) => withHash(url, otherDigestOf(url, app.secret?.reveal() ?? '', dialect, digest)),
    })),
  ];
  const isOfHash = (id: string): boolean => !ABOUT_PARAMETERS.has(id);
  if (kind === 'first') return [...all, ...(await mistaken(context, isOfHash))];
  const telling = all.filter(({ change }) => TELLING.test(change));
  const rest = all.filter((one) => !telling.includes(one));
  return [...telling, ...(await mistakenWithCode(context, kind, isOfHash, rest))];
}

/**
 * Hashes that are made in each wrong way that is known: an app may accept one besides the right one, as an earlier version of it did.
 * Only where they cost no page of a browser.
 */
async function mistaken(context: AppContext, isOfCheck: (id: string) => boolean): Promise<Alteration[]> {
  return (await redirectsPrograms(context)) ? made(mistakesOf(context), isOfCheck) : [];
}

const made = (guesses: readonly Guess[], isOfCheck: (id: string) => boolean): Alteration[] =>
  guesses
    .filter(({ id }) => !ALSO_QUERIES.has(id) && isOfCheck(id))
    .map((guess) => ({
      change: `a hash that would be right if ${guess.says}`,
      alter: (url: string) => withHash(url, guess.made(url).hash),
    }));

/**
 * The same for loads with an authCode, which an app may verify in a way of its own, and others of the kind: those that are not answered
 * like a refusal.
 */
async function mistakenWithCode(
  context: AppContext,
  kind: Exclude<LoadKind, 'first'>,
  isOfCheck: (id: string) => boolean,
  others: readonly Alteration[],
): Promise<readonly Alteration[]> {
  if (!(await redirectsPrograms(context))) return [];
  const next = kind === 'second' ? nextSecond : nextSettings((await givenSettings(context)).authCode);
  const guesses = mistakesOf(context, next(context.session));
  return loadedUnlikeRefusal(context, next, WRONG_HASH, [...others, ...made(guesses, isOfCheck)]);
}

/** Mistakes in which parameters are hashed, and in which order. */
const ABOUT_PARAMETERS: ReadonlySet<string> = new Set([
  'own-parameters-left-out',
  'own-parameters-moved',
  'authcode-left-out',
  'authcode-added',
  'parameter-left-out',
  'parameters-left-out',
  'empty-parameters-left-out',
  'parameters-sorted',
  'parameters-reversed',
  'documented-order',
]);

/** An address may have these characters in its query as they are, so that such a text is a query string as well. */
const ALSO_QUERIES: ReadonlySet<string> = new Set([
  'decoded-values',
  'reserved-characters-bare',
  'slash-left-bare',
  'php-names',
]);

/** A cache may keep a part of the hash with what was found of the request. */
const SERVED_BEFORE_NEARLY: readonly Alteration[] = [
  {
    change: 'a character in the middle of the hash changed, where the request was served before',
    alter: (url) => withHash(url, nearMissOf(hashOf(url))),
    isServedBefore: true,
  },
];

/** Of the right length for an id of the catalog. */
const UNKNOWN_APP = '99000001';

/** Of the right parameters under the right secret. */
const OTHER_DIGESTS = [
  ['the hash in base64', 'sha256', 'base64'],
  ['a hash by MD5', 'md5', 'hex'],
  ['a hash by SHA-1', 'sha1', 'hex'],
  ['a hash by SHA-512', 'sha512', 'hex'],
] as const;

const TELLING =
  /other case|last character (?:changed|removed)|added at the end|followed by|first half|empty hash|earlier|served before|another secret|API key/;

/** Alterations of the parameters that a load of this kind has. */
async function alterationsOf(context: AppContext, kind: LoadKind): Promise<Alteration[]> {
  const { session } = context;
  const alterations = AFTER_HASHING.map(({ change, alter }) => ({ change: `${change} after hashing`, alter }));
  const all = alterations.filter(({ change }) =>
    kind === 'first' ? !change.includes('authCode') : HARMFUL.test(change),
  );
  const secret = session.app.secret?.reveal() ?? '';
  // What is checked again without a parameter takes any value of it.
  const added = (name: string): Alteration => ({
    change: `${name} added after hashing`,
    alter: (url) => withHash(url, hashUnder(withoutParameter(url, name), secret, session.dialect)),
  });
  const sorted: Alteration = {
    change: 'the parameters moved out of the order of their names after hashing',
    alter: (url) => withSortedHash(url, secret, session.dialect),
  };
  if (kind === 'first') {
    const wrong = await mistaken(context, (id) => ABOUT_PARAMETERS.has(id));
    return [...all, sorted, ...NOT_HASHED.map(added), ...SECOND_CALLBACK, ...wrong];
  }
  // Everybody who presses Install is sent a hash over the other parameters.
  const tried = [...all, sorted, added('authCode')];
  const harmless = [...alterations, WITHOUT_CALLBACK].filter(({ change }) => !HARMFUL.test(change));
  const others = [...NOT_HASHED.map(added), ...harmless];
  return [...tried, ...(await mistakenWithCode(context, kind, (id) => ABOUT_PARAMETERS.has(id), others))];
}

/** Such a first load can't be served; the others need no callback. */
const WITHOUT_CALLBACK: Alteration = {
  change: 'the parameter callback removed after hashing',
  alter: (url) => withoutParameter(url, 'callback'),
};

const NOT_HASHED = ['callback', 'appId', 'language', 'platformVersion'];

/**
 * Where one of two parameters of a name is verified and the other one used, anyone can have users of the app redirected anywhere.
 * The report shows which of the two was used.
 */
const SECOND_CALLBACK: readonly Alteration[] = [
  {
    change: 'another callback added before its own after hashing',
    alter: (url) => url.replace(CALLBACK, `$1callback=$2${ALTERED_SUFFIX}&callback=$2`),
    hasOwnCallback: true,
  },
  {
    change: 'another callback added behind its own after hashing',
    alter: (url) => url.replace(CALLBACK, `$1callback=$2&callback=$2${ALTERED_SUFFIX}`),
    hasOwnCallback: true,
  },
];
const CALLBACK = /([?&])callback=([^&#]*)/;

/** What an attacker would alter: another installation, another return redirect, something more. */
const HARMFUL =
  /added at the end|another value of (?:language|callback|authCode|appId|platformVersion)|platformVersion removed|swapped|once more/;

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

/** Leaves alterations out that would leave this app's addresses as they are. */
function effective({ session }: AppContext, alterations: readonly Alteration[]): readonly Alteration[] {
  const { url } = session.counterpart.beginInstall();
  const before = JSON.stringify(parametersOf(url));
  return alterations.filter(
    ({ change, alter }) => change.includes('authCode') || JSON.stringify(parametersOf(alter(url))) !== before,
  );
}
