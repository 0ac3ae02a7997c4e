/** Runs every check that needs no browser on the service of one choice, in this process. */
import { fileURLToPath } from 'node:url';
import { ownVectors } from '../../cli/run/replay/vectors.ts';
import { comparedName } from '../../contracts/fields/domain-names.ts';
import type { CheckResult, Exchange } from '../../contracts/run/events.ts';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { snapshot } from '../../mock/control.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import type { MockService } from '../../mock/types/service.ts';
import { SUITES } from '../../suites/index.ts';
import { seededBytes } from '../seeded-bytes.ts';
import { wireToService } from '../service-wire.ts';
import { type Choice, deviationsOf, nameOfChoice } from './reading.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ORIGIN = 'http://127.0.0.1:4010';

/** As `proofmark run` does, properties try the kept cases first. */
const VECTORS = ownVectors();

/** A profile as in its file, of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: a profile before it is checked
export type EditableProfile = Record<string, any>;

export interface ServiceRunOptions {
  /** Sequences of each property; none by default. */
  readonly propertyRuns?: number;
  readonly seed?: number;
  /** A fault of the service beside its answers. */
  readonly fault?: Deviation;
  /** Globs of check ids; all by default. */
  readonly wanted?: (id: string) => boolean;
  /** Changes the profile that fits the service, as its file would have it, before it is read. */
  readonly edit?: (profile: EditableProfile) => void;
  /** Gets every request with its response, as an exchange of recorded traffic. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** The state of a service, by table and key. */
interface Snapshot
  extends Readonly<Record<'methods' | 'installations' | 'resellers', Readonly<Record<string, object>>>> {
  readonly domains: Readonly<Record<string, { readonly domain: string }>>;
}

export interface ServiceRun {
  readonly results: readonly CheckResult[];
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** Names at or below the domain of the profile that the run left attached. */
  readonly leftDomains: readonly string[];
}

/** The results of all checks on the service of a choice, with its state before and after them. */
export async function runOnService(choice: Choice, options: ServiceRunOptions = {}): Promise<ServiceRun> {
  const service = createService({
    origin: ORIGIN,
    deviations: [...deviationsOf(choice), ...(options.fault === undefined ? [] : [options.fault])],
    random: seededBytes(nameOfChoice(choice)),
  });
  const written: EditableProfile = structuredClone(profileFor(service, choice));
  options.edit?.(written);
  const profile = parseProfile(JSON.stringify(written), { file: 'reading', folder: ROOT, env: {} });
  const changes = changesOf(service, profile.reseller?.domain);
  try {
    const results = await runInProcess(
      SUITES,
      {
        profile,
        ...(options.onExchange === undefined
          ? { wire: wireToService(service) }
          : { transport: recorded((request) => service.fetch(request), options.onExchange) }),
        instantPauses: true,
        propertyRuns: options.propertyRuns ?? 0,
        ...((options.propertyRuns ?? 0) > 0 ? { vectors: VECTORS } : {}),
        ...(options.seed === undefined ? {} : { seed: options.seed }),
      },
      ({ id }) => options.wanted?.(id) ?? true,
    );
    return { results, ...changes() };
  } finally {
    service.close();
  }
}

/** What has changed in the state of a service since this was called; `domain` is the one of the profile. */
export function changesOf(service: MockService, domain = ''): () => Omit<ServiceRun, 'results'> {
  const state = (): Snapshot => snapshot(service.state) as Snapshot;
  const before = state();
  const own = comparedName(domain);
  const isOwn = (name: string): boolean => name === own || name.endsWith(`.${own}`);
  const names = (of: Snapshot) => Object.values(of.domains).map((row) => comparedName(row.domain));
  return () => {
    const after = state();
    return { before, after, leftDomains: names(after).filter((name) => isOwn(name) && !names(before).includes(name)) };
  };
}

/** The profile of a service, with the domain and the website that an answer is about. */
export function profileFor(service: MockService, choice: Choice): Record<string, unknown> {
  const profile = profileOf(service);
  const reseller = profile.reseller as { readonly website: number } | undefined;
  if (reseller === undefined) return profile;
  const own: Record<string, string> = {};
  for (const { domain, website } of choice.values()) {
    if (domain !== undefined) own.domain = domain;
    if (website !== undefined) own.website = website(reseller.website);
  }
  return { ...profile, reseller: { ...reseller, ...own } };
}

type Transport = (request: Request) => Promise<Response>;

/** Passes on what goes over a transport. */
function recorded(transport: Transport, onExchange: NonNullable<ServiceRunOptions['onExchange']>): Transport {
  let n = 0;
  return async (request) => {
    n += 1;
    const own = n;
    const at = Date.now();
    const { method, url } = request;
    const headers = [...request.headers];
    const sent = await request.clone().text();
    const response = await transport(request);
    onExchange({
      ...{ type: 'exchange', n: own, check: 'reading', role: 'reading', direction: 'sent' },
      ...{ at: new Date(at).toISOString(), durationMs: Date.now() - at },
      request: { method, url, headers, ...(sent === '' ? {} : { body: { text: sent } }) },
      response: {
        ...{ status: response.status, headers: [...response.headers] },
        body: { text: await response.clone().text() },
      },
    });
    return response;
  };
}
