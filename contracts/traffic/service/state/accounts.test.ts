/** Apps and accounts: what a later call has to show of an earlier one. */
import { describe } from 'node:test';
import { API, type ExchangeDescription } from '../../traffic.fixture.ts';
import { get, type Json, judgeAll, ok, send, sequencesOf } from './sequences.fixture.ts';

describe('apps', () => {
  const APP = 'apps/';
  const of = (path: string, code = 'code-1'): string => `${APP}${path}/?authCode=${code}`;
  const data = (value: unknown): ExchangeDescription => send('POST', of('set_data'), { data: value });
  const snippet = (text: string, language?: string): ExchangeDescription =>
    send('POST', of('set_snippet'), { snippet: text, ...(language === undefined ? {} : { language }) });
  judgeAll(
    sequencesOf([
      ['data that changed', 'apps.data.object-kept', data({ n: 1 }), get(of('get_data'), { data: { n: '1' } })],
      ['data in another order', undefined, data({ n: 1, m: 2 }), get(of('get_data'), { data: { m: 2, n: 1 } })],
      ['data as text', 'apps.data.string-kept', data('x'), get(of('get_data'), { data: 'y' })],
      ['data of another installation', undefined, data('x'), get(of('get_data', 'code-2'), { data: 'y' })],
      [
        'data after uninstalling',
        'apps.delete.clears-data',
        data('x'),
        send('POST', of('delete')),
        get(of('get_data'), { data: 'x' }),
      ],
      [
        'data from before the recording after uninstalling',
        'apps.delete.clears-data',
        get(of('get_data'), { data: { n: 1 } }),
        send('POST', of('delete')),
        get(of('get_data'), { data: { n: 1 } }),
      ],
      [
        'data that another caller changed',
        undefined,
        get(of('get_data'), { data: 'x' }),
        get(of('get_data'), { data: 'y' }),
      ],
      [
        'other data after uninstalling',
        undefined,
        get(of('get_data'), { data: 'x' }),
        send('POST', of('delete')),
        get(of('get_data'), { data: '' }),
      ],
      [
        'a snippet from before the recording, and another one after uninstalling',
        'apps.delete.clears-snippets',
        get(of('get_snippet'), { snippet: '<b>' }),
        data('x'),
        send('POST', of('delete')),
        get(of('get_snippet'), { snippet: '<b>' }),
      ],
      [
        'a snippet that was escaped',
        'apps.snippet.default-kept',
        snippet('<b>'),
        get(of('get_snippet'), { snippet: '&lt;b&gt;' }),
      ],
      [
        'a snippet of another language',
        'apps.snippet.default-and-language-separate',
        snippet('x'),
        snippet('y', 'lv'),
        get(of('get_snippet'), { snippet: 'y' }),
      ],
      [
        'a snippet for a language',
        'apps.snippet.language-kept',
        snippet('y', 'lv'),
        get(of('get_snippet/lv'), { snippet: '' }),
      ],
      [
        'a snippet in another spelling of the language',
        undefined,
        snippet('y', 'lv'),
        get(of('get_snippet/LV'), { snippet: '' }),
      ],
      [
        'a snippet for a language of null',
        'apps.snippet.null-language',
        send('POST', of('set_snippet'), { snippet: 'x', language: null }),
        get(of('get_snippet'), { snippet: '' }),
      ],
      [
        'a snippet for a language of null that is for every language',
        undefined,
        snippet('y', 'lv'),
        send('POST', of('set_snippet'), { snippet: 'x', language: null }),
        get(of('get_snippet/lv'), { snippet: 'x' }),
      ],
      [
        'a snippet that was read, and changed with another installation',
        'apps.snippet.default-kept',
        send('POST', of('set_snippet'), { snippet: 'x', language: null }),
        get(of('get_snippet'), { snippet: 'x' }),
        send('POST', of('set_snippet', 'code-2'), { snippet: 'y' }),
        get(of('get_snippet'), { snippet: 'y' }),
      ],
      ['an empty snippet', undefined, snippet(''), get(of('get_snippet'), { snippet: null })],
    ]),
  );
});

describe('accounts', () => {
  const post = (
    path: string,
    fields: Record<string, string>,
    response: unknown = ok,
    status = 200,
  ): ExchangeDescription => ({
    ...{ method: 'POST', url: API + path, status, response, body: String(new URLSearchParams(fields)) },
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  });
  const call = (path: string, response?: unknown, fields: Record<string, string> = {}): ExchangeDescription =>
    post(path, { apiToken: 'token-1', ...fields }, response);
  const login = (password = 'one', token = 'token-1', status = 200): ExchangeDescription =>
    post(
      'authorize/',
      { email: 'r@shop.test', password },
      status === 200 ? { ...ok, apiToken: token } : { error: true, errorCode: status, errorMsg: 'No.' },
      status,
    );
  const balance = call('balance/');
  const domains = (...names: readonly string[]): ExchangeDescription =>
    call('website/1/domains/', { ...ok, domains: names.map((domain, index) => ({ domainID: index + 1, domain })) });
  const settings = (values: Json): ExchangeDescription => call('settings/', { ...ok, resellerID: 1, ...values });
  const set = (fields: Record<string, string>): ExchangeDescription => call('settings/set/', ok, fields);
  const sites = (...premium: readonly boolean[]): ExchangeDescription =>
    call('websites/', {
      ...ok,
      websites: premium.map((websiteIsPremium, index) => ({ websiteID: index + 1, websiteIsPremium })),
    });
  const upgrade = call('website/1/enable_premium/premium/');
  const refused = (one: ExchangeDescription, status = 405): ExchangeDescription => ({
    ...{ ...one, status, response: { error: true, errorCode: status, errorMsg: 'No.' } },
  });
  const changed = 'envelope.reseller.refusal-changes-nothing';
  const add = (domain: string): ExchangeDescription => call('website/1/domain/add/', ok, { domain });
  const remove = (id: number): ExchangeDescription => call(`website/1/domain/${id}/remove/`);
  const A = settings({ company: 'A' });
  const B = settings({ company: 'B' });
  judgeAll(
    sequencesOf([
      ['a token after logging out', 'reseller.logout.invalidates', login(), call('authorize/logout/'), balance],
      ['a token that is given again', undefined, login(), call('authorize/logout/'), login(), balance],
      ['a second password', 'reseller.authorize.wrong-password-refused', login(), login('two', 'token-2')],
      [
        'the old password',
        'reseller.password.old-refused',
        login(),
        call('password/', ok, { password: 'two' }),
        login('one', 'token-2'),
      ],
      [
        'the new password',
        'reseller.password.new-works',
        login(),
        call('password/', ok, { password: 'two' }),
        login('two', '', 401),
      ],
      [
        'the new password where logins are limited',
        undefined,
        login(),
        call('password/', ok, { password: 'two' }),
        login('two', '', 400),
      ],
      [
        'the new password of a locked account',
        undefined,
        login(),
        login('x', '', 401),
        call('password/', ok, { password: 'two' }),
        login('two', '', 401),
      ],
      [
        'a domain that is not added',
        'reseller.domain.add-attaches',
        call('website/1/domain/add/', ok, { domain: 'new.test' }),
        domains('a.test'),
      ],
      [
        'a domain that is not removed',
        'reseller.domain.remove-detaches',
        domains('a.test', 'b.test'),
        call('website/1/domain/1/remove/'),
        domains('a.test', 'b.test'),
      ],
      [
        'a domain that is removed with another one',
        'reseller.domain.remove-leaves-others',
        domains('a.test', 'b.test'),
        call('website/1/domain/1/remove/'),
        domains(),
      ],
      [
        'a name below a removed domain',
        undefined,
        domains('a.test', 'www.a.test'),
        call('website/1/domain/1/remove/'),
        domains(),
      ],
      [
        'a name in another alphabet that is refused, and added by a second call',
        undefined,
        domains('a.test'),
        refused(add('new.žagars.test'), 401),
        add('new.žagars.test'),
        domains('a.test', 'new.xn--agars-tib.test'),
      ],
      [
        'a setting that changes with another one',
        'reseller.settings.set-keeps-others',
        settings({ company: 'A', contactName: 'B' }),
        set({ company: 'C' }),
        settings({ company: 'C', contactName: '' }),
      ],
      [
        'a setting that is changed on its way',
        'reseller.settings.set-applies',
        settings({ company: 'A' }),
        set({ company: 'C & D' }),
        settings({ company: 'C &amp; D' }),
      ],
      [
        'a setting that can not be changed',
        undefined,
        settings({ company: 'A' }),
        set({ company: 'C' }),
        settings({ company: 'A' }),
      ],
      [
        'an address in lower case',
        undefined,
        settings({ contactEmail: 'a@b.test' }),
        set({ contactEmail: 'C@b.test' }),
        settings({ contactEmail: 'c@b.test' }),
      ],
      ['a subscription that does not show', 'reseller.premium.enable', sites(false), upgrade, sites(false)],
      [
        'a subscription that is read while it is started, and another one that is refused',
        ...([undefined, { ...sites(false), at: 1_000 }, { ...upgrade, at: 2_000, durationMs: 50 }] as const),
        ...[
          { ...sites(false), at: 2_010 },
          { ...refused(call('website/1/enable_premium/gold/')), at: 2_100 },
        ],
        { ...sites(true), at: 2_200 },
      ],
      ['a subscription that was stopped again', undefined, upgrade, call('website/1/disable_premium/'), sites(false)],
      ['a subscription that a switch may have ended', undefined, upgrade, call('website/1/disable/'), sites(false)],
      [
        'a subscription that another website was switched beside',
        'reseller.premium.enable',
        upgrade,
        call('website/2/disable/'),
        sites(false),
      ],
      [
        'a subscription of another website',
        'reseller.website.only-named-website-changes',
        sites(false, false),
        upgrade,
        sites(true, true),
      ],
      [
        'a subscription of another website, of an account that others use',
        ...([undefined, sites(false, true), sites(false, false), upgrade, sites(true, true)] as const),
      ],
      [
        'a setting that changes with another one, of an account that others use',
        ...([undefined, settings({ company: 'A', contactName: 'B' }), set({ company: 'C' })] as const),
        ...[settings({ company: 'C', contactName: 'D' }), settings({ company: 'C', contactName: 'E' })],
      ],
      [
        'a setting that changes with another one, and a time that changes by itself',
        ...(['reseller.settings.set-keeps-others', settings({ contactName: 'B', seen: 1 })] as const),
        ...[settings({ contactName: 'B', seen: 2 }), set({ company: 'C' }), settings({ contactName: '', seen: 3 })],
      ],
      [
        'a domain that is listed twice once it is added',
        ...([
          'reseller.domain.add-attaches',
          domains(),
          call('website/1/domain/add/', ok, { domain: 'a.test' }),
        ] as const),
        domains('a.test', 'a.test'),
      ],
      ['a setting that was refused', changed, A, refused(set({ company: 'B' })), B],
      [
        'a setting that was refused and then set',
        undefined,
        A,
        refused(set({ company: 'B' })),
        set({ company: 'B' }),
        B,
      ],
      [
        'a setting that was set and then refused beside another one',
        undefined,
        ...[A, set({ company: 'B' }), refused(set({ company: 'B', contactName: 'D' })), B],
      ],
      [
        'a setting that was set, set to something that is not kept, and refused',
        undefined,
        ...[A, set({ company: 'B' }), set({ company: '' }), refused(set({ company: 'B' })), B],
      ],
      ['a setting that was refused by a gateway', undefined, A, refused(set({ company: 'B' }), 502), B],
      ['a setting that changes beside a refusal', undefined, A, refused(set({ company: 'C' })), B],
      [
        'a refused setting of an account that others use',
        ...([undefined, B, A, refused(set({ company: 'B' })), B] as const),
      ],
      [
        'a domain that was refused',
        changed,
        domains('a.example'),
        refused(add('b.example')),
        domains('a.example', 'b.example'),
      ],
      [
        'a domain that was refused because it is there',
        undefined,
        ...[domains('a.example'), refused(add('b.example'), 409), domains('a.example', 'b.example')],
      ],
      [
        'a domain that was refused and then added',
        undefined,
        ...[domains('a.example'), refused(add('b.example')), add('b.example'), domains('a.example', 'b.example')],
      ],
      [
        'a domain whose removal was refused',
        changed,
        domains('a.example', 'b.example'),
        refused(remove(2)),
        domains('a.example'),
      ],
      [
        'a domain that was gone when it was removed',
        undefined,
        ...[domains('a.example', 'b.example'), refused(remove(2), 404), domains('a.example')],
      ],
      [
        'a domain that is lost when another one is refused',
        changed,
        domains('a.example'),
        refused(add('b.example')),
        domains(),
      ],
      ['a subscription that was refused', changed, sites(false), refused(upgrade), sites(true)],
      [
        'a subscription that was refused and then started',
        undefined,
        sites(false),
        refused(upgrade),
        upgrade,
        sites(true),
      ],
      [
        'a setting that is not set the second time',
        'reseller.settings.set-applies',
        ...[A, set({ company: 'B' }), B, set({ company: 'A' }), A, set({ company: 'B' }), A],
      ],
      [
        'a setting that is left out among several',
        undefined,
        ...[A, set({ company: 'B' }), B, set({ company: 'A' }), A, set({ company: 'B', contactName: 'C' }), A],
      ],
      [
        'a phone number without its spaces',
        undefined,
        ...[
          settings({ contactPhone: '1' }),
          set({ contactPhone: '+371 20-00' }),
          settings({ contactPhone: '+3712000' }),
        ],
      ],
      [
        'a setting that another client changes beside each call',
        undefined,
        ...[
          settings({ company: 'A', contactName: '1' }),
          set({ company: 'B' }),
          settings({ company: 'B', contactName: '2' }),
        ],
        ...[set({ company: 'C' }), settings({ company: 'C', contactName: '3' })],
      ],
      ['a logout without a token', undefined, login(), { ...call('authorize/logout/'), body: '' }],
    ]),
  );
});
