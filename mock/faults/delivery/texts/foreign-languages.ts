/** Faults of texts in languages that the website does not have, and what other faults of texts change them with. */
import type { Deviation } from '../../../types/deviation.ts';
import type { Languages, Text, TextByLanguage } from '../../../types/text.ts';
import { PATHS } from '../../interception.ts';

export function withTitle<Input extends { readonly title?: Text | null }>(
  input: Input,
  title: Text | null | undefined,
): Input {
  return title === undefined ? input : { ...input, title };
}

export const only = (text: TextByLanguage, languages: readonly string[]): TextByLanguage =>
  Object.fromEntries(Object.entries(text).filter(([language]) => languages.includes(language)));

/** The languages of a usual platform of stores. */
const OFFERED_LANGUAGES = new Set(
  'ar bg cs da de el en es et fi fr hr hu it ja ko lt lv nl no pl pt ro ru sk sl sv tr uk zh'.split(' '),
);

export const foreignLanguageFaults: readonly Deviation[] = [
  {
    id: 'texts.any-language',
    clause: 'delivery.multilanguage.only-website-languages',
    about: 'Texts are kept in any language that is sent.',
    rules: () => ({ acceptsLanguage: () => true }),
  },
  {
    id: 'texts.any-language-of-platform',
    clause: 'delivery.multilanguage.only-website-languages',
    about:
      'Texts are kept in any language that the platform offers, whether the website has it or not; other codes are refused.',
    rules: () => ({ acceptsLanguage: (_site, code) => OFFERED_LANGUAGES.has(code) }),
  },
  {
    id: 'texts.any-language-in-updates',
    clause: 'delivery.multilanguage.only-website-languages',
    about: 'An update accepts a language that the website does not have; a create refuses it.',
    rules: (correct) => ({
      acceptsLanguage: (_site, code) => /^[a-z]{2}$/.test(code),
      mergeMethod: (before, input, site) => correct.mergeMethod(before, before ? input : ownOnly(input, site), site),
      mergePoint: (before, id, input, site) =>
        correct.mergePoint(before, id, before ? input : ownOnly(input, site), site),
    }),
  },
  {
    id: 'texts.unknown-language-becomes-default',
    clause: 'delivery.multilanguage.only-website-languages',
    about: 'A text in a language that the website does not have is stored under its default language.',
    rules: (correct) => ({
      acceptsLanguage: () => true,
      mergeText: (before, sent, site) => correct.mergeText(before, foreignAsDefault(sent, site), site),
      mergeMethod: (before, input, site) =>
        correct.mergeMethod(before, withTitle(input, input.title && foreignAsDefault(input.title, site)), site),
      mergePoint: (before, id, input, site) =>
        correct.mergePoint(before, id, withTitle(input, input.title && foreignAsDefault(input.title, site)), site),
    }),
  },
  {
    id: 'texts.region-of-language-kept',
    clause: 'delivery.multilanguage.only-website-languages',
    about: 'A language that the website has is also kept under the code of any region of it.',
    rules: (correct) => ({
      acceptsLanguage: (site, code) => correct.acceptsLanguage(site, code.replace(/-[A-Z]{2}$/, '')),
    }),
  },
  foreignInBatch(),
];

const ownOnly = <Input extends { readonly title?: Text | null }>(input: Input, site: Languages): Input =>
  typeof input.title === 'object' && input.title !== null ? withTitle(input, only(input.title, site.languages)) : input;

const foreignAsDefault = (text: Text | null, site: Languages): Text | null => {
  if (text === null || typeof text === 'string') return text;
  const foreign = Object.entries(text).find(([language]) => !site.languages.includes(language));
  const own = only(text, site.languages);
  return foreign === undefined ? own : { ...own, [site.defaultLanguage]: foreign[1] };
};

/** Only a batch call takes any language. */
function foreignInBatch(): Deviation {
  let isBatch = false;
  return {
    id: 'texts.batch-keeps-foreign-language',
    clause: 'delivery.multilanguage.only-website-languages',
    about: 'A batch call keeps languages that the website does not have; all other calls refuse them.',
    rules: (correct) => ({ acceptsLanguage: (site, code) => isBatch || correct.acceptsLanguage(site, code) }),
    http: async (request, next) => {
      isBatch = PATHS.batch.test(new URL(request.url).pathname);
      return next(request);
    },
  };
}
