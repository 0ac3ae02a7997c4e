/** Faults of pages that show a snippet in another form than it is stored in, or on other pages than it was set for. */
import type { Installation } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import { siteSnippets } from '../interception.ts';

/** Snippets that pages show in another form than they were stored in. */
const onPage = (id: string, about: string, change: (text: string) => string): Deviation => ({
  id,
  clause: 'apps.snippet.in-body',
  about,
  rules: (correct) => ({
    snippetsFor: (installation, language) => correct.snippetsFor(installation, language).map(change),
  }),
});

/** Changes the pages behind the front pages; `texts` are the snippets for languages. */
const behindFront =
  (change: (html: string, texts: readonly string[]) => string): NonNullable<Deviation['http']> =>
  async (request, next, { state }) => {
    const response = await next(request);
    if (!/^\/site\/.+\/(?:about|contact)\/$/.test(new URL(request.url).pathname)) return response;
    const ofLanguages = ({ snippets }: Installation): string[] =>
      Object.entries(snippets).flatMap(([slot, text]) => (slot === '*' || text === '' ? [] : [text]));
    const html = change(await response.text(), state.installations.all().flatMap(ofLanguages));
    return new Response(html, { status: response.status, headers: response.headers });
  };

/** Pages keep the last snippet for all of them that was not empty. */
const lastNotEmpty: NonNullable<Deviation['rules']> = (correct) => {
  const last = new Map<string, string>();
  return {
    snippetsFor: (installation, language) => {
      const { authCode, snippets } = installation;
      const text = snippets['*'] || (last.get(authCode) ?? '');
      last.set(authCode, text);
      return correct.snippetsFor({ ...installation, snippets: { ...snippets, '*': text } }, language);
    },
  };
};

export const snippetPageFaults: readonly Deviation[] = [
  onPage(
    'apps.snippet-without-scripts',
    'Scripts are removed from snippets on the page; the stored snippet is complete.',
    (text) => text.replaceAll(/<script>.*?<\/script>/gs, '<script></script>'),
  ),
  onPage('apps.snippet-without-handlers', 'Handlers of events are removed from snippets on the page.', (text) =>
    text.replaceAll(/ on\w+="[^"]*"/g, ''),
  ),
  onPage('apps.snippet-in-one-line', 'The lines of a snippet become one on the page.', (text) =>
    text.replaceAll('\n', ' '),
  ),
  onPage('apps.snippet-cut-on-page', 'Pages show only the first 500 characters of a snippet.', (text) =>
    text.slice(0, 500),
  ),
  onPage('apps.snippet-as-template', 'Double braces in a snippet are replaced when a page is built.', (text) =>
    text.replaceAll(/\{\{[^{}]*\}\}/g, ''),
  ),
  onPage(
    'apps.snippet-as-format',
    'A page is built by a formatting function: of two percent signs one remains.',
    (text) => text.replaceAll('%%', '%'),
  ),
  onPage('apps.snippet-without-frames', 'Frames are removed from snippets on the page.', (text) =>
    text.replaceAll(/<iframe\b.*?<\/iframe>/gs, ''),
  ),
  onPage(
    'apps.snippet-without-loaded-scripts',
    'Scripts with an address are removed from snippets on the page.',
    (text) => text.replaceAll(/<script\b[^>]* src=[^>]*>.*?<\/script>/gs, ''),
  ),
  onPage('apps.snippet-without-forms', 'Forms and their fields are removed from snippets on the page.', (text) =>
    text.replaceAll(/<\/?(?:form|input|button)\b[^>]*>/g, ''),
  ),
  onPage(
    'apps.snippet-in-narrow-charset',
    'Characters of four bytes become question marks on the page; the stored snippet has them.',
    (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ),
  onPage('apps.snippet-without-own-elements', 'Elements that HTML does not have are removed from snippets.', (text) =>
    text.replaceAll(/<\/?[a-z]+-[a-z]+\b[^<>]*>/g, ''),
  ),
  onPage('apps.snippet-without-pictures', 'Pictures are removed from snippets on the page.', (text) =>
    text.replaceAll(/<(?:\/?svg|img)\b[^<>]*>/g, ''),
  ),
  {
    id: 'apps.snippet-twice-on-page',
    clause: 'apps.snippet.once-per-page',
    about: 'A page has each snippet twice.',
    rules: (correct) => ({
      snippetsFor: (installation, language) =>
        correct.snippetsFor(installation, language).flatMap((text) => [text, text]),
    }),
  },
  {
    id: 'apps.page-escaped-with-snippet',
    clause: 'apps.snippet.rest-of-page',
    about: 'A page whose snippet has a script shows an element of its own as text.',
    http: async (request, next, service) => {
      const response = await next(request);
      if (!new URL(request.url).pathname.startsWith('/site/')) return response;
      const html = await response.text();
      const isMeant = siteSnippets(service).some((text) => text.includes('<script') && html.includes(text));
      const changed = isMeant ? html.replace('<footer', '&lt;footer') : html;
      return new Response(changed, { status: response.status, headers: response.headers });
    },
  },
  onPage('apps.snippet-shortcodes', 'Words in brackets are read as codes of the website and removed.', (text) =>
    text.replaceAll(/\[[a-z]+\]/g, ''),
  ),
  {
    id: 'apps.snippet-of-language-on-front-page-only',
    clause: 'apps.snippet.language-pages',
    about: 'The snippet for a language is on the front page of that language and on no other.',
    http: behindFront((html, texts) => texts.reduce((page, text) => page.replaceAll(text, ''), html)),
  },
  {
    id: 'apps.snippet-of-language-everywhere-behind-front',
    clause: 'apps.snippet.only-language-pages',
    about: 'All pages but the front pages have the snippets for all languages.',
    http: behindFront((html, texts) =>
      html.replace('</body>', () => `${texts.filter((text) => !html.includes(text)).join('')}</body>`),
    ),
  },
  {
    id: 'apps.snippet-emptied-stays-on-pages',
    clause: 'apps.snippet.replaced',
    about: 'Pages take an empty snippet for none that is known, and show the last one that they had.',
    rules: lastNotEmpty,
  },
  {
    id: 'apps.snippets-of-other-websites-on-pages',
    clause: 'apps.isolation.snippets',
    about: 'Pages show the snippets of all installations of the app, those in other websites too; each reads its own.',
    http: async (request, next, { state }) => {
      const response = await next(request);
      if (!new URL(request.url).pathname.startsWith('/site/')) return response;
      const html = await response.text();
      const lent = state.installations
        .all()
        .map(({ snippets }) => snippets['*'] ?? '')
        .filter((text) => text !== '' && !html.includes(text));
      const changed = html.replace('</body>', () => `${lent.join('')}</body>`);
      return new Response(changed, { status: response.status, headers: response.headers });
    },
  },
];
