/**
 * Tries faults on services that read the silences of the contract in other ways, and prints those that no check finds:
 * `node_modules/.bin/node proof/readings/faulty-main.ts [FAULT::ANSWERS …]`. Options: `HELP`.
 */
import { parseArgs } from 'node:util';
import { reportUsageErrors } from '../../harness/process/report-usage-errors.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { drawnFor, FAULTS, type FaultyService, faultyService, judgeFaulty } from './faulty.ts';
import { nameOfChoice } from './reading.ts';

const HELP = `Tries faults on services with other answers to the silences of the contract, and prints what no check finds.

  proof/readings/faulty-main.ts [FAULT::ANSWERS …]  services by their names: points.id-is-number::texts.length/at-most-32
  --part I/N       without names: every N-th fault, from the I-th, each on a drawn service (1/1)
  --seed N         another draw (1)
  --most N         answers of one service, at most (5)
  --answers A+B    these answers for every fault, in place of drawn ones
  --singly         the answers of a service that hides a fault one by one as well, to see which of them does`;

reportUsageErrors('proof/readings/faulty');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string', default: '1/1' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '5' },
    answers: { type: 'string' },
    singly: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await report();

async function report(): Promise<void> {
  const [, from = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(values.part) ?? []).map(Number);
  if (from < 1 || from > of)
    throw new UsageError(`--part "${values.part}" is not a part of a whole: write 1/4 for the first of four.`);
  const services =
    positionals.length > 0
      ? positionals.map(faultyService)
      : FAULTS.filter((_, at) => at % of === from - 1).map((fault) =>
          values.answers === undefined
            ? drawnFor(fault, Number(values.seed), Number(values.most))
            : faultyService(`${fault.id}::${values.answers}`),
        );
  let missed = 0;
  for (const service of services) if (!(await isFound(service))) missed += 1;
  console.log(`${services.length} faults, ${missed} not found`);
  process.exitCode = missed > 0 ? 1 : 0;
}

/** Whether the fault is found; prints it if not, with the answers that hide it. */
async function isFound(service: FaultyService): Promise<boolean> {
  const { foundBy, undecided } = await judgeFaulty(service);
  if (foundBy.length > 0) return true;
  console.log(`not found  ${service.fault.id}::${nameOfChoice(service.choice)}`);
  for (const one of undecided.slice(0, 3)) console.log(`             undecided ${one}`);
  if (!values.singly || service.choice.size < 2) return false;
  for (const [reading, answer] of service.choice) {
    const alone = { ...service, choice: new Map([[reading, answer]]) };
    if ((await judgeFaulty(alone)).foundBy.length === 0)
      console.log(`             hidden by ${nameOfChoice(alone.choice)} alone`);
  }
  return false;
}
