/** Faults of calls that are refused and change something all the same, or change more than they should. */
import type { Deviation } from '../../types/deviation.ts';
import { intercepts, type Json, memory, remembering } from '../interception.ts';
import { API, parametersOf, refused } from './interception.ts';

export const refusedChangeFaults: readonly Deviation[] = [
  {
    id: 'reseller.settings-refused-in-part',
    clause: 'envelope.reseller.refusal-changes-nothing',
    about: 'A change with an unknown setting is refused, but the known ones before it are stored.',
    http: intercepts('*', API.setSettings, async (met) => {
      const response = await met.pass();
      if (response.status !== 400) return response;
      const parameters = await parametersOf(met);
      const { state, rules } = met.service;
      const token = state.tokens.get(parameters.get('apiToken') ?? '');
      const row = state.resellers.get(String(token?.resellerId));
      const known = [...parameters].filter(([name]) => rules.maySet(name));
      if (row) {
        const after = rules.settingsAfter(row, Object.fromEntries(known));
        met.service.change(() => state.resellers.patch(String(row.id), { settings: after }));
      }
      return response;
    }),
  },
  {
    id: 'reseller.domain-add-refused-and-detached',
    clause: 'envelope.reseller.refusal-changes-nothing',
    about: 'Adding an attached domain again is refused, and detaches it.',
    http: intercepts('*', API.addDomain, async (met) => {
      const response = await met.pass();
      const domain = (await parametersOf(met)).get('domain');
      const { state } = met.service;
      const row = state.domains.find((one) => one.domain === domain);
      if (response.status === 409 && row) met.service.change(() => state.domains.delete(String(row.id)));
      return response;
    }),
  },
  {
    id: 'reseller.premium-refused-and-started',
    clause: 'envelope.reseller.refusal-changes-nothing',
    about: 'A level that does not exist is refused, and starts a subscription.',
    http: intercepts('*', API.enablePremium, async ({ parts, pass, service }) => {
      const response = await pass();
      const [website = ''] = parts;
      if (response.status === 400) service.change(() => service.state.websites.patch(website, { premium: 'premium' }));
      return response;
    }),
  },
  {
    id: 'reseller.password-refused-and-changed',
    clause: 'reseller.password.new-works',
    about: 'A new password is stored, although the call is refused.',
    http: intercepts('*', API.password, async ({ pass }) => {
      const response = await pass();
      return response.status === 200 ? refused(500, 'The password was not changed.') : response;
    }),
  },
  {
    id: 'reseller.password-change-breaks-logins',
    clause: 'reseller.password.new-works',
    about: 'After a change of the password each login ends with an error of the service.',
    http: remembering(() => {
      const first = memory(() => ({ passwords: undefined as string | undefined }));
      return intercepts('*', API.authorize, async ({ pass, service }) => {
        const kept = first(service);
        const passwords = JSON.stringify(service.state.resellers.all().map(({ password }) => password));
        kept.passwords ??= passwords;
        return kept.passwords === passwords ? pass() : refused(500, 'The service failed.');
      });
    }),
  },
  {
    id: 'reseller.settings-refused-and-changed',
    clause: 'envelope.reseller.refusal-changes-nothing',
    about: 'Every change of settings is stored and refused.',
    http: intercepts('*', API.setSettings, async ({ pass }) => {
      const response = await pass();
      return response.status === 200 ? refused(500, 'The settings were not changed.') : response;
    }),
  },
  {
    id: 'reseller.refused-level-stops-subscription',
    clause: 'envelope.reseller.refusal-changes-nothing',
    about: 'A subscription level that does not exist is refused, and the subscription of the website ends.',
    http: intercepts('*', API.enablePremium, async (met) => {
      const { service, parts, pass } = met;
      const response = await pass();
      const { status, body } = { status: response.status, body: (await response.clone().json()) as Json };
      if (status !== 200 && /level|subscription/i.test(String(body.errorMsg)))
        service.change(() => service.state.websites.patch(parts[0] ?? '', { premium: null }));
      return response;
    }),
  },
];
