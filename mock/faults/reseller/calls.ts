/** Faults of single calls: served only by GET, only by POST, or by neither. */
import type { Deviation } from '../../types/deviation.ts';
import { intercepts, json, memory, remembering } from '../interception.ts';
import { API, parametersOf, refused, refusesCalls } from './interception.ts';

const CALLS = {
  authorize: API.authorize,
  logout: API.logout,
  websites: API.websites,
  'website-enable': API.enable,
  'website-disable': API.disable,
  'premium-enable': API.enablePremium,
  'premium-disable': API.disablePremium,
  login: API.login,
  domains: API.domains,
  'domain-add': API.addDomain,
  'domain-remove': API.removeDomain,
  settings: API.settings,
  'settings-set': API.setSettings,
  balance: API.balance,
  password: API.password,
} as const;

const byOneMethodOnly = Object.entries(CALLS).flatMap(([name, path]): Deviation[] =>
  (['GET', 'POST'] as const).map((method) => ({
    id: `reseller.${name}-not-by-${method.toLowerCase()}`,
    clause: `reseller.calls.by-${method.toLowerCase()}`,
    about: `The call ${name} is refused by ${method}, and served the other way.`,
    http: refusesCalls(path, method),
  })),
);

/** Every third of these calls by POST fails. */
const everyThirdFails = (path: RegExp): NonNullable<Deviation['http']> =>
  remembering(() => {
    const calls = memory(() => ({ count: 0 }));
    return intercepts('POST', path, async ({ pass, service }) => {
      const seen = calls(service);
      seen.count += 1;
      return seen.count % 3 === 0 ? refused(500, 'Something went wrong.') : pass();
    });
  });

export const callFaults: readonly Deviation[] = [
  {
    id: 'reseller.form-with-charset-refused',
    clause: 'reseller.calls.by-post',
    about: 'A form whose content type names its charset is refused.',
    http: intercepts('POST', API.any, async ({ pass, request }) =>
      (request.headers.get('content-type') ?? '').includes('charset') ? refused(415, 'Not a form.') : pass(),
    ),
  },
  ...byOneMethodOnly,
  {
    id: 'reseller.settings-fail-now-and-then',
    clause: 'reseller.authorize.token-works',
    about: 'Every third time the settings are read by POST, the service fails.',
    http: everyThirdFails(API.settings),
  },
  {
    id: 'reseller.unknown-setting-empties-company',
    clause: 'reseller.settings.set-keeps-others',
    about: 'A call with a setting that does not exist returns success, and empties the company.',
    http: intercepts('*', API.setSettings, async (met) => {
      const { resellers } = met.service.state;
      const known = [
        'apiToken',
        ...resellers.all().flatMap((one) => Object.keys(met.service.rules.settingsRecord(one))),
      ];
      if ([...(await parametersOf(met)).keys()].every((name) => known.includes(name))) return met.pass();
      met.service.change(() => {
        for (const { id, settings } of resellers.all())
          resellers.patch(String(id), { settings: { ...settings, company: '' } });
      });
      return json({ error: false });
    }),
  },
  {
    id: 'reseller.disable-not-served',
    clause: 'reseller.website.disable',
    about: 'The call disable is refused for every website.',
    http: refusesCalls(API.disable),
  },
  {
    id: 'reseller.enable-not-served',
    clause: 'reseller.website.enable',
    about: 'The call enable is refused for every website.',
    http: refusesCalls(API.enable),
  },
];
