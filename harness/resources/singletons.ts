/**
 * What a target has only once. Two runs that use it at the same time would judge each other's changes, so only one run of this machine
 * may use it. Delivery methods are not among them, since each run creates its own.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { CheckFacts } from '../check/facts.ts';
import { claim, type Holder, staleClaimAdvice } from '../cleanup/claims.ts';
import { UsageError } from '../process/usage-error.ts';
import type { Profile } from '../target/profile/types.ts';

/**
 * `reseller`: the account with its one session, settings, password, websites. `installation`: snippets and data of the
 * profile's installations. `app`: the addresses to which the catalog's app leads.
 */
export type Singleton = 'reseller' | 'installation' | 'app';

export const WORDS: Readonly<Record<Singleton, string>> = {
  reseller: 'the reseller account (its session, settings, password and websites)',
  installation: 'the app installations of the profile (their snippets and data)',
  app: "the app's addresses in the catalog",
};

/** Which of them a check uses in a way that another run would notice, or that another run could spoil. */
export function singletonsOf(check: Pick<CheckFacts, 'partList' | 'effectList' | 'needs'>): Singleton[] {
  const changes = check.effectList.some((effect) => effect !== 'read');
  const has = (prefix: string): boolean => check.needs.some((need) => need.startsWith(prefix));
  return [
    // A login is enough: it may legally end the session of another run.
    ...(check.partList.includes('reseller') ? (['reseller'] as const) : []),
    ...(changes && (has('apps.authCode') || has('apps.otherAuthCode')) ? (['installation'] as const) : []),
    ...(changes && has('driver.registerApp') ? (['app'] as const) : []),
  ];
}

export interface ClaimedSingletons {
  /** Why the checks that use one of them can't be run now. */
  readonly held: Readonly<Partial<Record<Singleton, string>>>;
  release(): void;
}

/**
 * Claims what the checks of a run need, for as long as the run lasts. What another run holds is reported in `held`: no run waits,
 * since a run may take half an hour.
 */
export function claimSingletons(profile: Profile, checks: readonly CheckFacts[], run: string): ClaimedSingletons {
  const used = checks.filter((check) => isAllowed(check, profile)).flatMap(singletonsOf);
  return claimEach(profile, used, `run ${run}`);
}

/** Claims them; `what` names the holder to others: `run 11200747ab12cd`. */
export function claimEach(profile: Profile, singletons: readonly Singleton[], what: string): ClaimedSingletons {
  const held: Partial<Record<Singleton, string>> = {};
  const releases: (() => void)[] = [];
  for (const singleton of new Set(singletons)) {
    for (const key of keysOf(singleton, profile)) {
      const file = join(claimFolder(), key);
      const claimed = claim(file, what);
      if ('release' in claimed) releases.push(claimed.release);
      else held[singleton] ??= sentence(singleton, file, claimed.heldBy);
    }
  }
  return {
    held,
    release: () => {
      for (const release of releases) release();
    },
  };
}

const isAllowed = (check: CheckFacts, { allow }: Profile): boolean =>
  check.effectList.every((effect) => effect === 'read' || allow.has(effect));

/** Names of the claims: a hash of the address and the account, so that the claim reveals neither. */
function keysOf(singleton: Singleton, { v1, api, apps, reseller }: Profile): string[] {
  const hashed = (...parts: readonly string[]): string =>
    `${singleton}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)}`;
  if (singleton === 'reseller')
    return api === undefined || reseller?.email === undefined ? [] : [hashed(api, reseller.email.reveal())];
  if (v1 === undefined || apps === undefined) return [];
  if (singleton === 'app') return apps.apiKey === undefined ? [] : [hashed(v1, apps.apiKey.reveal())];
  const codes = [apps.authCode, apps.otherAuthCode].filter((code) => code !== undefined);
  return codes.map((code) => hashed(v1, code.reveal()));
}

function sentence(singleton: Singleton, file: string, holder: Holder): string {
  const { what, pid, host, at } = holder;
  const since = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return `${what} (process ${pid} on ${host}, since ${since} UTC) uses ${WORDS[singleton]} of this target: wait until it ends${staleClaimAdvice(file, holder)} and run again`;
}

/** One folder for all runs of a user on this machine, wherever they are started. */
function claimFolder(): string {
  const folder = join(tmpdir(), `proofmark-claims-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isOthers = process.platform !== 'win32' && (found.uid !== userInfo().uid || (found.mode & 0o022) !== 0);
  if (!found.isDirectory() || isOthers)
    throw new UsageError(`The folder ${folder} is not private: remove it, or make it private (chmod 700).`);
  return folder;
}
