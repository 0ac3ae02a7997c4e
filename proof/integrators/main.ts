/**
 * Prechecks integrators that differ from the correct example in several ways at once, and prints those that are blamed wrongly and the
 * faults that are not found: `node_modules/.bin/node proof/integrators/main.ts`. Options: `HELP`.
 */
import { parseArgs } from 'node:util';
import { findBrowser } from '../../cli/common/browser.ts';
import { precheckExample } from '../../cli/precheck/examples/run.ts';
import { examples } from '../../examples/integrators/index.ts';
import { launchQuietly } from '../../harness/browser/launch.ts';
import { reportUsageErrors } from '../../harness/process/report-usage-errors.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { type Combined, combined, drawnFaults, drawnVariants } from './combined.ts';
import { problemsOf } from './problems.ts';

const HELP = `Prechecks integrators that differ from the correct example in several ways, and prints problems.

  proof/integrators/main.ts [ID+ID …]  integrators by the ids of their parts
  --variants N     so many drawn correct apps, and as many label pages (0)
  --faults N       so many faults of apps, and as many of label pages, each over drawn correct ones (0)
  --most N         correct examples in one, at most (4)
  --seed N         another draw (1)`;

reportUsageErrors('proof/integrators');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    variants: { type: 'string', default: '0' },
    faults: { type: 'string', default: '0' },
    most: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(HELP);
else await report();

async function report(): Promise<void> {
  const [variants = 0, faults = 0, most = 0, seed = 0] = (['variants', 'faults', 'most', 'seed'] as const).map(
    (name) => {
      if (!/^\d+$/.test(values[name])) throw new UsageError(`--${name} "${values[name]}" is not a whole number.`);
      return Number(values[name]);
    },
  );
  const all = await examples();
  const named = positionals.map((text) => {
    const parts = text.split('+').map((id) => {
      const part = all.find((one) => one.id === id.trim());
      if (part === undefined) throw new UsageError(`No example has the id "${id.trim()}": docs/examples.md has all.`);
      return part;
    });
    return combined(parts);
  });
  const drawn = (['app', 'label'] as const).flatMap((kind) => [
    ...drawnVariants(all, { kind, count: variants, most, seed }),
    ...drawnFaults(all, { kind, count: faults, most, seed }),
  ]);
  const wanted: readonly Combined[] = [...named, ...drawn];
  if (wanted.length === 0)
    throw new UsageError('Nothing is to be prechecked: name integrators, or use --variants or --faults.');
  const found = await findBrowser();
  if (found === undefined) throw new UsageError('No Chromium was found: run `npm ci` first, or set PROOFMARK_BROWSER.');
  const browser = await launchQuietly(found.path);
  let withProblems = 0;
  try {
    for (const one of wanted) {
      const result = await precheckExample(one, browser);
      const problems = problemsOf(one, result);
      if (problems.length > 0) withProblems += 1;
      console.log(`${problems.length === 0 ? 'right' : 'WRONG'} ${Math.round(result.durationMs / 1000)} s  ${one.id}`);
      for (const problem of problems) console.log(`        ${problem}`);
    }
  } finally {
    await browser.close();
  }
  console.log(`${wanted.length} integrators, ${withProblems} with a problem`);
  process.exitCode = withProblems > 0 ? 1 : 0;
}
