/** A process that runs portions of mutants for its parent. */
import { MUTANTS } from '../mutant.ts';
import { MutantRunner, type Outcome, recordCorrect } from './run.ts';

export type WorkerMessage = { readonly outcome: Outcome } | { readonly ready: true };

const byId = new Map(MUTANTS.map((mutant) => [mutant.id, mutant]));
const propertyRuns = Number(process.argv[2]);
const runner = new MutantRunner(await recordCorrect(propertyRuns), propertyRuns);
const send = (message: WorkerMessage): void => void process.send?.(message, undefined, undefined, () => undefined);

process.on('message', async ({ ids, whole }: { ids: readonly string[]; whole: boolean }) => {
  const mutants = ids.map((id) => byId.get(id) ?? unknown(id));
  runner.prepare(mutants);
  for (const mutant of mutants) send({ outcome: await runner.run(mutant, whole) });
  send({ ready: true });
});
// After the parent was killed, no more outcomes are needed.
process.on('disconnect', () => process.exit(0));
send({ ready: true });

function unknown(id: string): never {
  throw new Error(`There is no mutant "${id}".`);
}
