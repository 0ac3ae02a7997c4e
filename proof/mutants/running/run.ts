/** Runs one mutant against the checks that can notice it, and stops at the first that fails. */
import { fileURLToPath } from 'node:url';
import { ownVectors } from '../../../cli/run/replay/vectors.ts';
import type { CheckResult } from '../../../contracts/run/events.ts';
import type { Check, Suite } from '../../../harness/check/check.ts';
import { sharingOf } from '../../../harness/check/running/sharing.ts';
import { runInProcess, runsInProcess } from '../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import type { MockService } from '../../../mock/types/service.ts';
import { CHECKS, SUITES } from '../../../suites/index.ts';
import { seededBytes } from '../../seeded-bytes.ts';
import { copyOfReply, mutableRequestOf, replyOf, responseOf } from '../message.ts';
import type { Mutant } from '../mutant.ts';
import type { Credentials } from '../world.ts';
import { mutate } from './mutate.ts';
import { checksMeeting, type Recording } from './reach.ts';

/** How a mutant ended: found by a failed check, found by a warning only, or survived. */
export type End = 'killed' | 'warned' | 'survived' | 'error';

export interface Outcome {
  readonly id: string;
  readonly end: End;
  /** The check that found it, with its reason. */
  readonly by?: string;
  readonly reason?: string;
  /** How often it deviated: 0 if no request reached it. */
  readonly fired: number;
  /** Clauses that checks reported as broken without a failure: dropped evidence. */
  readonly dropped: readonly string[];
  readonly checks: number;
}

const ORIGIN = 'http://127.0.0.1:4010';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** As `proofmark run` does, properties try the kept cases first. */
const VECTORS = ownVectors();
/** A mutant takes a second or two, more on a busy machine. */
const MUTANT_TIMEOUT_MS = 120_000;

interface Opened {
  readonly service: MockService;
  readonly profile: Profile;
  readonly credentials: Credentials;
}

export function open(seed: string): Opened {
  const service = createService({ origin: ORIGIN, random: seededBytes(seed) });
  const written = profileOf(service) as unknown as {
    delivery: { private: { apiKey: string; otherApiKey: string }; public: { apiKey: string } };
    apps: { apiKey: string; authCode: string; otherAuthCode: string };
  };
  const { delivery, apps } = written;
  return {
    service,
    profile: parseProfile(JSON.stringify(written), { file: 'mock', folder: ROOT, env: {} }),
    credentials: {
      privateKey: delivery.private.apiKey,
      otherKey: delivery.private.otherApiKey,
      publicKey: delivery.public.apiKey,
      appKey: apps.apiKey,
      authCode: apps.authCode,
      otherAuthCode: apps.otherAuthCode,
    },
  };
}

const IN_PROCESS: readonly { readonly suite: string; readonly serialGroup: string; readonly check: Check }[] =
  SUITES.flatMap(({ name, serialGroup, checks }) =>
    checks.filter(runsInProcess).map((check) => ({ suite: name, serialGroup, check })),
  );

/** Runs the checks on the correct service and keeps their exchanges. Throws if a check fails. */
export async function recordCorrect(propertyRuns: number): Promise<Recording> {
  const { service, profile, credentials } = open('reach');
  const exchanges: Recording['exchanges'][number][] = [];
  const callsBefore = new Map<string, ReadonlyMap<string, number>>();
  const calls = new Map<string, number>();
  let check = '';
  // Once more with each check by itself: one that rests on what another has read reaches what that one reaches.
  for (const isolated of [false, true]) {
    const results = await runInProcess(
      SUITES,
      {
        profile,
        isolated,
        instantPauses: true,
        propertyRuns: isolated ? 0 : propertyRuns,
        vectors: isolated ? [] : VECTORS,
        transport: async (request) => {
          const sent = await mutableRequestOf(request);
          if (sent === undefined) return service.fetch(request);
          const reply = await replyOf(await service.fetch(request));
          exchanges.push({ check, sent, reply: copyOfReply(reply) });
          calls.set(sent.operation.id, (calls.get(sent.operation.id) ?? 0) + 1);
          return responseOf(reply);
        },
      },
      ({ id }) => {
        check = id;
        if (!isolated) callsBefore.set(id, new Map(calls));
        return true;
      },
    );
    const failed = results.find(({ verdict }) => verdict === 'fail' || verdict === 'error');
    if (failed !== undefined) throw new Error(`${failed.id} fails on the correct service: ${failed.reason}`);
  }
  return { exchanges, callsBefore, service, credentials };
}

const sharing = sharingOf(CHECKS);

/** A check that rests on the requests of another check reaches what that check reaches. */
const withSharers = (met: ReadonlySet<string>): ReadonlySet<string> => new Set([...met].flatMap((id) => sharing(id)));

/** Runs mutants in sequence, and tries the checks first that have found the most. */
export class MutantRunner {
  readonly #recording: Recording;
  readonly #propertyRuns: number;
  readonly #kills = new Map<string, number>();
  readonly #meetings = new Map<string, ReadonlySet<string>>();

  /** `propertyRuns`: sequences of each property, as many as were recorded. */
  constructor(recording: Recording, propertyRuns: number) {
    this.#recording = recording;
    this.#propertyRuns = propertyRuns;
  }

  /** Learns in one pass which checks reach these mutants, which is much faster than one pass per mutant. */
  prepare(mutants: readonly Mutant[]): void {
    for (const [id, met] of checksMeeting(mutants, this.#recording)) this.#meetings.set(id, withSharers(met));
  }

  /**
   * Runs a mutant. With `whole`, every check that it can reach runs, and nothing stops early. One that survives the quick order
   * runs again in the order of a normal run: if a value is lost only once, a later check cannot observe the loss. A lasting change
   * can come before all checks that would see it, and another check restores the value meanwhile: all checks of its interface run.
   */
  async run(mutant: Mutant, whole = false): Promise<Outcome> {
    const met = this.#metBy(mutant);
    if (met.size === 0) return outcomeOf(mutant.id, [], 0);
    const { operation, operator } = mutant;
    const isIncluded = ({ id }: Check): boolean =>
      met.has(id) || (operator.isLasting === true && id.includes(operation.iface));
    const inOrder: Suite[] = SUITES.map(({ name, serialGroup, checks }) => ({
      ...{ name, serialGroup },
      checks: checks.filter(isIncluded),
    }));
    const outcome = await this.#runChecks(mutant, this.#bestFirst(met), whole);
    return outcome.end === 'killed' || outcome.fired === 0 ? outcome : this.#runChecks(mutant, inOrder, whole);
  }

  async #runChecks(mutant: Mutant, suites: readonly Suite[], whole: boolean): Promise<Outcome> {
    const { service, profile, credentials } = open(mutant.id);
    const { transport, world } = mutate(service, credentials, mutant);
    const soFar: CheckResult[] = [];
    let isFound = false;
    const work = runInProcess(
      suites,
      {
        profile,
        transport,
        instantPauses: true,
        propertyRuns: this.#propertyRuns,
        vectors: VECTORS,
        onResult: (result) => {
          soFar.push(result);
          isFound ||= result.verdict === 'fail' || result.breaches !== undefined;
        },
      },
      ({ id }) => {
        world.startAt(this.#recording.callsBefore.get(id));
        return whole || !isFound;
      },
    );
    // The results as a run reports them, including violations that only preconditions found.
    const results = await Promise.race([work, timeout(MUTANT_TIMEOUT_MS)]);
    service.close();
    const outcome = outcomeOf(mutant.id, results ?? soFar, world.fired);
    if (outcome.by !== undefined) this.#kills.set(outcome.by, (this.#kills.get(outcome.by) ?? 0) + 1);
    if (results !== undefined) return outcome;
    return { ...outcome, end: 'error', reason: `It did not end within ${MUTANT_TIMEOUT_MS / 1000} s.` };
  }

  #metBy(mutant: Mutant): ReadonlySet<string> {
    if (!this.#meetings.has(mutant.id)) this.prepare([mutant]);
    return this.#meetings.get(mutant.id)!;
  }

  /** The checks that reach a mutant: those that found the most first, properties last. */
  #bestFirst(met: ReadonlySet<string>): Suite[] {
    const rank = ({ id, additional }: Check): number =>
      (additional === true ? -100_000 : 0) + (this.#kills.get(id) ?? 0);
    return IN_PROCESS.filter(({ check }) => met.has(check.id))
      .map((one) => ({ ...one, rank: rank(one.check) }))
      .sort((a, b) => b.rank - a.rank)
      .map(({ suite, serialGroup, check }) => ({ name: suite, serialGroup, checks: [check] }));
  }
}

const timeout = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });

function outcomeOf(id: string, results: readonly CheckResult[], fired: number): Outcome {
  const failed = results.find(({ verdict }) => verdict === 'fail');
  const broken = results.find(({ verdict }) => verdict === 'error');
  const warned = results.find(({ verdict }) => verdict === 'warn');
  const found = failed ?? broken ?? warned;
  const end: End = failed ? 'killed' : broken ? 'error' : warned ? 'warned' : 'survived';
  const because = results.flatMap((result) =>
    result.because === undefined ? [] : [`${result.because} (${result.id})`],
  );
  return {
    id,
    end,
    fired,
    checks: results.length,
    dropped: failed === undefined ? [...new Set(because)] : [],
    ...(found === undefined ? {} : { by: found.id, reason: (found.reason ?? '').slice(0, 300) }),
  };
}
