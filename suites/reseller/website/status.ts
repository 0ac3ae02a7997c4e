/** Enabling and disabling a website (spec: Endpoints, C. Reseller endpoints; States and transitions). */
import { isDeepStrictEqual } from 'node:util';
import { WEBSITE_RECORD } from '../../../contracts/fields/catalogue/reseller.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive, Skipped } from '../../../harness/check/failures.ts';
import type { Resources } from '../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import type { Via } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { refusedSwitches } from '../account/refused.ts';
import { website } from '../steps/login/session.ts';
import { STATUS } from '../steps/options.ts';
import { keepSwitch, sharedSwitch } from '../steps/shared-changes.ts';
import { NOTHING_ELSE_CHANGES, nothingElseChanges, ONLY_NAMED } from '../steps/website/other-websites.ts';
import { comesToShow, type Switching, switching } from '../steps/website/switch-website.ts';

const DISABLE = 'reseller.website.disable';
const ENABLE = 'reseller.website.enable';
const DISABLED_VISIBLE = 'reseller.website.disabled-is-visible';
const RESTORES = 'reseller.website.enable-restores';
const NOT_SHOWN = 'the record shows the same websiteStatus for an enabled and for a disabled website';

/** A website that was disabled before the run can't show that it is enabled again as it was. */
function givenEnabledAtFirst(original: Json, disabled: Json, now: Json): void {
  const wasDisabled =
    isDeepStrictEqual(original.websiteStatus, disabled.websiteStatus) &&
    !isDeepStrictEqual(original.websiteStatus, now.websiteStatus);
  if (!wasDisabled) return;
  throw new Inconclusive(
    'websiteStatus was that of a disabled website when the run began: enable the website of the profile and run again',
    'configuration',
  );
}

const firstDisabled = new WeakMap<Resources, unknown>();

const statusIn = ({ websiteStatus }: Json): unknown => websiteStatus ?? null;

/**
 * What `websiteStatus` showed when the run had disabled the website for the first time. It is kept for a check that is repeated: a service
 * that applies only the first switch shows nothing then.
 */
async function firstDisabledStatus(context: Context, { record, enable, disable }: Switching): Promise<unknown> {
  const known = firstDisabled.get(context.resources);
  if (known !== undefined) return known;
  let shown = (await sharedSwitch(context))?.shown;
  if (shown === undefined) {
    await context.given.accepted(disable(), DISABLE);
    shown = await record();
    await context.given.accepted(enable(), ENABLE);
  }
  firstDisabled.set(context.resources, statusIn(shown));
  return statusIn(shown);
}

interface Statuses {
  readonly enabled: unknown;
  readonly disabled: unknown;
}

/** Disables and enables the website by one method, with a reading after each that is served: not the status of the opposite state. */
async function switchBy(context: Context, via: Via, switching: Switching, { enabled, disabled }: Statuses) {
  const { expect, send } = context;
  const reseller = await context.reseller();
  const id = website(context);
  // Whether it is served by this method, and how often in a row, is judged elsewhere or open.
  if (!isServed(await send(reseller.disableWebsite(id, via), 'disable'))) return;
  const afterDisable = statusIn(await switching.record());
  const untrue = `disabling by ${via} was served, and websiteStatus is still that of an enabled website`;
  const wrong = { pointer: '/websiteStatus', expected: disabled, actual: afterDisable, clauses: [DISABLED_VISIBLE] };
  expect.that(!isDeepStrictEqual(afterDisable, enabled), untrue, wrong);
  if (!isServed(await send(reseller.enableWebsite(id, via), 'enable'))) return void (await switching.enable());
  const afterEnable = statusIn(await switching.record());
  const message = `enabling by ${via} was served, and websiteStatus is still that of a disabled website`;
  const evidence = { pointer: '/websiteStatus', expected: enabled, actual: afterEnable, clauses: [RESTORES] };
  expect.that(!isDeepStrictEqual(afterEnable, disabled), message, evidence);
}

/** Of the first switches of a run: websites that are already disabled cannot be observed to be disabled again. */
export const firstSwitches: readonly Check[] = [
  check(
    'reseller.website.other-websites-unchanged',
    'MUST NOT change other websites, or anything else, when one is disabled or enabled',
    { clauses: [ONLY_NAMED, NOTHING_ELSE_CHANGES], ...STATUS },
    async (context) => {
      const { given } = context;
      const { enable, disable, original, record } = await switching(context);
      const responses: ServiceResponse[] = [];
      const records: Json[] = [];
      const shown = async () => records.push(await record());
      await nothingElseChanges(context, [
        {
          ...{ what: 'disabling one website', purpose: 'status', disables: true, shown },
          send: async () => responses.push(await given.accepted(disable(), DISABLE)),
        },
        {
          ...{ what: 'enabling one website', purpose: 'status', domainsAsOf: 'first', shown },
          send: async () => responses.push(await given.accepted(enable(), ENABLE)),
        },
      ]);
      const [done, undone] = responses as [ServiceResponse, ServiceResponse];
      keepSwitch(context, { original, done, shown: records[0]!, undone, shownAfter: records[1]! });
    },
  ),
];

export const checks: readonly Check[] = [
  refusedSwitches,
  check(
    'reseller.website.disable',
    'MUST disable a website of the reseller',
    { clauses: [DISABLE], ...STATUS },
    async (context) => {
      const shared = await sharedSwitch(context);
      const response = shared?.done ?? (await (await switching(context)).disable());
      context.expect.served(response, "disabling the reseller's website must be served");
    },
  ),
  check(
    'reseller.website.enable',
    'MUST enable a disabled website',
    { clauses: [ENABLE], ...STATUS },
    async (context) => {
      const message = 'enabling a disabled website must be served';
      const shared = await sharedSwitch(context);
      if (shared !== undefined) return context.expect.served(shared.undone, message);
      const { enable, disable } = await switching(context);
      await context.given.accepted(disable(), DISABLE);
      context.expect.served(await enable(), message);
    },
  ),
  check(
    'reseller.website.disabled-is-visible',
    'SHOULD show in the record that a website is disabled',
    { clauses: ['reseller.website.disabled-is-visible'], ...STATUS },
    async (context) => {
      const { given, expect } = context;
      const message = 'the record of a disabled website should differ from that of an enabled one';
      const shared = await sharedSwitch(context);
      if (shared !== undefined) return expect.that(!isDeepStrictEqual(shared.shown, shared.shownAfter), message);
      const { enable, disable, original, record } = await switching(context);
      await given.accepted(disable(), DISABLE);
      const disabled = await record();
      await given.accepted(enable(), ENABLE);
      const enabled = await record();
      const differs = !isDeepStrictEqual(disabled, original) || !isDeepStrictEqual(disabled, enabled);
      expect.that(differs, message);
    },
  ),
  check(
    'reseller.website.enable-restores',
    'SHOULD restore the status of a website that is enabled again',
    { clauses: ['reseller.website.enable-restores'], ...STATUS },
    async (context) => {
      const { given, expect } = context;
      const shared = await sharedSwitch(context);
      const isRestored = (original: Json, disabled: Json, now: Json) => {
        givenEnabledAtFirst(original, disabled, now);
        expect.equal(
          // Fields that the contract does not name may show anything, such as when the record was read.
          Object.keys(WEBSITE_RECORD).filter((name) => !isDeepStrictEqual(original[name], now[name])),
          [],
          'the record should be as it was before the website was disabled (only fields that differ are shown)',
        );
      };
      if (shared !== undefined) return isRestored(shared.original, shared.shown, shared.shownAfter);
      const { enable, disable, original, record } = await switching(context);
      await given.accepted(disable(), DISABLE);
      const disabled = await record();
      await given.accepted(enable(), ENABLE);
      isRestored(original, disabled, await record());
    },
  ),
  check(
    'reseller.website.switched-each-time',
    'SHOULD show each time that a website is disabled and enabled, by POST and by GET',
    { clauses: [DISABLED_VISIBLE, RESTORES], additional: true, ...STATUS },
    async (context) => {
      const own = await switching(context);
      const enabled = statusIn(own.original);
      const disabled = await firstDisabledStatus(context, own);
      if (isDeepStrictEqual(enabled, disabled)) throw new Skipped(NOT_SHOWN);
      for (const via of ['POST', 'POST', 'GET', 'GET'] as const)
        await switchBy(context, via, own, { enabled, disabled });
      if (context.expect.asserted === 0)
        throw new Skipped('the website can be disabled once only, and how often is not stated');
    },
  ),
  check(
    'reseller.website.repeated-switch-handling',
    'MUST leave a website as it is when it is enabled or disabled once more',
    {
      clauses: [ENABLE, DISABLE],
      observations: ['reseller.website.repeated-enable', 'reseller.website.status-values'],
      ...STATUS,
    },
    async (context) => {
      const outcome = (response: ServiceResponse): string =>
        isServed(response) ? 'served' : `refused with ${response.status}`;
      const { enable, disable, original, record } = await switching(context);
      const status = async (): Promise<unknown> => (await record()).websiteStatus ?? null;
      // The record may follow an earlier switch late: then it comes to show this one without another call.
      const settled = async (wanted: unknown): Promise<unknown> => {
        const shown = await status();
        const isWanted = (one: unknown): boolean => isDeepStrictEqual(one ?? null, wanted);
        return isWanted(shown) || (await comesToShow(context, isWanted)) ? wanted : shown;
      };
      let enabled = await status();
      if (!isDeepStrictEqual(enabled, original.websiteStatus ?? null)) {
        // A call of an earlier check may have disabled it, such as one that enables an enabled website.
        await enable();
        enabled = await status();
      }
      const again = outcome(await enable());
      const enabledTwice = await settled(enabled);
      await context.given.accepted(disable(), DISABLE);
      const disabled = await status();
      const disabledAgain = outcome(await disable());
      const disabledTwice = await settled(disabled);
      context.observe('reseller.website.repeated-enable', {
        'enabling an enabled website': again,
        'disabling a disabled website': disabledAgain,
      });
      context.observe('reseller.website.status-values', { enabled, disabled });
      // Whether it is visible at all is judged by another check.
      if (isDeepStrictEqual(enabled, disabled)) throw new Skipped(NOT_SHOWN);
      // What a status says is not defined: only that of the opposite state counts.
      const stays = (clause: string, expected: unknown, opposite: unknown, actual: unknown, what: string): void =>
        context.expect.that(!isDeepStrictEqual(actual, opposite), what, {
          clauses: [clause],
          expected,
          actual,
          pointer: '/websiteStatus',
        });
      stays(ENABLE, enabled, disabled, enabledTwice, 'a website that is enabled twice must not be shown as disabled');
      stays(DISABLE, disabled, enabled, disabledTwice, 'a website that is disabled twice must not be shown as enabled');
    },
  ),
];
