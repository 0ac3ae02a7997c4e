/** Faults that show only by GET: responses that a cache keeps by their address, and parameters that are read from the query. */
import type { Deviation } from '../../types/deviation.ts';
import { intercepts, json, memory, remembering } from '../interception.ts';
import { API, bodies, parametersOf, passParameters, refused } from './interception.ts';

type Http = NonNullable<Deviation['http']>;

const APPLIES = 'reseller.settings.set-applies';

/** Every response to GET at an address is the first one; refusals are passed on if `isGuarded`. */
const keptByAddress = (path: RegExp, isGuarded: boolean): Http =>
  remembering(() => {
    const responses = memory(() => new Map<string, string>());
    return intercepts('GET', path, async (met) => {
      const kept = responses(met.service);
      const response = await met.pass();
      const { url } = met.request;
      if (response.status !== 200 && (isGuarded || !kept.has(url))) return response;
      if (!kept.has(url)) kept.set(url, await response.clone().text());
      return new Response(kept.get(url), { headers: { 'content-type': 'application/json' } });
    });
  });

/** Reports success and leaves the status of the website as it is. */
const doesNothing = (path: RegExp): Http =>
  intercepts('GET', path, async (met) => {
    const status = met.service.state.websites.get(met.parts[0] ?? '')?.status;
    const response = await met.pass();
    if (response.status === 200 && status !== undefined)
      met.service.change(() => met.service.state.websites.patch(met.parts[0] ?? '', { status }));
    return response;
  });

/** Changes the texts in the query of a call. */
const inQuery = (path: RegExp, change: (text: string) => string): Http =>
  intercepts('GET', path, async (met) => {
    const all = [...(await parametersOf(met))];
    return passParameters(met, new URLSearchParams(all.map(([name, text]) => [name, change(text)])));
  });

function decodedAgain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const FOR_POST = {
  setSettings: 'settings',
  addDomain: 'domain',
  enablePremium: 'subscription',
  disable: 'disable',
} as const;

export const byGetFaults: readonly Deviation[] = [
  {
    id: 'reseller.websites-kept-by-address',
    clause: 'reseller.premium.enable',
    about: 'The list of websites by GET is as a session read it first; by POST it is correct.',
    http: keptByAddress(API.websites, true),
  },
  {
    id: 'reseller.domains-kept-by-address',
    clause: 'reseller.domain.add-attaches',
    about: 'The list of domains by GET is as a session read it first; by POST it is correct.',
    http: keptByAddress(API.domains, true),
  },
  {
    id: 'reseller.settings-kept-by-address',
    clause: APPLIES,
    about: 'The settings by GET are as a session read them first; by POST they are correct.',
    http: keptByAddress(API.settings, true),
  },
  {
    id: 'reseller.websites-kept-after-logout',
    clause: 'reseller.logout.invalidates',
    about: 'The list of websites that a session has read by GET can be read after its logout.',
    http: keptByAddress(API.websites, false),
  },
  {
    id: 'reseller.settings-decoded-twice-by-get',
    clause: APPLIES,
    about: 'Settings in a query are decoded twice; those in a form once.',
    http: inQuery(API.setSettings, decodedAgain),
  },
  {
    id: 'reseller.settings-cut-by-get',
    clause: APPLIES,
    about: 'Settings in a query end at a semicolon; those in a form do not.',
    http: inQuery(API.setSettings, (text) => text.split(';')[0]!),
  },
  {
    id: 'reseller.disable-by-get-does-nothing',
    clause: 'reseller.calls.by-get',
    about: 'A website is disabled by POST; by GET the call reports success and does nothing.',
    http: doesNothing(API.disable),
  },
  {
    id: 'reseller.enable-by-get-does-nothing',
    clause: 'reseller.calls.by-get',
    about: 'A website is enabled by POST; by GET the call reports success and does nothing.',
    http: doesNothing(API.enable),
  },
  {
    id: 'reseller.settings-differ-by-get',
    clause: 'reseller.calls.by-get',
    about: 'The settings by GET are those of a table with the old mail address of the contact.',
    rules: bodies(['readSettings'], (body, { method }) =>
      method === 'GET' ? { ...body, contactEmail: 'before@example.com' } : body,
    ),
  },
  {
    id: 'reseller.settings-company-by-post-ignored',
    clauses: [APPLIES, 'reseller.settings.unchanged-refused'],
    about: 'A company in a form is left out and the call succeeds; in a query it is stored.',
    http: intercepts('POST', API.setSettings, async (met) => {
      const parameters = await parametersOf(met);
      if (!parameters.has('company')) return met.pass();
      parameters.delete('company');
      const isAlone = [...parameters.keys()].every((name) => name === 'apiToken');
      return isAlone ? json({ error: false }) : passParameters(met, parameters);
    }),
  },
  ...(['setSettings', 'addDomain', 'enablePremium', 'disable'] as const).map(
    (name): Deviation => ({
      id: `reseller.${FOR_POST[name]}-by-get-refused-and-done`,
      clause: 'envelope.reseller.refusal-changes-nothing',
      about: `${name} by GET is carried out and answered as a method that is not allowed.`,
      http: intercepts('GET', API[name], async ({ pass }) => {
        const response = await pass();
        return response.status === 200 ? refused(405, 'Use POST.') : response;
      }),
    }),
  ),
  {
    id: 'reseller.unknown-website-has-no-domains-by-get',
    clause: 'reseller.website.unknown-refused',
    about: 'A website that does not exist has an empty list of domains by GET; by POST the call is refused.',
    http: intercepts('GET', API.domains, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? json({ error: false, domains: [] }) : response;
    }),
  },
  {
    id: 'reseller.disable-by-get-suspends-others',
    clause: 'reseller.account.nothing-else-changes',
    about: 'Disabling a website by GET disables one more, which stays disabled.',
    http: intercepts('GET', API.disable, async (met) => {
      const response = await met.pass();
      const other = met.service.state.websites.all().find(({ id }) => String(id) !== met.parts[0]);
      if (response.status === 200 && other !== undefined)
        met.service.change(() => met.service.state.websites.patch(String(other.id), { status: 0 }));
      return response;
    }),
  },
];
