/** What can be said of the target of a profile by reading alone: addresses, credentials, driver, and the harness's own listener. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../../harness/process/usage-error.ts';
import type { TargetDriver } from '../../harness/target/driver/target-driver.ts';
import { openListener } from '../../harness/target/listener/index.ts';
import { whyNotListening } from '../../harness/target/listener/not-listening.ts';
import { whyNotLeadingHere } from '../../harness/target/listener/self-visit.ts';
import { variablesIn } from '../../harness/target/profile/files/variables.ts';
import { isAbsent } from '../../harness/target/profile/index.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { unusedCredentials } from '../../harness/target/profile/unused.ts';
import { redactionFor } from '../../harness/target/secrets/profile-redaction.ts';
import { probeDriver } from '../run/target/driver-probe.ts';
import type { Unusable } from '../run/target/key-probes.ts';
import { preflight } from '../run/target/preflight.ts';
import type { Line } from './machine.ts';

/** Names of the environment that a profile's file speaks of, and whether they are set: never their values. */
export function secretLines(file: string): Line[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The profile reader says it better.
    return [];
  }
  const names = variablesIn(text);
  const isSet = (name: string): boolean => (process.env[name] ?? '') !== '';
  const set = names.filter(isSet);
  const unset = names.filter((name) => !isSet(name));
  return [
    ...(set.length === 0 ? [] : [{ kind: 'good', what: 'Secrets', says: `set: ${set.join(', ')}` } as const]),
    ...(unset.length === 0
      ? []
      : [
          {
            kind: 'missing',
            what: 'Secrets',
            says: `not set, or empty: ${unset.join(', ')}: set them, or give --env-file FILE`,
          } as const,
        ]),
  ];
}

/** What is behind each base address. */
const OF_BASE = { v1: ['delivery', 'apps'], api: ['reseller'] } as const;

const missingBase = (api: 'v1' | 'api'): string => {
  const parts = OF_BASE[api].map((part) => `"${part}"`).join(', ');
  return `the profile has no "${api}": add it, or "absent": [${parts}] where the target does not have it`;
};

/** The line of what only a run can probe. */
export const NOT_PROBED = 'Not probed';

/** The keys of the profile that one sentence is about; a key is left out if one of its parts is named. */
export function keysByReason(unusable: Unusable): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const [key, { reason }] of Object.entries(unusable)) {
    const keys = byReason.get(reason) ?? [];
    byReason.set(reason, [...keys, key]);
  }
  for (const [reason, keys] of byReason)
    byReason.set(
      reason,
      keys.filter((key) => !keys.some((other) => other.startsWith(`${key}.`))),
    );
  return byReason;
}

export interface TargetInspection {
  readonly lines: readonly Line[];
  readonly unusable: Unusable;
}

/** Asks the target with the credentials and values of its profile, by reading calls and one login. */
export async function inspectTarget(profile: Profile, trusted: readonly string[]): Promise<TargetInspection> {
  const { unusable, requests } = await preflight(profile, { trusted: new Set(trusted) });
  const addresses = (['v1', 'api'] as const).map((api): Line => {
    const base = profile[api];
    if (base === undefined && OF_BASE[api].every((part) => isAbsent(profile, part)))
      return { kind: 'note', what: api, says: 'not set, and not needed: its parts are absent' };
    if (base === undefined) return { kind: 'missing', what: api, says: missingBase(api) };
    const bad = unusable[api];
    if (bad !== undefined) return { kind: 'missing', what: api, says: `${bad.reason} (${bad.attribution})` };
    return { kind: 'good', what: api, says: base };
  });
  const credentials = [...keysByReason(unusable)]
    .filter(([, keys]) => keys.some((key) => key.includes('.')))
    .map(([reason, keys]): Line => ({ kind: 'missing', what: keys.join(', '), says: reason }));
  const unused = unusedCredentials(profile).map((says): Line => ({ kind: 'note', what: 'Not used', says }));
  const asked: Line = {
    kind: 'note',
    what: 'Requests',
    says: requests === 0 ? 'the profile has no credentials to try' : `${requests} were sent, all of them reads`,
  };
  const later: Line[] =
    profile.website?.defaultLanguage === undefined || unusable['website.defaultLanguage'] !== undefined
      ? []
      : [
          {
            kind: 'note',
            what: NOT_PROBED,
            says: '"website.defaultLanguage": probing it needs a write, so `proofmark run` does it if "allow" contains "write"',
          },
        ];
  return { lines: [...addresses, ...credentials, ...unused, ...later, asked], unusable };
}

/** The functions of the profile's driver, by their names alone: none is called here. */
export async function driverLine(profile: Profile): Promise<{ driver: TargetDriver; line: Line }> {
  const { driver: file } = profile;
  const what = 'Driver';
  if (file === undefined) return { driver: {}, line: { kind: 'note', what, says: 'the profile names none' } };
  try {
    const members = await probeDriver(file, redactionFor(profile));
    const driver = Object.fromEntries(members.map((name) => [name, notHere])) as TargetDriver;
    return { driver, line: { kind: 'good', what, says: `${file}: ${members.join(', ') || 'no function'}` } };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { driver: {}, line: { kind: 'missing', what, says: error.message } };
  }
}

const notHere = (): never => {
  throw new Error('The doctor only counts the functions of a driver.');
};

/** Listens as a run would, and visits itself where the profile names a public address. */
export async function listenerLine(profile: Profile): Promise<Line> {
  const { host, port, publicUrl } = profile.listen;
  const what = 'Listener';
  let listener: Awaited<ReturnType<typeof openListener>>;
  try {
    listener = await openListener({ host, port, publicUrl });
  } catch (error) {
    const says = whyNotListening(error, profile.listen);
    if (says === undefined) throw error;
    return { kind: 'missing', what, says };
  }
  try {
    if (publicUrl === undefined) {
      return {
        kind: 'good',
        what,
        says: `listens at ${listener.base}; the target must be able to reach it, otherwise set "listen"`,
      };
    }
    const problem = await whyNotLeadingHere(listener, profile.limits.timeoutMs);
    return problem === undefined
      ? { kind: 'good', what, says: `${publicUrl} leads to it` }
      : {
          kind: 'missing',
          what,
          says: `${publicUrl} does not lead to ${host}:${port} (${problem}): start the tunnel, or correct "listen"`,
        };
  } finally {
    await listener.close();
  }
}
