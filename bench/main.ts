/**
 * `npm run bench [-- NAME…] [--large] [--rivals]`: measures, prints, and writes bench/results.json, the plots and docs/speed.md.
 * Things are compared within one run, because machines are shared and noisy; no figure is a test's pass condition.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../cli/common/failure.ts';
import { type BenchResults, type MeasureResult, withResults } from './document.ts';
import type { Measure } from './measure.ts';
import { client } from './measures/client.ts';
import { generic } from './measures/generic/index.ts';
import { judge } from './measures/judge.ts';
import { lists } from './measures/lists.ts';
import { matrix } from './measures/matrix.ts';
import { mock } from './measures/mock.ts';
import { profile } from './measures/profile.ts';
import { report } from './measures/report.ts';
import { floor, growth, startUp, whole } from './measures/runs.ts';
import { plotOf } from './plot.ts';

const MEASURES: readonly Measure[] = [
  startUp,
  floor,
  whole,
  profile,
  client,
  mock,
  lists,
  judge,
  growth,
  matrix,
  report,
  generic,
];
const ROOT = join(import.meta.dirname, '..');
const RESULTS = join(ROOT, 'bench/results.json');
const PAGE = join(ROOT, 'docs/speed.md');

const HELP = `Usage: npm run bench [-- [MEASURE …] [OPTION …]]

Measures where the time goes. Without MEASURE: all of them, and the figures are written to bench/results.json, docs/speed.md and
docs/images/bench-*.svg. With MEASURE: only these, and nothing is written.

${MEASURES.map(({ id, title }) => `  ${id.padEnd(14)} ${title}`).join('\n')}

  --large         also lists of a million points and a recording of a gigabyte
  --rivals        also other tools, which are installed below bench/rivals/ first
  --help          print this text`;
const OPTIONS = ['--large', '--rivals'];

const given = process.argv.slice(2);
if (given.includes('--help') || given.includes('-h')) {
  console.log(HELP);
  process.exit(0);
}
const unknownOption = given.find((argument) => argument.startsWith('-') && !OPTIONS.includes(argument));
if (unknownOption !== undefined) {
  console.error(`npm run bench has no option ${unknownOption}. See npm run bench -- --help.`);
  process.exit(2);
}
const names = given.filter((argument) => !argument.startsWith('-'));
const unknown = names.find((name) => !MEASURES.some(({ id }) => id === name));
if (unknown !== undefined) {
  console.error(`There is no measure "${unknown}": choose from ${MEASURES.map(({ id }) => id).join(', ')}.`);
  process.exit(2);
}
/** What else the machine does: afterwards it would be the load of the measurements. */
const loadBefore = loadavg()[0]?.toFixed(1);
const measured: MeasureResult[] = [];
for (const { id, title, goal, run } of MEASURES) {
  if (names.length > 0 && !names.includes(id)) continue;
  const facts = { id, title, ...(goal === undefined ? {} : { goal }) };
  try {
    const result = { ...facts, ...(await run()) };
    measured.push(result);
    console.log(`\n${title}${result.isMet === undefined ? '' : result.isMet ? ' (goal met)' : ' (goal not met)'}`);
    for (const { what, value, unit, ratio } of result.figures)
      console.log(
        `  ${what.padEnd(70)} ${value.toPrecision(4)} ${unit}${ratio === undefined ? '' : `  x ${ratio.toFixed(2)}`}`,
      );
  } catch (error) {
    measured.push({ ...facts, figures: [], failure: describeError(error).message });
    console.log(`\n${title}: not measured: ${describeError(error).message}`);
  }
}
const results: BenchResults = {
  at: new Date().toISOString(),
  machine: `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.versions.node}, load ${loadBefore} before`,
  proofmark: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
  measures: measured,
};
// Single measures are for looking; only a whole run is kept.
if (names.length === 0) {
  writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 1)}\n`);
  for (const { id, title, plot } of measured)
    if (plot !== undefined) writeFileSync(join(ROOT, `docs/images/bench-${id}.svg`), plotOf(title, plot));
  writeFileSync(PAGE, withResults(readFileSync(PAGE, 'utf8'), results));
  console.log('\nWrote bench/results.json, docs/speed.md and docs/images/bench-*.svg.');
}
