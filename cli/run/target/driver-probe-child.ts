/** The process of `driver-probe.ts`: its one argument is the path of a driver. */

import { UsageError } from '../../../harness/process/usage-error.ts';
import { DRIVER_MEMBERS, loadDriver } from '../../../harness/target/driver/index.ts';
import { loadErrorOf } from '../../../harness/target/driver/load-error.ts';
import type { ProbeReply } from './driver-probe.ts';

const [, , file = ''] = process.argv;
const say = (reply: ProbeReply): void => void process.send?.(reply);

// What goes wrong beside the loading is the module's, too; the exit code shows it.
process.on('uncaughtException', (error) =>
  say({ problem: `The driver ${file} can't be loaded: ${loadErrorOf(file, error)}: correct the module.` }),
);
process.on('unhandledRejection', (error) =>
  say({ problem: `The driver ${file} can't be loaded: ${loadErrorOf(file, error)}: correct the module.` }),
);

// At the top level: a module that waits for nothing ends this process with the code that Node has for it.
try {
  const driver = await loadDriver(file);
  say({ members: DRIVER_MEMBERS.filter((name) => name in driver) });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say({ problem: error.message });
}
