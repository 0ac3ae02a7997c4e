/** Two installations of one app share nothing (spec: Authentication, B. Apps interface). */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';
import { withoutKey } from '../credentials/bad-credentials.ts';
import { dataIn, dataRemembered, type Owner, readData, setData, storeString } from '../steps/data.ts';
import { TWO_INSTALLATIONS } from '../steps/options.ts';
import { readPages } from '../steps/pages/index.ts';
import {
  defaultSlot,
  keptClause,
  languageSlot,
  languagesOf,
  nameOf,
  plainSnippet,
  readSnippet,
  remembered,
  type Slot,
  shows,
  snippetIn,
  storeForLater,
  storeSnippet,
} from '../steps/snippets.ts';

const STRING = 'apps.data.string-kept';
const SNIPPETS: readonly string[] = ['apps.snippet.default-kept', 'apps.snippet.language-kept'];

const otherSlot = (context: Context): Slot => ({ apps: context.otherApps, installation: 'other' });

const LANGUAGES = 'apps.languages.exactly-website-languages';
/** A website with dozens of languages would cost a call or more for each. */
const MAX_LANGUAGES = 5;

/**
 * The languages of the other website are not in the profile. One that is listed for it and refused there is not its own: it takes
 * the same snippet for all pages, and the website of the profile takes snippets for languages.
 */
async function takesListedLanguages(context: Context, other: Slot): Promise<void> {
  const { given, send } = context;
  const response = await send(other.apps.getLanguages(), 'read');
  const listed = isServed(response) && isJsonObject(response.json) ? response.json.languages : [];
  for (const language of Array.isArray(listed) ? listed.slice(0, MAX_LANGUAGES) : []) {
    if (typeof language !== 'string' || language === '') continue;
    const slot: Slot = { ...other, language };
    const text = plainSnippet(context.resources.newMark());
    await remembered(context, slot);
    const set = await send(slot.apps.setSnippet(text, language), 'set');
    if (isServed(set) || !isRefusalOfPromise(set)) continue;
    if (!isServed(await send(other.apps.setSnippet(text), 'control'))) continue;
    const message = `the second installation lists the language ${language} and refuses a snippet in it, which it takes for all pages`;
    given.holds(false, LANGUAGES, message, { response: set });
  }
}

/** Addresses of the two websites, where each has one and they differ; otherwise both installations may be on one website. */
async function areOnTwoWebsites({ apps, otherApps, send }: Context): Promise<boolean> {
  const urls = await atOnce([apps, otherApps].map((one) => async () => urlIn(await send(one.getWebsite(), 'read'))));
  return urls.every((url) => typeof url === 'string' && url !== '') && urls[0] !== urls[1];
}

function urlIn(response: ServiceResponse): unknown {
  const website = isServed(response) && isJsonObject(response.json) ? response.json.website : undefined;
  return isJsonObject(website) ? website.url : undefined;
}

/** The page of the website does not show what an installation in another one has set. One that can't be read says nothing. */
async function staysOffPages(context: Context, ownMark: string, otherMark: string): Promise<void> {
  const [language] = Object.keys(context.profile.website?.pages ?? {});
  if (language === undefined || !(await areOnTwoWebsites(context))) return;
  const awaited = { languages: [language], gone: [otherMark] };
  const [page] = (await unlessUndecided(() => readPages(context, () => [ownMark], awaited))) ?? [];
  if (page === undefined || !page.html.includes(ownMark)) return;
  context.expect.that(
    !page.html.includes(otherMark),
    `the page in ${language} must not show the snippet of an installation in another website`,
    { expected: `a page without ${otherMark}`, response: page.response },
  );
}

export const checks: readonly Check[] = [
  check(
    'apps.isolation.snippets',
    "MUST NOT return one installation's snippet to another, or show it on the pages of another website",
    { clauses: ['apps.isolation.snippets'], ...TWO_INSTALLATIONS },
    async (context) => {
      const { resources, expect } = context;
      const [own, other] = [defaultSlot(context), otherSlot(context)];
      const otherText = await storeForLater(context, other, resources.newMark());
      const ownMark = resources.newMark();
      const ownText = await storeForLater(context, own, ownMark);
      const message = 'setting the snippet of one installation must not change that of another';
      expect.equal(await readSnippet(context, other), otherText, message);
      const otherMark = resources.newMark();
      await storeSnippet(context, other, otherMark);
      expect.equal(await readSnippet(context, own), ownText, message);
      await staysOffPages(context, ownMark, otherMark);
      // An empty text may be refused; one that is taken takes back the snippet of one installation only.
      if (isServed(await context.send(other.apps.setSnippet(''), 'emptied')))
        expect.equal(await readSnippet(context, own), ownText, `${message}, also when it is emptied`);

      // The other website may not have the language; then its snippet is refused, or empty.
      const [language] = await languagesOf(context);
      const mark = resources.newMark();
      await storeSnippet(context, languageSlot(context, language!), mark);
      // Directly after a refused call: what an error leaves behind shows in the next one.
      await context.send(withoutKey[0]!.mutate(context.apps.getLanguages()), 'probe');
      const response = await context.send(context.otherApps.snippetIn(language), 'read');
      expect.that(!shows(snippetIn(response), mark), 'the snippet for a language must be that of one installation', {
        response,
      });
      await takesListedLanguages(context, other);
    },
  ),
  check(
    'apps.isolation.data',
    "MUST NOT return one installation's data to another",
    { clauses: ['apps.isolation.data'], ...TWO_INSTALLATIONS },
    async (context) => {
      const { resources, expect, given, apps, otherApps } = context;
      const own: Owner = { apps, installation: 'own' };
      const other: Owner = { apps: otherApps, installation: 'other' };
      await dataRemembered(context, own, STRING);
      await dataRemembered(context, other, STRING);
      const message = 'setting the data of one installation must not change that of another';
      const ofOther = resources.newMark();
      // An installation that has no data is not lent those of another one. A service may refuse to set none.
      const isEmptied = isServed(await context.send(apps.setData(''), 'emptied'));
      const otherData = await storeString(context, other, ofOther);
      if (isEmptied) {
        const response = await context.send(apps.getData(), 'read');
        const isLent = shows(dataIn(response), ofOther);
        expect.that(!isLent, 'one installation without data must not read those of another', { response });
      }
      const ofOwn = resources.newMark();
      await setData(context, own, ofOwn, STRING);
      const ownData = await readData(context, own, STRING);
      expect.that(ownData !== ofOther, 'one installation must not read the data of another');
      given.holds(typeof ownData === 'string' && ownData.includes(ofOwn), STRING, 'the data is not what was set', {
        expected: ofOwn,
        actual: ownData,
      });
      expect.equal(await readData(context, other, STRING), otherData, message);
      const beforeObject = await storeString(context, other, resources.newMark());
      expect.equal(await readData(context, own, STRING), ownData, message);
      await setData(context, own, { mark: resources.newMark() }, 'apps.data.object-kept');
      expect.equal(await readData(context, other, STRING), beforeObject, message);
    },
  ),
  check(
    'apps.isolation.writes-at-once',
    'MUST keep data and snippets that are set at the same time, each in its installation',
    { clauses: ['apps.isolation.data', STRING, ...SNIPPETS], ...TWO_INSTALLATIONS },
    async (context) => {
      const { resources, expect, given, apps, otherApps, send } = context;
      const own: Owner = { apps, installation: 'own' };
      const other: Owner = { apps: otherApps, installation: 'other' };
      const [language] = await languagesOf(context);
      const dataOf = (owner: Owner, clause: string) => ({
        ...{ what: `the data of the ${owner.installation} installation`, clause, mark: resources.newMark() },
        prepare: () => dataRemembered(context, owner, STRING),
        set: (mark: string) => send(owner.apps.setData(mark), 'set'),
        read: () => readData(context, owner, STRING),
      });
      const writes = [
        dataOf(own, STRING),
        dataOf(other, 'apps.isolation.data'),
        // Of one document by language, the later write of two may drop the other one.
        ...[defaultSlot(context), languageSlot(context, language!)].map((slot) => ({
          ...{ what: nameOf(slot), clause: keptClause(slot), mark: resources.newMark() },
          prepare: () => remembered(context, slot),
          set: (mark: string) => send(apps.setSnippet(plainSnippet(mark), slot.language), 'set'),
          read: () => readSnippet(context, slot),
        })),
      ];
      for (const { prepare } of writes) await prepare();
      const responses = await atOnce(
        writes.map(
          ({ mark, set }) =>
            () =>
              set(mark),
        ),
      );
      // A service may refuse all but one.
      const served = writes.filter((_, at) => isServed(responses[at]!));
      given.granted(served.length > 0, STRING, 'nothing was set');
      for (const one of served) {
        const { what, clause, mark, read } = one;
        const seen = await read();
        if (!shows(seen, mark)) {
          // One after the other, the others last, they have to be kept as well: else it is not the time that matters.
          for (const write of [one, ...writes.filter((other) => other !== one)])
            await given.accepted(write.set(write.mark), write.clause);
          const rule = SNIPPETS.includes(clause) ? clause : 'apps.isolation.data';
          given.holds(
            shows(await read(), mark),
            rule,
            `${what} is not what was set, also when others are set after it`,
          );
        }
        const isMixedUp = writes.some((write) => shows(seen, write.mark));
        expect.that(shows(seen, mark), `${what} must be what was set while something else was set`, {
          clauses: [isMixedUp ? 'apps.isolation.data' : clause],
          expected: mark,
          actual: seen,
        });
      }
    },
  ),
];
