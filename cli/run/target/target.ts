/** The target of a run: the embedded mock (started here, with a deviation or without) or the service of a profile. */
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../../harness/process/usage-error.ts';
import type { Job } from '../../../harness/runner/job.ts';
import { loadProfile, parseProfile } from '../../../harness/target/profile/index.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';
import { redactionFor } from '../../../harness/target/secrets/profile-redaction.ts';
import { faults, variants } from '../../../mock/deviations.ts';
import { serve } from '../../../mock/http/serve.ts';
import { profileOf as mockProfileOf } from '../../../mock/profile.ts';
import type { Deviation } from '../../../mock/types/deviation.ts';
import { probeDriver } from './driver-probe.ts';

export interface Target {
  readonly name: string;
  /** `mock`, `mock:fault`, `mock:variant` or `profile`. */
  readonly kind: string;
  readonly profile: Profile;
  readonly forWorkers: Job['profile'];
  close(): Promise<void>;
}

const MOCK = /^mock(?::(fault|variant)=(.+))?$/;

/** Opens the target that `--target` names. Throws a UsageError when there is no such profile, fault or variant. */
export async function openTarget(target: string): Promise<Target> {
  const mock = MOCK.exec(target);
  if (mock === null && target.startsWith('mock:')) {
    throw new UsageError(
      `--target ${target} is not known: write mock, mock:fault=ID, mock:variant=ID,ID or the path of a profile.`,
    );
  }
  if (mock === null) {
    const profile = loadProfile(target);
    // The workers load it themselves; a driver that can't be loaded is a matter of configuration, reported before anything runs.
    if (profile.driver !== undefined) await probeDriver(profile.driver, redactionFor(profile));
    return {
      name: profile.name,
      kind: 'profile',
      profile,
      forWorkers: { file: resolve(target) },
      close: async () => undefined,
    };
  }
  const kind = mock[1] as 'fault' | 'variant' | undefined;
  const ids = mock[2]?.split(',') ?? [];
  const served = await serve({ deviations: deviationsOf(kind, ids) }, { port: 0, https: false });
  const folder = resolve(dirname(new URL(import.meta.url).pathname), '../../..');
  const text = JSON.stringify(mockProfileOf(served.service));
  return {
    name: target,
    kind: kind === undefined ? 'mock' : `mock:${kind}`,
    profile: parseProfile(text, { file: 'mock', folder, env: process.env }),
    forWorkers: { text, folder },
    close: () => served.close(),
  };
}

/** The deviations that `--target mock:fault=…` or `mock:variant=…` names. Throws a UsageError that names the nearest ids. */
export function deviationsOf(kind: 'fault' | 'variant' | undefined, ids: readonly string[]): Deviation[] {
  const known = kind === 'fault' ? faults : variants;
  return ids.map((id) => {
    const found = known.find((deviation) => deviation.id === id);
    if (found !== undefined) return found;
    const near = known
      .map((deviation) => deviation.id)
      .filter(
        (other) => other.includes(id) || id.split(/[.-]/).some((word) => word.length > 3 && other.includes(word)),
      );
    const hint =
      near.length > 0
        ? `did you mean ${near.slice(0, 3).join(', ')}?`
        : 'proofmark explain CHECK prints the faults of a check.';
    throw new UsageError(`The mock has no ${kind} "${id}": ${hint}`);
  });
}
