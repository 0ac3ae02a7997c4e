/** Mistakes of apps in their calls. */
import type { Json } from '../client.ts';
import { at, inBody, inPath, type Mistake } from './mistake.ts';

const OPERATIONS = 'app.calls.known-operations';
const SNIPPET = 'app.calls.snippet-string';
const CODE = 'app.calls.auth-code-in-query';
const DATA = 'app.calls.data-string-or-object';
const SET_DATA = /\/set_data\/$/;
const SET_SNIPPET = /\/set_snippet\/$/;

const ofLanguage = (change: (body: Json) => unknown) =>
  inBody(SET_SNIPPET, (body) => ('language' in body ? change(body) : body));

export const APP_MISTAKES: readonly Mistake[] = [
  {
    ...{ id: 'app.code-in-body', about: 'The code is in the body.', clause: CODE },
    change: at(SET_DATA, ({ path, body }) => ({
      ...{ path: path.replace(/\?.*/, ''), body: { ...(body as Json), authCode: 'c' } },
    })),
  },
  {
    ...{ id: 'app.code-under-other-name', about: 'The code is called auth_code.', clause: CODE },
    change: inPath('apps', (path) => path.replace('authCode=', 'auth_code=')),
  },
  {
    ...{ id: 'app.code-in-small-letters', about: 'The parameter of the code is in small letters.' },
    clause: 'app.calls.auth-code-spelling',
    change: inPath('apps', (path) => path.replace('authCode=', 'authcode=')),
  },
  {
    ...{ id: 'app.code-not-filled-in', about: 'A placeholder is in the place of the code.', clause: CODE },
    change: inPath('apps', (path) => path.replace(/authCode=.*/, 'authCode=null')),
  },
  {
    ...{ id: 'app.code-cut', about: 'The code lost its last characters.', clause: CODE },
    change: inPath('apps', (path) => (path.includes('get_data') ? path.slice(0, -4) : path)),
  },
  {
    ...{ id: 'app.two-codes', about: 'A second code is added to the address, which already has one.', clause: CODE },
    change: inPath('apps', (path) => path.replace(/(authCode=[^&]*)/, '$1&authCode=other')),
  },
  {
    ...{ id: 'app.code-as-key', about: 'The code is in the header in place of the key.' },
    clause: 'app.calls.authorization-header',
    change: at('apps', ({ path }) => ({ authorization: `ApiKey ${path.replace(/.*authCode=/, '')}` })),
  },
  {
    ...{ id: 'app.key-as-bearer', about: 'The key follows the word Bearer.', clause: 'app.calls.authorization-header' },
    change: at('apps', ({ authorization }) => ({ authorization: authorization?.replace('ApiKey', 'Bearer') })),
  },
  {
    ...{ id: 'app.installed-by-get', about: 'The app calls installed by GET.', clause: OPERATIONS },
    change: at(/\/installed\/$/, () => ({ method: 'GET' })),
  },
  {
    ...{ id: 'app.install', about: 'The app calls install in place of installed.', clause: OPERATIONS },
    change: inPath('apps', (path) => path.replace('/installed/', '/install/')),
  },
  {
    ...{ id: 'app.language-as-parameter', about: 'The language of a snippet is in the query.', clause: OPERATIONS },
    change: inPath('apps', (path) => path.replace(/get_snippet\/([a-z]+)\/\?/, 'get_snippet/?language=$1&')),
  },
  {
    ...{ id: 'app.data-as-list', about: 'Data is a list.', clause: DATA },
    change: inBody(SET_DATA, () => ({ data: [1, 2] })),
  },
  {
    ...{ id: 'app.data-as-number', about: 'Data is a number.', clause: DATA },
    change: inBody(SET_DATA, () => ({ data: 5 })),
  },
  {
    ...{ id: 'app.data-as-empty-list', about: 'Data is an empty list.', clause: 'app.calls.data-empty-list' },
    change: inBody(SET_DATA, ({ data }) => ({ data: JSON.stringify(data) === '{}' ? [] : data })),
  },
  {
    ...{ id: 'app.data-without-name', about: 'The members of data are the body.', clause: DATA },
    change: inBody(SET_DATA, ({ data }) => (typeof data === 'object' ? data : { data })),
  },
  {
    ...{ id: 'app.data-as-form', about: 'Data is sent as a form.', clause: 'envelope.v1.request-bodies-are-json' },
    change: at(SET_DATA, () => ({ body: undefined, form: { data: 'x' } })),
  },
  {
    ...{ id: 'app.snippet-as-object', about: 'A snippet is an object.', clause: SNIPPET },
    change: inBody(SET_SNIPPET, ({ snippet, ...rest }) => ({ ...rest, snippet: { html: snippet } })),
  },
  {
    ...{ id: 'app.snippet-under-other-name', about: 'A snippet is called html.', clause: SNIPPET },
    change: inBody(SET_SNIPPET, ({ snippet, ...rest }) => ({ ...rest, html: snippet })),
  },
  {
    ...{ id: 'app.snippet-for-name', about: 'The language of a snippet is its name.', clause: SNIPPET },
    change: ofLanguage((body) => ({ ...body, language: 'English' })),
  },
  {
    ...{ id: 'app.snippet-for-capitals', about: 'The language of a snippet is in capitals.', clause: SNIPPET },
    change: ofLanguage((body) => ({ ...body, language: String(body.language).toUpperCase() })),
  },
  {
    ...{ id: 'app.snippet-for-lang', about: 'The language of a snippet is called lang.', clause: SNIPPET },
    change: ofLanguage(({ language, ...body }) => ({ ...body, lang: language })),
  },
  {
    ...{ id: 'app.snippets-for-languages', about: 'A snippet is for a list of languages.', clause: SNIPPET },
    change: ofLanguage((body) => ({ ...body, language: [body.language] })),
  },
  {
    ...{ id: 'app.snippet-for-empty-language', about: 'The language of a snippet of all pages is the empty text.' },
    clause: SNIPPET,
    change: inBody(SET_SNIPPET, (body) => ({ language: '', ...body })),
  },
  {
    ...{ id: 'app.snippet-for-no-language', about: 'A snippet of all pages names null as its language.' },
    change: inBody(SET_SNIPPET, (body) => ({ language: null, ...body })),
  },
];
