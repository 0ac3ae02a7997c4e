/** Runs every check that needs no browser on the service of one choice, in this process. */
import { fileURLToPath } from 'node:url';
import type { CheckResult } from '../../contracts/run/events.ts';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { snapshot } from '../../mock/control.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { SUITES } from '../../suites/index.ts';
import { seededBytes } from '../seeded-bytes.ts';
import { type Choice, deviationsOf, nameOfChoice } from './reading.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ORIGIN = 'http://127.0.0.1:4010';

export interface ServiceRunOptions {
  /** Sequences of each property; none by default. */
  readonly propertyRuns?: number;
  readonly seed?: number;
  /** Globs of check ids; all by default. */
  readonly wanted?: (id: string) => boolean;
}

/** The state of a service, by table and key. */
type Snapshot = Readonly<Record<'methods' | 'installations' | 'resellers', Readonly<Record<string, object>>>>;

export interface ServiceRun {
  readonly results: readonly CheckResult[];
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** The results of all checks on the service of a choice, with its state before and after them. */
export async function runOnService(choice: Choice, options: ServiceRunOptions = {}): Promise<ServiceRun> {
  const service = createService({
    origin: ORIGIN,
    deviations: deviationsOf(choice),
    random: seededBytes(nameOfChoice(choice)),
  });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'reading', folder: ROOT, env: {} });
  const state = (): Snapshot => snapshot(service.state) as Snapshot;
  const before = state();
  try {
    const results = await runInProcess(
      SUITES,
      {
        profile,
        transport: (request) => service.fetch(request),
        instantPauses: true,
        propertyRuns: options.propertyRuns ?? 0,
        ...(options.seed === undefined ? {} : { seed: options.seed }),
      },
      ({ id }) => options.wanted?.(id) ?? true,
    );
    return { results, before, after: state() };
  } finally {
    service.close();
  }
}
