/** A snippet in the body of a page: whole, once, and beside everything that the page had without it. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { once } from '../../../harness/resources/once.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { ON_PAGES } from '../steps/options.ts';
import { isInBody, timesInBody } from '../steps/pages/html-body.ts';
import { readPages } from '../steps/pages/index.ts';
import { hasVanished, lostTokens } from '../steps/pages/page-tokens.ts';
import type { PublicPage } from '../steps/pages/public-page.ts';
import { rendered } from '../steps/pages/rendered.ts';
import {
  defaultSlot,
  languageSlot,
  plainSnippet,
  readSnippet,
  readSnippetIfAny,
  remembered,
  type Slot,
  setSnippet,
} from '../steps/snippets.ts';

const WORDS = 'Žagars, Rīga · 蜂蜜';
/** What a service may limit in a snippet: other letters, control characters, its length. */
interface Contents {
  readonly words: string;
  /** The end of a line, behind a comment of the script. */
  readonly lineBreak: string;
  /** More than a column of a table may hold. */
  readonly fill: string;
}
const RICH: Contents = { words: `${WORDS} 🐝`, lineBreak: '\n', fill: '0123456789'.repeat(60) };
const PLAIN: Contents = { words: 'honey', lineBreak: '', fill: '' };

/**
 * Markup that also a service which builds its pages as trees has no reason to write in another way. The script comes first: of
 * a snippet that was put into the head, a leading `div` would begin the body.
 */
const stableSnippet = (mark: string, words = WORDS): string =>
  `<script>window["${mark}"] = "$& $1 \\1 <b>";</script>${stableElement(mark, words)}`;

const stableElement = (mark: string, words = PLAIN.words): string =>
  `<div id="${mark}" hidden="">${words} "x" &amp; y</div>`;

/**
 * Markup as apps insert it: styles, a script with a comment that ends with its line, one that names an address (and is not run), a
 * frame, a form, an element of its own, pictures, lines that stay as they are, a handler, braces, brackets and percent signs that templates of the website may use as well, and a length that a column of a
 * table may not hold. It says and does nothing.
 */
const richSnippet = (mark: string, contents: Contents): string =>
  `<style>#${mark}{display:none}</style><script>${contents.lineBreak === '' ? '' : `// ${mark}${contents.lineBreak}`}window["${mark}"] = "$& $1 \\1 <b>  {{ 7 * 7 }} {% x %} \${7} 100%% %s %1$s";</script>` +
  '<script type="text/plain" src="https://widget.example/app.js" async=""></script>' +
  withoutScripts(mark, contents);

/** The part of it that a service without scripts in snippets may take. */
const withoutScripts = (mark: string, { words, lineBreak, fill }: Contents): string =>
  '<noscript><iframe title="x" hidden=""></iframe></noscript><iframe title="x" hidden=""></iframe>' +
  '<pm-widget hidden=""></pm-widget><svg width="0" height="0" aria-hidden="true"></svg><img alt="" hidden="" src="data:,">' +
  `<form hidden="" action="#"><input name="q" type="hidden"></form><pre hidden="">a${lineBreak}b</pre><p hidden="" style="margin:0">{{ 7 * 7 }} [gallery] 100%% %s %1$s</p>` +
  `<div id="${mark}" hidden="" onclick="void 0" data-fill="${fill}">${words} "x" &amp; y</div>`;

/** What a service may take that limits snippets to two hundred characters. */
const shortSnippet = (mark: string): string =>
  `<script type="text/plain" src="https://widget.example/a.js"></script><div id="${mark}" hidden="">🐝 [gallery] {{ 7 * 7 }}</div>`;

/** From the richest to the plainest, first without control characters and without other letters, then shorter. */
const richSnippets = (mark: string): string[] => [
  richSnippet(mark, RICH),
  richSnippet(mark, { ...RICH, lineBreak: '' }),
  richSnippet(mark, { ...PLAIN, fill: RICH.fill }),
  richSnippet(mark, { ...RICH, fill: '' }),
  richSnippet(mark, PLAIN),
  shortSnippet(mark),
  withoutScripts(mark, RICH),
  withoutScripts(mark, PLAIN),
];

/** Sets the rich snippet, or the stable one where the service refuses that or keeps another text; returns what was set. */
async function setRichSnippet(context: Context, slot: Slot, mark: string): Promise<string> {
  for (const rich of richSnippets(mark)) {
    const isTaken = isServed(await context.send(slot.apps.setSnippet(rich, slot.language), 'given'));
    if (isTaken && (await readSnippet(context, slot)) === rich) return rich;
  }
  return setStableSnippet(context, slot, mark);
}

/** Sets the stable snippet, with plain words or without its script where the service refuses these; returns what was set. */
async function setStableSnippet(context: Context, slot: Slot, mark: string): Promise<string> {
  for (const stable of [stableSnippet(mark), stableSnippet(mark, PLAIN.words)])
    if (isServed(await context.send(slot.apps.setSnippet(stable, slot.language), 'given'))) return stable;
  const element = stableElement(mark);
  await setSnippet(context, slot, element);
  return element;
}

/** The name of the pages in `shares`. */
const PAGES = 'pages with rich snippets';

/** How a page ends its lines, and which nonce its content policy asks of scripts and styles, is its own affair. */
const plainHtml = ({ html }: PublicPage): string =>
  html.replaceAll('\r\n', '\n').replace(/(<(?:script|style)) nonce="[^"<>]{1,200}"/g, '$1');

/** A snippet that was set: its text, its mark, and the clause that says on which pages it is. */
interface PlacedSnippet {
  readonly text: string;
  readonly mark: string;
  readonly clause: string;
}

interface RichPages {
  readonly pages: readonly PublicPage[];
  /** The snippets that the page in a language has to show. */
  readonly placed: (language: string) => readonly PlacedSnippet[];
  /** The first page before that: without snippets of the app, or with plain ones where the service takes no empty one. */
  readonly before: PublicPage | undefined;
  readonly plain: readonly string[];
}

/** Takes a snippet away, or sets a plain one where the service takes no empty one; returns what was set. */
async function setPlain(context: Context, slot: Slot): Promise<string> {
  if (isServed(await context.send(slot.apps.setSnippet('', slot.language), 'emptied'))) return '';
  const text = plainSnippet(context.resources.newMark());
  await setSnippet(context, slot, text);
  return text;
}

/** The pages with rich snippets, and one of them before that; read once for all checks. */
function richPagesOf(context: Context): Promise<RichPages> {
  return once(context, PAGES, async () => {
    const { resources } = context;
    const language = Object.keys(context.profile.website?.pages ?? {})[0]!;
    const [general, own] = [defaultSlot(context), languageSlot(context, language)];
    const marks = [resources.newMark(), resources.newMark()] as const;
    for (const slot of [general, own]) await remembered(context, slot);
    const plain: string[] = [];
    const gone: string[] = [];
    for (const slot of [general, own]) {
      const mark = resources.markIn(String(await readSnippetIfAny(context, slot)));
      if (mark !== undefined) gone.push(mark);
      plain.push(await setPlain(context, slot));
    }
    const [before] = await readPages(context, () => plain, { languages: [language], gone });

    const rich = await setRichSnippet(context, general, marks[0]);
    const stable = await setStableSnippet(context, own, marks[1]);
    const ofAll = { text: rich, mark: marks[0], clause: 'apps.snippet.on-every-page' };
    const ofLanguage = { text: stable, mark: marks[1], clause: 'apps.snippet.language-pages' };
    const placed = (code: string) => (code === language ? [ofAll, ofLanguage] : [ofAll]);
    const served = await readPages(context, (code) => placed(code).map(({ mark }) => mark));
    const pages: PublicPage[] = [];
    for (const page of served) pages.push(await asShown(context, page, placed(page.language)));
    return { pages, placed, before, plain };
  });
}

/** A page as it was served, or as its scripts show it where a snippet is not in its body: one of them may be what puts it there. */
async function asShown(context: Context, page: PublicPage, snippets: readonly PlacedSnippet[]): Promise<PublicPage> {
  const isThere = (html: string, { text }: PlacedSnippet): boolean => isInBody(plainHtml({ ...page, html }), text);
  const missing = snippets.find((snippet) => page.html.includes(snippet.mark) && !isThere(page.html, snippet));
  if (missing === undefined) return page;
  return rendered(context, page, (html) => snippets.every((snippet) => isThere(html, snippet)), missing);
}

function expectInBody(context: Context, page: PublicPage, { text, mark, clause }: PlacedSnippet): void {
  const { given, expect } = context;
  const { language, response } = page;
  given.holds(page.html.includes(mark), clause, `the page in ${language} does not show the snippet at all`, {
    response,
  });
  const html = plainHtml(page);
  expect.that(
    isInBody(html, text),
    `the page in ${language} must contain the snippet whole and unescaped in its body`,
    {
      expected: text,
      actual: html.includes(text) ? 'present, but not as markup in the body' : 'present, but changed',
      response,
    },
  );
}

/** How often a page has a snippet in its body; that it is there has a check of its own. */
function timesOn({ given }: Context, page: PublicPage, { text }: PlacedSnippet): number {
  const times = timesInBody(plainHtml(page), text);
  given.holds(times > 0, 'apps.snippet.in-body', `the page in ${page.language} does not have the snippet in its body`, {
    response: page.response,
  });
  return times;
}

/** A page without these texts. */
const without = (page: PublicPage, texts: readonly string[]): string =>
  texts.reduce((html, text) => (text === '' ? html : html.replaceAll(text, '')), plainHtml(page));

/**
 * Whether the page showed another snippet of the run before which it does not show now: one that took the place of an empty one.
 * What another installation on the website has put there is on the page at both times.
 */
const hasOther = ({ resources }: Context, { before, plain }: RichPages, page: PublicPage): boolean =>
  before !== undefined && hasVanished((html) => resources.markIn(html), without(before, plain), page.html);

/** Words and elements that a page had before and does not have now, except those of the snippets. */
const lostOn = ({ before, plain, placed }: RichPages, page: PublicPage): string[] =>
  before === undefined
    ? []
    : lostTokens(
        without(before, plain),
        without(
          page,
          placed(page.language).map(({ text }) => text),
        ),
      );

/** Those of the lost words and elements that the page has again without the rich snippets: it may show other things at each visit. */
async function backAgain(context: Context, { before, plain }: RichPages, lost: readonly string[]): Promise<string[]> {
  const { language } = before!;
  for (const slot of [defaultSlot(context), languageSlot(context, language)]) {
    await remembered(context, slot);
    await setPlain(context, slot);
  }
  const [after] = await readPages(context, () => [], { languages: [language] });
  const still = lostTokens(without(before!, plain), after === undefined ? '' : plainHtml(after));
  return lost.filter((token) => !still.includes(token));
}

export const checks: readonly Check[] = [
  check(
    'apps.snippet.in-body',
    'MUST include a snippet whole and unescaped in the body of the page',
    { clauses: ['apps.snippet.in-body'], ...ON_PAGES, shares: PAGES },
    async (context) => {
      const { pages, placed } = await richPagesOf(context);
      for (const page of pages) {
        for (const snippet of placed(page.language)) expectInBody(context, page, snippet);
      }
    },
  ),

  check(
    'apps.snippet.once-per-page',
    'SHOULD include a snippet once in the body of a page',
    { clauses: ['apps.snippet.once-per-page'], ...ON_PAGES, shares: PAGES },
    async (context) => {
      const { pages, placed } = await richPagesOf(context);
      for (const page of pages) {
        for (const snippet of placed(page.language)) {
          const times = timesOn(context, page, snippet);
          context.expect.that(times < 2, `the page in ${page.language} should run the snippet once`, {
            expected: 'the snippet once, because each copy takes effect',
            actual: `${times} times`,
            response: page.response,
          });
        }
      }
    },
  ),

  check(
    'apps.snippet.rest-of-page',
    'SHOULD keep the rest of a page unchanged when a snippet is set',
    { clauses: ['apps.snippet.rest-of-page'], ...ON_PAGES, shares: PAGES },
    async (context) => {
      const found = await richPagesOf(context);
      const { before } = found;
      const page = found.pages.find(({ language }) => language === before?.language);
      if (page === undefined || hasOther(context, found, page)) {
        const reason =
          'no page could be read without the snippets of the app, so that there is nothing to compare with';
        throw new Inconclusive(reason, 'target');
      }
      for (const snippet of found.placed(page.language)) timesOn(context, page, snippet);
      const lost = lostOn(found, page);
      const because = lost.length === 0 ? [] : await backAgain(context, found, lost);
      context.expect.that(because.length === 0, 'a page should keep what it has without a snippet', {
        expected: 'the words and elements of the page without a snippet',
        actual: `without ${because.slice(0, 10).join(', ')}`,
        response: page.response,
      });
    },
  ),
];
