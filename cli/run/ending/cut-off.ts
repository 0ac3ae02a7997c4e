/** A run whose processes were killed: what they left is put back by the process that started them, and reported in its events. */
import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunFooter, RunHeader } from '../../../contracts/run/events.ts';
import { EventWriter } from '../../../harness/evidence/events/writer.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { JOB_FILE, type Job } from '../../../harness/runner/job.ts';
import { profileOf } from '../../../harness/runner/worker.ts';
import { loadProfile } from '../../../harness/target/profile/index.ts';
import { redactionFor } from '../../../harness/target/secrets/profile-redaction.ts';
import { argumentsAsGiven } from '../../common/given/arguments.ts';
import { LEDGER_FOLDER } from '../target/leftovers.ts';
import { cleanUpAfter } from './clean-up.ts';

/** The user asked twice to end at once: what can be put back in this time is. */
const MAX_CLEAN_UP_MS = 20_000;

/**
 * Writes the events again from what the workers left in the private folder of `proofmark run`: the writer that was killed held
 * verdicts back until those of all checks before them were there. Changes nothing where the workers left nothing.
 */
export function recoverVerdicts(events: string, handOver: string): void {
  const header = headerOf(events);
  if (header === undefined) return;
  const file = join(handOver, header.run, JOB_FILE);
  const job = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Job | { readonly refused: string })
    : undefined;
  if (job === undefined || 'refused' in job || !existsSync(job.spoolFolder)) return;
  const redaction = redactionFor(profileOf(job));
  const writer = new EventWriter(events, header, { redact: (value) => redaction.value(value) });
  writer.merge(job.spoolFolder);
  writer.leave();
}

/** Cleans up after the run of these events, and appends what became of it to them. */
export async function cleanUpCutOff(target: string, events: string, envFiles: readonly string[] = []): Promise<void> {
  const run = headerOf(events)?.run;
  if (run === undefined || target === 'mock' || target.startsWith('mock:')) return;
  try {
    const profile = loadProfile(target);
    console.error(
      `Cleaning up what the run left on the target, at most ${MAX_CLEAN_UP_MS / 1000} s (Ctrl-C leaves it to: proofmark sweep ${[...argumentsAsGiven({ 'env-file': envFiles }), run].join(' ')}).`,
    );
    const changes = await cleanUpAfter(join(resolve(LEDGER_FOLDER), run), profile, MAX_CLEAN_UP_MS);
    const redaction = redactionFor(profile);
    const lines = changes.map((change) =>
      JSON.stringify({ ...redaction.value(change), type: change.type, what: change.what }),
    );
    removeTornLine(events);
    appendFileSync(events, lines.map((line) => `${line}\n`).join(''));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`proofmark: ${error.message}`);
  }
}

/** Ends the events of a run that the user ended at once: without a footer the report would take the end for a fault of ours. */
export async function closeCutOff(events: string, interrupted: string, startedAt: number): Promise<void> {
  removeTornLine(events);
  let requests = 0;
  for await (const line of createInterface({ input: createReadStream(events) }))
    if (/^\{"type":"exchange".*"direction":"sent"/.test(line)) requests += 1;
  const endedAt = Date.now();
  const footer: RunFooter = {
    type: 'footer',
    endedAt: new Date(endedAt).toISOString(),
    durationMs: endedAt - startedAt,
    requests,
    interrupted,
    allowInconclusive: false,
    notices: [],
    timings: {},
  };
  appendFileSync(events, `${JSON.stringify(footer)}\n`);
}

/** The header of these events. */
function headerOf(events: string): RunHeader | undefined {
  const fd = openSync(events, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    const [line = ''] = bytes.toString('utf8', 0, readSync(fd, bytes, 0, HEADER_BYTES, 0)).split('\n', 1);
    return JSON.parse(line) as RunHeader;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** Takes away the line that the kill left without an end. */
function removeTornLine(file: string): void {
  const fd = openSync(file, 'r+');
  try {
    let { size } = fstatSync(fd);
    const byte = Buffer.alloc(1);
    while (size > 0 && readSync(fd, byte, 0, 1, size - 1) === 1 && byte[0] !== NEWLINE) size -= 1;
    ftruncateSync(fd, size);
  } finally {
    closeSync(fd);
  }
}

const NEWLINE = 0x0a;

/** A header holds the plan of all checks. */
const HEADER_BYTES = 4 * 1024 * 1024;
