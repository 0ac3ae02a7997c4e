/** The stubs for a check of an integrator: a clause, the check, a faulty example and a test. */
import type { Address, Exists, Stubs } from './stub.ts';

/** A kind of integrator: how its checks and examples are named. */
interface Kind {
  readonly check: string;
  readonly checkType: string;
  readonly needs: string;
  /** Folder of its examples, and the beginning of their ids. */
  readonly examples: string;
  /** The class of the correct example. */
  readonly correct: string;
  /** Files of its clauses, by the second segment of an id. */
  readonly clauses: Readonly<Record<string, string>> & { readonly others: string };
}

/** By the first segment of an id. */
export const integratorStubs = {
  app: stubsFor({
    check: 'appCheck',
    checkType: 'AppCheck',
    needs: "'browser', 'app'",
    examples: 'app',
    correct: 'App',
    clauses: { manifest: 'manifests', calls: 'apps', leaks: 'apps', others: 'install' },
  }),
  provider: stubsFor({
    check: 'deliveryCheck',
    checkType: 'DeliveryCheck',
    needs: "'browser', 'label-page'",
    examples: 'label',
    correct: 'LabelPage',
    clauses: { manifest: 'manifests', calls: 'delivery', leaks: 'delivery', others: 'labels' },
  }),
} as const;

function stubsFor(kind: Kind) {
  return ({ id, folder, second, name }: Address, exists: Exists): Stubs => {
    const clauses = `contracts/clauses/${kind.clauses[second] ?? kind.clauses.others}.yaml`;
    const faults = `examples/integrators/${kind.examples}/faults/${second}.ts`;
    const example = `${kind.examples}.${second}.${name}`;
    const isListed = exists(faults);
    const files: Stubs['files'] = [
      {
        file: clauses,
        place: exists(clauses) ? 'end' : 'new file',
        text: `- id: ${id}
  level: MUST
  party: integrator
  section: Endpoints
  text: Replace this sentence with the clause in your own words.
`,
        next: 'level, section and text of the clause; give the sentence of the spec its row in contracts/inventory/inventory.yaml',
      },
      {
        file: `suites/${folder}/${second}/${name}.ts`,
        place: 'new file',
        text: suiteText(id, kind),
        next: `the check; import it in suites/${folder}/index.ts`,
      },
      {
        file: faults,
        place: isListed ? 'before the last line' : 'new file',
        text: isListed ? entryText(id, example) : tableText(entryText(id, example), kind),
        next: `the steps that "${example}" does in another way; add what differs to examples/integrators/${kind.examples}-examples.test.ts`,
      },
      {
        file: `suites/${folder}/${second}/${name}.test.ts`,
        place: 'new file',
        text: testText(id, example, kind),
        next: 'passes when check and faulty example are written',
      },
    ];
    const proof = `npx proofmark selftest --fault integrator.${example}: the check finds the example, and nothing else does`;
    return { files, proof };
  };
}

const suiteText = (
  id: string,
  { check, checkType, needs }: Kind,
): string => `/** Says what this file is about, and on which section of the contract it rests. */
import { type ${checkType}, ${check} } from '../session.ts';

export const checks: readonly ${checkType}[] = [
  ${check}(
    '${id}',
    'MUST do what the clause says',
    { clauses: ['${id}'], needs: [${needs}] },
    async () => {
      throw new Error('write the check ${id}');
    },
  ),
];
`;

const entryText = (id: string, example: string): string => `  '${example}': {
    clauses: ['${id}'],
    about: 'Replace this sentence with what is wrong.',
    // What stays right.
    change: () => ({}),
  },
`;

const tableText = (entry: string, { correct }: Kind): string => `/** Says which faults these are. */
import { examplesOver } from '../../support/example.ts';
import ${correct} from '../correct.ts';

export default examplesOver(${correct}, {
${entry}});
`;

const testText = (
  id: string,
  example: string,
  { examples, correct }: Kind,
): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBrowser } from '../../../cli/common/browser.ts';
import { precheckExample } from '../../../cli/precheck/examples/run.ts';
import ${correct} from '../../../examples/integrators/${examples}/correct.ts';
import { examples } from '../../../examples/integrators/index.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';

const ID = '${id}';
const CORRECT = { kind: '${examples}', make: (settings: ${correct}['settings']) => new ${correct}(settings) } as const;
const found = await findBrowser();

test('passes on the correct example and fails on the faulty one', {
  skip: found === undefined ? 'there is no browser here' : false,
}, async (t) => {
  const browser = await launchQuietly(found?.path ?? '');
  t.after(() => browser.close());
  const verdictOn = async (example: Parameters<typeof precheckExample>[0]) => {
    const { results } = await precheckExample(example, browser, { selected: [ID] });
    return results.find(({ id }) => id === ID)?.verdict;
  };
  const faulty = (await examples()).find(({ id }) => id === '${example}');
  assert.ok(faulty);
  assert.equal(await verdictOn(CORRECT), 'pass');
  assert.equal(await verdictOn(faulty), 'fail');
});
`;
