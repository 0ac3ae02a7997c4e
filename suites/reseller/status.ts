/** Enabling and disabling a website (spec: Endpoints, C. Reseller endpoints; States and transitions). */
import { isDeepStrictEqual } from 'node:util';
import { type Check, check } from '../../harness/check.ts';
import type { Context } from '../../harness/context.ts';
import { isServed } from '../../harness/judge-answer.ts';
import type { Answer } from '../../harness/target/client.ts';
import type { Json } from '../../harness/target/delivery.ts';
import { ask, website } from './kit/asking.ts';
import { STATUS } from './kit/options.ts';
import { othersUnchanged } from './kit/others.ts';
import { ownRecord } from './kit/records.ts';

const DISABLE = 'reseller.website.disable';
const ENABLE = 'reseller.website.enable';

/** Fields that move whenever somebody works on the website. */
const MOVING = ['websiteModified', 'websiteAccessed'];

function withoutMoving(record: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !MOVING.includes(name)));
}

/** Which fields differ, by name; their values are nobody's business here. */
const differing = (a: Json, b: Json): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isDeepStrictEqual(a[name], b[name]));

/** Written down before the first call: the website that a run may use is taken as enabled, and left so. */
function switching(context: Context): Record<'enable' | 'disable', () => Promise<Answer>> {
  const id = website(context);
  context.given.track({ kind: 'website-status', website: id, old: 'enabled' });
  const by = (verb: 'enable' | 'disable') => async () => {
    const reseller = await context.reseller();
    return ask(context, (via) => reseller[verb](id, via), verb);
  };
  return { enable: by('enable'), disable: by('disable') };
}

export const checks: readonly Check[] = [
  check(
    'reseller.website.disables',
    'MUST disable an own website',
    { clauses: [DISABLE], ...STATUS },
    async (context) => {
      await ownRecord(context);
      const { disable } = switching(context);
      context.expect.accepted(await disable(), 'disabling an own website must be served');
    },
  ),
  check(
    'reseller.website.enables',
    'MUST enable a disabled website',
    { clauses: [ENABLE], ...STATUS },
    async (context) => {
      await ownRecord(context);
      const { enable, disable } = switching(context);
      await context.given.accepted(disable(), DISABLE);
      context.expect.accepted(await enable(), 'enabling a disabled website must be served');
    },
  ),
  check(
    'reseller.website.shows-that-it-is-disabled',
    'SHOULD show by its record that a website is disabled',
    { clauses: ['reseller.website.disabled-shows'], ...STATUS },
    async (context) => {
      const before = withoutMoving(await ownRecord(context));
      const { disable } = switching(context);
      await context.given.accepted(disable(), DISABLE);
      const after = withoutMoving(await ownRecord(context));
      context.expect.that(
        !isDeepStrictEqual(before, after),
        'the record of a disabled website should differ from that of an enabled one (or reseller.website was disabled before the run)',
      );
    },
  ),
  check(
    'reseller.website.has-its-status-back',
    'SHOULD give a website that is disabled and enabled again the status that it had',
    { clauses: ['reseller.website.enable-restores'], ...STATUS },
    async (context) => {
      const { given, expect } = context;
      const before = withoutMoving(await ownRecord(context));
      const { enable, disable } = switching(context);
      await given.accepted(disable(), DISABLE);
      await given.accepted(enable(), ENABLE);
      const after = withoutMoving(await ownRecord(context));
      expect.equal(
        differing(before, after),
        [],
        'the record should be as it was before the website was disabled (fields that differ are named)',
      );
    },
  ),
  check(
    'reseller.website.switches-no-other',
    'MUST leave the status of other websites alone when one is disabled or enabled',
    { clauses: ['reseller.website.only-named-changes'], ...STATUS },
    async (context) => {
      const { given } = context;
      const { enable, disable } = switching(context);
      await othersUnchanged(context, 'disabling one website', () => given.accepted(disable(), DISABLE));
      await othersUnchanged(context, 'enabling one website', () => given.accepted(enable(), ENABLE));
    },
  ),
  check(
    'reseller.website.repeated-switch-handling',
    'OBSERVES what a website that is switched twice answers, and which status it has',
    {
      clauses: [],
      observations: ['reseller.website.repeated-enable', 'reseller.website.status-values'],
      ...STATUS,
    },
    async (context) => {
      const outcome = (answer: Answer): string => (isServed(answer) ? 'served' : `refused with ${answer.status}`);
      const { enable, disable } = switching(context);
      const enabled = (await ownRecord(context)).websiteStatus ?? null;
      const again = outcome(await enable());
      await disable();
      const disabled = (await ownRecord(context)).websiteStatus ?? null;
      const disabledAgain = outcome(await disable());
      context.observe('reseller.website.repeated-enable', {
        'enabling an enabled website': again,
        'disabling a disabled website': disabledAgain,
      });
      context.observe('reseller.website.status-values', { enabled, disabled });
    },
  ),
];
