// Starts the service and says where: node scripts/node24.mjs proof/independent/server/main.ts [--port N] [--https]
import { parseArgs } from 'node:util';
import { startIndependentService } from '../service.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, https: { type: 'boolean', default: false } } });
const port = Number(values.port ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port takes a number from 0 to 65535, not ${values.port}.`);
  process.exit(2);
}
const { origin, profile, env, driverPath, close } = await startIndependentService({ https: values.https, port });
console.log(JSON.stringify({ origin, profile, env, driverPath }));
const stop = () => void close().then(() => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);

// The pinned Node is started by a small process that cannot forward signals: when it ends, the service ends too.
const PARENT_CHECK_MS = 250;
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stop();
}, PARENT_CHECK_MS);
