/** Faults of the user and website of an app, of its installation, and of the isolation of installations. */
import type { Deviation } from '../../types/deviation.ts';
import { bodiesOf, intercepts, type Json, json, refused } from '../interception.ts';
import { APPS, affectsEveryInstallation, codeIn, rowOf } from './interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

const user =
  (fields: Record<string, unknown>): MakesRules =>
  (correct) => ({ userRecord: (website) => ({ ...correct.userRecord(website), ...fields }) });
const website =
  (fields: Record<string, unknown>): MakesRules =>
  (correct) => ({
    websiteRecordForApps: (row, url) => ({ ...correct.websiteRecordForApps(row, url), ...fields }),
  });

export const recordFaults: readonly Deviation[] = [
  {
    id: 'apps.user-bare',
    clause: 'apps.user.wrapped',
    about: 'The user is returned without its wrapper.',
    rules: bodiesOf('apps', ['getUser'], (body) => body.user),
  },
  {
    id: 'apps.user-in-list',
    clause: 'apps.user.wrapped',
    about: 'The user is returned as a list with one item.',
    rules: bodiesOf('apps', ['getUser'], (body) => ({ user: [body.user] })),
  },
  {
    id: 'apps.user-of-second-bare',
    clause: 'apps.user.wrapped',
    about: 'The user is returned without its wrapper to every installation but the first.',
    http: intercepts('GET', APPS.user, async (met) => {
      const response = await met.pass();
      const [first] = met.service.state.installations.all();
      if (response.status !== 200 || codeIn(met) === first?.authCode) return response;
      return json(((await response.json()) as Json).user);
    }),
  },
  {
    id: 'apps.email-as-object',
    clause: 'apps.user.email',
    about: 'The e-mail of the user is an object.',
    rules: user({ email: { address: 'owner@store.example', verified: true } }),
  },
  {
    id: 'apps.email-confirmed-as-number',
    clause: 'apps.user.email-confirmed',
    about: 'The flag for a confirmed e-mail is 0 or 1.',
    rules: user({ email_confirmed: 1 }),
  },
  {
    id: 'apps.email-confirmed-as-string',
    clause: 'apps.user.email-confirmed',
    about: 'The flag for a confirmed e-mail is a text, empty for false.',
    rules: user({ email_confirmed: '' }),
  },
  {
    id: 'apps.website-bare',
    clause: 'apps.website.wrapped',
    about: 'The website is returned without its wrapper.',
    rules: bodiesOf('apps', ['getWebsite'], (body) => body.website),
  },
  {
    id: 'apps.website-url-without-scheme',
    clause: 'apps.website.url',
    about: 'The address of the website is a bare host name.',
    rules: website({ url: 'shop.example' }),
  },
  {
    id: 'apps.website-url-as-list',
    clause: 'apps.website.url',
    about: 'The website has a list of addresses.',
    rules: website({ url: ['https://shop.example/'] }),
  },
  {
    id: 'apps.brandname-by-language',
    clause: 'apps.website.brandname',
    about: 'The brand name of the website is an object by language.',
    rules: website({ brandname: { en: 'Nordic Honey' } }),
  },
  {
    id: 'apps.languages-as-object',
    clause: 'apps.languages.array',
    about: 'Languages are an object of codes and names.',
    rules: bodiesOf('apps', ['getLanguages'], (body) => ({
      languages: Object.fromEntries((body.languages as string[]).map((code) => [code, code.toUpperCase()])),
    })),
  },
  {
    id: 'apps.languages-as-records',
    clauses: ['apps.languages.array', 'apps.languages.exactly-website-languages'],
    about: 'Languages are records with a code.',
    rules: bodiesOf('apps', ['getLanguages'], (body) => ({
      languages: (body.languages as string[]).map((code) => ({ code })),
    })),
  },
  {
    id: 'apps.languages-one-missing',
    clause: 'apps.languages.exactly-website-languages',
    about: 'The first language of the website is not listed.',
    rules: () => ({ languagesRecord: (site) => site.languages.slice(1) }),
  },
  {
    id: 'apps.languages-without-emptied',
    clause: 'apps.languages.exactly-website-languages',
    about: 'A language whose snippet was emptied is not listed.',
    http: intercepts('GET', APPS.languages, async (met) => {
      const response = await met.pass();
      const snippets = rowOf(met)?.snippets ?? {};
      if (response.status !== 200) return response;
      const { languages } = (await response.json()) as { languages: string[] };
      return json({ languages: languages.filter((language) => snippets[language] !== '') });
    }),
  },
  {
    id: 'apps.languages-twice',
    clause: 'apps.languages.exactly-website-languages',
    about: 'The default language is listed twice.',
    rules: () => ({ languagesRecord: (site) => [...site.languages, site.defaultLanguage] }),
  },
  {
    id: 'apps.languages-one-extra',
    clause: 'apps.languages.exactly-website-languages',
    about: 'A language is listed that the website does not use.',
    rules: () => ({ languagesRecord: (site) => [...site.languages, 'sv'] }),
  },
  {
    id: 'apps.languages-of-another-website',
    clause: 'apps.languages.exactly-website-languages',
    about: 'Latvian is listed for every website, also for those that do not use it.',
    rules: () => ({ languagesRecord: (site) => [...new Set([...site.languages, 'lv'])] }),
  },
  {
    id: 'apps.installed-requires-body',
    clause: 'apps.installed.empty-json-body',
    about: 'An empty body labelled as JSON is refused as broken JSON.',
    http: intercepts('POST', APPS.installed, ({ request, pass }) =>
      (request.headers.get('content-type') ?? '').includes('json') ? Promise.resolve(refused(400)) : pass(),
    ),
  },
  {
    id: 'apps.data-shared',
    clause: 'apps.isolation.data',
    about: 'All installations of the app share their data.',
    http: affectsEveryInstallation(APPS.setData, (row, { body }) => ({ ...row, data: body?.data })),
  },
  {
    id: 'apps.data-cleared-for-others',
    clause: 'apps.isolation.data',
    about: 'Setting the data of one installation empties that of others.',
    http: affectsEveryInstallation(APPS.setData, (row, met) =>
      row.authCode === codeIn(met) ? row : { ...row, data: undefined },
    ),
  },
  {
    id: 'apps.snippet-shared',
    clause: 'apps.isolation.snippets',
    about: 'All installations of the app share their snippets.',
    http: affectsEveryInstallation(APPS.setSnippet, (row, { body }) => ({
      ...row,
      snippets: { ...row.snippets, [String(body?.language ?? '*')]: String(body?.snippet) },
    })),
  },
  {
    id: 'apps.data-lent-by-another-installation',
    clause: 'apps.isolation.data',
    about: 'An installation that has no data reads those that another one has set.',
    http: intercepts('GET', APPS.getData, async ({ pass, service }) => {
      const response = await pass();
      const body = (await response.clone().json()) as { data?: unknown };
      if (response.status !== 200 || (body.data ?? '') !== '') return response;
      const lender = service.state.installations.all().find(({ data }) => typeof data === 'string' && data !== '');
      return lender === undefined ? response : Response.json({ ...body, data: lender.data });
    }),
  },
  {
    id: 'apps.snippet-emptied-by-refused-number',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'A number as snippet is refused after the snippet for all pages was emptied to make room for it.',
    http: intercepts('POST', APPS.setSnippet, async (met) => {
      const response = await met.pass();
      const { installations } = met.service.state;
      const row = rowOf(met);
      if (response.status < 400 || row === undefined || typeof met.body?.snippet !== 'number') return response;
      met.service.change(() => installations.patch(row.authCode, { snippets: { ...row.snippets, '*': '' } }));
      return response;
    }),
  },
];
