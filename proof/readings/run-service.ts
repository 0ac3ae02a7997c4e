/** Runs every check that needs no browser on the service of one choice, in this process. */
import { fileURLToPath } from 'node:url';
import type { CheckResult } from '../../contracts/run/events.ts';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { MockService } from '../../mock/types/service.ts';
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

export interface ServiceRun {
  readonly results: readonly CheckResult[];
  /** Handles of methods that the run added and did not remove, and of others that it removed. */
  readonly changed: readonly string[];
}

const handlesOf = ({ state }: MockService): string[] => state.methods.all().map(({ handle }) => handle);

/** The results of all checks on the service of a choice, and what they left behind. */
export async function runOnService(choice: Choice, options: ServiceRunOptions = {}): Promise<ServiceRun> {
  const service = createService({
    origin: ORIGIN,
    deviations: deviationsOf(choice),
    random: seededBytes(nameOfChoice(choice)),
  });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'reading', folder: ROOT, env: {} });
  const before = handlesOf(service);
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
    const after = handlesOf(service);
    const changed = [...before, ...after].filter((one) => !before.includes(one) || !after.includes(one));
    return { results, changed };
  } finally {
    service.close();
  }
}
