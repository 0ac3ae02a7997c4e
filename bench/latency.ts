/**
 * `node_modules/.bin/node bench/latency.ts [MS] [WORKERS]`: a run without browser and properties on the embedded service, which lets
 * each call wait as a distant one does. Prints the wall time, the requests by interface and the time of each phase.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunFooter } from '../contracts/run/events.ts';
import { reportUsageErrors } from '../harness/process/report-usage-errors.ts';
import { UsageError } from '../harness/process/usage-error.ts';

const PROOFMARK = join(import.meta.dirname, '../cli/proofmark.mjs');
const POLL_MS = 50;

reportUsageErrors('latency');
const [ms = '50', workers = '8'] = process.argv.slice(2);
const wrong = [ms, workers].find((text) => !/^\d+$/.test(text));
if (wrong !== undefined)
  throw new UsageError(`"${wrong}" is not a whole number: node_modules/.bin/node bench/latency.ts [MS] [WORKERS].`);
const folder = mkdtempSync(join(tmpdir(), 'proofmark-latency-'));
const profile = join(folder, 'profile.json');
const served = ['mock', '--port', '0', '--latency', ms, '--profile-out', profile];
const service = spawn(process.execPath, [PROOFMARK, ...served], { stdio: ['ignore', 'ignore', 'inherit'] });
while (!existsSync(profile) && service.exitCode === null) await pause(POLL_MS);

const started = performance.now();
const options = ['run', '--target', profile, '--runs', '0', '--workers', workers, '--out', folder, '--quiet'];
const env = { ...process.env, PROOFMARK_BROWSER: 'none' };
const run = spawn(process.execPath, [PROOFMARK, ...options], { env, stdio: ['ignore', 'ignore', 'inherit'] });
const [exitCode] = await once(run, 'exit');
const seconds = (performance.now() - started) / 1000;
service.kill();

const lines = readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n');
const footer = JSON.parse(lines.at(-1) ?? '') as RunFooter;
console.log(
  `${seconds.toFixed(1)} s with ${ms} ms and ${workers} workers: ${footer.requests} requests, exit ${exitCode}`,
);
console.log(`  ${JSON.stringify({ ...footer.requestsByInterface, ...footer.timings })}`);
rmSync(folder, { recursive: true });
