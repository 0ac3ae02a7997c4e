/** Silences about the texts of one field, where a service takes more in the others: columns have lengths of their own. */
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { ofTexts } from '../demands.ts';

const FIELDS = 'Resources and their fields';

const PLURALS = {
  title: 'titles',
  reference: 'references',
  address: 'addresses',
  city: 'cities',
  zip: 'zips',
} as const;
type Field = keyof typeof PLURALS;

const atMost = (field: Field, count: number): ReadingAnswer => ({
  id: `${PLURALS[field]}-at-most-${count}`,
  about: `The ${field} has at most ${count} characters; other texts may be longer.`,
  http: ofTexts((text, of) =>
    of === field && [...text].length > count ? `The ${field} has at most ${count} characters.` : undefined,
  ),
});

const only = (field: Field, id: string, about: string, alphabet: RegExp): ReadingAnswer => ({
  id: `${PLURALS[field]}-${id}`,
  about,
  http: ofTexts((text, of) =>
    of === field && !alphabet.test(text) ? `The ${field} holds characters that are not allowed.` : undefined,
  ),
});

export const singleFieldReadings: readonly Reading[] = [
  {
    id: 'fields.length',
    section: FIELDS,
    silence: 'How long the text of one field may be.',
    answers: [
      atMost('title', 64),
      atMost('title', 150),
      atMost('reference', 50),
      atMost('address', 100),
      atMost('city', 64),
      atMost('zip', 12),
    ],
  },
  {
    id: 'fields.alphabet',
    section: FIELDS,
    silence: 'Which characters the text of one field may hold.',
    answers: [
      only('title', 'no-markup', 'A title has no < > & or quotes; other texts may.', /^[^<>&"'`]*$/),
      only(
        'reference',
        'words',
        'A reference has letters, digits, spaces and . , - ( ) only.',
        /^[\p{L}\p{M}\p{N} .,()-]*$/u,
      ),
      only('address', 'no-controls', 'An address has no line breaks or other control characters.', /^[^\p{Cc}]*$/u),
      only('city', 'letters', 'A city has letters, spaces and . , - ( ) only.', /^[\p{L}\p{M} .,()-]*$/u),
      only('zip', 'ascii', 'A zip has ASCII letters, digits, spaces and hyphens only.', /^[A-Za-z0-9 -]*$/),
    ],
  },
];
