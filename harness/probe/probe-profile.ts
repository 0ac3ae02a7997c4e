/**
 * Probes the values of a profile before the checks start, so that a mistake in it is never blamed on the service. A value is
 * unfit only where the target's responses agree with each other against it; where no further response decides between
 * profile and service, the reason says so, and the user can vouch for the value (`--trust KEY`).
 */

import { GivenFailure, Inconclusive } from '../check/failures.ts';
import { NoResponse } from '../target/client/no-response.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { Unsendable } from '../target/client/unsendable.ts';
import type { Probing } from './probing.ts';
import { type ProbeWriter, probeTexts } from './texts.ts';
import { probeLanguages } from './values/languages.ts';
import { probeOrders } from './values/orders.ts';
import { probePages } from './values/pages.ts';
import { probeReseller } from './values/reseller.ts';

export interface ProbeOptions {
  /** The response to the login with the reseller's account. */
  readonly login: ServiceResponse | undefined;
  /** Lets a probe create objects of the run; without it nothing is written. */
  readonly writing: ProbeWriter | undefined;
}

/** A target that gives no response, or one that no request can be built on. */
const QUIET = [NoResponse, GivenFailure, Inconclusive, Unsendable];

/** Runs the probes whose interface can be used; each adds to what `probing` knows to be unfit. */
export async function probeProfile(probing: Probing, { login, writing }: ProbeOptions): Promise<void> {
  const { profile } = probing;
  const probes: readonly (readonly ['v1' | 'api', () => Promise<void>])[] = [
    ['v1', () => probeOrders(probing)],
    ['v1', () => probeLanguages(probing)],
    ['v1', () => probePages(probing)],
    ['v1', () => (writing === undefined ? Promise.resolve() : probeTexts(probing, writing))],
    ['api', () => probeReseller(probing, login)],
  ];
  for (const [api, probe] of probes) {
    if (profile[api] === undefined || !probing.isUsable(api)) continue;
    try {
      await probe();
    } catch (error) {
      // What keeps a probe from its end is noticed by the checks, which judge it: the probe then says nothing.
      if (!QUIET.some((kind) => error instanceof kind)) throw error;
    }
  }
}
