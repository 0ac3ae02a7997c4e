/** Building blocks for faults of Apps: calls whose credentials are corrected, and rows that are changed without a call. */

import type { Installation } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { MockService } from '../../types/service.ts';
import { type InterceptedRequest, intercepts } from '../interception.ts';

type Http = NonNullable<Deviation['http']>;

/** Paths of Apps. */
export const APPS = {
  any: /^\/v1\/apps\//,
  installed: /^\/v1\/apps\/installed\/$/,
  delete: /^\/v1\/apps\/delete\/$/,
  setSnippet: /^\/v1\/apps\/set_snippet\/$/,
  getSnippet: /^\/v1\/apps\/get_snippet\/$/,
  getLanguageSnippet: /^\/v1\/apps\/get_snippet\/([^/]+)\/$/,
  setData: /^\/v1\/apps\/set_data\/$/,
  getData: /^\/v1\/apps\/get_data\/$/,
  user: /^\/v1\/apps\/user\/$/,
  website: /^\/v1\/apps\/website\/$/,
  languages: /^\/v1\/apps\/languages\/$/,
} as const;

/** The key and the code that a call carries. */
export const keyIn = ({ request }: InterceptedRequest): string | null => request.headers.get('authorization');
export const codeIn = ({ request }: InterceptedRequest): string | null =>
  new URL(request.url).searchParams.get('authCode');

/** The row of the installation that a call is for. */
export const rowOf = (met: InterceptedRequest): Installation | undefined =>
  met.service.state.installations.get(codeIn(met) ?? '');

/** The oldest installation, with the key of its app. */
function firstOf({ state }: MockService): { readonly key: string; readonly code: string } {
  const [installation] = state.installations.all();
  const app = state.apps.get(installation?.appId ?? '');
  return { key: app?.apiKey ?? '', code: installation?.authCode ?? '' };
}

/** Passes a call on with a valid key, a valid code, or both. */
export function passWithCredentials(met: InterceptedRequest, ...what: readonly ('key' | 'code')[]): Promise<Response> {
  const { key, code } = firstOf(met.service);
  const url = new URL(met.request.url);
  if (what.includes('code')) url.searchParams.set('authCode', code);
  const headers = what.includes('key') ? { authorization: `ApiKey ${key}` } : {};
  return met.pass({ search: url.search, headers });
}

/** Calls of this kind are served with any key, or with any code. */
export const opened = (method: string, path: RegExp, ...what: readonly ('key' | 'code')[]): Http =>
  intercepts(method, path, (met) => passWithCredentials(met, ...what));

/** After a call of this kind was served, changes every installation with what the call sent. */
export const affectsEveryInstallation = (
  path: RegExp,
  change: (row: Installation, met: InterceptedRequest) => Installation,
): Http =>
  intercepts('POST', path, async (met) => {
    const response = await met.pass();
    const { state } = met.service;
    if (response.status === 200) {
      met.service.change(() => {
        for (const row of state.installations.all()) state.installations.set(row.authCode, change(row, met));
      });
    }
    return response;
  });
