/** Silences about languages and multilanguage texts. */

import type { Fixtures } from '../../../../mock/fixtures/fixtures.ts';
import { refuse } from '../../../../mock/http/refusal.ts';
import { textIn } from '../../../../mock/state/state.ts';
import type { Text } from '../../../../mock/types/text.ts';
import type { Reading } from '../../reading.ts';
import { ofTexts } from '../demands.ts';

const TEXT = 'Resources and their fields, Multilanguage text (A)';

const FURTHER_LANGUAGES = ['fr', 'ru', 'et', 'lt', 'pl', 'pt-BR', 'zh-Hant', 'he'];

const manyLanguages = (fixtures: Fixtures): Fixtures => ({
  ...fixtures,
  websites: fixtures.websites.map((website) => ({
    ...website,
    languages: [...new Set([...website.languages, ...FURTHER_LANGUAGES])],
  })),
});

/** Codes with parts that few have: a variant of the site's own, as browsers write it, and one of a system's locales. */
const LONG_CODES: Readonly<Record<string, string>> = { en: 'en-x-plain', lv: 'lv_LV@new' };

const longCode = (code: string): string => LONG_CODES[code] ?? code;

/** Everywhere but in orders, whose language is that of a user. */
const longCodes = (fixtures: Fixtures): Fixtures => ({
  ...renamed(fixtures),
  orders: fixtures.orders.map((order) => ({ ...order, method: renamed(order.method) })),
});

/** A value with other codes as the keys of texts and as the languages of owners. */
function renamed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(renamed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (name === 'languages') return [name, (inner as string[]).map(longCode)];
    return [longCode(name), name === 'defaultLanguage' ? longCode(String(inner)) : renamed(inner)];
  });
  return Object.fromEntries(entries) as T;
}

function oneLanguage(fixtures: Fixtures): Fixtures {
  const language = fixtures.websites[0]?.defaultLanguage ?? 'en';
  const site = { languages: [language], defaultLanguage: language };
  const flat = (text: Text | null): Text | null => (text === null ? null : textIn(text, language, site));
  return {
    ...fixtures,
    websites: fixtures.websites.map((website) => ({ ...website, ...site })),
    providers: fixtures.providers.map((provider) => ({ ...provider, ...site })),
    methods: fixtures.methods.map((method) => ({ ...method, title: flat(method.title) })),
    points: Object.fromEntries(
      Object.entries(fixtures.points).map(([handle, points]) => [
        handle,
        points.map((point) => ({ ...point, title: flat(point.title) })),
      ]),
    ),
    orders: fixtures.orders.map((order) => ({
      ...order,
      language,
      method: { ...order.method, title: flat(order.method.title) },
    })),
  };
}

/** Gives every owner the languages of the first website. */
function sameLanguages(fixtures: Fixtures): Fixtures {
  const { languages = ['en'], defaultLanguage = 'en' } = fixtures.websites[0] ?? {};
  const site = { languages, defaultLanguage };
  return {
    ...fixtures,
    websites: fixtures.websites.map((website) => ({ ...website, ...site })),
    providers: fixtures.providers.map((provider) => ({ ...provider, ...site })),
  };
}

const withoutEmptyTitle = <T extends { readonly title: Text | null }>(row: T): T =>
  row.title === '' ? { ...row, title: null } : row;

export const textReadings: readonly Reading[] = [
  {
    id: 'site.languages',
    section: TEXT,
    silence: 'How many languages a website has, and in which form their codes are.',
    answers: [
      { id: 'one', about: 'One language.', fixtures: oneLanguage },
      { id: 'many', about: 'Eleven languages.', fixtures: manyLanguages },
      {
        id: 'long-codes',
        about: 'Languages whose codes have a variant, or a part of one letter.',
        fixtures: longCodes,
      },
    ],
  },
  {
    id: 'texts.read-form',
    section: TEXT,
    silence: 'Whether a text reads back as a string or as an object.',
    answers: [
      {
        id: 'objects',
        about: 'Always an object.',
        rules: () => ({
          renderText: (text, site) => (typeof text === 'string' ? { [site.defaultLanguage]: text } : text),
        }),
      },
      {
        id: 'string-for-one-language',
        about: 'A string where the website has one language.',
        rules: () => ({
          renderText: (text, site) => (site.languages.length === 1 ? textIn(text, site.defaultLanguage, site) : text),
        }),
      },
      {
        id: 'every-language',
        about: 'An object with every language of the website, empty where none was given.',
        rules: () => ({
          renderText: (text, site) => {
            const given = typeof text === 'string' ? { [site.defaultLanguage]: text } : text;
            return Object.fromEntries(site.languages.map((code) => [code, given[code] ?? '']));
          },
        }),
      },
      {
        id: 'filled',
        about: 'An object with every language, where none was given the text of the default one.',
        rules: () => ({
          renderText: (text, site) => {
            const given = typeof text === 'string' ? { [site.defaultLanguage]: text } : text;
            return Object.fromEntries(
              site.languages.map((code) => [code, given[code] ?? given[site.defaultLanguage] ?? '']),
            );
          },
        }),
      },
    ],
  },
  {
    id: 'texts.unnamed-languages',
    section: TEXT,
    silence: 'Whether languages that an update does not name keep their texts.',
    answers: [
      {
        id: 'dropped',
        about: 'An object replaces the whole text.',
        rules: (correct) => ({
          mergeText: (before, sent, site) => (typeof sent === 'object' ? sent : correct.mergeText(before, sent, site)),
        }),
      },
      {
        id: 'default-needed',
        about: 'An object has to hold the default language.',
        rules: (correct) => ({
          mergeText: (before, sent, site) =>
            typeof sent === 'object' && sent !== null && (sent[site.defaultLanguage] ?? '') === ''
              ? refuse('invalid', 'The default language is missing.')
              : correct.mergeText(before, sent, site),
        }),
      },
      {
        id: 'all-needed',
        about: 'An object has to hold every language of the website.',
        rules: (correct) => ({
          mergeText: (before, sent, site) =>
            typeof sent === 'object' && sent !== null && site.languages.some((code) => (sent[code] ?? '') === '')
              ? refuse('invalid', 'A language is missing.')
              : correct.mergeText(before, sent, site),
        }),
      },
      {
        id: 'string-refused',
        about: 'A string is refused where the website has several languages and the method is new.',
        rules: (correct) => ({
          mergeText: (before, sent, site) =>
            typeof sent === 'string' && before === null && site.languages.length > 1
              ? refuse('invalid', 'Send an object of languages.')
              : correct.mergeText(before, sent, site),
        }),
      },
      {
        id: 'string-refused-everywhere',
        about: 'A string is refused in all that is new: every website and provider has several languages.',
        fixtures: sameLanguages,
        rules: (correct) => ({
          mergeText: (before, sent, site) =>
            typeof sent === 'string' && before === null && site.languages.length > 1
              ? refuse('invalid', 'Send an object of languages.')
              : correct.mergeText(before, sent, site),
        }),
      },
    ],
  },
  {
    id: 'texts.zero',
    section: TEXT,
    silence: 'Whether a text may be a zero.',
    answers: [
      {
        id: 'refused',
        about: 'A text of one zero counts as none and is refused.',
        http: ofTexts((text) => (text === '0' ? 'A text is missing.' : undefined)),
      },
    ],
  },
  {
    id: 'texts.empty',
    section: TEXT,
    silence: 'How a title reads that is empty.',
    answers: [
      {
        id: 'no-title',
        about: 'As no title.',
        rules: (correct) => ({
          mergeMethod: (before, input, site) => withoutEmptyTitle(correct.mergeMethod(before, input, site)),
          mergePoint: (before, id, input, site) => withoutEmptyTitle(correct.mergePoint(before, id, input, site)),
        }),
      },
      {
        id: 'other-language',
        about: 'As the text of another language of the website, if it has one.',
        rules: (correct) => ({
          renderText: (text, site) => {
            const shown = correct.renderText(text, site);
            if (typeof shown === 'string' || shown[site.defaultLanguage] !== '') return shown;
            return { ...shown, [site.defaultLanguage]: Object.values(shown).find(Boolean) ?? '' };
          },
        }),
      },
    ],
  },
];
