/** Faults of the app's key and the installation's code. */

import type { App, Installation } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import {
  asLikePattern,
  asRegularExpression,
  byLettersAndDigits,
  type Comparison,
  fromTheEnd,
  inAnyOrder,
} from '../comparisons.ts';
import { intercepts, refused, remembering, responsesOf } from '../interception.ts';
import { APPS, codeIn, keyIn, opened, passWithCredentials, rowOf } from './interception.ts';

type Http = NonNullable<Deviation['http']>;

type MakesRules = NonNullable<Deviation['rules']>;

/** Replaces a key before it is compared. */
const keyRead =
  (read: (key: string, app: App) => string): MakesRules =>
  (correct) => ({
    mayServeInstallation: (app, installation, key, code) =>
      correct.mayServeInstallation(app, installation, read(key, app), code),
  });

/** Replaces a code before it is compared. */
const codeRead =
  (read: (code: string, installation: Installation) => string): MakesRules =>
  (correct) => ({
    mayServeInstallation: (app, installation, key, code) =>
      correct.mayServeInstallation(app, installation, key, read(code, installation)),
  });

/** A key that is compared in another way. */
const keysCompared = (id: string, about: string, clause: string, isSame: Comparison): Deviation => ({
  id,
  clause,
  about,
  rules: keyRead((key, { apiKey }) => (isSame(key, apiKey) ? apiKey : key)),
});

/** A code that is compared in another way. */
const codesCompared = (id: string, about: string, clause: string, isSame: Comparison): Deviation => ({
  id,
  clause,
  about,
  rules: codeRead((code, { authCode }) => (isSame(code, authCode) ? authCode : code)),
});

/** One call that requires fewer credentials than the others. */
const forgets = (
  id: string,
  about: string,
  clause: 'apps.credentials.every-read' | 'apps.credentials.every-write',
  http: Http,
  /** Further clauses that the same deviation breaks. */
  also: readonly string[] = [],
): Deviation => ({ id, clauses: [clause, ...also], about, http });

const READS = 'apps.credentials.every-read';
const WRITES = 'apps.credentials.every-write';
const REFUSED_CHANGES_NOTHING = 'envelope.delivery.refusal-changes-nothing';

export const credentialFaults: readonly Deviation[] = [
  {
    id: 'apps.key-as-regular-expression',
    clause: 'apps.credentials.near-miss-key-refused',
    about: 'An apps key is a regular expression.',
    rules: keyRead((key, { apiKey }) => (asRegularExpression(key, apiKey) ? apiKey : key)),
  },
  {
    id: 'apps.key-as-like-pattern',
    clause: 'apps.credentials.near-miss-key-refused',
    about: 'An apps key is a pattern of LIKE.',
    rules: keyRead((key, { apiKey }) => (asLikePattern(key, apiKey) ? apiKey : key)),
  },
  {
    id: 'apps.key-null-accepted',
    clause: 'apps.credentials.wrong-key-refused',
    about: 'The word null is accepted as the key of every app.',
    rules: keyRead((key, { apiKey }) => (key === 'null' ? apiKey : key)),
  },
  {
    id: 'apps.key-zero-accepted',
    clause: 'apps.credentials.wrong-key-refused',
    about: 'A zero is accepted as the key of every app.',
    rules: keyRead((key, { apiKey }) => (key === '0' ? apiKey : key)),
  },
  {
    id: 'apps.code-as-like-pattern',
    clause: 'apps.credentials.near-miss-auth-code-refused',
    about: 'An authCode is a pattern of LIKE.',
    rules: codeRead((code, { authCode }) => (asLikePattern(code, authCode) ? authCode : code)),
  },
  {
    id: 'apps.code-as-regular-expression',
    clause: 'apps.credentials.near-miss-auth-code-refused',
    about: 'An authCode is a regular expression.',
    rules: codeRead((code, { authCode }) => (asRegularExpression(code, authCode) ? authCode : code)),
  },
  {
    id: 'apps.code-null-accepted',
    clause: 'apps.credentials.wrong-auth-code-refused',
    about: 'The word null is accepted as the authCode of the first installation.',
    rules: codeRead((code, { authCode }) => (code === 'null' ? authCode : code)),
  },
  {
    id: 'apps.code-zero-accepted',
    clause: 'apps.credentials.wrong-auth-code-refused',
    about: 'A zero is accepted as the authCode of the first installation.',
    rules: codeRead((code, { authCode }) => (code === '0' ? authCode : code)),
  },
  {
    id: 'apps.code-as-operator',
    clause: 'apps.credentials.missing-auth-code-refused',
    about: 'The parameter authCode[$ne] finds the first installation whose code is another one.',
    http: intercepts('*', APPS.any, (met) =>
      new URL(met.request.url).searchParams.has('authCode[$ne]') ? passWithCredentials(met, 'code') : met.pass(),
    ),
  },
  {
    id: 'apps.key-case',
    clause: 'apps.credentials.near-miss-key-refused',
    about: 'Apps keys are compared without regard to letter case.',
    rules: keyRead((key, { apiKey }) => (key.toLowerCase() === apiKey.toLowerCase() ? apiKey : key)),
  },
  {
    id: 'apps.key-truncated',
    clause: 'apps.credentials.near-miss-key-refused',
    about: 'A key without its last character is accepted; one with another character is refused.',
    rules: keyRead((key, { apiKey }) => (apiKey.startsWith(key) ? apiKey : key)),
  },
  {
    id: 'apps.key-with-suffix',
    clause: 'apps.credentials.near-miss-key-refused',
    about: 'A key is compared only up to the length of the correct one.',
    rules: keyRead((key, { apiKey }) => key.slice(0, apiKey.length)),
  },
  {
    id: 'apps.key-prefix',
    clause: 'apps.credentials.near-miss-key-refused',
    about: 'The first eight characters of a key are enough.',
    rules: keyRead((key, { apiKey }) => (key.slice(0, 8) === apiKey.slice(0, 8) ? apiKey : key)),
  },
  keysCompared(
    'apps.key-preceded',
    'A text that ends with an apps key is accepted.',
    'apps.credentials.near-miss-key-refused',
    fromTheEnd,
  ),
  keysCompared(
    'apps.key-letters-and-digits-only',
    'Apps keys are compared by their letters and digits only.',
    'apps.credentials.near-miss-key-refused',
    byLettersAndDigits,
  ),
  keysCompared(
    'apps.key-in-any-order',
    'The characters of an apps key are added up: in another order they are accepted.',
    'apps.credentials.wrong-key-refused',
    inAnyOrder,
  ),
  codesCompared(
    'apps.code-preceded',
    'A text that ends with a code is accepted.',
    'apps.credentials.near-miss-auth-code-refused',
    fromTheEnd,
  ),
  codesCompared(
    'apps.code-letters-and-digits-only',
    'Codes are compared by their letters and digits only.',
    'apps.credentials.near-miss-auth-code-refused',
    byLettersAndDigits,
  ),
  codesCompared(
    'apps.code-in-any-order',
    'The characters of a code are added up: in another order they are accepted.',
    'apps.credentials.wrong-auth-code-refused',
    inAnyOrder,
  ),
  {
    id: 'apps.key-not-compared',
    clauses: ['apps.credentials.wrong-key-refused', 'apps.credentials.near-miss-key-refused'],
    about: 'Any key is accepted with a correct code; a missing key is refused.',
    rules: keyRead((_key, { apiKey }) => apiKey),
  },
  {
    id: 'apps.key-of-store-accepted',
    clause: 'apps.credentials.wrong-key-refused',
    about: 'The key of any store is accepted by Apps; unknown keys are refused.',
    http: intercepts('*', APPS.any, (met) => {
      const isStores = met.service.state.websites.all().some(({ apiKey }) => keyIn(met) === `ApiKey ${apiKey}`);
      return isStores ? passWithCredentials(met, 'key') : met.pass();
    }),
  },
  {
    id: 'apps.key-not-required',
    clause: 'apps.credentials.missing-key-refused',
    about: 'The languages are returned without a key; everything else requires one.',
    http: intercepts('GET', APPS.languages, (met) =>
      keyIn(met) === null ? passWithCredentials(met, 'key') : met.pass(),
    ),
  },
  {
    id: 'apps.key-empty-accepted',
    clause: 'apps.credentials.missing-key-refused',
    about: 'A header with the scheme and no key is accepted.',
    http: intercepts('*', APPS.any, (met) => (keyIn(met) === 'ApiKey' ? passWithCredentials(met, 'key') : met.pass())),
  },
  {
    id: 'apps.code-case',
    clause: 'apps.credentials.near-miss-auth-code-refused',
    about: 'Codes of installations are compared without regard to letter case.',
    rules: codeRead((code, { authCode }) => (code.toLowerCase() === authCode.toLowerCase() ? authCode : code)),
  },
  {
    id: 'apps.code-prefix',
    clause: 'apps.credentials.near-miss-auth-code-refused',
    about: 'The first eight characters of a code are enough.',
    rules: codeRead((code, { authCode }) => (code.slice(0, 8) === authCode.slice(0, 8) ? authCode : code)),
  },
  {
    id: 'apps.code-suffix',
    clause: 'apps.credentials.near-miss-auth-code-refused',
    about: 'The first character of a code is not compared.',
    rules: codeRead((code, { authCode }) => `${authCode[0]}${code.slice(1)}`),
  },
  {
    id: 'apps.code-unknown-accepted',
    clauses: ['apps.credentials.wrong-auth-code-refused', 'apps.credentials.near-miss-auth-code-refused'],
    about: 'An unknown code is accepted as that of the app’s first installation.',
    http: intercepts('*', APPS.any, (met) => {
      const code = codeIn(met);
      const isIssued = met.service.state.installations.get(code ?? '') !== undefined;
      return code === null || code === '' || isIssued ? met.pass() : passWithCredentials(met, 'code');
    }),
  },
  {
    id: 'apps.code-not-required',
    clause: 'apps.credentials.missing-auth-code-refused',
    about: 'The languages are returned without a code; everything else requires one.',
    http: intercepts('GET', APPS.languages, (met) =>
      codeIn(met) === null ? passWithCredentials(met, 'code') : met.pass(),
    ),
  },
  {
    id: 'apps.code-empty-accepted',
    clause: 'apps.credentials.missing-auth-code-refused',
    about: 'An empty code is accepted as that of the app’s first installation.',
    http: intercepts('*', APPS.any, (met) => (codeIn(met) === '' ? passWithCredentials(met, 'code') : met.pass())),
  },
  forgets('apps.user-for-any-key', 'The user is returned for any key.', READS, opened('GET', APPS.user, 'key')),
  forgets(
    'apps.website-for-any-code',
    'The website is returned for any code.',
    READS,
    opened('GET', APPS.website, 'code'),
  ),
  forgets('apps.data-read-with-any-key', 'Data is read with any key.', READS, opened('GET', APPS.getData, 'key')),
  forgets(
    'apps.data-read-with-any-code',
    'Data of the first installation is read with any code.',
    READS,
    intercepts('GET', APPS.getData, ownOrFirst),
  ),
  forgets(
    'apps.snippet-read-with-any-key',
    'The snippet is read with any key.',
    READS,
    opened('GET', APPS.getSnippet, 'key'),
  ),
  forgets(
    'apps.snippet-of-language-read-with-any-key',
    'Snippets for languages are read with any key; the general one is not.',
    READS,
    opened('GET', APPS.getLanguageSnippet, 'key'),
  ),
  forgets(
    'apps.data-set-with-any-key',
    'Data is set with any key; everything else requires the correct one.',
    WRITES,
    opened('POST', APPS.setData, 'key'),
  ),
  forgets(
    'apps.snippet-set-with-any-code',
    'Snippets are set with any code.',
    WRITES,
    intercepts('POST', APPS.setSnippet, ownOrFirst),
  ),
  forgets(
    'apps.installed-with-any-key',
    'Any key finishes an installation.',
    WRITES,
    opened('POST', APPS.installed, 'key'),
  ),
  forgets(
    'apps.snippet-refused-and-set',
    'A snippet that is sent without a code is refused, but still set for the first installation.',
    WRITES,
    intercepts('POST', APPS.setSnippet, async (met) => {
      const response = await met.pass();
      if (codeIn(met) === null) await passWithCredentials(met, 'code');
      return response;
    }),
    [REFUSED_CHANGES_NOTHING],
  ),
  {
    id: 'apps.refused-as-403',
    clause: 'apps.credentials.code-401',
    about: 'Bad credentials are refused with 403, as status and as code.',
    rules: responsesOf(
      'apps',
      () => true,
      (response) =>
        response.status === 401 ? { ...response, status: 403, body: { ...response.body, error_code: 403 } } : response,
    ),
  },
  {
    id: 'apps.website-not-served',
    clause: 'apps.credentials.accepted',
    about: 'The website call finds no installation; the others do.',
    http: intercepts('GET', APPS.website, async ({ pass }) => {
      const response = await pass();
      return response.status === 200 ? refused(404, 'No such installation.') : response;
    }),
  },
  {
    id: 'apps.website-of-last-caller',
    clause: 'apps.website.of-installation',
    about: 'The website call returns the website of the installation that called it before.',
    http: remembering(() => {
      let last: Response | undefined;
      return intercepts('GET', APPS.website, async ({ pass }) => {
        const response = await pass();
        if (response.status !== 200) return response;
        const earlier = last ?? response;
        last = response.clone();
        return earlier.clone();
      });
    }),
  },
  {
    id: 'apps.website-of-second-not-served',
    clause: 'apps.credentials.accepted',
    about: 'The website call ends with an error for every installation but the first.',
    http: intercepts('GET', APPS.website, async (met) => {
      const response = await met.pass();
      const [first] = met.service.state.installations.all();
      return response.status === 200 && codeIn(met) !== first?.authCode ? refused(500, 'Internal error.') : response;
    }),
  },
  forgets(
    'apps.snippet-of-language-set-with-any-key',
    'Snippets for languages are set with any key; the general one is not.',
    WRITES,
    intercepts('POST', APPS.setSnippet, (met) => (met.body?.language ? passWithCredentials(met, 'key') : met.pass())),
  ),
  forgets(
    'apps.user-read-with-key-of-a-provider',
    'The user is read with the key of a delivery provider; other calls refuse it.',
    READS,
    intercepts('GET', APPS.user, (met) => {
      const isProviders = met.service.state.providers.all().some(({ apiKey }) => keyIn(met) === `ApiKey ${apiKey}`);
      return isProviders ? passWithCredentials(met, 'key') : met.pass();
    }),
  ),
];

/** Keeps a valid code; replaces any other with the code of the first installation. */
function ownOrFirst(met: Parameters<typeof passWithCredentials>[0]): Promise<Response> {
  const isIssued = rowOf(met) !== undefined;
  return isIssued ? met.pass() : passWithCredentials(met, 'code');
}
