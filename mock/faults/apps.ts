/** Faults of the Apps interface: one deviation each, all else as it should be. */
import type { Deviation } from '../deviation.ts';

/** Changes a value wherever it stands in data; strings and lists are data too. */
const deep = (value: unknown, change: (value: unknown) => unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, inner) => change(inner));

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const appsFaults: readonly Deviation[] = [
  {
    id: 'apps.key-case',
    clause: 'apps.credentials.near-miss-key-refused',
    about: 'Apps keys are compared without regard to case.',
    rules: () => ({
      mayServeInstallation: (app, installation, key, code) =>
        installation.authCode === code &&
        installation.appId === app.id &&
        app.apiKey.toLowerCase() === key.toLowerCase(),
    }),
  },
  {
    id: 'apps.snippet-trimmed',
    clauses: ['apps.snippet.default-kept', 'apps.snippet.language-kept'],
    about: 'White space around a snippet is lost.',
    rules: () => ({ snippetKept: (sent) => sent.trim() }),
  },
  {
    id: 'apps.snippet-line-breaks',
    clauses: ['apps.snippet.default-kept', 'apps.snippet.language-kept'],
    about: 'Line breaks of a snippet lose their carriage returns.',
    rules: () => ({ snippetKept: (sent) => sent.replaceAll('\r\n', '\n') }),
  },
  {
    id: 'apps.snippet-normalised',
    clauses: ['apps.snippet.default-kept', 'apps.snippet.language-kept'],
    about: 'Letters with marks are composed, so that the snippet has other bytes.',
    rules: () => ({ snippetKept: (sent) => sent.normalize('NFC') }),
  },
  {
    id: 'apps.snippet-language-replaces-general',
    clause: 'apps.snippet.on-every-page',
    about: 'A page with a snippet of its language is without the general one.',
    rules: () => ({
      snippetsFor: ({ snippets }, language) =>
        [snippets[language] || snippets['*'] || ''].filter((text) => text !== ''),
    }),
  },
  {
    id: 'apps.snippet-language-not-shown',
    clause: 'apps.snippet.language-pages',
    about: 'Snippets of a language are on no page.',
    rules: () => ({ snippetsFor: ({ snippets }) => [snippets['*'] ?? ''].filter((text) => text !== '') }),
  },
  {
    id: 'apps.snippet-language-everywhere',
    clause: 'apps.snippet.only-language-pages',
    about: 'Snippets of a language are on the pages of all languages.',
    rules: () => ({ snippetsFor: ({ snippets }) => Object.values(snippets).filter((text) => text !== '') }),
  },
  {
    id: 'apps.snippet-in-comment',
    clause: 'apps.snippet.in-body',
    about: 'Snippets stand in comments of the page.',
    rules: (correct) => ({
      snippetsFor: (installation, language) =>
        correct.snippetsFor(installation, language).map((text) => `<!-- ${text} -->`),
    }),
  },
  {
    id: 'apps.data-string-parsed',
    clause: 'apps.data.string-kept',
    about: 'A string that is JSON reads back as what it says.',
    rules: () => ({
      dataKept: (_before, sent) => {
        try {
          return typeof sent === 'string' ? JSON.parse(sent) : sent;
        } catch {
          return sent;
        }
      },
    }),
  },
  {
    id: 'apps.data-numbers-as-text',
    clause: 'apps.data.object-kept',
    about: 'Numbers within data become strings.',
    rules: () => ({
      dataKept: (_before, sent) =>
        isMap(sent) ? deep(sent, (value) => (typeof value === 'number' ? String(value) : value)) : sent,
    }),
  },
  {
    id: 'apps.data-empty-maps-as-lists',
    clause: 'apps.data.object-kept',
    about: 'Empty objects within data become empty lists.',
    rules: () => ({
      dataKept: (_before, sent) =>
        isMap(sent) ? deep(sent, (value) => (isMap(value) && Object.keys(value).length === 0 ? [] : value)) : sent,
    }),
  },
  {
    id: 'apps.data-merged',
    clause: 'apps.data.replaced-whole',
    about: 'New data is laid over the old.',
    rules: () => ({ dataKept: (before, sent) => (isMap(before) && isMap(sent) ? { ...before, ...sent } : sent) }),
  },
  {
    id: 'apps.email-confirmed-as-number',
    clause: 'apps.user.email-confirmed',
    about: 'Whether the e-mail is confirmed is 0 or 1.',
    rules: (correct) => ({ userRecord: (website) => ({ ...correct.userRecord(website), email_confirmed: 1 }) }),
  },
  {
    id: 'apps.website-url-without-scheme',
    clause: 'apps.website.url',
    about: 'The address of the website is a bare host name.',
    rules: (correct) => ({
      websiteRecordForApps: (website, url) => ({ ...correct.websiteRecordForApps(website, url), url: 'shop.example' }),
    }),
  },
  {
    id: 'apps.languages-lack-one',
    clause: 'apps.languages.of-website',
    about: 'The first language of the website is not listed.',
    rules: () => ({ languagesRecord: (site) => site.languages.slice(1) }),
  },
];
