/** Loads of install and settings pages as the service makes them (spec: Installation and settings requests). */

import { isFullAddress } from '../../fields/forms.ts';
import { isLanguageCode } from '../../fields/scalars.ts';
import { HASH_PARAMETER, INSTALL_PARAMETERS, unambiguousValue } from '../../install-hash/index.ts';
import type { Scene } from '../call.ts';
import { type AppLoad, fieldOf } from '../reading/pages.ts';
import { isRedacted } from '../reading/redacted.ts';
import { judgeHash } from '../signatures.ts';

interface Parameter {
  /** Ends the ids of its clauses. */
  readonly name: string;
  readonly parameter: string;
  readonly holds: (value: string) => boolean;
  readonly expected: string;
}

const isFilled = (value: string): boolean => value !== '';

const PARAMETERS: readonly Parameter[] = [
  { name: 'app-id', parameter: 'appId', holds: isFilled, expected: 'the id of the app' },
  { name: 'language', parameter: 'language', holds: isLanguageCode, expected: 'a language code' },
  { name: 'callback', parameter: 'callback', holds: isFullAddress, expected: 'a full web address' },
  { name: 'platform-version', parameter: 'platformVersion', holds: isFilled, expected: 'a version' },
];

const OF_SERVICE: ReadonlySet<string> = new Set(INSTALL_PARAMETERS);

/** 64 lower-case hexadecimal digits. */
const HASH = /^[0-9a-f]{64}$/;

export const LOAD_CLAUSES = [
  ...PARAMETERS.flatMap(({ name }) => [`install.parameters.${name}`, `settings.request.${name}`]),
  'install.sequence.second-load-with-auth-code',
  'settings.request.auth-code',
  'install.hash.present',
  'install.hash.lowercase-hex',
  'install.hash.first-load-correct',
  'install.hash.second-load-correct',
  'settings.request.hash-correct',
  'install.parameters.callback-without-query',
  'install.hash.encodings-agree',
];

/** Judges one load. */
export function judgeLoad({ seen, query, page, hasCode }: AppLoad, scene: Scene): void {
  const { notes } = scene;
  const { n } = seen;
  const isInstall = page === 'install';
  const say = (clause: string, parameter: string, holds: boolean, expected: string): void => {
    const value = fieldOf(query, parameter);
    if (holds) notes.keeps(clause, n);
    else if (isRedacted(value)) notes.undecided(clause, n, `${parameter} of a load was taken out of the recording`);
    else {
      notes.breaks(clause, n, {
        message: `${parameter} of the ${page} request is ${value === undefined ? 'missing' : value === '' ? 'empty' : 'of another form'}`,
        pointer: `query ${parameter}`,
        expected,
        actual: value === undefined ? 'no such parameter' : parameter === 'authCode' ? 'empty' : value,
      });
    }
  };
  for (const { name, parameter, holds, expected } of PARAMETERS) {
    const value = fieldOf(query, parameter);
    const clause = isInstall ? `install.parameters.${name}` : `settings.request.${name}`;
    say(clause, parameter, value !== undefined && holds(value), expected);
  }
  if (hasCode) {
    const clause = isInstall ? 'install.sequence.second-load-with-auth-code' : 'settings.request.auth-code';
    say(clause, 'authCode', (fieldOf(query, 'authCode') ?? '') !== '', 'a code');
  }
  judgeHashOf();
  judgeAdvice();

  function judgeHashOf(): void {
    const hash = fieldOf(query, HASH_PARAMETER);
    const correct = !isInstall
      ? 'settings.request.hash-correct'
      : hasCode
        ? 'install.hash.second-load-correct'
        : 'install.hash.first-load-correct';
    const isThere = hash !== undefined && hash !== '';
    // A hash that is there is not yet a right one.
    if (isInstall || !isThere) say(isInstall ? 'install.hash.present' : correct, HASH_PARAMETER, isThere, 'a hash');
    if (!isThere) return;
    if (isInstall) say('install.hash.lowercase-hex', HASH_PARAMETER, HASH.test(hash), '64 digits of 0-9 and a-f');
    if (HASH.test(hash) || !isInstall) judgeHash(scene, correct, `the ${page} request`, seen.exchange.request.url, n);
  }

  function judgeAdvice(): void {
    const callback = fieldOf(query, 'callback') ?? '';
    if (isInstall && !isRedacted(callback)) {
      say(
        'install.parameters.callback-without-query',
        'callback',
        !callback.includes('?'),
        'an address without a query',
      );
    }
    // What else is there may be the address's own.
    const odd = query.find(([name, value]) => OF_SERVICE.has(name) && !isRedacted(value) && !unambiguousValue(value));
    if (odd === undefined) notes.keeps('install.hash.encodings-agree', n);
    else {
      notes.breaks('install.hash.encodings-agree', n, {
        message: `${odd[0]} of the ${page} request holds characters that encoders write differently`,
        pointer: `query ${odd[0]}`,
        expected: "neither space nor any of ~ * ! ' ( ) in the value",
      });
    }
  }
}
