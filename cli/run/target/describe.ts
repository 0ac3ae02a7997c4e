/** What the header of a run says about its target and its configuration. Holds nothing secret. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { RunProfile, RunTarget } from '../../../contracts/run/events.ts';
import type { RunSettings } from '../../../harness/runner/settings.ts';
import { argumentsOf, type GivenFlags } from '../../common/given/arguments.ts';
import type { Target } from './target.ts';

type GivenTarget = Pick<RunSettings, 'target' | 'envFiles' | 'trust'>;

/** The flags of the command line that name the target and what its profile needs. */
export const targetFlags = ({ target, envFiles, trust }: GivenTarget): GivenFlags => ({
  target,
  'env-file': envFiles,
  trust,
});

/** Name, kind and addresses of the target, and of a profile file its digest and permissions; `given` is the command line. */
export function describeTarget(
  target: Pick<Target, 'name' | 'kind' | 'profile' | 'forWorkers'>,
  given: GivenTarget,
): {
  readonly target: RunTarget;
  readonly profile: RunProfile;
} {
  const { v1, api, allow } = target.profile;
  const addresses = Object.entries({ v1, api }).flatMap(([name, address]) =>
    address === undefined ? [] : [[name, withoutSecrets(address)] as const],
  );
  return {
    target: {
      name: target.name,
      kind: target.kind,
      ...(addresses.length === 0 ? {} : { addresses: Object.fromEntries(addresses) }),
    },
    profile: {
      ...digestOf(target.forWorkers),
      arguments: argumentsOf(targetFlags(given)),
      permissions: [...allow].sort(),
    },
  };
}

/** An address without user, query and fragment, where a key may be. */
function withoutSecrets(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

function digestOf(given: Target['forWorkers']): Pick<RunProfile, 'digest' | 'file'> {
  if (!('file' in given)) return {};
  return {
    digest: createHash('sha256').update(readFileSync(given.file)).digest('hex'),
    file: basename(given.file),
  };
}
