/** Faults of texts in several languages. */

import { refuse } from '../../../http/refusal.ts';
import { isObject } from '../../../http/request.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Languages, Text, TextByLanguage } from '../../../types/text.ts';
import { intercepts, PATHS } from '../../interception.ts';
import { only, withTitle } from './foreign-languages.ts';

type MakesRules = NonNullable<Deviation['rules']>;

/** Changes a text that a create sends as an object. */
const created =
  (change: (text: TextByLanguage, site: Languages) => Text): MakesRules =>
  (correct) => {
    const changed = (text: Text | null | undefined, site: Languages): Text | null | undefined =>
      typeof text === 'object' && text !== null ? change(text, site) : text;
    return {
      mergeMethod: (before, input, site) =>
        correct.mergeMethod(before, before === null ? withTitle(input, changed(input.title, site)) : input, site),
      mergePoint: (before, id, input, site) =>
        correct.mergePoint(before, id, before === null ? withTitle(input, changed(input.title, site)) : input, site),
    };
  };

/** Changes a text that an update sends as an object or as a string. */
const updated =
  (change: { object?: Update<TextByLanguage>; string?: Update<string> }): MakesRules =>
  (correct) => ({
    mergeText: (before, sent, site) => {
      const usual = correct.mergeText(before, sent, site);
      if (before === null || sent === null) return usual;
      const was = typeof before === 'string' ? { [site.defaultLanguage]: before } : before;
      if (typeof sent === 'string') return change.string?.(was, sent, site) ?? usual;
      return change.object?.(was, sent, site) ?? usual;
    },
  });

type Update<Sent> = (before: TextByLanguage, sent: Sent, site: Languages) => Text;

/** Without other languages whose words are these of the default one. */
const unlikeDefault = (text: TextByLanguage, words: string | undefined, site: Languages): TextByLanguage =>
  only(
    text,
    Object.keys(text).filter((language) => language === site.defaultLanguage || text[language] !== words),
  );

const othersOf = (site: Languages): string[] => site.languages.filter((language) => language !== site.defaultLanguage);

/** The website of the run with another order of its languages. */
const defaultIsSecond: NonNullable<Deviation['fixtures']> = (correct) => ({
  ...correct,
  websites: correct.websites.map((website) =>
    website.id === 55001 ? { ...website, languages: ['lv', 'en', 'de'] } : website,
  ),
});

const inFirst = (site: Languages): Languages => ({
  ...site,
  defaultLanguage: site.languages[0] ?? site.defaultLanguage,
});

export const multilanguageFaults: readonly Deviation[] = [
  {
    id: 'texts.as-list',
    clause: 'delivery.multilanguage.shape',
    about: 'Texts are returned as a list of languages with their texts.',
    rules: () => ({
      renderText: (text) =>
        (typeof text === 'string'
          ? text
          : Object.entries(text).map(([language, words]) => ({ language, words }))) as unknown as Text,
    }),
  },
  {
    id: 'texts.as-objects-of-objects',
    clause: 'delivery.multilanguage.shape',
    about: 'Each language of a text has an object instead of a string.',
    rules: () => ({
      renderText: (text) =>
        (typeof text === 'string'
          ? text
          : Object.fromEntries(
              Object.entries(text).map(([language, value]) => [language, { value }]),
            )) as unknown as Text,
    }),
  },
  {
    id: 'texts.letters-of-former-string',
    clause: 'delivery.multilanguage.shape',
    about:
      'A plain string that takes the place of another one becomes an object, in which the letters of the former are texts, too.',
    // Titles that are objects keep their form.
    rules: (correct) => ({
      mergeText: (before, sent, site) =>
        typeof before === 'string' && typeof sent === 'string'
          ? { ...Object.fromEntries(Object.entries([...before])), [site.defaultLanguage]: sent }
          : correct.mergeText(before, sent, site),
    }),
  },
  {
    id: 'texts.create-keeps-default-language',
    clause: 'delivery.multilanguage.object-read-back',
    about: 'A create keeps only the default language of a text.',
    rules: created((text, site) => {
      const kept = only(text, [site.defaultLanguage]);
      return Object.keys(kept).length === 0 ? text : kept;
    }),
  },
  {
    id: 'texts.other-languages-trimmed',
    clause: 'delivery.multilanguage.object-read-back',
    about: 'A create removes the spaces at both ends of a text in all languages but the default one.',
    rules: created((text, site) =>
      Object.fromEntries(
        Object.entries(text).map(([language, words]) => [
          language,
          language === site.defaultLanguage ? words : words.trim(),
        ]),
      ),
    ),
  },
  {
    id: 'texts.equal-words-kept-once',
    clause: 'delivery.multilanguage.object-read-back',
    about: 'Of a text that has the same words in several languages the first one is kept.',
    rules: created((text) => {
      const words = Object.values(text);
      return only(
        text,
        Object.keys(text).filter((_, at) => words.indexOf(words[at]!) === at),
      );
    }),
  },
  {
    id: 'texts.create-loses-last-language',
    clause: 'delivery.multilanguage.object-read-back',
    about: 'A create loses the last of three languages of a text.',
    rules: created((text) => {
      const languages = Object.keys(text);
      return languages.length < 3 ? text : only(text, languages.slice(0, -1));
    }),
  },
  {
    id: 'texts.create-copies-first-language',
    clause: 'delivery.multilanguage.object-read-back',
    about: 'A create copies the text of the first language to all languages.',
    rules: created((text) => {
      const [first = ''] = Object.values(text);
      return Object.fromEntries(Object.keys(text).map((language) => [language, first]));
    }),
  },
  {
    id: 'texts.update-changes-default-language-only',
    clause: 'delivery.multilanguage.object-sets-named-languages',
    clauses: ['delivery.multilanguage.object-read-back'],
    about: 'An update with an object changes the default language and no other.',
    rules: updated({ object: (before, sent, site) => ({ ...before, ...only(sent, [site.defaultLanguage]) }) }),
  },
  {
    id: 'texts.update-in-former-default-words-lost',
    clause: 'delivery.multilanguage.object-sets-named-languages',
    about: 'An update of another language does nothing if its words are those that the default language has so far.',
    rules: updated({
      object: (before, sent, site) => ({ ...before, ...unlikeDefault(sent, before[site.defaultLanguage], site) }),
    }),
  },
  {
    id: 'texts.update-in-new-default-words-lost',
    clauses: ['delivery.multilanguage.object-sets-named-languages', 'delivery.multilanguage.object-read-back'],
    about: 'An update of another language does nothing if its words are those that the default language gets.',
    rules: updated({
      object: (before, sent, site) => ({ ...before, ...unlikeDefault(sent, sent[site.defaultLanguage], site) }),
    }),
  },
  {
    id: 'texts.update-of-one-other-language-lost',
    clause: 'delivery.multilanguage.object-sets-named-languages',
    about: 'An update without the default language does nothing.',
    rules: updated({
      object: (before, sent, site) => (Object.hasOwn(sent, site.defaultLanguage) ? { ...before, ...sent } : before),
    }),
  },
  {
    id: 'texts.plain-string-refused',
    clause: 'delivery.multilanguage.string-accepted',
    about: 'A plain string for a text is refused in an update.',
    rules: (correct) => ({
      mergeText: (before, sent, site) => {
        if (typeof sent === 'string' && before !== null)
          return refuse('invalid', 'A text must be an object by language.');
        return correct.mergeText(before, sent, site);
      },
    }),
  },
  {
    id: 'texts.plain-string-in-last-language',
    clauses: [
      'delivery.multilanguage.string-sets-default-language',
      'delivery.multilanguage.string-keeps-other-languages',
    ],
    about: 'An update with a plain string changes the last of the website’s languages instead of the default one.',
    rules: updated({
      string: (before, sent, site) => ({ ...before, [othersOf(site).at(-1) ?? site.defaultLanguage]: sent }),
    }),
  },
  {
    id: 'texts.plain-string-ignored',
    clause: 'delivery.multilanguage.string-sets-default-language',
    about: 'An update with a plain string returns success and changes nothing.',
    rules: updated({ string: (before) => before }),
  },
  {
    id: 'texts.plain-string-replaces-all',
    clause: 'delivery.multilanguage.string-keeps-other-languages',
    about: 'An update with a plain string removes all other languages.',
    rules: updated({ string: (_before, sent, site) => ({ [site.defaultLanguage]: sent }) }),
  },
  {
    id: 'texts.plain-string-in-every-language',
    clause: 'delivery.multilanguage.string-keeps-other-languages',
    about: 'An update with a plain string sets it in every language.',
    rules: updated({
      string: (before, sent) => Object.fromEntries(Object.keys(before).map((language) => [language, sent])),
    }),
  },
  {
    id: 'texts.update-keeps-emptied-language',
    clause: 'delivery.multilanguage.object-sets-named-languages',
    about: 'An update with an object passes over its empty texts, so that the words from before stay.',
    rules: updated({
      object: (before, sent) => ({
        ...before,
        ...Object.fromEntries(Object.entries(sent).filter(([, words]) => words !== '')),
      }),
    }),
  },
  {
    id: 'texts.refused-update-done-in-part',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'An update of a method in a language that the website lacks is refused, and its label address is set.',
    http: intercepts('PUT', PATHS.method, async ({ body, parts, pass, service }) => {
      const response = await pass();
      const sent = isObject(body?.delivery_method) ? body.delivery_method : {};
      const url = sent.print_label_url;
      const [handle = ''] = parts;
      if (
        response.status === 400 &&
        isObject(sent.title) &&
        typeof url === 'string' &&
        service.state.methods.has(handle)
      )
        service.change(() => service.state.methods.patch(handle, { print_label_url: url }));
      return response;
    }),
  },
  {
    id: 'texts.string-for-several-methods-replaces',
    clause: 'delivery.multilanguage.string-keeps-other-languages',
    about: 'A plain string for a point of several methods replaces all of its languages; for one method it keeps them.',
    http: intercepts('PUT', PATHS.point, async ({ body, parts: [handles = '', id = ''], pass, service }) => {
      const response = await pass();
      const { title } = (isObject(body?.pickup_point) ? body.pickup_point : {}) as { title?: unknown };
      if (response.status !== 200 || typeof title !== 'string' || !handles.includes(',')) return response;
      service.change(() => {
        for (const handle of handles.split(',')) {
          const list = service.state.points.of(handle);
          const point = list.get(id);
          if (point !== undefined) list.replace({ ...point, title });
        }
      });
      return response;
    }),
  },
  {
    id: 'texts.update-string-in-first-language',
    clauses: [
      'delivery.multilanguage.string-sets-default-language',
      'delivery.multilanguage.string-keeps-other-languages',
    ],
    about: 'A plain string in an update sets the first language of the website; the default one is the second.',
    fixtures: defaultIsSecond,
    rules: (correct) => ({
      mergeText: (before, sent, site) =>
        correct.mergeText(before, sent, before !== null && typeof sent === 'string' ? inFirst(site) : site),
    }),
  },
  {
    id: 'texts.new-string-in-first-language',
    clauses: ['delivery.method.title-kept', 'delivery.point.title-kept'],
    about:
      'A plain string in a new text is stored in the first language of the website; the default one is the second.',
    fixtures: defaultIsSecond,
    rules: (correct) => ({
      mergeText: (before, sent, site) =>
        before === null && typeof sent === 'string'
          ? { [inFirst(site).defaultLanguage]: sent }
          : correct.mergeText(before, sent, site),
    }),
  },
  {
    id: 'texts.string-parsed',
    clause: 'delivery.multilanguage.string-sets-default-language',
    about: 'A plain string that is a JSON object is stored as the object.',
    rules: (correct) => ({
      mergeText: (before, sent, site) =>
        correct.mergeText(before, typeof sent === 'string' && sent.startsWith('{') ? JSON.parse(sent) : sent, site),
    }),
  },
  {
    id: 'texts.equal-string-drops-other-languages',
    clause: 'delivery.multilanguage.string-keeps-other-languages',
    about: 'A plain string that equals the text in the default language removes the other languages.',
    rules: updated({
      string: (before, sent, site) =>
        before[site.defaultLanguage] === sent ? sent : { ...before, [site.defaultLanguage]: sent },
    }),
  },
  {
    id: 'texts.string-zero-ignored',
    clause: 'delivery.multilanguage.string-sets-default-language',
    about: 'The plain string 0 in an update changes nothing.',
    rules: updated({
      string: (before, sent, site) => (sent === '0' ? before : { ...before, [site.defaultLanguage]: sent }),
    }),
  },
];
