/** Isolation of owners: no other key reads, changes or deletes the methods of a store (spec: What the service does, A). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { inTurn } from '../steps/create-method.ts';
import { changedFields, METHOD_FIELDS } from '../steps/fields.ts';
import { TWO_STORES } from '../steps/options.ts';
import { intrudersOf, newMethodOfOther } from '../steps/owners/index.ts';
import { listedByHandle, listMethods, readMethod, showsMethod } from '../steps/reading.ts';
import { methodValues } from '../steps/values.ts';

/** Those of these handles that an owner's list contains. */
async function listedFor(context: Context, owner: Delivery, handles: readonly string[]): Promise<string[]> {
  const listed = await listMethods(context, owner);
  return listed.map((method) => String(method.handle)).filter((handle) => handles.includes(handle));
}

export const checks: readonly Check[] = [
  check(
    'delivery.owner.methods-not-listed',
    "MUST NOT list a store's methods to another owner",
    { ...TWO_STORES, clauses: ['delivery.owner.methods-not-listed'] },
    async (context) => {
      const { delivery, expect, given, otherDelivery, profile, provider } = context;
      const intruders = await intrudersOf(context);
      const own = await given.newMethod(delivery);
      const foreign = await newMethodOfOther(context);
      for (const [owner, handle] of [
        [delivery, own.handle],
        [otherDelivery, foreign.handle],
      ] as const) {
        given.holds(
          (await listedByHandle(context, owner, [handle])).size === 1,
          'delivery.method.list-contains-own',
          'a method is missing from the list of its own store',
        );
      }
      for (const { who, delivery: intruder } of intruders) {
        expect.equal(
          await listedFor(context, intruder, [own.handle]),
          [],
          `the list that ${who} receives must not contain the store's method`,
          { pointer: '/delivery_methods' },
        );
      }
      expect.equal(
        await listedFor(context, delivery, [foreign.handle]),
        [],
        "a store's list must not contain a method of another store",
        { pointer: '/delivery_methods' },
      );
      if (profile.delivery?.public?.apiKey === undefined) return;
      const ofProvider = (await listMethods(context, provider)).map((method) => String(method.handle));
      expect.equal(
        await listedFor(context, delivery, ofProvider),
        [],
        "a store's list must not contain the methods of a delivery provider",
        { pointer: '/delivery_methods' },
      );
    },
  ),

  check(
    'delivery.owner.methods-not-readable',
    "MUST NOT return a store's method to another owner",
    { ...TWO_STORES, clauses: ['delivery.owner.methods-not-readable'] },
    async (context) => {
      const { delivery, expect, given, otherDelivery, send } = context;
      const intruders = await intrudersOf(context);
      const own = await given.newMethod(delivery);
      const foreign = await newMethodOfOther(context);
      const attempts = [
        ...intruders.map(({ who, delivery: intruder }) => ({ who, intruder, of: own })),
        { who: 'the store', intruder: delivery, of: { ...foreign, delivery: otherDelivery } },
      ];
      for (const { who, intruder, of } of attempts) {
        const response = await send(intruder.readMethod(of.handle), 'probe');
        const seen = showsMethod(response, of.handle) || response.text.includes(String(of.fields.reference));
        expect.that(!seen, `${who} must not read a method of another owner`, {
          expected: 'a refusal',
          actual: summary(response),
          response: response,
        });
        await readMethod(context, of);
      }
    },
  ),

  check(
    'delivery.owner.methods-not-changeable',
    "MUST NOT update a store's method for another owner",
    { ...TWO_STORES, clauses: ['delivery.owner.methods-not-changeable'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const intruders = await intrudersOf(context);
      const own = await given.newMethod(delivery, methodValues(context, 'first'));
      const before = await readMethod(context, own);
      const changes: readonly Json[] = [
        // One field at a time after a refusal: which fields can be changed is not stated.
        ...(context.asksLeast ? [{ title: 'Intruder' }, { reference: `${context.resources.newMark()} alone` }] : []),
        { print_label_url: 'https://www.example.net/intruder' },
        { available_countries_to: ['FI', 'SE'], reference: `${context.resources.newMark()} intruder` },
      ];
      for (const [at, { who, delivery: intruder }] of intruders.entries()) {
        for (const fields of changes) {
          const response = await send(intruder.changeMethod(own.handle, fields), 'probe');
          expect.that(
            !response.text.includes(String(own.fields.reference)),
            `${who} must not receive a store's method in the response to an update`,
            { expected: 'a refusal', actual: summary(response), response: response },
          );
          // None of them restores what another one has changed.
          const isLast = at === intruders.length - 1 && fields === changes.at(-1);
          if (!context.explains && !isLast) continue;
          const after = await readMethod(context, own);
          const changed = changedFields(context, METHOD_FIELDS, before, after);
          expect.that(changed.length === 0, `${who} must not change ${changed} of a store's method`, {
            expected: before,
            actual: after,
            pointer: `/${changed[0]}`,
            response: response,
          });
        }
      }
      const control = await inTurn(changes, (fields) => send(delivery.changeMethod(own.handle, fields), 'control'));
      given.granted(control.some(isServed), 'delivery.method.update-applies', 'no update by the owner was accepted');
      given.holds(
        changedFields(context, METHOD_FIELDS, before, await readMethod(context, own)).length > 0,
        'delivery.method.update-applies',
        'the same updates by the owner have no effect either',
      );
    },
  ),

  check(
    'delivery.owner.methods-not-deletable',
    "MUST NOT delete a store's method for another owner",
    { ...TWO_STORES, clauses: ['delivery.owner.methods-not-deletable'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const intruders = await intrudersOf(context);
      const own = await given.newMethod(delivery);
      await readMethod(context, own);
      for (const { who, delivery: intruder } of intruders) {
        const response = await send(intruder.deleteMethod(own.handle), 'probe');
        const still = await send(delivery.readMethod(own.handle), 'read');
        expect.that(showsMethod(still, own.handle), `${who} must not delete a store's method`, {
          expected: 'the method, still there',
          actual: summary(still),
          response: response,
        });
      }
      await given.promised(send(delivery.deleteMethod(own.handle), 'control'), 'delivery.method.delete-removes');
      given.holds(
        !showsMethod(await send(delivery.readMethod(own.handle), 'read'), own.handle),
        'delivery.method.delete-removes',
        'the same delete by the owner has no effect either',
      );
    },
  ),
];
