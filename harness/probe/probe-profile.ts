/**
 * Probes the values of a profile before the checks start, so that a mistake in it is never blamed on the service. A value is
 * unfit only where the target's responses agree with each other against it; where no further response decides between
 * profile and service, the reason says so, and the user can vouch for the value (`--trust KEY`).
 */

import { GivenFailure, Inconclusive } from '../check/failures.ts';
import { atOnce } from '../process/at-once.ts';
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
  const run = async (api: 'v1' | 'api', probe: () => Promise<void>): Promise<void> => {
    if (profile[api] === undefined || !probing.isUsable(api)) return;
    try {
      await probe();
    } catch (error) {
      // What keeps a probe from its end is noticed by the checks, which judge it: the probe then says nothing.
      if (!QUIET.some((kind) => error instanceof kind)) throw error;
    }
  };
  const ofV1 = (probe: () => Promise<void>) => () => run('v1', probe);
  // At the same time, except where a probe uses what another one may find unfit.
  const ofDelivery = async (): Promise<void> => {
    await atOnce([ofV1(() => probeOrders(probing)), ofV1(() => probeLanguages(probing))]);
    const ofTexts = writing === undefined ? [] : [ofV1(() => probeTexts(probing, writing))];
    await atOnce([ofV1(() => probePages(probing)), ...ofTexts]);
  };
  await atOnce([ofDelivery, () => run('api', () => probeReseller(probing, login))]);
}
