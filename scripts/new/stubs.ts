/** The text of the stubs that `npm run new` writes. */

/** A file that is written, or text that is appended to one. */
export interface Stub {
  /** From the root of the project. */
  readonly file: string;
  readonly text: string;
  readonly appends: boolean;
  /** What a person has to do there. */
  readonly next: string;
}

const ID = /^([a-z][a-z0-9-]*)\.([a-z0-9][a-z0-9-]*)\.([a-z0-9][a-z0-9.-]*)$/;

/** Interfaces by the first segment of an id: what a check of theirs needs, and which part of the target it is about. */
const NEEDS: Readonly<Record<string, { readonly needs: string; readonly part: string }>> = {
  delivery: { needs: "'delivery.private.apiKey'", part: 'delivery' },
  apps: { needs: "'apps.apiKey', 'apps.authCode'", part: 'apps' },
  reseller: { needs: "'reseller.email', 'reseller.password'", part: 'reseller' },
};

/**
 * The stubs for a check. `exists` reports whether a file or folder exists. Throws an Error, with one sentence, for an id that
 * is not a path of three parts or names no interface of a service.
 */
export function stubsOf(id: string, exists: (file: string) => boolean): Stub[] {
  const [, folder = '', second = '', rule = ''] = ID.exec(id) ?? [];
  if (rule === '')
    throw new Error(`"${id}" is not an id: write a path of three parts such as delivery.batch.refuses-101-points.`);
  const needs = NEEDS[folder];
  if (needs === undefined)
    throw new Error(
      `"${folder}" is not an interface: the first part of an id is one of ${Object.keys(NEEDS).join(', ')}.`,
    );
  if (exists(`suites/${folder}/${second}.ts`))
    throw new Error(
      `suites/${folder}/${second}.ts holds the checks of ${folder}.${second} already: add the check there, or make it a folder first.`,
    );
  const name = rule.replaceAll('.', '-');
  const suite = `suites/${folder}/${second}/${name}.ts`;
  const fault = `mock/faults/${folder}/${second}-${name}.ts`;
  return [
    {
      file: `contracts/clauses/${folder}.yaml`,
      appends: exists(`contracts/clauses/${folder}.yaml`),
      text: `- id: ${id}
  level: MUST
  party: service
  section: Endpoints
  text: Replace this sentence by the clause in your own words.
`,
      next: 'level, section and text of the clause; give the sentence of the spec its row in contracts/inventory/inventory.yaml',
    },
    {
      file: suite,
      appends: false,
      text: suiteText(id, needs),
      next: `the check; import it in suites/${folder}/index.ts`,
    },
    {
      file: fault,
      appends: false,
      text: faultText(id),
      next: `the deviation that breaks the clause; import it in mock/faults/${folder}/index.ts`,
    },
    {
      file: `suites/${folder}/${second}/${name}.test.ts`,
      appends: false,
      text: testText(id, name),
      next: 'passes when check and fault are written',
    },
  ];
}

const suiteText = (
  id: string,
  { needs, part }: { readonly needs: string; readonly part: string },
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
    about: 'Replace this sentence by what is wrong and what stays right.',
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
