/**
 * Runs conformant services and prints what blames them: `node_modules/.bin/node proof/readings/main.ts [NAME …]`. A name joins answers
 * by plus signs: `lists.order/by-title+tokens.life/3-calls`. Options: `HELP`.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reportUsageErrors } from '../../harness/process/report-usage-errors.ts';
import { drawn, pairwise, singles } from './draw.ts';
import { type Judgement, judge } from './judge.ts';
import { type Choice, choiceOf, isOpen, nameOfChoice } from './reading.ts';
import { READINGS } from './rows/index.ts';
import { runOverHttp } from './run-over-http.ts';
import { runOnService } from './run-service.ts';
import { type CheckSummary, markdownOf, problemsIn, published } from './tally.ts';

const HELP = `Runs conformant services and prints what blames them.

  proof/readings/main.ts [NAME …]  services by their names: answers joined by plus signs; "usual" for the embedded service
  --singles        each answer alone
  --pairwise N     N services in which answers meet in pairs
  --random N       N services at random
  --seed N         another draw (1)
  --most N         answers of one service, at most (8)
  --runs N         sequences of each property (1)
  --over-http GLOB …  by proofmark run, over HTTP and with a browser, the checks with such ids: 'labels.*'
  --list           print the names
  --out FILE       append each service as a line of JSON
  --from FILE …    no run: the services of such files
  --publish        write the table into docs/trust.md`;

reportUsageErrors('proof/readings');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    singles: { type: 'boolean', default: false },
    pairwise: { type: 'string', default: '0' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '8' },
    runs: { type: 'string', default: '1' },
    'over-http': { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    out: { type: 'string' },
    from: { type: 'string', multiple: true, default: [] },
    publish: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else if (values.list) for (const choice of chosen()) console.log(nameOfChoice(choice));
else report(values.from.length > 0 ? read(values.from) : await runAll(chosen()));

function chosen(): Choice[] {
  const [seed, most] = [Number(values.seed), Number(values.most)];
  return [
    ...positionals.map((name) => choiceOf(READINGS, name)),
    ...(values.singles ? singles(READINGS).filter((choice) => !isOpen(choice)) : []),
    ...pairwise(READINGS, seed, most, Number(values.pairwise)),
    ...drawn(READINGS, Number(values.random), seed, most),
  ];
}

/** What one run came to, as a line of a file. */
interface Line {
  readonly service: string;
  readonly judgement: Judgement;
}

function read(files: readonly string[]): CheckSummary[] {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  return lines
    .map((line) => JSON.parse(line) as Line)
    .map(({ service, judgement }) => ({ choice: choiceOf(READINGS, service), judgement }));
}

async function runAll(choices: readonly Choice[]): Promise<CheckSummary[]> {
  const done: CheckSummary[] = [];
  const overHttp = values['over-http'];
  for (const choice of choices) {
    const run =
      overHttp.length > 0
        ? await runOverHttp(choice, overHttp)
        : await runOnService(choice, { propertyRuns: Number(values.runs), seed: Number(values.seed) });
    const judgement = judge(choice, run);
    const line: Line = { service: nameOfChoice(choice), judgement };
    if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(line)}\n`);
    for (const problem of problemsIn([{ choice, judgement }])) console.log(problem);
    done.push({ choice, judgement });
  }
  return done;
}

function report(all: readonly CheckSummary[]): void {
  if (values.from.length > 0) for (const problem of problemsIn(all)) console.log(problem);
  const table = markdownOf(READINGS, all);
  console.log(`\n${table}`);
  if (values.publish) {
    const page = new URL('../../docs/trust.md', import.meta.url);
    writeFileSync(page, published(readFileSync(page, 'utf8'), table));
  }
  process.exitCode = problemsIn(all).length > 0 ? 1 : 0;
}
