/** Snippets show in the body of the public pages they are for, and on no others (spec: Endpoints, B. Apps endpoints). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { ON_PAGES } from '../steps/options.ts';
import { pastCaches, readPages } from '../steps/pages/index.ts';
import { linkedPages, linkedPagesInLanguage, saysLanguage } from '../steps/pages/linked-pages.ts';
import type { PublicPage } from '../steps/pages/public-page.ts';
import { rendered } from '../steps/pages/rendered.ts';
import {
  defaultSlot,
  languageSlot,
  languagesOf,
  nameOf,
  plainSnippet,
  rareLanguage,
  readSnippet,
  remembered,
  type Slot,
  setSnippet,
  shows,
  storeSnippet,
} from '../steps/snippets.ts';

/** The languages that have a page in the profile. */
const pagedLanguages = ({ profile }: Context): string[] => Object.keys(profile.website?.pages ?? {});

/** Sets a snippet with a mark of its own for each language, and returns the marks. */
async function marked(context: Context, languages: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const marks = new Map<string, string>();
  for (const language of languages) {
    const mark = context.resources.newMark();
    await storeSnippet(context, languageSlot(context, language), mark);
    marks.set(language, mark);
  }
  return marks;
}

/**
 * A website with one language has no page in another: a snippet for a language that it does not have replaces one. It may
 * be refused, which is learnt with an empty one; then there is nothing to put back. Returns the language and the mark.
 */
async function markedForNoPage(context: Context): Promise<readonly [string, string]> {
  const { apps, resources, send, given } = context;
  const rare = rareLanguage(await languagesOf(context));
  if (isServed(await send(apps.setSnippet('', rare), 'probe'))) {
    given.track({ kind: 'snippet', installation: 'own', language: rare, old: null });
  }
  const mark = resources.newMark();
  await send(apps.setSnippet(plainSnippet(mark), rare), 'probe');
  return [rare, mark];
}

/** A snippet that a page lacks, or shows, because another one was set in its place is another clause's. */
async function stillHolds(context: Context, slot: Slot, mark: string): Promise<void> {
  const held = shows(await readSnippet(context, slot), mark);
  context.given.holds(held, APART, `${nameOf(slot)} is no longer what it was set to`);
}
async function holdsNot(context: Context, slot: Slot, mark: string): Promise<void> {
  const held = shows(await readSnippet(context, slot), mark);
  context.given.holds(!held, APART, `${nameOf(slot)} holds what was set for another language`);
}

/** Takes a snippet away, where the service takes an empty one; whether it does. */
async function emptied(context: Context, slot: Slot): Promise<boolean> {
  await remembered(context, slot);
  return isServed(await context.send(slot.apps.setSnippet('', slot.language), 'emptied'));
}

/** Asserts that pages which a page with the snippet links to have it as well. One page without it may be of another kind. */
async function expectOnLinkedPages(context: Context, page: PublicPage, mark: string, which: string): Promise<void> {
  const isMissingOn = (pages: readonly PublicPage[]): boolean =>
    pages.length > 1 && pages.every(({ html }) => !html.includes(mark));
  // No page has to follow at once.
  let linked = await linkedPages(context, page);
  await pastCaches(
    context,
    () => (isMissingOn(linked) ? linked : []),
    async () => {
      linked = await linkedPages(context, page, context.resources.newMark());
      if (isMissingOn(linked))
        linked = [await rendered(context, linked[0]!, (html) => html.includes(mark)), ...linked.slice(1)];
    },
  );
  const isMissing = isMissingOn(linked);
  const addresses = linked.map(({ response }) => response.request.url).join(' and ');
  context.expect.that(!isMissing, `the pages that a page links to must show the snippet for ${which}`, {
    expected: `${mark} in ${addresses}`,
    actual: 'none of them contains it',
    response: linked[0]?.response,
  });
}

const APART = 'apps.snippet.default-and-language-separate';

/** Two languages are enough to distinguish pages; a website with many would cost many calls. */
const MAX_LANGUAGES = 3;

export const checks: readonly Check[] = [
  check(
    'apps.snippet.on-every-page',
    'MUST show the snippet set without a language on the pages of all languages',
    { clauses: ['apps.snippet.on-every-page'], ...ON_PAGES },
    async (context) => {
      const { resources, expect } = context;
      const mark = resources.newMark();
      await storeSnippet(context, defaultSlot(context), mark);
      const snapshot = async (which: string, languages?: readonly string[]): Promise<readonly PublicPage[]> => {
        const pages = await readPages(context, () => [mark], languages && { languages });
        for (const { language, html, response } of pages) {
          if (!html.includes(mark)) await stillHolds(context, defaultSlot(context), mark);
          expect.that(html.includes(mark), `the page in ${language} must show the snippet for all pages${which}`, {
            expected: `a page that contains ${mark}`,
            response,
          });
        }
        return pages;
      };
      const [first] = await snapshot('');
      if (first !== undefined) await expectOnLinkedPages(context, first, mark, 'all pages');
      const [language] = pagedLanguages(context);
      await storeSnippet(context, languageSlot(context, language!), resources.newMark());
      await snapshot(' besides the one for its language', [language!]);
    },
  ),
  check(
    'apps.snippet.replaced-on-pages',
    'MUST NOT show a snippet on a page after it was replaced or emptied',
    { clauses: ['apps.snippet.replaced'], ...ON_PAGES },
    async (context) => {
      const { given, resources, expect } = context;
      const language = pagedLanguages(context)[0]!;
      const general = defaultSlot(context);
      const own = languageSlot(context, language);
      const snapshot = async (shown: readonly string[], gone: readonly string[] = []): Promise<PublicPage> => {
        const [page] = await readPages(context, () => shown, { languages: [language], gone });
        const clauses = ['apps.snippet.on-every-page', 'apps.snippet.language-pages'];
        for (const [at, mark] of shown.entries()) {
          const isShown = page!.html.includes(mark);
          given.holds(isShown, clauses[at]!, `the page in ${language} lacks a snippet`, { response: page!.response });
        }
        return page!;
      };
      const former = [resources.newMark(), resources.newMark()] as const;
      for (const [at, slot] of [general, own].entries()) {
        await remembered(context, slot);
        await setSnippet(context, slot, plainSnippet(former[at]!));
      }
      await snapshot(former);

      const next = resources.newMark();
      await setSnippet(context, general, plainSnippet(next));
      // A service may refuse an empty one; then another one takes its place.
      const rest = [next];
      if (!(await emptied(context, own))) {
        rest.push(resources.newMark());
        await setSnippet(context, own, plainSnippet(rest[1]!));
      }
      const { html, response } = await snapshot(rest, former);
      for (const [at, mark] of former.entries()) {
        const what = nameOf(at === 0 ? general : own);
        expect.that(!html.includes(mark), `the page in ${language} must not show what ${what} was before`, {
          expected: `a page without ${mark}`,
          response,
        });
      }
      // What keeps the texts of pages may take an empty one for none that is known.
      if (!(await emptied(context, general))) return;
      const last = await snapshot([], [next]);
      expect.that(!last.html.includes(next), `the page in ${language} must not show what was emptied for all pages`, {
        expected: `a page without ${next}`,
        response: last.response,
      });
    },
  ),
  check(
    'apps.snippet.language-pages',
    'MUST show the snippet for a language on pages in that language',
    { clauses: ['apps.snippet.language-pages'], ...ON_PAGES },
    async (context) => {
      const marks = await marked(context, pagedLanguages(context).slice(0, MAX_LANGUAGES));
      const pages = await readPages(context, (language) => [marks.get(language)].filter((mark) => mark !== undefined));
      for (const { language, html, response } of pages) {
        const mark = marks.get(language);
        if (mark === undefined) continue;
        if (!html.includes(mark)) await stillHolds(context, languageSlot(context, language), mark);
        context.expect.that(html.includes(mark), `the page in ${language} must show the snippet for that language`, {
          expected: `a page that contains ${mark}`,
          response,
        });
      }
      const [page] = pages;
      const mark = marks.get(page?.language ?? '');
      if (page === undefined || mark === undefined || !saysLanguage(page.html, page.language)) return;
      await expectOnLinkedPages(context, page, mark, page.language);
    },
  ),
  check(
    'apps.snippet.only-language-pages',
    'MUST NOT show the snippet for a language on pages in other languages',
    { clauses: ['apps.snippet.only-language-pages'], ...ON_PAGES },
    async (context) => {
      const { given, expect } = context;
      const languages = pagedLanguages(context);
      const marks = new Map(await marked(context, languages.slice(0, 2)));
      // A page whose language has no snippet of its own may be filled with that of another. A service may refuse an empty one.
      if (languages[2] !== undefined) await emptied(context, languageSlot(context, languages[2]));
      if (languages.length === 1) {
        // Another language of the website, though the profile names no page in it, else one that the website does not have.
        const pageless = (await languagesOf(context)).filter((code) => !languages.includes(code)).slice(0, 1);
        const others = pageless.length > 0 ? await marked(context, pageless) : [await markedForNoPage(context)];
        for (const [code, mark] of others) marks.set(code, mark);
      }
      const pages = await readPages(context, (language) => [marks.get(language)].filter((mark) => mark !== undefined));
      const [front] = pages;
      const linked = front === undefined ? [] : await linkedPagesInLanguage(context, front);
      for (const { language, html, response } of [...pages, ...linked]) {
        for (const [of, mark] of marks) {
          if (of === language || !html.includes(mark)) continue;
          await holdsNot(context, languageSlot(context, language), mark);
          await holdsNot(context, defaultSlot(context), mark);
          expect.that(false, `the page in ${language} must not show the snippet of ${of}`, {
            expected: `a page without ${mark}`,
            response,
          });
        }
      }
      for (const { language, html, response } of pages) {
        // Absent everywhere would prove nothing.
        const shown = html.includes(marks.get(language) ?? '');
        given.holds(shown, 'apps.snippet.language-pages', `the page in ${language} lacks its snippet`, {
          response,
        });
      }
      expect.that(true, 'the snippet for a language is not on pages in another');
    },
  ),
];
