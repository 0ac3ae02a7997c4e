/** A worker of a run: its resources, made once, and the spool that its results go to. */
import { existsSync } from 'node:fs';
import { launchQuietly } from '../browser/launch.ts';
import type { Check } from '../check/check.ts';
import { runCheck } from '../check/run-check.ts';
import { openLedger } from '../cleanup/ledger.ts';
import { openSpool, type Spool } from '../evidence/events/spool.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedaction, type Redaction } from '../evidence/redaction/index.ts';
import { createRecording, type Recording } from '../recording/record.ts';
import { Resources } from '../resources/resources.ts';
import { markOf } from '../resources/run-info.ts';
import { createClient } from '../target/client/index.ts';
import { loadDriver } from '../target/driver/index.ts';
import { openWire } from '../target/network/network.ts';
import { rateClient } from '../target/network/rate.ts';
import { loadProfile, type Profile, parseProfile } from '../target/profile/index.ts';
import type { Job } from './job.ts';
import { chanceOf } from './prng.ts';

export class Worker {
  readonly job: Job;
  readonly resources: Resources;
  readonly #spool: Spool;
  readonly #recording: Recording | undefined;
  #current = '';

  private constructor(
    job: Job,
    spool: Spool,
    recording: Recording | undefined,
    make: (current: () => string) => Resources,
  ) {
    this.job = job;
    this.#spool = spool;
    this.#recording = recording;
    this.resources = make(() => this.#current);
  }

  static async start(job: Job, name: string): Promise<Worker> {
    const profile = profileOf(job);
    const { run } = job;
    const recording =
      job.recordFolder === undefined
        ? undefined
        : createRecording({
            folder: job.recordFolder,
            worker: name,
            redaction: createRedaction(),
            mark: markOf(run.run),
            showPersonalData: run.showPersonalData,
          });
    const redaction = redactionFor(profile, recording?.redaction);
    const spool = openSpool(job.spoolFolder, name);
    const driver = profile.driver === undefined ? undefined : await loadDriver(profile.driver);
    return new Worker(job, spool, recording, (current) => {
      const recorder = createRecorder({
        check: current,
        spool: (exchange) => spool.append(exchange),
        redaction,
        showPersonalData: run.showPersonalData,
      });
      const rate = job.rateAddress === undefined ? {} : { rate: rateClient(job.rateAddress) };
      return new Resources({
        profile,
        run,
        redaction,
        recorder,
        driver,
        client: createClient({
          profile,
          recorder,
          ...rate,
          ...(recording === undefined ? {} : { wire: recording.wire(openWire(profile)) }),
        }),
        chance: chanceOf(run.run, current),
        ledger: openLedger(job.ledgerFolder, { run: run.run, ...job.ledger }, profile.secrets()),
        ...(run.browser === undefined ? {} : { launchBrowser: () => launchQuietly(run.browser!) }),
      });
    });
  }

  /** Runs one check and spools its events; a run that was asked to stop starts no further one. */
  async run(check: Check, suite: string): Promise<void> {
    if (existsSync(this.job.stopFile)) return;
    this.#current = check.id;
    this.#recording?.start(check.id, suite);
    const { result, context } = await runCheck(check, suite, this.resources);
    const { redaction } = this.resources;
    this.#spool.append(
      ...context.observations(redaction),
      ...context.changes.map((change) => redaction.value({ type: 'ledger' as const, ...change })),
      result,
    );
    this.#recording?.end(check.id, result.verdict);
  }

  async close(): Promise<void> {
    this.#current = '';
    this.#recording?.start('', '');
    await this.resources.close();
    this.#recording?.end('');
    this.#recording?.close();
    const { kept, redaction } = this.resources;
    this.#spool.append(...kept.notes.map((note) => redaction.value({ type: 'ledger' as const, ...note })));
    this.#spool.close();
  }
}

/** The profile of a job, from its file or its text. */
export function profileOf(job: Pick<Job, 'profile'>): Profile {
  return 'file' in job.profile
    ? loadProfile(job.profile.file)
    : parseProfile(job.profile.text, { file: 'mock', folder: job.profile.folder, env: process.env });
}

/** The redaction that knows the secrets of a profile; `redaction` is told of them where one is given. */
export function redactionFor(profile: Profile, redaction: Redaction = createRedaction()): Redaction {
  for (const secret of profile.secrets()) redaction.add({ name: secret.name, value: secret.reveal() });
  return redaction;
}
