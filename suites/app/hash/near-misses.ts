/** Hashes that are not right by a little, or right under another secret or by another formula. */
import {
  FILTERED,
  KEYS_OF_NONE,
  nearMissesOf,
  nearMissOf,
  withFullWidth,
  withInMiddle,
} from '../../../harness/target/near-miss.ts';
import type { AppContext } from '../session.ts';
import {
  bareDigestOf,
  hashOf,
  hashOfJson,
  hashOfValues,
  hashUnder,
  otherDigestOf,
  parametersOf,
  withHash,
  withParameters,
  withZeroInFront,
} from '../steps/address.ts';
import type { Alteration } from '../steps/loads/index.ts';
import type { LoadKind } from '../steps/refusals.ts';
import { journeyOf } from '../steps/user-flow/index.ts';
import { ABOUT_PARAMETERS, mistaken, mistakenWithCode } from './mistaken.ts';
import { unrelated } from './wrong-hash.ts';

/**
 * What the app must not take for the right hash. The first load is cheap and meets all of them; the others, each of which takes a whole
 * user flow, meet those that distinguish one kind of comparison from another.
 */
export async function nearMisses(context: AppContext, kind: LoadKind): Promise<Alteration[]> {
  const { first } = await journeyOf(context);
  const all: Alteration[] = [
    ...spelledOtherwise(context),
    ...byOtherFormulas(context),
    ...comparedLoosely(),
    ...SERVED_BEFORE_NEARLY.filter(() => kind !== 'second'),
    { change: 'the hash of an earlier authentic request', alter: (url) => withHash(url, hashOf(first.address)) },
    ...underOtherSecrets(context),
  ];
  const isOfHash = (id: string): boolean => !ABOUT_PARAMETERS.has(id);
  if (kind === 'first') return [...all, ...(await mistaken(context, isOfHash))];
  const telling = all.filter(({ change }) => TELLING.test(change));
  const rest = all.filter((one) => !telling.includes(one));
  return [...telling, ...(await mistakenWithCode(context, kind, isOfHash, rest))];
}

/** The right hash with a character more, fewer or changed. */
function spelledOtherwise({ session: { app, dialect } }: AppContext): Alteration[] {
  const kinds = nearMissesOf('0a'.repeat(32)).map(({ change }) => change);
  return [
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
    { change: 'an empty hash', alter: (url) => withHash(url, '') },
  ];
}

/** Of the right length for an id of the catalog. */
const UNKNOWN_APP = '99000001';

/** Of the right parameters under the right secret. */
const OTHER_DIGESTS = [
  ['the hash in base64', 'sha256', 'base64'],
  ['a hash by MD5', 'md5', 'hex'],
  ['a hash by SHA-1', 'sha1', 'hex'],
  ['a hash by SHA-512', 'sha512', 'hex'],
] as const;

/** Digests of the right parameters that are not the HMAC of the query string. */
function byOtherFormulas({ session: { app, dialect } }: AppContext): Alteration[] {
  const secret = app.secret?.reveal();
  return [
    {
      change: 'the bare digest of the parameters, without a secret',
      alter: (url) => withHash(url, bareDigestOf(url, dialect)),
    },
    {
      change: 'the bare digest of the secret and the parameters',
      alter: (url) => withHash(url, bareDigestOf(url, dialect, secret)),
    },
    ...(['md5', 'sha1'] as const).map((algorithm) => ({
      change: `the bare ${algorithm.toUpperCase()} digest of the parameters, without a secret`,
      alter: (url: string) => withHash(url, bareDigestOf(url, dialect, '', algorithm)),
    })),
    { change: 'a hash of the values alone', alter: (url) => withHash(url, hashOfValues(url, secret ?? '')) },
    { change: 'a hash of the parameters as JSON', alter: (url) => withHash(url, hashOfJson(url, secret ?? '')) },
    ...OTHER_DIGESTS.map(([change, ...digest]) => ({
      change,
      alter: (url: string) => withHash(url, otherDigestOf(url, secret ?? '', dialect, digest)),
    })),
  ];
}

/** What comparisons of normalized or filtered texts, of sums or of sets of characters take for the right hash. */
const comparedLoosely = (): Alteration[] => [
  { change: 'a letter of the hash in full width', alter: (url) => withHash(url, withFullWidth(hashOf(url))) },
  ...FILTERED.map(([added, what]) => ({
    change: `${added} in the hash`,
    alter: (url: string) => withHash(url, withInMiddle(hashOf(url), what)),
  })),
  {
    change: 'the characters of the hash in another order',
    alter: (url) => withHash(url, [...hashOf(url)].sort().join('')),
  },
  // Other services send their signatures so, and an app may share its verification with what it does for them.
  { change: 'the hash behind "sha256="', alter: (url) => withHash(url, `sha256=${hashOf(url)}`) },
  // In some languages a text ends there.
  { change: 'the hash followed by a null character and a letter', alter: (url) => withHash(url, `${hashOf(url)}\0a`) },
  ...['true', '0', 'null'].map((word) => ({
    change: `"${word}" as the hash`,
    alter: (url: string) => withHash(url, word),
  })),
];

/** Hashes by the right formula. An app of many developers' looks the secret up by the appId, and may find none. */
function underOtherSecrets({ session: { app, dialect } }: AppContext): Alteration[] {
  const secrets: [string, string][] = [
    ['a hash under another secret', unrelated()],
    ['a hash under a secret that differs in one character', nearMissOf(app.secret?.reveal() ?? '')],
    ['a hash under the API key', app.apiKey.reveal()],
    ['a hash under an empty secret', ''],
    ['a hash under the appId', app.appId],
  ];
  return [
    ...secrets.map(([change, secret]) => ({
      change,
      alter: (url: string) => withHash(url, hashUnder(url, secret, dialect)),
    })),
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
  ];
}

/** A cache may keep a part of the hash with what was found of the request. */
const SERVED_BEFORE_NEARLY: readonly Alteration[] = [
  {
    change: 'a character in the middle of the hash changed, where the request was served before',
    alter: (url) => withHash(url, nearMissOf(hashOf(url))),
    isServedBefore: true,
  },
];

const TELLING =
  /other case|last character (?:changed|removed)|added at the end|followed by|first half|empty hash|earlier|served before|another secret|API key/;
