/** Faults of services in which a read, a login, a logout or a refused call also changes something. */
import type { Installation, Website } from '../state/state.ts';
import type { Deviation, Http } from '../types/deviation.ts';
import { APPS, rowOf } from './apps/interception.ts';
import { intercepts } from './interception.ts';
import { API, afterwards, parametersOf, validToken } from './reseller/interception.ts';

const NOTHING_ELSE = 'reseller.account.nothing-else-changes';

/** A served read also changes its installation. */
const changedByRead = (path: RegExp, change: (row: Installation) => Partial<Installation>): Http =>
  intercepts('GET', path, async (met) => {
    const response = await met.pass();
    const row = rowOf(met);
    if (response.status === 200 && row !== undefined)
      met.service.change(() => met.service.state.installations.set(row.authCode, { ...row, ...change(row) }));
    return response;
  });

/** A refused call also empties the company of the account. */
const emptiedWhenRefused = (path: RegExp): Http =>
  intercepts('*', path, async ({ pass, service }) => {
    const response = await pass();
    const { resellers } = service.state;
    if (response.status >= 400)
      service.change(() => {
        for (const { id, settings } of resellers.all())
          resellers.patch(String(id), { settings: { ...settings, company: '' } });
      });
    return response;
  });

/** A served call also changes every website of a reseller. */
const changedWebsites = (path: RegExp, change: Partial<Website>): Http =>
  afterwards(path, ({ service: { state } }) => {
    for (const { id, resellerId } of state.websites.all())
      if (resellerId !== null) state.websites.patch(String(id), change);
  });

/** A served call also detaches the domain that was attached last. */
const detaches = (path: RegExp): Http =>
  afterwards(path, ({ service: { state } }) => {
    const domains = state.domains.all();
    const last = domains.at(-1);
    if (domains.length > 3 && last !== undefined) state.domains.delete(String(last.id));
  });

export const readsWithEffectsFaults: readonly Deviation[] = [
  {
    id: 'apps.data-lost-by-reading-user',
    clause: 'apps.data.string-kept',
    about: 'Reading the user empties the data of the installation.',
    http: changedByRead(APPS.user, () => ({ data: undefined })),
  },
  {
    id: 'apps.snippet-lost-by-reading-website',
    clauses: ['apps.snippet.default-kept', 'apps.isolation.snippets'],
    about: 'Reading the website removes the snippet for all pages.',
    http: changedByRead(APPS.website, ({ snippets: { '*': _, ...others } }) => ({ snippets: others })),
  },
  {
    id: 'apps.snippets-of-languages-lost-by-reading-languages',
    clause: 'apps.snippet.language-kept',
    about: 'Reading the languages removes the snippets for single languages.',
    http: changedByRead(APPS.languages, ({ snippets: { '*': general } }) => ({
      snippets: general === undefined ? {} : { '*': general },
    })),
  },
  {
    id: 'reseller.balance-enables-websites',
    clause: NOTHING_ELSE,
    about: 'Reading the balance enables every disabled website.',
    http: changedWebsites(API.balance, { status: 1 }),
  },
  {
    id: 'reseller.login-link-ends-subscriptions',
    clause: NOTHING_ELSE,
    about: 'Asking for a login link ends the subscriptions of all websites.',
    http: changedWebsites(API.login, { premium: null }),
  },
  {
    id: 'reseller.authorize-ends-subscriptions',
    clause: NOTHING_ELSE,
    about: 'Logging in ends the subscriptions of all websites.',
    http: changedWebsites(API.authorize, { premium: null }),
  },
  {
    id: 'reseller.logout-detaches-a-domain',
    clause: NOTHING_ELSE,
    about: 'Logging out detaches the domain that was attached last.',
    http: detaches(API.logout),
  },
  {
    id: 'apps.data-lost-by-finishing-again',
    clause: 'apps.isolation.data',
    about: 'Finishing an installation that is finished empties the data of all others.',
    http: intercepts('POST', APPS.installed, async (met) => {
      const own = rowOf(met);
      const response = await met.pass();
      const { installations } = met.service.state;
      if (response.status === 200 && own?.installed === true)
        met.service.change(() => {
          for (const row of installations.all())
            if (row.authCode !== own.authCode) installations.set(row.authCode, { ...row, data: undefined });
        });
      return response;
    }),
  },
  {
    id: 'reseller.refused-switch-empties-company',
    clause: 'envelope.reseller.refusal-changes-nothing',
    about: 'A refused call that disables a website empties the company of the account.',
    http: emptiedWhenRefused(API.disable),
  },
  {
    id: 'reseller.refused-login-link-empties-company',
    clause: 'envelope.reseller.refusal-changes-nothing',
    about: 'A refused call for a login link empties the company of the account.',
    http: emptiedWhenRefused(API.login),
  },
  {
    id: 'reseller.logout-without-token-ends-session',
    clause: 'reseller.token.every-write',
    about: 'A logout without a token ends the latest session.',
    http: intercepts('*', API.logout, async (met) => {
      const { tokens } = met.service.state;
      if ((await parametersOf(met)).get('apiToken') === null)
        met.service.change(() => void tokens.delete(validToken(met.service)));
      return met.pass();
    }),
  },
];
