/** A correct service is not blamed for the state in which a run finds an account: a website or a domain in another state than usual. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../harness/runner/in-process.ts';
import { parseProfile } from '../harness/target/profile/index.ts';
import { profileOf } from '../mock/profile.ts';
import { createService } from '../mock/service.ts';
import { SUITES } from '../suites/index.ts';

interface Written {
  readonly reseller: { readonly email: string; readonly password: string; readonly website: number; domain: string };
}

type Call = (path: string, parameters?: Readonly<Record<string, string>>) => Promise<Record<string, unknown>>;

/** A state before the run: calls with a token of the account. */
const STATES: readonly (readonly [name: string, prepare: (call: Call, profile: Written) => Promise<unknown>])[] = [
  [
    'the domain of the profile is attached to its website',
    (call, { reseller: { website, domain } }) => call(`website/${website}/domain/add/`, { domain }),
  ],
  [
    'the domain of the profile is attached to another website',
    async (call, { reseller: { website, domain } }) => {
      const { websites } = (await call('websites/')) as { websites: { websiteID: number }[] };
      const other = websites.find(({ websiteID }) => websiteID !== website);
      return call(`website/${other?.websiteID}/domain/add/`, { domain });
    },
  ],
  ['the website is disabled', (call, { reseller: { website } }) => call(`website/${website}/disable/`)],
  [
    'the website has a subscription',
    (call, { reseller: { website } }) => call(`website/${website}/enable_premium/premium/`),
  ],
  [
    'the domain of the profile has capital letters',
    async (_call, { reseller }) => {
      reseller.domain = reseller.domain.toUpperCase();
    },
  ],
];

const ORIGIN = 'http://127.0.0.1:9';

for (const [name, prepare] of STATES) {
  test(`a service is not blamed because ${name}`, async () => {
    const service = createService({ origin: ORIGIN });
    const written = structuredClone(profileOf(service)) as unknown as Written;
    const post: Call = async (path, parameters = {}) => {
      const body = new URLSearchParams(parameters);
      const response = await service.fetch(new Request(`${ORIGIN}/api/${path}`, { method: 'POST', body }));
      const json = (await response.json()) as Record<string, unknown>;
      assert.equal(json.error, false, `${path} prepares nothing: ${JSON.stringify(json)}`);
      return json;
    };
    const { email, password } = written.reseller;
    const { apiToken } = await post('authorize/', { email, password });
    await prepare((path, parameters) => post(path, { apiToken: String(apiToken), ...parameters }), written);
    const profile = parseProfile(JSON.stringify(written), { file: 'mock', folder: '.', env: {} });
    const results = await runInProcess(
      SUITES,
      { profile, transport: (request) => service.fetch(request), propertyRuns: 5, instantPauses: true },
      ({ id }) => id.includes('reseller'),
    );
    service.close();
    const blamed = results.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
    assert.deepEqual(
      blamed.map(({ id, reason }) => `${id}: ${reason}`),
      [],
    );
    assert.ok(results.filter(({ verdict }) => verdict === 'pass').length > 60, 'the run judges the rest');
  });
}
