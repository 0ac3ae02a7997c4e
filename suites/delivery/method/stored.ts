/** A created method exists once, with a unique handle, in the list and alone. */
import { isDeepStrictEqual } from 'node:util';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { handleIn, type MethodUnderTest } from '../../../harness/check/given/index.ts';
import { atOnce, eachAtOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, inOneLanguage, METHOD_FIELDS, METHOD_KEPT, readBackFaults } from '../steps/fields.ts';
import { inTurn, tryMethod } from '../steps/methods/create-method.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listedByHandle, listMethods, readMethod, showsMethod } from '../steps/reading.ts';
import { methodValues } from '../steps/values.ts';
import { listsMethodsWithFewFields } from './few-fields.ts';
import { isCountryList } from './fields.ts';
import { holdsForSharedMethods, SHARED_METHODS } from './shared.ts';

interface Created {
  readonly reference: string;
  /** The handle in the response; a service may return it only in the list. */
  readonly handle: string | undefined;
  settle(handle: string): void;
}

/**
 * Creates a method with the usual fields, which is deleted when the check ends. `fields` are given its mark: a title of its own has to
 * carry it, because a service may take no reference that does.
 */
async function create(
  context: Context,
  judge: (response: ServiceResponse) => unknown,
  fields: (mark: string) => Json = () => ({}),
): Promise<Created> {
  const { delivery, given, resources, send } = context;
  const reference = resources.newMark();
  const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
  const sent = { ...given.methodFields(reference), ...fields(reference) };
  const first = await given.createWithRoom(() => send(delivery.addMethod(sent), 'create'));
  const { response } = isServed(first) ? { response: first } : await given.withOtherReference(delivery, sent, first);
  await judge(response);
  const handle = handleIn(response);
  const settle = (found: string) => tracked.created({ handle: found });
  if (handle !== undefined) settle(handle);
  return { reference, handle, settle };
}

/** Asserts that a create was served, unless something other than the create caused the refusal. */
async function expectServed(context: Context, response: ServiceResponse): Promise<void> {
  const { delivery, expect, given, profile, send } = context;
  if (given.isFull(response)) await given.accepted(response, 'delivery.method.create-stores');
  if (!isServed(response)) {
    await given.promised(send(delivery.listMethods(), 'given'), 'delivery.credentials.private-key-accepted');
    if (profile.website?.languages === undefined) {
      throw new Inconclusive(
        `the target refused a new method (${summary(response)}), perhaps because of the language of its title: add website.languages to the profile`,
        'configuration',
      );
    }
    if (typeof given.text('') === 'string') {
      const { method } = await tryMethod(context, delivery, { title: inOneLanguage(context, 'Proofmark courier') });
      given.granted(
        method === undefined,
        'delivery.multilanguage.string-accepted',
        'a title is accepted only as an object',
      );
    }
  }
  expect.accepted(response, 'must accept a new method with title, reference, countries and no label address');
}

/** The created method in a list, by its handle or by the mark in its reference and title. */
const ownIn = (listed: readonly Json[], { reference, handle }: Pick<Created, 'reference' | 'handle'>): Json[] =>
  listed.filter(
    (method) => (handle !== undefined && method.handle === handle) || JSON.stringify(method).includes(reference),
  );

/** The handle of a method in a second walk, because others may have changed the list during the first one. */
async function lateIn(context: Context, created: Created): Promise<unknown> {
  return ownIn(await listMethods(context, context.delivery), created)[0]?.handle;
}

export const checks: readonly Check[] = [
  check(
    'delivery.method.create-stores',
    'MUST create exactly one method per successful create',
    { ...OWN_METHODS, clauses: ['delivery.method.create-stores'], shares: SHARED_METHODS },
    async (context) => {
      const { delivery, expect, given, send } = context;
      // One entry of each in the list, under a handle by which it reads.
      const shared = await holdsForSharedMethods(
        context,
        ({ handle }, { made }) => made.filter((other) => other.handle === handle).length === 1,
      );
      if (shared) return expect.that(shared, 'after each create there must be exactly one method with its reference');
      const judge = (response: ServiceResponse) => expectServed(context, response);
      const first = await create(context, judge);
      const second = await unlessFull(context, () => create(context, judge));
      const made = second === undefined ? [first] : [first, second];
      const listed = await listMethods(context, delivery);
      for (const [at, created] of made.entries()) {
        given.holds(
          first.handle === undefined || first.handle !== second?.handle,
          'delivery.method.handle-unique',
          'two creates returned the same handle',
        );
        const which = at === 0 ? 'first' : 'second';
        let own = ownIn(listed, created);
        // A method that was missed between pages, or while others changed the list, is not a violation of the create.
        if (own.length === 0 && created.handle !== undefined)
          own = [...(await listedByHandle(context, delivery, [created.handle])).values()];
        const handle = created.handle ?? own[0]?.handle;
        if (typeof handle === 'string') created.settle(handle);
        const readable = typeof handle === 'string' && showsMethod(await send(delivery.readMethod(handle)), handle);
        const handles = new Set(own.map((method) => method.handle));
        given.holds(
          own.length > 0 || !readable,
          'delivery.method.list-contains-own',
          `the ${which} new method can be read, but is not in the list of methods`,
        );
        given.holds(
          readable || own.length === 0,
          'delivery.method.read-by-handle',
          `the ${which} new method is in the list, but can't be read by its handle`,
        );
        expect.that(
          handles.size === 1,
          `after the ${which} of two creates there must be exactly one method with its reference`,
          {
            expected: `one method with the reference ${created.reference}`,
            actual: own,
          },
        );
      }
    },
  ),

  check(
    'delivery.method.handle-string',
    'MUST return a non-empty string as the handle of each method',
    { ...OWN_METHODS, clauses: ['delivery.method.handle-string'], shares: SHARED_METHODS },
    async (context) => {
      const { delivery, expect, given, resources, send } = context;
      const shared = await holdsForSharedMethods(
        context,
        ({ handle, read, listed }, { list }) =>
          listed.handle === handle && read.handle === handle && list.every((method) => isHandle(method.handle)),
      );
      if (shared) return expect.that(shared, 'each method must carry its handle as a string that is not empty');
      const reference = resources.newMark();
      const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
      const call = delivery.addMethod(given.methodFields(reference));
      const created = await given.createWithRoom(() => send(call, 'given'));
      const response = await given.accepted(created, 'delivery.method.create-stores');
      const listed = await listMethods(context, delivery);
      const [found] = [...(await listedByHandle(context, delivery, [handleIn(response) ?? '']))].map(
        ([, method]) => method,
      );
      const own = given.present(
        // Where references carry no mark, the title does.
        found ?? ownIn(listed, { reference, handle: handleIn(response) })[0],
        'delivery.method.list-contains-own',
        'the new method is not in the list',
      );
      const known = isHandle(own.handle) || typeof own.handle === 'number' ? String(own.handle) : handleIn(response);
      if (known !== undefined) tracked.created({ handle: known });
      for (const method of listed) {
        expect.that(isHandle(method.handle), 'each listed method must have its handle as a non-empty string', {
          expected: 'a string',
          actual: method.handle ?? null,
          pointer: '/delivery_methods/…/handle',
        });
      }
      const handle = own.handle as string;
      tracked.created({ handle });
      const read = await given.resource(
        send(delivery.readMethod(handle), 'read'),
        'delivery_method',
        'delivery.method.read-by-handle',
      );
      expect.that(isHandle(read.handle), 'a method must have its handle as a string', {
        expected: handle,
        actual: read.handle ?? null,
        pointer: '/handle',
      });
    },
  ),

  check(
    'delivery.method.handle-unique',
    'MUST return a unique handle per method',
    { ...OWN_METHODS, clauses: ['delivery.method.handle-unique'] },
    async (context) => {
      const { delivery, expect, given, resources } = context;
      const first = await given.newMethod(delivery);
      // With equal fields from which a handle could be derived; a service may refuse a second equal title.
      const { method: alike, fields } = await tryMethod(context, delivery, { title: first.fields.title });
      // Simultaneously, for handles that are derived from the time; a service may require sequential calls.
      const simultaneous = await atOnce([
        () => tryMethod(context, delivery, {}),
        () => tryMethod(context, delivery, {}),
      ]);
      // One more with the fields of the first, where a create answers with its handle: by its reference it would not be found.
      const { title, reference } = first.fields;
      const same =
        handleIn(first.created) === undefined ? undefined : await tryMethod(context, delivery, { title, reference });
      // A service may refuse a second equal title.
      const again =
        same?.method === undefined && resources.markIn(reference) !== undefined
          ? await tryMethod(context, delivery, { reference }, { isFoundByTitle: true })
          : same;
      const another = async () => [await given.newMethod(delivery)];
      const tried = [{ method: alike, fields }, ...simultaneous, ...(again?.method === undefined ? [] : [again])];
      const made = [
        first,
        ...(again?.method === undefined ? ((await unlessFull(context, another)) ?? []) : []),
        ...tried.flatMap((one) => (one.method === undefined ? [] : [{ ...one.method, fields: one.fields }])),
      ];
      given.granted(made.length > 1, 'delivery.method.create-stores', 'no second method was accepted');
      const shown = await eachAtOnce(made, (method) => readMethod(context, method));
      const handles = made.map(({ handle }) => handle);
      expect.that(new Set(handles).size === made.length, 'each of several new methods must have its own handle', {
        expected: `${made.length} different handles`,
        actual: handles,
      });
      for (const [at, method] of made.entries()) {
        const read = shown[at]!;
        const others = made.filter((other) => other !== method).map(({ fields }) => fields.reference);
        const isOther = read.reference !== method.fields.reference && others.includes(read.reference);
        expect.that(!isOther, 'a handle must not return another new method', {
          expected: method.fields.reference,
          actual: read.reference ?? null,
          pointer: '/reference',
        });
      }
    },
  ),

  check(
    'delivery.method.read-by-handle',
    'MUST return the method that the handle names',
    { ...OWN_METHODS, clauses: ['delivery.method.read-by-handle'], shares: SHARED_METHODS },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const shared = await holdsForSharedMethods(
        context,
        ({ handle, read, sent }) => read.handle === handle && read.reference === sent.reference,
      );
      if (shared) return expect.that(shared, 'reading a handle must return the method with that handle');
      const first = await given.newMethod(delivery);
      const second = await unlessFull(context, () => given.newMethod(delivery));
      // Then the first again: a cached response must not be returned for another handle.
      const inTurns = second === undefined ? [first] : [first, second, first];
      const listed = await listedByHandle(
        context,
        delivery,
        inTurns.map(({ handle }) => handle),
      );
      for (const { handle } of inTurns) {
        const entry = listed.get(handle);
        const response = await send(delivery.readMethod(handle), 'read');
        given.holds(
          entry !== undefined || showsMethod(response, handle),
          'delivery.method.create-stores',
          'the new method is neither in the list nor can it be read',
        );
        expect.that(showsMethod(response, handle), 'reading a handle must return the method with that handle', {
          expected: handle,
          actual: summary(response),
          pointer: '/handle',
          response,
        });
      }
      if (second === undefined) return;
      const [one, other] = [await readMethod(context, first), await readMethod(context, second)];
      const field = first.fields.reference === second.fields.reference ? 'title' : 'reference';
      given.holds(
        !isDeepStrictEqual(listed.get(first.handle)?.[field], listed.get(second.handle)?.[field]),
        `delivery.method.${field}-kept`,
        `the list does not show the ${field}s of two methods, so they can't be distinguished`,
      );
      expect.that(!isDeepStrictEqual(one[field], other[field]), 'two handles must read as two methods', {
        expected: [first.fields[field], second.fields[field]],
        actual: [one[field] ?? null, other[field] ?? null],
        pointer: `/${field}`,
      });
    },
  ),

  check(
    'delivery.method.list-contains-own',
    'MUST list all methods of the caller in an array named delivery_methods',
    { ...OWN_METHODS, clauses: ['delivery.method.list-contains-own'], shares: SHARED_METHODS },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const clause = 'delivery.credentials.private-key-accepted';
      const first = await given.promised(send(delivery.listMethods(), 'list'), clause);
      expect.that(
        isJsonObject(first.json) && Array.isArray(first.json.delivery_methods),
        'the list must be an array named delivery_methods',
        { expected: 'an array', actual: summary(first), pointer: '/delivery_methods', response: first },
      );
      // Among them are some without a label page, and some with letters outside ASCII.
      const shared = await holdsForSharedMethods(context, ({ handle, listed }) => listed.handle === handle);
      if (shared) {
        expect.that(shared, 'the list must contain each of the new methods');
        return listsMethodsWithFewFields(context);
      }
      // A usual one, one with a label page, and one with letters outside ASCII: a list might skip them.
      const variety: ((mark: string) => Json)[] = [
        () => ({}),
        () => (context.hasNoLabelAddress ? {} : { print_label_url: 'https://example.com/label' }),
        (mark) => ({ title: inOneLanguage(context, `Pakomāts ${mark}`) }),
      ];
      const make = (fields: (mark: string) => Json): Promise<Created> =>
        create(context, (response) => given.accepted(response, 'delivery.method.create-stores'), fields);
      const tried = await inTurn(variety, async (fields, at) =>
        at === 0 ? make(fields) : unlessFull(context, () => make(fields)),
      );
      const made = tried.filter((one) => one !== undefined);
      const listed = await listMethods(context, delivery);
      for (const created of made) {
        const found = created.handle ?? ownIn(listed, created)[0]?.handle ?? (await lateIn(context, created));
        // Without a handle it is unknown whether the method exists but is not listed: create-stores decides that.
        const handle = given.present(
          typeof found === 'string' ? found : undefined,
          'delivery.method.create-stores',
          'a new method is not listed, and the response to its create did not contain its handle',
        );
        created.settle(handle);
        if (ownIn(listed, created).length > 0) continue;
        const elsewhere = (await listedByHandle(context, delivery, [handle])).has(handle);
        given.holds(
          elsewhere || showsMethod(await send(delivery.readMethod(handle), 'read'), handle),
          'delivery.method.create-stores',
          'a new method is neither in the list nor can it be read',
        );
        expect.that(elsewhere, 'the list must contain each of the new methods', {
          expected: handle,
          actual: listed.map((method) => method.handle),
          pointer: '/delivery_methods',
        });
      }
      await listsMethodsWithFewFields(context);
    },
  ),

  check(
    'delivery.method.list-agrees-with-read',
    'MUST return the same method in the list and by its handle',
    { ...OWN_METHODS, clauses: ['delivery.method.list-agrees-with-read'], shares: SHARED_METHODS },
    async (context) => {
      const { delivery, expect, given } = context;
      const shared = await holdsForSharedMethods(context, ({ sent, read, listed }) => {
        const isKept = METHOD_FIELDS.every(
          (field) => readBackFaults(context, field, sent[field], read[field]).length === 0,
        );
        return isKept && changedFields(context, METHOD_FIELDS, read, listed).length === 0;
      });
      const second = async () => [await given.newMethod(delivery, methodValues(context, 'second'))];
      const made = [
        // In each language, because a short list may show only one.
        await given.newMethod(delivery, { ...methodValues(context, 'first'), title: given.text('In each language') }),
        ...(shared ? [] : ((await unlessFull(context, second)) ?? [])),
      ];
      const listed = await listedByHandle(
        context,
        delivery,
        made.map(({ handle }) => handle),
      );
      for (const method of made) {
        const read = await readMethod(context, method);
        for (const field of METHOD_FIELDS) {
          const lost = readBackFaults(context, field, method.fields[field], read[field]);
          given.holds(lost.length === 0, METHOD_KEPT[field], lost[0]?.message ?? '');
        }
        const entry = given.present(
          listed.get(method.handle),
          'delivery.method.list-contains-own',
          'a new method is not in the list',
        );
        for (const field of ['available_countries_from', 'available_countries_to']) {
          const reason = `${field} reads as ${JSON.stringify(entry[field])} in the list`;
          given.holds(isCountryList(entry[field]), 'delivery.method.country-lists-are-codes', reason);
        }
        // A name that only one of the two returns is not a contradiction: optional values may be omitted.
        const named = !isUnset(read.name) && !isUnset(entry.name);
        const differing = changedFields(context, named ? [...METHOD_FIELDS, 'name'] : METHOD_FIELDS, read, entry);
        expect.that(differing.length === 0, `the list must show ${differing.join(' and ')} as the method itself does`, {
          expected: pick(read, differing),
          actual: pick(entry, differing),
          pointer: `/delivery_methods/…/${differing[0]}`,
        });
      }
      // Again after an accepted change: neither of the two may be stale.
      const [first] = made as [MethodUnderTest, ...MethodUnderTest[]];
      const reference = context.resources.newMark();
      if (!isServed(await context.send(delivery.changeMethod(first.handle, { reference }), 'change'))) return;
      const read = await readMethod(context, first);
      const entry = (await listedByHandle(context, delivery, [first.handle])).get(first.handle);
      expect.equal(entry?.reference, read.reference, 'after an update the list must show the reference that is read', {
        pointer: '/delivery_methods/…/reference',
      });
    },
  ),
];

const isHandle = (value: unknown): value is string => typeof value === 'string' && value !== '';

const pick = (from: Json, fields: readonly string[]): Json =>
  Object.fromEntries(fields.map((field) => [field, from[field] ?? null]));
