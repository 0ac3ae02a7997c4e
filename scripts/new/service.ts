/** The stubs for a check of the service: a clause, the check, a fault of the mock and a test. */
import type { Address, Exists, Stubs } from './stub.ts';

/** What the checks of an interface need, and which part of the target they are about. */
interface Interface {
  readonly needs: string;
  readonly part: string;
}

/** By the first segment of an id. */
export const serviceStubs = {
  delivery: stubsFor({ needs: "'delivery.private.apiKey'", part: 'delivery' }),
  apps: stubsFor({ needs: "'apps.apiKey', 'apps.authCode'", part: 'apps' }),
  reseller: stubsFor({ needs: "'reseller.email', 'reseller.password'", part: 'reseller' }),
} as const;

function stubsFor(about: Interface) {
  return ({ id, folder, second, name }: Address, exists: Exists): Stubs => ({
    proof: `npx proofmark selftest --check ${id}: the check finds its fault, and nothing else does`,
    files: [
      {
        file: `contracts/clauses/${folder}.yaml`,
        place: exists(`contracts/clauses/${folder}.yaml`) ? 'end' : 'new file',
        text: `- id: ${id}
  level: MUST
  party: service
  section: Endpoints
  text: Replace this sentence with the clause in your own words.
`,
        next: 'level, section and text of the clause; give the sentence of the spec its row in contracts/inventory/inventory.yaml',
      },
      {
        file: `suites/${folder}/${second}/${name}.ts`,
        place: 'new file',
        text: suiteText(id, about),
        next: `the check; import it in suites/${folder}/index.ts`,
      },
      {
        file: `mock/faults/${folder}/${second}-${name}.ts`,
        place: 'new file',
        text: faultText(id),
        next: `the deviation that breaks the clause; import it in mock/faults/${folder}/index.ts`,
      },
      {
        file: `suites/${folder}/${second}/${name}.test.ts`,
        place: 'new file',
        text: testText(id, name),
        next: 'passes when check and fault are written',
      },
    ],
  });
}

const suiteText = (
  id: string,
  { needs, part }: Interface,
): string => `/** Says what this file is about, and on which section of the contract it rests. */
import { type Check, check } from '../../../harness/check/check.ts';

export const checks: readonly Check[] = [
  check(
    '${id}',
    'MUST do what the clause says',
    { clauses: ['${id}'], needs: [${needs}], effects: 'read', part: '${part}' },
    async () => {
      throw new Error('write the check ${id}');
    },
  ),
];
`;

const faultText = (id: string): string => `/** Says which faults these are. */
import type { Deviation } from '../../types/deviation.ts';

export const faults: readonly Deviation[] = [
  {
    id: '${id}.broken',
    clause: '${id}',
    about: 'Replace this sentence with what is wrong and what stays right.',
    rules: () => ({}),
  },
];
`;

const testText = (id: string, name: string): string => `import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import { checks } from './${name}.ts';

const ID = '${id}';

/** The verdict of the check on the mock with these deviations. */
async function verdictOn(...deviations: string[]) {
  const service = createService({ origin: 'http://127.0.0.1:1' });
  await service.control.deviate(deviations);
  const folder = join(import.meta.dirname, '../../..');
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder, env: {} });
  const suite = { name: ID, serialGroup: 'delivery', checks };
  const [result] = await runInProcess([suite], { profile, transport: (request) => service.fetch(request) });
  return result?.verdict;
}

test('passes on the correct mock and fails on the broken one', async () => {
  assert.equal(await verdictOn(), 'pass');
  assert.equal(await verdictOn(\`\${ID}.broken\`), 'fail');
});
`;
