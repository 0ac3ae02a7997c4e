/** The steps of a sequence, as values: calls of the model, the same ones again, calls to be refused, texts of any alphabet. */
import fc from 'fast-check';
import { textArbitrary } from '../../delivery/whole-state/alphabets.ts';
import { byEither, type StoredCall } from '../commands.ts';

export const WRONG_TOKENS = ['no token', 'one character of the token changed'] as const;
export const WRITES = ['settings', 'disable', 'add-domain', 'remove-domain'] as const;
export const MISTAKES = ['unknown setting', 'no domain', 'unknown domain', 'unknown website'] as const;

export type Step =
  | { readonly do: 'call'; readonly said: StoredCall }
  | { readonly do: 'again' }
  /** Settings that are given texts of any alphabet, in one call. */
  | { readonly do: 'texts'; readonly pairs: readonly (readonly [number, string])[]; readonly split: boolean }
  | {
      readonly do: 'wrong-token';
      readonly token: (typeof WRONG_TOKENS)[number];
      readonly write: (typeof WRITES)[number];
    }
  | { readonly do: 'mistake'; readonly what: (typeof MISTAKES)[number] }
  /** A login beside the first one, which sets something and ends again. */
  | { readonly do: 'second-session'; readonly nth: number };

const nth = fc.nat({ max: 2 });
const plainText = fc.nat({ max: 1 });
const pairsOf = <T>(value: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(nth, value), { selector: ([at]) => at, minLength: 1, maxLength: 3 });

const bare = fc.constantFrom(
  ...(['stop', 'disable', 'disable', 'enable', 'enable', 'sign-in-again', 'login-link'] as const),
);
const said: fc.Arbitrary<StoredCall> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add-domain' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove-domain' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove-elsewhere' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), texts: pairsOf(plainText) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('start' as const), level: fc.constantFrom('premium', 'premiumplus') }),
  },
  { weight: 6, arbitrary: fc.record({ do: bare }) },
);

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant('call' as const), said: byEither(said) }) },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'again' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('texts' as const),
      // An empty text may mean that a setting is left alone.
      pairs: pairsOf(textArbitrary),
      split: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wrong-token' as const),
      token: fc.constantFrom(...WRONG_TOKENS),
      write: fc.constantFrom(...WRITES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('mistake' as const), what: fc.constantFrom(...MISTAKES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('second-session' as const), nth }) },
);
