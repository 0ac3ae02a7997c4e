/** Faults of calls that also change what they are not about, or that change something although they are refused. */

import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../http/request.ts';
import type { Installation } from '../../state/state.ts';
import type { Deviation, Http } from '../../types/deviation.ts';
import { type InterceptedRequest, intercepts, MOMENT_MS, memory, refused, remembering } from '../interception.ts';
import { APPS, codeIn, rowOf } from './interception.ts';

/** Refuses as usual, and changes the installation all the same. */
const changedWhenRefused =
  (change: (row: Installation, sent: InterceptedRequest['body']) => Partial<Installation>) =>
  async (met: InterceptedRequest): Promise<Response> => {
    const response = await met.pass();
    const { installations } = met.service.state;
    const row = rowOf(met);
    if (response.status === 400 && row !== undefined)
      met.service.change(() => installations.patch(row.authCode, change(row, met.body)));
    return response;
  };

export const sideEffectFaults: readonly Deviation[] = [
  {
    id: 'apps.snippet-of-language-read-for-empty-general',
    clause: 'apps.snippet.default-and-language-separate',
    about: 'While the snippet for all pages is empty, that of a language is read in its place.',
    rules: (correct) => ({
      snippetRead: (installation, language) => {
        const own = correct.snippetRead(installation, language);
        return language === null && own === '' ? (Object.values(installation.snippets).find(Boolean) ?? own) : own;
      },
    }),
  },
  {
    id: 'apps.data-cleared-by-snippet',
    clause: 'apps.data.string-kept',
    about: 'Setting a snippet empties the data.',
    http: intercepts('POST', APPS.setSnippet, async (met) => {
      const response = await met.pass();
      const row = rowOf(met);
      if (response.status === 200 && row !== undefined) {
        met.service.change(() => met.service.state.installations.set(row.authCode, { ...row, data: undefined }));
      }
      return response;
    }),
  },
  {
    id: 'apps.data-set-at-once-mixed-up',
    clause: 'apps.isolation.data',
    about: 'Of data that two installations set at the same time, both come to the installation that was first.',
    http: remembering(() => {
      const underWay = memory(() => ({ code: null as string | null }));
      return intercepts('POST', APPS.setData, async (met) => {
        const now = underWay(met.service);
        const [code, own] = [now.code, codeIn(met)];
        now.code ??= own;
        await setTimeout(MOMENT_MS);
        now.code = null;
        const { installations } = met.service.state;
        if (code === null || own === null || !installations.has(code) || !installations.has(own)) return met.pass();
        return met.pass({ search: `?${new URLSearchParams({ authCode: code })}` });
      });
    }),
  },
  {
    id: 'apps.snippet-lost-to-data-at-once',
    clause: 'apps.snippet.default-kept',
    about: 'Setting data writes the snippets back as it read them before, so that one set meanwhile is lost.',
    // The snippets are read when the call arrives, before its body is.
    http: Object.assign<Http, Pick<Http, 'isAbout'>>(
      async (request, next, service) => {
        const code = new URL(request.url).searchParams.get('authCode') ?? '';
        const { installations } = service.state;
        const before = installations.get(code);
        await setTimeout(MOMENT_MS);
        const response = await next(request);
        if (response.status === 200 && before !== undefined)
          service.change(() => installations.patch(code, { snippets: before.snippets }));
        return response;
      },
      { isAbout: (method, path) => method === 'POST' && APPS.setData.test(path) },
    ),
  },
  {
    id: 'apps.snippets-lost-to-each-other-at-once',
    clause: 'apps.snippet.default-kept',
    about: 'The snippets of an installation are one document: of two that are set at the same time one is lost.',
    http: intercepts('POST', APPS.setSnippet, async (met) => {
      const code = codeIn(met) ?? '';
      const { installations } = met.service.state;
      const before = installations.get(code);
      await setTimeout(MOMENT_MS);
      const response = await met.pass();
      const language = isObject(met.body) && typeof met.body.language === 'string' ? met.body.language : '*';
      const now = installations.get(code)?.snippets[language];
      if (response.status === 200 && before !== undefined && now !== undefined)
        met.service.change(() => installations.patch(code, { snippets: { ...before.snippets, [language]: now } }));
      return response;
    }),
  },
  {
    id: 'apps.refused-data-clears',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'Data that is neither a string nor an object is refused, and what was there before is gone.',
    http: intercepts(
      'POST',
      APPS.setData,
      changedWhenRefused(() => ({ data: null })),
    ),
  },
  {
    id: 'apps.refused-language-sets-general-snippet',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'A snippet for an unknown language is refused, and becomes the one for all pages.',
    http: intercepts(
      'POST',
      APPS.setSnippet,
      changedWhenRefused(({ snippets }, sent) =>
        typeof sent?.snippet === 'string' ? { snippets: { ...snippets, '*': sent.snippet } } : {},
      ),
    ),
  },
  {
    id: 'apps.refused-long-snippet-kept',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'A snippet of more than 65,535 characters is refused, and stored all the same.',
    http: intercepts('POST', APPS.setSnippet, async (met) => {
      const response = await met.pass();
      const sent = isObject(met.body) && typeof met.body.snippet === 'string' ? met.body.snippet : '';
      return response.status === 200 && sent.length > 65_535 ? refused(413, 'The snippet is too long.') : response;
    }),
  },
  {
    id: 'apps.snippet-of-language-cleared-by-data',
    clause: 'apps.snippet.language-kept',
    about: 'Setting data clears the snippets for languages.',
    http: remembering(() =>
      intercepts('POST', APPS.setData, async (met) => {
        const response = await met.pass();
        const { installations } = met.service.state;
        const installation = rowOf(met);
        if (response.status === 200 && installation !== undefined) {
          const { '*': general } = installation.snippets;
          met.service.change(() =>
            installations.patch(installation.authCode, { snippets: general === undefined ? {} : { '*': general } }),
          );
        }
        return response;
      }),
    ),
  },
];
