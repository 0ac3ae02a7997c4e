/** Isolation of owners: no other key reads, changes or deletes the methods of a store (spec: What the service does, A). */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { handleIn } from '../../../harness/check/given/index.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, METHOD_FIELDS } from '../steps/fields.ts';
import { laterPageOfMethods } from '../steps/later-page.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { methodWithPoints } from '../steps/methods/filled-methods.ts';
import { TWO_OWNERS } from '../steps/options.ts';
import { type Intruder, intrudersOf, newMethodOf, OF_OTHER } from '../steps/owners/index.ts';
import { listedByHandle, listMethods, readMethod, showsMethod } from '../steps/reading.ts';
import { changeOfMethod, methodValues } from '../steps/values.ts';

/** The handles in an owner's list of methods. */
const handlesListed = async (context: Context, owner: Delivery): Promise<string[]> =>
  (await listMethods(context, owner)).map((method) => String(method.handle));

/** The handles on one page of a list of methods. */
function handlesIn({ json }: ServiceResponse): string[] {
  const methods = isJsonObject(json) && Array.isArray(json.delivery_methods) ? json.delivery_methods : [];
  return methods.filter(isJsonObject).map(({ handle }) => String(handle));
}

/**
 * Calls of another owner that name a method in their body, where the contract has no handle: a service may refuse the member or ignore
 * it, but it must not change the method.
 */
async function nameInBody(
  { given, resources, send }: Context,
  intruder: Delivery,
  handle: string,
): Promise<ServiceResponse> {
  const reference = resources.newMark();
  const fields = { title: `Proofmark courier ${reference}`, reference, handle };
  given.track({ kind: 'delivery-method', owner: intruder.owner, reference });
  const created = await send(intruder.addMethod(fields), 'probe');
  const made = isServed(created) ? handleIn(created) : undefined;
  if (made === undefined || made === handle) return created;
  return send(intruder.changeMethod(made, fields), 'probe');
}

/**
 * A store neither lists, updates nor deletes the method of a delivery provider, which is offered to every store. A provider may have had
 * no method when the lists were compared.
 */
async function providersMethodStays(context: Context, intruders: readonly Intruder[]): Promise<void> {
  const { delivery, expect, given, send } = context;
  const provider = intruders.find((intruder) => intruder.delivery.owner === 'public')?.delivery;
  if (provider === undefined) return;
  const theirs = await newMethodOf(context, provider);
  const before = await readMethod(context, theirs);
  const listed = (await handlesListed(context, delivery)).includes(theirs.handle);
  expect.that(!listed, "a store's list must not contain the new method of a delivery provider", {
    expected: 'no method of another owner',
    actual: theirs.handle,
    pointer: '/delivery_methods',
    clauses: ['delivery.owner.methods-not-listed'],
  });
  // The languages of a provider are not stated: it may refuse some of the website's, but no plain text.
  const changes: readonly Json[] = [changeOfMethod(context), ...(context.sendsMinimum ? [{ title: 'Intruder' }] : [])];
  const [response] = await inTurn(changes, (fields) => send(delivery.changeMethod(theirs.handle, fields), 'probe'));
  await send(delivery.deleteMethod(theirs.handle), 'probe');
  const read = await send(provider.readMethod(theirs.handle), 'read');
  expect.that(showsMethod(read, theirs.handle), 'a store must not delete the method of a delivery provider', {
    expected: 'the method, still there',
    actual: summary(read),
    response: read,
    clauses: ['delivery.owner.methods-not-deletable'],
  });
  const after = await readMethod(context, theirs);
  const changed = changedFields(context, METHOD_FIELDS, before, after);
  expect.that(changed.length === 0, `a store must not change ${changed} of the method of a delivery provider`, {
    expected: before,
    actual: after,
    pointer: `/${changed[0]}`,
    response: response!,
    clauses: ['delivery.owner.methods-not-changeable'],
  });
  // Both calls work for the owner, otherwise their lack of effect would prove nothing; the delete follows in any case.
  const control = await inTurn(changes, (fields) => send(provider.changeMethod(theirs.handle, fields), 'control'));
  given.granted(control.some(isServed), 'delivery.method.update-applies', 'no update by the provider was accepted');
}

export const checks: readonly Check[] = [
  check(
    'delivery.owner.methods-not-listed',
    "MUST NOT list a store's methods to another owner",
    { ...TWO_OWNERS, clauses: ['delivery.owner.methods-not-listed'] },
    async (context) => {
      const { delivery, expect, given, otherDelivery, send } = context;
      const intruders = await intrudersOf(context);
      const own = await methodWithPoints(context);
      const foreign = await methodWithPoints(context, OF_OTHER);
      // The list of each owner once: all that follows compares these.
      const owners = [delivery, ...intruders.map((intruder) => intruder.delivery)];
      const [ofStore = [], ...ofOthers] = await eachAtOnce(owners, (owner) => handlesListed(context, owner));
      const [ofOther = [], ofProvider] = ofOthers;
      for (const [owner, handle, listed] of [
        [delivery, own.handle, ofStore],
        [otherDelivery, foreign.handle, ofOther],
      ] as const) {
        given.holds(
          listed.includes(handle) || (await listedByHandle(context, owner, [handle])).size === 1,
          'delivery.method.list-contains-own',
          'a method is missing from the list of its own store',
        );
      }
      for (const [at, { who }] of intruders.entries()) {
        expect.equal(
          ofOthers[at]!.filter((handle) => handle === own.handle),
          [],
          `the list that ${who} receives must not contain the store's method`,
          { pointer: '/delivery_methods' },
        );
      }
      expect.equal(
        ofStore.filter((handle) => handle === foreign.handle),
        [],
        "a store's list must not contain a method of another owner",
        { pointer: '/delivery_methods' },
      );
      const later = await laterPageOfMethods(context, delivery);
      for (const [at, { who, delivery: intruder }] of later === undefined ? [] : intruders.entries()) {
        const response = await send(later!(intruder), 'probe');
        const shown = isServed(response) ? handlesIn(response) : [];
        expect.equal(
          shown.filter((handle) => ofStore.includes(handle) && !ofOthers[at]!.includes(handle)),
          [],
          `the second page of the store's list must not show the store's methods to ${who}`,
          { pointer: '/delivery_methods', response },
        );
      }
      if (ofProvider === undefined) return;
      expect.equal(
        ofStore.filter((handle) => ofProvider.includes(handle)),
        [],
        "a store's list must not contain the methods of a delivery provider",
        { pointer: '/delivery_methods' },
      );
    },
  ),

  check(
    'delivery.owner.methods-not-readable',
    "MUST NOT return a store's method to another owner",
    { ...TWO_OWNERS, clauses: ['delivery.owner.methods-not-readable'] },
    async (context) => {
      const { delivery, expect, otherDelivery, send } = context;
      const intruders = await intrudersOf(context);
      const own = await methodWithPoints(context);
      const foreign = await methodWithPoints(context, OF_OTHER);
      const attempts = [
        ...intruders.map(({ who, delivery: intruder }) => ({ who, intruder, of: own })),
        // A store may see the method of a provider: it is offered to every store.
        ...(otherDelivery.owner === 'public'
          ? []
          : [{ who: 'the store', intruder: delivery, of: { ...foreign, delivery: otherDelivery } }]),
      ];
      const owned = [own, { ...foreign, delivery: otherDelivery }];
      // First by their owners: a cache may not distinguish whom a response was for.
      await eachAtOnce(owned, (method) => readMethod(context, method));
      const responses = await eachAtOnce(attempts, ({ intruder, of }) => send(intruder.readMethod(of.handle), 'probe'));
      for (const [at, { who, of }] of attempts.entries()) {
        const response = responses[at]!;
        const seen = showsMethod(response, of.handle) || response.text.includes(String(of.fields.reference));
        expect.that(!seen, `${who} must not read a method of another owner`, {
          expected: 'a refusal',
          actual: summary(response),
          response,
        });
      }
      await eachAtOnce(owned, (method) => readMethod(context, method));
    },
  ),

  check(
    'delivery.owner.methods-not-changeable',
    "MUST NOT update a store's method for another owner",
    { ...TWO_OWNERS, clauses: ['delivery.owner.methods-not-changeable', 'delivery.owner.methods-not-deletable'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const intruders = await intrudersOf(context);
      const own = await given.newMethod(delivery, methodValues(context, 'first'));
      const before = await readMethod(context, own);
      const changes: readonly Json[] = [
        // One field at a time after a refusal: which fields can be changed is not stated.
        ...(context.sendsMinimum ? [{ title: 'Intruder' }, { reference: `${context.resources.newMark()} alone` }] : []),
        { print_label_url: 'https://www.example.net/intruder' },
        { available_countries_to: ['LT'], reference: `${context.resources.newMark()} intruder` },
      ];
      for (const [at, { who, delivery: intruder }] of intruders.entries()) {
        const attempts = changes.map((fields) => () => send(intruder.changeMethod(own.handle, fields), 'probe'));
        if (at === 0) attempts.unshift(() => nameInBody(context, intruder, own.handle));
        for (const attempt of attempts) {
          const response = await attempt();
          expect.that(
            !response.text.includes(String(own.fields.reference)),
            `${who} must not receive a store's method in the response to an update`,
            { expected: 'a refusal', actual: summary(response), response },
          );
          // None of them restores what another one has changed.
          const isLast = at === intruders.length - 1 && attempt === attempts.at(-1);
          if (!context.explains && !isLast) continue;
          const after = await readMethod(context, own);
          const changed = changedFields(context, METHOD_FIELDS, before, after);
          expect.that(changed.length === 0, `${who} must not change ${changed} of a store's method`, {
            expected: before,
            actual: after,
            pointer: `/${changed[0]}`,
            response,
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
      await providersMethodStays(context, intruders);
    },
  ),

  check(
    'delivery.owner.methods-not-deletable',
    "MUST NOT delete a store's method for another owner",
    { ...TWO_OWNERS, clauses: ['delivery.owner.methods-not-deletable'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const intruders = await intrudersOf(context);
      const own = await given.newMethod(delivery);
      await readMethod(context, own);
      for (const [at, { who, delivery: intruder }] of intruders.entries()) {
        const response = await send(intruder.deleteMethod(own.handle), 'probe');
        // No delete undoes another one.
        if (!context.explains && at < intruders.length - 1) continue;
        const still = await send(delivery.readMethod(own.handle), 'read');
        expect.that(showsMethod(still, own.handle), `${who} must not delete a store's method`, {
          expected: 'the method, still there',
          actual: summary(still),
          response,
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
