/** Disabling and enabling the website that a run may use. */
import type { Context } from '../../../../harness/check/context.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { ask, website } from '../login/session.ts';
import { readAgain } from '../quiet.ts';
import { ownRecord } from '../records.ts';
import { refuseSubscribed } from './subscription.ts';

/** Fields that change whenever a user works on the website. */
const MOVING = ['websiteModified', 'websiteAccessed'];

/** The website before a run changed it: a service that does not restore it shows that only once. */
const originals = new WeakMap<Resources, Json>();

/**
 * Whether a record shows its first status again, which it had not shown yet when it was read before: when a record follows a switch is not
 * stated, so that the end of an earlier one may show during any call.
 */
export function isLateSwitch({ resources }: Context, before: unknown, after: unknown): boolean {
  const original = originals.get(resources);
  return original !== undefined && before !== original.websiteStatus && after === original.websiteStatus;
}

/** Readings after which a record that comes late shows what it has to, and a moment for one that comes late by time. */
const LATE_READINGS = 24;
const LATE_MS = 2_000;

/** Whether a record comes to show its first status again without another call: what it showed was an earlier switch. */
export async function isStillLate(context: Context): Promise<boolean> {
  const original = originals.get(context.resources);
  return original !== undefined && comesToShow(context, (status) => status === original.websiteStatus);
}

/** Whether the website comes to show such a status without another call. */
export async function comesToShow(context: Context, isRight: (status: unknown) => boolean): Promise<boolean> {
  const isShown = async () => isRight((await readAgain(() => ownRecord(context))).websiteStatus);
  for (let n = 0; n < LATE_READINGS; n += 1) if (await isShown()) return true;
  await context.resources.sleep(LATE_MS);
  return isShown();
}

export interface Switching {
  /** The record before the run switched anything. */
  readonly original: Json;
  /** The record now. */
  readonly record: () => Promise<Json>;
  readonly enable: () => Promise<ServiceResponse>;
  readonly disable: () => Promise<ServiceResponse>;
}

/**
 * Enables the website when the check ends. The contract does not state which number means enabled, so the website that a run may
 * use counts as enabled.
 */
export async function switching(context: Context): Promise<Switching> {
  const id = website(context);
  const record = async (): Promise<Json> => {
    const fields = Object.entries(await ownRecord(context)).filter(([name]) => !MOVING.includes(name));
    return Object.fromEntries(fields);
  };
  const original = originals.get(context.resources) ?? (await record());
  originals.set(context.resources, original);
  refuseSubscribed(context, original);
  context.given.track({ kind: 'website-status', website: id, old: 'enabled' });
  const by = (verb: 'enable' | 'disable') => async () => {
    const reseller = await context.reseller();
    return ask(context, (via) => reseller[`${verb}Website`](id, via), verb);
  };
  return { original, record, enable: by('enable'), disable: by('disable') };
}
