/**
 * How many of the faults of the embedded service `proofmark judge` finds in the recording of a client that does not look for any:
 * `node_modules/.bin/node proof/recordings/main.ts`. Prints the faults that such a recording shows and that no clause is blamed for.
 */
import { faults } from '../../mock/deviations.ts';
import { brokenIn, differ, record } from './recording.ts';

const correct = await record([]);
let shown = 0;
let found = 0;
for (const fault of faults) {
  const recording = await record([fault]);
  if (!differ(recording, correct)) continue;
  shown += 1;
  if (brokenIn(recording, 'service', { verdicts: ['fail', 'warn'] }).length > 0) found += 1;
  else console.log(`not found  ${fault.id}: ${fault.about}`);
}
console.log(`${faults.length} faults, ${shown} of them seen by the client, ${found} found in its recording`);
