/** The steps of a sequence, as values: what a target lacks is known when they are played. */
import fc from 'fast-check';
import { dataValueArbitrary, type SnippetText, snippetArbitrary } from './values.ts';

export const CREDENTIALS = ['wrong key', 'no key', 'wrong code', 'no code'] as const;
export const MISTAKES = ['a number', 'a list', 'nothing', 'a truth', 'no JSON'] as const;
const UNUSUAL_LANGUAGES = ['rare', 'capitals', 'empty'] as const;
export const READINGS = ['user', 'website', 'languages', 'data', 'snippet', 'snippet of a language'] as const;

type Of = 'own' | 'other';

export type Step =
  | { readonly do: 'data'; readonly of: Of; readonly value: unknown }
  /** `nth` 0 is the snippet for all pages, others are those of languages. */
  | { readonly do: 'snippet'; readonly of: Of; readonly nth: number; readonly value: SnippetText }
  | { readonly do: 'strange-language'; readonly which: (typeof UNUSUAL_LANGUAGES)[number]; readonly text: string }
  | { readonly do: 'again' }
  | { readonly do: 'look'; readonly of: Of; readonly what: (typeof READINGS)[number] }
  /** Every reading call with wrong credentials. */
  | { readonly do: 'refused-looks'; readonly of: Of; readonly what: (typeof CREDENTIALS)[number] }
  | {
      readonly do: 'refused';
      readonly of: Of;
      readonly what: (typeof CREDENTIALS)[number] | (typeof MISTAKES)[number];
      readonly kind: 'data' | 'snippet';
      readonly nth: number;
    };

const MAX_PLACES = 5;
const of = fc.constantFrom<Of>('own', 'own', 'other');
const nth = fc.nat({ max: MAX_PLACES });
const kind = fc.constantFrom('data' as const, 'snippet' as const);

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('data' as const), of, value: dataValueArbitrary }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('snippet' as const), of, nth, value: snippetArbitrary }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'again' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('strange-language' as const),
      which: fc.constantFrom(...UNUSUAL_LANGUAGES),
      text: fc.constantFrom('Centrs', 'Tallinn'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('look' as const), of, what: fc.constantFrom(...READINGS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('refused-looks' as const), of, what: fc.constantFrom(...CREDENTIALS) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refused' as const),
      of,
      what: fc.constantFrom(...CREDENTIALS, ...MISTAKES),
      kind,
      nth,
    }),
  },
);
