/**
 * Runs mutants of the correct service and prints which of them no check finds:
 * `node --import tsx proof/mutants/main.ts [GLOB …] [--sample N] [--seed N] [--all] [--list] [--out FILE]`.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MUTANTS, type Mutant } from './mutant.ts';
import { MutantRunner, type Outcome, recordCorrect } from './run.ts';
import { sampleOf } from './sample.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    whole: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const globs = positionals.map(
  (glob) => new RegExp(`^${glob.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
);
const matching = MUTANTS.filter(({ id }) => globs.length === 0 || globs.some((glob) => glob.test(id)));
const chosen: readonly Mutant[] =
  values.sample === undefined ? matching : sampleOf(matching, Number(values.sample), Number(values.seed));

if (values.list) {
  for (const { id } of chosen) console.log(id);
  console.log(`${chosen.length} of ${MUTANTS.length} mutants`);
} else if (chosen.length === 0) {
  console.error(`No mutant matches ${positionals.join(' ')}: --list prints all ids.`);
  process.exitCode = 2;
} else {
  await runAll(chosen);
}

async function runAll(mutants: readonly Mutant[]): Promise<void> {
  const started = performance.now();
  const runner = new MutantRunner(await recordCorrect());
  const outcomes: Outcome[] = [];
  if (values.out !== undefined) writeFileSync(values.out, '');
  for (const mutant of mutants) {
    const outcome = await runner.run(mutant, values.whole);
    outcomes.push(outcome);
    if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(outcome)}\n`);
    if (mutants.length === 1 || outcome.end !== 'killed') console.log(lineOf(outcome));
  }
  const count = (end: Outcome['end']): number => outcomes.filter((one) => one.end === end).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const unmet = outcomes.filter(({ fired }) => fired === 0).length;
  console.log(
    `${outcomes.length} mutants: ${count('killed')} killed, ${count('warned')} warned about, ${count('survived')} survived ` +
      `(${unmet} of all never deviated), ${count('error')} errors, ${seconds} s`,
  );
}

function lineOf({ id, end, by, reason, fired, dropped }: Outcome): string {
  const why = by === undefined ? '' : ` ${by}: ${reason}`;
  const lost = dropped.length === 0 ? '' : ` [dropped: ${dropped.join(', ')}]`;
  return `${end.padEnd(8)} ${id} (${fired === 0 ? 'never deviated' : `deviated ${fired} times`})${why}${lost}`;
}
