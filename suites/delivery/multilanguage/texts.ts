/** Titles of methods and pickup points in several languages (spec: Multilanguage text; Limits). */

import { fits } from '../../../contracts/fields/forms.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { changedFields, inOneLanguage, METHOD_FIELDS, POINT_FIELDS, textsOf } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { methodsWith } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_TEXTS } from '../steps/options.ts';
import { addPoints, listedByHandle, listPoints, type Method, readMethod, readPoint } from '../steps/reading.ts';
import { AWKWARD_TEXT, LINE_TEXT, LONG_TEXT, pointAt } from '../steps/values.ts';
import { keepsLongTexts } from './long-texts.ts';
import { awkwardStrings, givenKeptInOneLanguage, keepsStringsOfPoints, plainlyTitled } from './plain-strings.ts';
import {
  changeable,
  changeNamed,
  defaultOf,
  faultsOf,
  givenInEach,
  givenUpdates,
  inEach,
  languagesOf,
  sameInEach,
  type Titled,
  titled,
} from './titled.ts';

/** Fields of a method or a point without its title. */
const REST = [...METHOD_FIELDS, ...POINT_FIELDS].filter((field) => field !== 'title');

/** Languages that most platforms offer: a service that compares with those of all websites, not with those of one, accepts them. */
const COMMON = ['de', 'fr', 'es', 'it', 'pl', 'ru'];

/** Languages that few websites have, for a profile that may not list all languages of the website. */
const RARE = ['is', 'mt', 'ga', 'cy'];

/** A language that the website does not have. An installation confirms the list of the profile before the first check. */
function foreignTo(context: Context, own: readonly string[]): string {
  const { apiKey, authCode } = context.profile.apps ?? {};
  const codes = apiKey === undefined || authCode === undefined ? RARE : [...COMMON, ...RARE];
  return codes.find((code) => !own.some((language) => language.toLowerCase().startsWith(code)))!;
}

/** A language of the website as it is spoken in a region, which the website does not have. */
function regionOf(own: readonly string[]): string {
  const [base] = (own[0] ?? 'en').split(/[-_]/);
  return ['CH', 'AT', 'ZA'].map((region) => `${base}-${region}`).find((code) => !own.includes(code))!;
}

const REFUSED = 'envelope.delivery.refusal-changes-nothing';

/** The same for a point of two methods that a call names together. */
async function keepsLanguagesInEach(context: Context, changed: string): Promise<void> {
  const { delivery, expect, given, send } = context;
  const title = inEach(context, 'First words');
  const point = { ...pointAt(context, 'p'), title };
  const methods = await unlessFull(context, () => methodsWith(context, 2, [point]));
  if (methods === undefined) return;
  const handles = methods.map(({ handle }) => handle);
  const lostIn = async (method: Method): Promise<string[]> => {
    const texts = textsOf(context, (await readPoint(context, method, 'p')).title);
    return Object.keys(title).filter((language) => language !== changed && texts[language] !== title[language]);
  };
  // An update under several handles has a clause of its own.
  if (!isServed(await send(delivery.changePoint(handles, 'p', { title: 'Plain words' }), 'change'))) return;
  for (const method of methods) {
    const lost = await lostIn(method);
    if (lost.length > 0) {
      await given.points(delivery, method.handle, [point]);
      const before = await lostIn(method);
      given.holds(before.length === 0, 'delivery.multilanguage.object-read-back', `${before} is lost in a list`);
    }
    expect.equal(lost, [], 'a plain string for several methods must leave the other languages in each of them', {
      pointer: '/title',
    });
  }
}

/** A service may refuse an empty text, and may show another language's instead; it must not keep the words from before. */
async function emptiesOne(context: Context, holder: Titled): Promise<void> {
  const emptied = languagesOf(context).findLast((language) => language !== defaultOf(context));
  if (emptied === undefined || languagesOf(context).length === 1) return;
  const before = textsOf(context, await holder.read())[emptied];
  if (isUnset(before)) return;
  const response = await holder.change({ ...inEach(context, 'Fourth words'), [emptied]: '' });
  if (!isServed(response)) return;
  const title = await holder.read();
  context.expect.that(
    textsOf(context, title)[emptied] !== before,
    `after an update with an empty text in ${emptied}, ${holder.what} must not hold the words from before`,
    { expected: { [emptied]: '' }, actual: title, pointer: `/title/${emptied}` },
  );
}

const secondWords = (language: string): string => `Second words (${language})`;

/**
 * New words for one language, and for the others in turn those that it has so far and the new ones: a service may take a text that
 * equals the one in the default language for none.
 */
const repeatingWords = (first: string, own: readonly string[]): Record<string, string> => ({
  [first]: 'Third words',
  ...Object.fromEntries(
    own
      .filter((language) => language !== first)
      .map((language, at) => [language, at % 2 === 0 ? secondWords(first) : 'Third words']),
  ),
});

export const checks: readonly Check[] = [
  check(
    'delivery.multilanguage.shape',
    'MUST return a text as a string or as an object of language codes and strings',
    { ...OWN_TEXTS, clauses: ['delivery.multilanguage.shape'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await given.newMethod(delivery, { title: inEach(context, 'In each language') });
      const inOne = { title: inOneLanguage(context, 'In one language') };
      const one = (await unlessFull(context, () => given.newMethod(delivery, inOne))) ?? method;
      await addPoints(context, method, [
        { ...pointAt(context, 'each'), title: inEach(context, 'In each language') },
        { ...pointAt(context, 'one'), title: inOneLanguage(context, 'In one language') },
      ]);
      const shows = async (when: string, methods: readonly Method[], points: readonly string[]) => {
        const read = await atOnce([
          () => listPoints(context, method),
          ...methods.map((some) => async () => [await readMethod(context, some)]),
          ...points.map((id) => async () => [await readPoint(context, method, id)]),
        ]);
        const titles = read.flat().map(({ title }) => title);
        for (const title of titles) {
          expect.that(
            fits('multilanguage', title),
            `a title ${when} must be a string or an object from language codes to strings`,
            {
              expected: 'a string, or an object of strings by language code',
              actual: title,
              pointer: '/title',
            },
          );
        }
        given.holds(!titles.every(isUnset), 'delivery.method.title-kept', 'no title reads back at all');
      };
      await shows('that was created', [method, one], ['each', 'one']);
      const listed = await listedByHandle(context, delivery, [method.handle, one.handle]);
      for (const { title } of listed.values())
        expect.that(
          fits('multilanguage', title),
          'a title in the list of methods must be a string or an object of strings',
          {
            expected: 'a string, or an object of strings by language code',
            actual: title,
            pointer: '/delivery_methods/…/title',
          },
        );
      const plain = await plainlyTitled(context, method);
      const [methods, points] = [
        [one, ...plain.methods],
        ['one', ...plain.points],
      ];
      for (const text of ['A plain string', inEach(context, 'Again in each')]) {
        for (const { handle } of methods) await send(delivery.changeMethod(handle, { title: text }), 'change');
        for (const id of points) await send(delivery.changePoint(method.handle, id, { title: text }), 'change');
        await shows('after an update', methods, points);
      }
    },
  ),

  check(
    'delivery.multilanguage.only-website-languages',
    'MUST NOT store a text in a language that the website does not have',
    { ...OWN_TEXTS, clauses: ['delivery.multilanguage.only-website-languages', REFUSED] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const own = languagesOf(context);
      const foreign = foreignTo(context, own);
      const words = inEach(context, 'Own words');
      const withForeign = { ...words, [foreign]: 'Foreign words' };
      const holdsOwnOnly = (title: unknown, what: string) =>
        expect.that(
          Object.keys(textsOf(context, title)).every((language) => own.includes(language)),
          `${what} must hold no text in a language that the website does not have`,
          { expected: own, actual: title, pointer: '/title' },
        );
      const holdsNoneOf = (title: unknown, what: string) => {
        holdsOwnOnly(title, what);
        expect.that(
          !Object.values(textsOf(context, title)).includes('Foreign words'),
          `${what} must hold no text in ${foreign}, which the website does not have`,
          { expected: words, actual: title, pointer: `/title/${foreign}` },
        );
      };
      for (const [at, holder] of (await titled(context, words)).entries()) {
        const { what, change, beside } = holder;
        await givenInEach(context, holder);
        // The service may refuse the call or ignore the language.
        await change(withForeign);
        const before = await holder.readAll();
        holdsNoneOf(before.title, what);
        // A region of a language that the website has may be taken for that language.
        const [language, judge] = at === 0 ? [foreign, holdsNoneOf] : [regionOf(own), holdsOwnOnly];
        const response = await change({ [language]: 'Foreign words' }, beside);
        const after = await holder.readAll();
        judge(after.title, what);
        if (isRefused(response) !== 'refused') continue;
        const changed = changedFields(context, Object.keys(beside), before, after);
        expect.that(changed.length === 0, `an update of ${what} in ${language}, which is refused, changes ${changed}`, {
          clauses: [REFUSED],
          expected: before,
          actual: after,
          response,
        });
      }
      const { method } = await tryMethod(context, delivery, { title: withForeign });
      if (method !== undefined) holdsNoneOf((await readMethod(context, method)).title, 'the title of a new method');
      const host = method ?? (await unlessFull(context, () => given.newMethod(delivery)));
      if (host === undefined) return;
      const point = { ...pointAt(context, 'foreign'), title: withForeign };
      if (isServed(await send(delivery.addPoint(host.handle, point), 'add')))
        holdsNoneOf((await readPoint(context, host, 'foreign')).title, 'the title of a new point');
      if (!isServed(await send(wholeList(host, [point]), 'batch'))) return;
      for (const { title } of await listPoints(context, host))
        holdsNoneOf(title, 'the title of a point of a batch call');
    },
  ),

  check(
    'delivery.multilanguage.object-read-back',
    'MUST return every language of a text that was created as an object',
    { ...OWN_TEXTS, clauses: ['delivery.multilanguage.object-read-back'] },
    async (context) => {
      const { expect, given } = context;
      // First: a service may refuse awkward texts.
      await keepsLongTexts(context);
      const one = inOneLanguage(context, AWKWARD_TEXT);
      // It only explains why a text in each language is lost.
      for (const { what, kept, read, method } of context.explains ? await titled(context, one) : []) {
        given.doneWith(method);
        given.holds(faultsOf(context, one, await read()).length === 0, kept, `${what} in one language is not kept`);
      }
      const each = inEach(context, AWKWARD_TEXT);
      const turned = Object.fromEntries(Object.entries(inEach(context, `${AWKWARD_TEXT} 2`)).toReversed());
      for (const text of [each, turned]) {
        for (const { what, read, method } of await titled(context, text)) {
          expect.noFaults(faultsOf(context, text, await read()), `${what} must read back in every language`);
          given.doneWith(method);
        }
      }
    },
  ),

  check(
    'delivery.multilanguage.object-sets-named-languages',
    'MUST apply each language of an update with an object',
    { ...OWN_TEXTS, clauses: ['delivery.multilanguage.object-sets-named-languages'] },
    async (context) => {
      const { expect, given } = context;
      const own = languagesOf(context);
      for (const holder of await changeable(context, inEach(context, 'First words'))) {
        // What the updates are to change only explains why they do not.
        if (context.explains) await givenInEach(context, holder);
        await givenUpdates(context, holder);
        const updates = [
          ...own.map((language) => ({ [language]: secondWords(language) })),
          repeatingWords(defaultOf(context) ?? own[0]!, own),
        ];
        for (const text of updates) {
          await given.accepted(changeNamed(context, holder, text), holder.applies);
          const lost = faultsOf(context, text, await holder.read());
          // The service may refuse every update by now: then the languages are not the reason.
          if (lost.length > 0) await givenUpdates(context, holder);
          const languages = Object.keys(text).join(' and ');
          expect.noFaults(lost, `after an update in ${languages}, ${holder.what} must hold the new words`);
        }
        await emptiesOne(context, holder);
      }
    },
  ),

  check(
    'delivery.multilanguage.string-accepted',
    'MUST accept a plain string as text of the only or the default language',
    { ...OWN_TEXTS, clauses: ['delivery.multilanguage.string-accepted'] },
    async (context) => {
      const { delivery, expect, send } = context;
      const holders = await changeable(context, inEach(context, 'First words'));
      for (const holder of holders) {
        await givenUpdates(context, holder);
        const response = await holder.change('A plain string');
        expect.served(response, `must accept a plain string in an update of ${holder.what}`);
      }
      // On a website with several languages, a created text may have other languages besides the default one.
      if (languagesOf(context).length !== 1) return;
      // An owner may have only few methods.
      for (const { method } of holders) context.given.doneWith(method);
      // A different one, because titles may have to be unique.
      const { response, method } = await tryMethod(context, delivery, { title: 'Another plain string' });
      expect.served(response, 'must accept a plain string as the title of a new method');
      if (method === undefined) return;
      const point = { ...pointAt(context, 'plain'), title: 'A plain string' };
      const added = await send(delivery.addPoint(method.handle, point), 'add');
      expect.served(added, 'must accept a plain string as the title of a new point');
    },
  ),

  check(
    'delivery.multilanguage.string-sets-default-language',
    'MUST apply a plain string in an update to the default language',
    {
      ...OWN_TEXTS,
      prefers: ['website.defaultLanguage'],
      clauses: ['delivery.multilanguage.string-sets-default-language'],
    },
    async (context) => {
      const { expect, given } = context;
      const first = inEach(context, 'Rīgas pakomāts');
      const holders = await changeable(context, first);
      for (const holder of holders) {
        const lost = context.explains ? faultsOf(context, first, await holder.read()) : [];
        given.holds(lost.length === 0, holder.kept, `${holder.what} is not kept: ${lost[0]?.message}`);
        await givenUpdates(context, holder);
        const keeps = async (words: string, response: ServiceResponse) => {
          await given.accepted(response, 'delivery.multilanguage.string-accepted');
          const lost = faultsOf(context, words, await holder.read());
          if (lost.length > 0) await givenKeptInOneLanguage(context, holder, words);
          expect.noFaults(
            lost,
            `after an update with a plain string, ${holder.what} must hold it in the default language`,
          );
        };
        /** The first of the texts that the service does not refuse. */
        const keepsOneOf = async (texts: readonly string[]): Promise<string | undefined> => {
          for (const words of texts) {
            const response = await holder.change(words);
            if (isRefused(response) === 'refused') continue;
            await keeps(words, response);
            return words;
          }
          return undefined;
        };
        // One must not be taken for an object, however long it is, and one not for nothing; a service may refuse each of them.
        const likeObject = (words: string): string => JSON.stringify(inOneLanguage(context, words));
        const long = likeObject(LONG_TEXT);
        const object = await keepsOneOf([long, likeObject('Rīgas pakomāts')]);
        const nothing = await keepsOneOf(['0']);
        const other = object === long ? undefined : await keepsOneOf([LONG_TEXT, LINE_TEXT]);
        for (const words of await awkwardStrings(context)) await keepsOneOf([words]);
        const isDecided = [object, nothing, other].some((words) => words !== undefined);
        if (!isDecided) await keeps('Plain words', await holder.change('Plain words'));
      }
      // They share their method.
      await keepsStringsOfPoints(context, holders[0]!.method);
    },
  ),

  check(
    'delivery.multilanguage.string-keeps-other-languages',
    'MUST keep the other languages when an update sends a plain string',
    {
      ...OWN_TEXTS,
      prefers: ['website.defaultLanguage'],
      clauses: ['delivery.multilanguage.string-keeps-other-languages'],
    },
    async (context) => {
      const { expect, given } = context;
      const changes = defaultOf(context);
      // The same words in each language: a service that keeps them once changes them all.
      for (const holder of await changeable(context, sameInEach(context, 'First words'))) {
        const { texts: before, whole } = await givenInEach(context, holder);
        await given.accepted(holder.change('Plain words'), 'delivery.multilanguage.string-accepted');
        // Again: the text that is the default one already.
        await holder.change('Plain words');
        const title = await holder.read();
        const after = textsOf(context, title);
        const languages = new Set([...Object.keys(before), ...Object.keys(after)]);
        const changed = [...languages].filter((language) => before[language] !== after[language]);
        // If the default language is unknown, one of the languages may have changed.
        const wrong = changes === undefined ? changed.slice(1) : changed.filter((language) => language !== changes);
        if (wrong.length > 0) {
          const rest = changedFields(context, REST, whole, await holder.readAll());
          given.holds(rest.length === 0, holder.unnamed, `the update changed ${rest} as well`);
        }
        expect.that(wrong.length === 0, `a plain string must leave ${holder.what} in ${wrong} as it was`, {
          expected: before,
          actual: title,
          pointer: `/title/${wrong[0]}`,
        });
      }
      if (changes !== undefined) await keepsLanguagesInEach(context, changes);
    },
  ),
];
