/** Silences about what keys, codes and tokens look like. */

import type { Fixtures } from '../../../../mock/fixtures/fixtures.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

const KINDS = ['store', 'provider', 'app', 'code', 'token'] as const;
type Kind = (typeof KINDS)[number];

/** A service whose credentials of each kind are made of a number that is counted up from 1. */
const counted = (id: string, about: string, of: (kind: Kind, number: number) => string): ReadingAnswer => ({
  id,
  about,
  fixtures: (correct: Fixtures) => ({
    ...correct,
    websites: correct.websites.map((row, at) => ({ ...row, apiKey: of('store', at + 1) })),
    providers: correct.providers.map((row, at) => ({ ...row, apiKey: of('provider', at + 1) })),
    apps: correct.apps.map((row, at) => ({ ...row, apiKey: of('app', at + 1) })),
    installations: correct.installations.map((row, at) => ({ ...row, authCode: of('code', at + 1) })),
  }),
  rules: () => {
    // Those of the fixtures come first.
    let codes = 1_000;
    let tokens = 0;
    return {
      newAuthCode: () => {
        codes += 1;
        return of('code', codes);
      },
      newToken: () => {
        tokens += 1;
        return of('token', tokens);
      },
    };
  },
});

/** A wrong copy of a text has a q in the place of another small letter. */
const LETTERS = ['a', 'q'] as const;

/** Whether the profile has two credentials of this kind, so that a run can know that a wrong copy of one is the other. */
const inProfile = (kind: Kind): boolean => kind === 'store' || kind === 'code';

export const credentialReadings: readonly Reading[] = [
  {
    id: 'credentials.form',
    section: 'Authentication',
    silence: 'What keys, codes and tokens look like.',
    answers: [
      counted('counted', 'Words and a number that is counted up.', (kind, number) => `key-of-${kind}-${number}`),
      counted('counted-directly', 'A word and a number directly after it.', (kind, number) => `${kind}key${number}`),
      counted(
        'lettered',
        'Words and a letter; a wrong copy of the key of one store is easily that of another.',
        (kind, number) => `key-of-${kind}-${(inProfile(kind) ? LETTERS[number - 1] : undefined) ?? `x${number}`}`,
      ),
      counted(
        'counted-first',
        'A number that is counted up, and a word.',
        (kind, number) => `${number}|key-of-${kind}`,
      ),
      counted(
        'counted-zeros',
        'A word and a number with zeros in front of it.',
        (kind, number) => `${kind}_${String(number).padStart(12, '0')}`,
      ),
      counted(
        'counted-uuid',
        'UUIDs that differ in their last digits.',
        (kind, number) => `0000000${KINDS.indexOf(kind)}-0000-4000-8000-${String(number).padStart(12, '0')}`,
      ),
    ],
  },
];
