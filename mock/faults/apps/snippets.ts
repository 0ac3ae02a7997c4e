/** Faults of snippets: how they are kept, and on which pages they show. */

import type { Installation } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import { type InterceptedRequest, intercepts, page, pages, questionMarks, refused, success } from '../interception.ts';
import { APPS, affectsEveryInstallation, rowOf } from './interception.ts';

const KEPT = ['apps.snippet.default-kept', 'apps.snippet.language-kept'] as const;
const AND_SHOWN = [...KEPT, 'apps.snippet.in-body'] as const;
const REPLACED = 'apps.snippet.replaced';
const APART = 'apps.snippet.default-and-language-separate';

/** Changes a text before it is stored. */
const kept = (id: string, about: string, clauses: readonly string[], change: (sent: string) => string): Deviation => ({
  id,
  clauses,
  about,
  rules: () => ({ snippetKept: change }),
});

const languageIn = ({ body }: InterceptedRequest): string | null =>
  typeof body?.language === 'string' && body.language !== '' ? body.language : null;

/** After a snippet was set, changes those of the same installation. */
const besides = (
  isMeant: (met: InterceptedRequest) => boolean,
  change: (snippets: Installation['snippets'], met: InterceptedRequest) => Installation['snippets'],
): NonNullable<Deviation['http']> =>
  intercepts('POST', APPS.setSnippet, async (met) => {
    const response = await met.pass();
    const row = rowOf(met);
    if (response.status === 200 && row !== undefined && isMeant(met)) {
      const snippets = change(row.snippets, met);
      met.service.change(() => met.service.state.installations.set(row.authCode, { ...row, snippets }));
    }
    return response;
  });

const notEmpty = (texts: readonly (string | undefined)[]): string[] =>
  texts.filter((text): text is string => text !== undefined && text !== '');

/** The size of a text column in a common database, larger than the texts of any single check. */
const COLUMN_BYTES = 65_535;

export const snippetFaults: readonly Deviation[] = [
  kept('apps.snippet-escaped', 'Angle brackets are escaped.', AND_SHOWN, (sent) => sent.replaceAll('<', '&lt;')),
  kept('apps.snippet-as-question-marks', 'Letters outside ASCII become question marks.', AND_SHOWN, questionMarks),
  kept(
    'apps.snippet-without-emoji',
    'Characters outside the basic multilingual plane are lost; all other letters are kept.',
    KEPT,
    (sent) => sent.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  ),
  kept('apps.snippet-as-replacement-pattern', 'Dollar signs in a snippet are read as a pattern.', AND_SHOWN, (sent) =>
    'X'.replace('X', sent),
  ),
  kept('apps.snippet-decoded', 'Percent escapes in a snippet are decoded.', KEPT, (sent) =>
    sent.replaceAll('%41', 'A'),
  ),
  kept('apps.snippet-backslashes-lost', 'Backslashes in a snippet are lost.', AND_SHOWN, (sent) =>
    sent.replaceAll('\\', ''),
  ),
  kept('apps.snippet-quotes-unescaped', 'A quote loses the backslash before it.', KEPT, (sent) =>
    sent.replaceAll(/\\(["'])/g, '$1'),
  ),
  kept('apps.snippet-double-backslashes-halved', 'Of two backslashes in a row one is lost.', KEPT, (sent) =>
    sent.replaceAll('\\\\', '\\'),
  ),
  kept('apps.snippet-without-last-line-break', 'A line break that ends a snippet is lost.', KEPT, (sent) =>
    sent.replace(/\n$/, ''),
  ),
  kept('apps.snippet-without-comments', 'Comments are removed from a snippet.', KEPT, (sent) =>
    sent.replaceAll(/<!--.*?-->/gs, ''),
  ),
  kept('apps.snippet-in-double-quotes', 'Attributes in single quotes get double ones.', KEPT, (sent) =>
    sent.replaceAll(/='([^'"<>]*)'/g, '="$1"'),
  ),
  kept('apps.snippet-without-declarations', 'What HTML reads as a comment is removed.', KEPT, (sent) =>
    sent.replaceAll(/<\?[^>]*>|<!\[CDATA\[.*?\]\]>/gs, ''),
  ),
  kept('apps.snippet-without-self-closing', 'Elements that close themselves lose their slash.', KEPT, (sent) =>
    sent.replaceAll(/<(br|hr|img|input)\b([^<>]*)\/>/g, (_, name, rest) => `<${name}${rest.trimEnd()}>`),
  ),
  kept('apps.snippet-truncated-at-column', 'A snippet is cut where a column of the database ends.', KEPT, (sent) =>
    Buffer.from(sent, 'utf8')
      .subarray(0, COLUMN_BYTES)
      .toString('utf8')
      .replace(/(?<!\ufffd)\ufffd+$/, ''),
  ),
  {
    id: 'apps.snippet-of-last-language-lost',
    clauses: ['apps.snippet.language-kept'],
    about: 'Only the first two languages of a website keep snippets; for others they are accepted and lost.',
    http: intercepts('POST', APPS.setSnippet, (met) => {
      const website = met.service.state.websites.get(String(rowOf(met)?.websiteId));
      const at = website?.languages.indexOf(languageIn(met) ?? '') ?? -1;
      return at >= 2 ? Promise.resolve(success()) : met.pass();
    }),
  },
  {
    id: 'apps.snippet-appended',
    clause: REPLACED,
    about: 'A new snippet is appended to the old one, until an empty one is set.',
    http: intercepts('POST', APPS.setSnippet, (met) => {
      const sent = met.body?.snippet;
      const former = rowOf(met)?.snippets[languageIn(met) ?? '*'] ?? '';
      return met.pass(typeof sent === 'string' && sent !== '' ? { body: { ...met.body, snippet: former + sent } } : {});
    }),
  },
  {
    id: 'apps.snippet-never-cleared',
    clause: REPLACED,
    about: 'An empty snippet is accepted, and the old one remains.',
    http: intercepts('POST', APPS.setSnippet, (met) =>
      met.body?.snippet === '' ? Promise.resolve(success()) : met.pass(),
    ),
  },
  {
    id: 'apps.snippet-cleared-everywhere',
    clause: 'apps.isolation.snippets',
    about: 'An empty snippet takes back those of all installations.',
    http: intercepts('POST', APPS.setSnippet, async (met) => {
      const response = await met.pass();
      const { installations } = met.service.state;
      if (response.status === 200 && met.body?.snippet === '')
        met.service.change(() => {
          for (const row of installations.all())
            installations.patch(row.authCode, { snippets: { ...row.snippets, [languageIn(met) ?? '*']: '' } });
        });
      return response;
    }),
  },
  {
    id: 'apps.snippet-cleared-stays-on-pages',
    clause: REPLACED,
    about: 'A snippet that was emptied is read as empty, and stays on the pages that it was on.',
    rules: (correct) => {
      const shown = new Map<string, string>();
      return {
        snippetsFor: (installation, language) => {
          for (const slot of ['*', language]) {
            const text = installation.snippets[slot];
            if (text) shown.set(`${installation.authCode} ${slot}`, text);
          }
          const snippets = Object.fromEntries(
            ['*', language].map((slot) => [slot, shown.get(`${installation.authCode} ${slot}`) ?? '']),
          );
          return correct.snippetsFor({ ...installation, snippets }, language);
        },
      };
    },
  },
  {
    id: 'apps.snippet-old-beside-new',
    clause: REPLACED,
    about: 'Pages show a former snippet beside the one that replaced it.',
    rules: (correct) => {
      const shown = new Map<string, Set<string>>();
      return {
        snippetsFor: (installation, language) => {
          const all = correct.snippetsFor(installation, language);
          const key = `${installation.authCode} ${language}`;
          const before = shown.get(key) ?? new Set();
          shown.set(key, new Set([...before, ...all].slice(-4)));
          return all.length === 0 ? [] : [...shown.get(key)!];
        },
      };
    },
  },
  {
    id: 'apps.snippet-of-language-clears-general',
    clause: APART,
    about: 'Setting the snippet for a language empties the one for all pages.',
    http: besides(
      (met) => languageIn(met) !== null,
      (snippets) => ({ ...snippets, '*': '' }),
    ),
  },
  {
    id: 'apps.snippet-general-clears-languages',
    clause: APART,
    about: 'Setting the snippet for all pages empties those for languages.',
    http: besides(
      (met) => languageIn(met) === null,
      (snippets) => ({ '*': snippets['*'] ?? '' }),
    ),
  },
  {
    id: 'apps.snippet-null-language-clears-languages',
    clause: APART,
    about: 'Setting a snippet with a null language empties those for languages; without a language it does not.',
    http: besides(
      ({ body }) => body?.language === null,
      (snippets) => ({ '*': snippets['*'] ?? '' }),
    ),
  },
  {
    id: 'apps.snippet-one-language-at-a-time',
    clause: APART,
    about: 'Setting the snippet for a language empties those for other languages.',
    http: besides(
      (met) => languageIn(met) !== null,
      (snippets, met) => ({ '*': snippets['*'] ?? '', [languageIn(met)!]: snippets[languageIn(met)!] ?? '' }),
    ),
  },
  {
    id: 'apps.snippet-null-language-refused',
    clause: 'apps.snippet.null-language',
    about: 'A null language is refused.',
    http: intercepts('POST', APPS.setSnippet, ({ body, pass }) =>
      body?.language === null ? Promise.resolve(refused(400)) : pass(),
    ),
  },
  {
    id: 'apps.snippet-of-default-language-refused',
    clause: 'apps.snippet.language-kept',
    about: 'A snippet for pages in the default language is refused; one for another language is not.',
    http: intercepts('POST', APPS.setSnippet, ({ body, pass, service }) =>
      service.state.websites.find(({ defaultLanguage }) => defaultLanguage === body?.language) === undefined
        ? pass()
        : Promise.resolve(refused(422)),
    ),
  },
  {
    id: 'apps.snippet-null-language-lost',
    clause: 'apps.snippet.null-language',
    about: 'A snippet with a null language is accepted and lost.',
    http: intercepts('POST', APPS.setSnippet, ({ body, pass }) =>
      body?.language === null ? Promise.resolve(success()) : pass(),
    ),
  },
  {
    id: 'apps.snippet-language-replaces-general',
    clause: 'apps.snippet.on-every-page',
    about: 'A page with a snippet for its language lacks the general one.',
    rules: () => ({
      snippetsFor: ({ snippets }, language) => notEmpty([snippets[language] || snippets['*']]),
    }),
  },
  {
    id: 'apps.snippet-on-pages-of-default-language',
    clause: 'apps.snippet.on-every-page',
    about: 'The general snippet is on the pages of the default language only.',
    rules: () => ({
      snippetsFor: ({ snippets }, language) => notEmpty([language === 'en' ? snippets['*'] : '', snippets[language]]),
    }),
  },
  {
    id: 'apps.snippet-language-not-shown',
    clause: 'apps.snippet.language-pages',
    about: 'Snippets for a language are on no page.',
    rules: () => ({ snippetsFor: ({ snippets }) => notEmpty([snippets['*']]) }),
  },
  {
    id: 'apps.snippet-second-language-not-shown',
    clause: 'apps.snippet.language-pages',
    about: 'Snippets for the default language are on its pages; those of other languages are on none.',
    rules: () => ({
      snippetsFor: ({ snippets }, language) => notEmpty([snippets['*'], language === 'en' ? snippets.en : '']),
    }),
  },
  {
    id: 'apps.snippet-language-everywhere',
    clause: 'apps.snippet.only-language-pages',
    about: 'Snippets for a language are on the pages of all languages.',
    rules: () => ({ snippetsFor: ({ snippets }) => notEmpty(Object.values(snippets)) }),
  },
  {
    id: 'apps.snippet-of-default-language-everywhere',
    clause: 'apps.snippet.only-language-pages',
    about: 'The snippet for the default language is on the pages of all languages; others are on their own.',
    rules: () => ({
      snippetsFor: ({ snippets }, language) =>
        notEmpty([snippets['*'], snippets.en, language === 'en' ? '' : snippets[language]]),
    }),
  },
  {
    id: 'apps.snippet-of-other-language-as-fallback',
    clause: 'apps.snippet.only-language-pages',
    about: 'The pages of a language without a snippet of its own show those of the others.',
    rules: (correct) => ({
      snippetsFor: (installation, language) =>
        installation.snippets[language]
          ? correct.snippetsFor(installation, language)
          : notEmpty(Object.values(installation.snippets)),
    }),
  },
  {
    id: 'apps.snippet-in-comment',
    clause: 'apps.snippet.in-body',
    about: 'Snippets are inside comments of the page.',
    rules: (correct) => ({
      snippetsFor: (installation, language) =>
        correct.snippetsFor(installation, language).map((text) => `<!-- ${text} -->`),
    }),
  },
  {
    id: 'apps.snippet-in-head',
    clause: 'apps.snippet.in-body',
    about: 'Snippets are at the end of the head of the page.',
    rules: (correct) => ({
      snippetsFor: (installation, language) =>
        correct.snippetsFor(installation, language).map((text) => `<!--begin-->${text}<!--end-->`),
    }),
    http: pages((html) => {
      const snippets = [...html.matchAll(/<!--begin-->([\s\S]*?)<!--end-->/g)].map(([, text]) => text);
      return html
        .replaceAll(/<!--begin-->[\s\S]*?<!--end-->/g, '')
        .replace('</head>', () => `${snippets.join('')}</head>`);
    }),
  },
  {
    id: 'apps.snippet-escaped-on-page',
    clause: 'apps.snippet.in-body',
    about: 'Snippets are kept as they are, and escaped on the page.',
    rules: (correct) => ({
      snippetsFor: (installation, language) =>
        correct.snippetsFor(installation, language).map((text) => text.replaceAll('<', '&lt;')),
    }),
  },
  {
    id: 'apps.snippet-on-front-pages-only',
    clauses: ['apps.snippet.on-every-page', 'apps.snippet.language-pages'],
    about: 'The general snippet is on the first page of each language and on no other.',
    http: async (request, next) => {
      const response = await next(request);
      if (!/^\/site\/.+\/(?:about|contact)\/$/.test(new URL(request.url).pathname)) return response;
      const html = (await response.text()).replace(/<\/footer>.*<\/body>/s, '</footer></body>');
      return new Response(html, { status: response.status, headers: response.headers });
    },
  },
  {
    id: 'apps.snippet-of-language-shared',
    clause: 'apps.isolation.snippets',
    about: 'All installations of the app share the snippets for languages, but not the general one.',
    http: affectsEveryInstallation(APPS.setSnippet, (row, met) => {
      const language = languageIn(met);
      return language === null ? row : { ...row, snippets: { ...row.snippets, [language]: String(met.body?.snippet) } };
    }),
  },
  {
    id: 'apps.snippet-without-invisible-characters',
    clauses: ['apps.snippet.default-kept', 'apps.snippet.language-kept'],
    about: 'A byte order mark and zero-width spaces are removed from a snippet.',
    rules: (correct) => ({ snippetKept: (sent) => correct.snippetKept(sent.replace(/[\ufeff\u200b]/g, '')) }),
  },
  {
    id: 'apps.snippet-of-language-refused-by-a-page',
    clause: 'envelope.v1.body-is-object',
    about:
      'A snippet with markup is refused by a page where its language is unknown; one without markup by the envelope.',
    http: intercepts('POST', APPS.setSnippet, async ({ body, pass }) => {
      const response = await pass();
      const isMarkup = response.status === 400 && body?.language !== undefined && String(body.snippet).includes('<');
      return isMarkup ? page(`Not taken: ${String(body?.snippet)}`, 400) : response;
    }),
  },
  {
    id: 'apps.snippet-set-again-removed',
    clauses: ['apps.snippet.default-kept', 'apps.snippet.language-kept'],
    about: 'A snippet that is set again is removed.',
    http: intercepts('POST', APPS.setSnippet, async (met) => {
      const { body, pass, service } = met;
      const slot = service.rules.snippetSlot((body?.language ?? null) as string | null);
      const before = rowOf(met)?.snippets[slot];
      return pass(before === body?.snippet ? { body: { ...body, snippet: '' } } : undefined);
    }),
  },
];
