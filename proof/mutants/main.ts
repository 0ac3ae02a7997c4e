/**
 * Runs mutants of the correct service and prints those that no check finds:
 * `node_modules/.bin/node proof/mutants/main.ts [GLOB …]`. Options: `HELP`.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reportUsageErrors } from '../../harness/process/report-usage-errors.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { Classification, globOf } from './classification.ts';
import { markdownOf, plotOf, published, ratesOf } from './figures.ts';
import { MUTANTS, type Mutant } from './mutant.ts';
import { runMutants } from './running/pool.ts';
import type { Outcome } from './running/run.ts';
import { sampleOf } from './sample.ts';

const HELP = `Runs mutants of the correct service and prints those that no check finds.

  proof/mutants/main.ts [GLOB …]   globs over ids such as 'delivery.points.list~*@desc'
  --sample N       N of them, pairs of location, operator and condition first
  --seed N         another sample (1)
  --no-condition   only mutants that deviate on every call
  --whole          every check that meets a mutant, also after the first failure
  --workers N      processes (1)
  --list           print the ids
  --out FILE       append each outcome as a line of JSON
  --from FILE      no run: the outcomes of such a file (may be given several times)
  --publish        write the tables into docs/trust.md and the picture beside it`;

reportUsageErrors('proof/mutants');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'no-condition': { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    out: { type: 'string' },
    from: { type: 'string', multiple: true, default: [] },
    publish: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const ROOT = new URL('../../', import.meta.url);

if (values.help) console.log(HELP);
else if (values.from.length > 0 && positionals.length > 0)
  throw new UsageError(
    `--from takes one file and reads all of it: write --from before "${positionals[0]}" if that is another file, or leave it out.`,
  );
else if (values.list) for (const { id } of chosen()) console.log(id);
else await report(values.from.length > 0 ? read(values.from) : await runAll(chosen()));

function chosen(): readonly Mutant[] {
  const globs = positionals.map(globOf);
  const matching = MUTANTS.filter(
    ({ id, condition }) =>
      (globs.length === 0 || globs.some((glob) => glob.test(id))) &&
      !(values['no-condition'] && condition !== undefined),
  );
  if (matching.length === 0) {
    throw new UsageError(`No mutant matches ${positionals.join(' ')}: --list prints all ids.`);
  }
  return values.sample === undefined ? matching : sampleOf(matching, Number(values.sample), Number(values.seed));
}

function read(files: readonly string[]): Outcome[] {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  return lines.map((line) => JSON.parse(line) as Outcome);
}

async function runAll(mutants: readonly Mutant[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const seen = (outcome: Outcome): void => {
    outcomes.push(outcome);
    if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(outcome)}\n`);
  };
  await runMutants(mutants, seen, { workers: Number(values.workers), whole: values.whole });
  return outcomes;
}

async function report(outcomes: readonly Outcome[]): Promise<void> {
  const classification = new Classification();
  for (const outcome of outcomes) {
    if (outcome.end !== 'killed' || outcomes.length === 1) console.log(lineOf(outcome, classification));
  }
  const problems = outcomes.flatMap((outcome) => classification.problemWith(outcome) ?? []);
  if (problems.length > 0) console.log(`\nProblems:\n${problems.join('\n')}`);
  const rates = ratesOf(outcomes, classification);
  console.log(`\n${markdownOf(rates)}\n`);
  const count = (end: Outcome['end']): number => outcomes.filter((one) => one.end === end).length;
  console.log(
    `${outcomes.length} mutants: ${count('killed')} killed, ${count('warned')} warned about, ` +
      `${count('survived')} survived, ${problems.length} problems`,
  );
  if (values.publish) {
    const page = new URL('docs/trust.md', ROOT);
    writeFileSync(page, published(readFileSync(page, 'utf8'), rates));
    writeFileSync(new URL('docs/images/mutants.svg', ROOT), plotOf(rates));
  }
  process.exitCode = problems.length > 0 ? 1 : 0;
}

function lineOf(outcome: Outcome, classification: Classification): string {
  const { id, end, by, reason, fired, dropped } = outcome;
  const row = end === 'killed' ? undefined : (classification.rowOf(outcome)?.class ?? 'unclassified');
  const why = by === undefined ? '' : ` ${by}: ${reason}`;
  const lost = dropped.length === 0 ? '' : ` [dropped: ${dropped.slice(0, 3).join(', ')}]`;
  const how = fired === 0 ? 'never deviated' : `deviated ${fired} times`;
  return `${end.padEnd(8)} ${id} (${[row, how].filter(Boolean).join(', ')})${why}${lost}`;
}
