/** Silences about the Apps interface. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { bodiesOf, intercepts, json, refused } from '../../../mock/faults/interception.ts';
import type { CallName } from '../../../mock/http/call.ts';
import type { Reading, ReadingAnswer } from '../reading.ts';
import { leaving, ofApps, textsIn } from './demands.ts';
import { cachedPages } from './page-cache.ts';

const ENDPOINTS = 'Endpoints, B. Apps endpoints';
const SNIPPET = /^\/v1\/apps\/set_snippet\/$/;
const DATA = /^\/v1\/apps\/set_data\/$/;

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** The response to a read when nothing is stored. */
const never = (
  id: string,
  about: string,
  operations: readonly CallName[],
  name: string,
  change: (body: Record<string, unknown>) => unknown,
): ReadingAnswer => ({
  id,
  about,
  rules: bodiesOf('apps', operations, (body) => (isNothing(body[name]) ? change(body) : body)),
});

const neverSnippet = (id: string, about: string, change: () => unknown): ReadingAnswer =>
  never(id, about, ['getSnippet', 'getLanguageSnippet'], 'snippet', change);
const neverData = (id: string, about: string, change: () => unknown): ReadingAnswer =>
  never(id, about, ['getData'], 'data', change);

/** Refuses to read what was never set. */
const notFound = (path: RegExp, name: string): NonNullable<ReadingAnswer['http']> =>
  intercepts('GET', path, async ({ pass }) => {
    const response = await pass();
    if (response.status !== 200) return response;
    const body = (await response.json()) as Record<string, unknown>;
    return isNothing(body[name]) ? refused(404, 'Nothing was set.') : json(body);
  });

const snippets = (
  id: string,
  about: string,
  isGood: (text: string) => boolean,
  undecides?: ReadingAnswer['undecides'],
): ReadingAnswer => ({
  id,
  about,
  ...leaving(undecides),
  http: ofApps(SNIPPET, ({ snippet }) =>
    typeof snippet !== 'string' || isGood(snippet) ? undefined : 'This snippet can not be used.',
  ),
});

const data = (id: string, about: string, isGood: (value: unknown) => boolean): ReadingAnswer => ({
  id,
  about,
  http: ofApps(DATA, (body) => (isGood(body.data) ? undefined : 'This data can not be kept.')),
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const besideError = (id: string, about: string, error: false | null): ReadingAnswer => ({
  id,
  about,
  rules: bodiesOf(
    'apps',
    ['getSnippet', 'getLanguageSnippet', 'getData', 'getUser', 'getWebsite', 'getLanguages'],
    (body) => ({ error, ...body }),
  ),
});

export const appReadings: readonly Reading[] = [
  {
    id: 'apps.snippet-unset',
    section: ENDPOINTS,
    silence: 'What reading a snippet gives that was never set.',
    answers: [
      neverSnippet('null', 'null.', () => ({ snippet: null })),
      neverSnippet('omitted', 'Nothing.', () => ({})),
      neverSnippet('error-false', 'The success envelope.', () => ({ error: false })),
      { id: 'refused', about: 'A refusal.', http: notFound(/^\/v1\/apps\/get_snippet\//, 'snippet') },
    ],
  },
  {
    id: 'apps.data-unset',
    section: ENDPOINTS,
    silence: 'What reading data gives that was never set.',
    answers: [
      neverData('empty-text', 'The empty string.', () => ({ data: '' })),
      neverData('empty-object', 'An empty object.', () => ({ data: {} })),
      neverData('empty-list', 'An empty list.', () => ({ data: [] })),
      neverData('omitted', 'Nothing.', () => ({})),
      { id: 'refused', about: 'A refusal.', http: notFound(/^\/v1\/apps\/get_data\/$/, 'data') },
    ],
  },
  {
    id: 'apps.snippet-of-language',
    section: ENDPOINTS,
    silence: 'What reading the snippet for a language gives where only the one of all pages is set.',
    answers: [
      {
        id: 'falls-back',
        about: 'The one of all pages.',
        rules: (correct) => ({
          snippetRead: (installation, language) =>
            correct.snippetRead(installation, language) || correct.snippetRead(installation, null),
        }),
      },
    ],
  },
  {
    id: 'apps.pages-cached',
    section: ENDPOINTS,
    silence: 'How soon a public page shows a snippet that was set.',
    answers: [
      {
        id: 'whatever-the-query',
        about: 'When a cache that ignores the query and the headers of a visitor has expired.',
        http: cachedPages,
      },
    ],
  },
  {
    id: 'apps.snippet-form',
    section: 'Resources and their fields, App records (B)',
    silence: 'Which HTML a snippet may hold, and how long it is.',
    answers: [
      ...[200, 1000, 4000].map((count) =>
        snippets(`at-most-${count}`, `At most ${count} characters.`, (text) => text.length <= count),
      ),
      snippets('not-empty', 'Not empty.', (text) => text.trim() !== ''),
      snippets(
        'one-script',
        'One script by its address, if it holds anything.',
        (text) => text === '' || /^<script src="https:\/\/[^"]+"><\/script>$/.test(text),
      ),
      snippets('no-scripts', 'No scripts.', (text) => !/<script/i.test(text)),
      snippets('ascii', 'ASCII only.', (text) => /^[\x00-\x7f]*$/.test(text)),
      snippets('basic-plane', 'No character of four bytes.', (text) => /^[\u0000-\uffff]*$/u.test(text)),
      snippets('begins-with-tag', 'Begins with a tag, if it holds anything.', (text) => text === '' || /^</.test(text)),
      snippets('no-controls', 'No control characters.', (text) => /^[^\p{Cc}]*$/u.test(text)),
    ],
  },
  {
    id: 'apps.data-form',
    section: 'Resources and their fields, App records (B)',
    silence: 'How large data may be, and what its object may hold.',
    answers: [
      ...[200, 1000, 4000].map((count) =>
        data(
          `at-most-${count}`,
          `At most ${count} characters of JSON.`,
          (value) => JSON.stringify(value ?? null).length <= count,
        ),
      ),
      data('three-levels', 'At most three levels.', (value) => depthOf(value) <= 3),
      data(
        'plain-keys',
        'Keys of letters, digits and underscores.',
        (value) => !isJsonObject(value) || Object.keys(value).every((key) => /^\w+$/.test(key)),
      ),
      data('ascii', 'ASCII only.', (value) => textsIn(value).every((text) => /^[\x00-\x7f]*$/.test(text))),
      data(
        'not-empty',
        'Not empty.',
        (value) => value !== '' && !(isJsonObject(value) && Object.keys(value).length === 0),
      ),
      data('no-nulls', 'No null.', (value) => !/\bnull\b/.test(JSON.stringify(value ?? ''))),
      data('no-lists', 'No list in place of data.', (value) => !Array.isArray(value)),
    ],
  },
  {
    id: 'apps.spaces-around-codes',
    section: ENDPOINTS,
    silence: 'Whether spaces around a parameter belong to it: many frameworks remove them.',
    answers: [
      {
        id: 'removed',
        about: 'An authCode is compared without the spaces around it.',
        rules: (correct) => ({
          mayServeInstallation: (app, installation, key, code) =>
            correct.mayServeInstallation(app, installation, key, code.trim()),
        }),
      },
    ],
  },
  {
    id: 'apps.installed-again',
    section: ENDPOINTS,
    silence: 'How a second call that finishes an installation is answered.',
    answers: [
      {
        id: 'refused',
        about: 'It is refused.',
        http: intercepts('POST', /^\/v1\/apps\/installed\/$/, async ({ request, pass, service }) => {
          const code = new URL(request.url).searchParams.get('authCode');
          const isDone = service.state.installations.get(code ?? '')?.installed === true;
          const response = await pass();
          return isDone && response.status === 200 ? refused(409, 'It is finished already.') : response;
        }),
      },
    ],
  },
  {
    id: 'apps.record-values',
    section: 'Resources and their fields, App records (B)',
    silence: 'Which values the records take within their types.',
    answers: [
      {
        id: 'empty-brandname',
        about: 'The website has no brand name.',
        rules: (correct) => ({
          websiteRecordForApps: (website, url) => ({ ...correct.websiteRecordForApps(website, url), brandname: '' }),
        }),
      },
      {
        id: 'further-fields',
        about: 'Records carry fields of the service.',
        rules: (correct) => ({
          userRecord: (website) => ({ ...correct.userRecord(website), name: null, roles: [] }),
          websiteRecordForApps: (website, url) => ({ ...correct.websiteRecordForApps(website, url), id: 7 }),
        }),
      },
      {
        id: 'languages-turned',
        about: 'Languages come in another order.',
        rules: (correct) => ({ languagesRecord: (site) => correct.languagesRecord(site).toReversed() }),
      },
      {
        id: 'languages-in-any-order',
        about: 'Languages come in another order each time.',
        rules: (correct) => {
          let calls = 0;
          return {
            languagesRecord: (site) => {
              const all = correct.languagesRecord(site);
              const from = ++calls % Math.max(1, all.length);
              return [...all.slice(from), ...all.slice(0, from)];
            },
          };
        },
      },
      {
        id: 'other-forms',
        about:
          'The website is a folder of a host with letters of its language; its name and the address of its user hold signs.',
        rules: (correct) => ({
          websiteRecordForApps: (website, url) => ({
            ...correct.websiteRecordForApps(website, url),
            url: 'http://büro-š.example:8443/shop/?lang=en',
            brandname: '<b>“Žagars & Co” 🛍️</b>\u00a0',
          }),
          userRecord: (website) => ({
            ...correct.userRecord(website),
            email: "O'Brien+shop@müller.example",
            email_confirmed: false,
          }),
        }),
      },
      {
        id: 'address-without-slash',
        about: 'The address of the website has no slash at the end.',
        rules: (correct) => ({
          websiteRecordForApps: (website, url) => correct.websiteRecordForApps(website, url.replace(/\/$/, '')),
        }),
      },
    ],
  },
  {
    id: 'apps.beside-error',
    section: ENDPOINTS,
    silence: 'Whether data comes beside error: false.',
    answers: [
      besideError('error-false', 'It does.', false),
      besideError('error-null', 'It comes beside error: null, which is missing.', null),
    ],
  },
];
