/** Each field of a created method reads back (spec: Delivery method). */
import { fits } from '../../../contracts/fields/forms.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import type { Case } from '../steps/awkward-values/cases.ts';
import { changedFields, METHOD_FIELDS, type MethodField, readBackFaults } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listedByHandle, listMethods, readMethod } from '../steps/reading.ts';
import { methodValues, ownCountry } from '../steps/values.ts';
import { holdsForSharedMethods, METHOD_CASES, SHARED_METHODS, sharedMethods } from './shared.ts';

/** A check that a field reads back with each of several values, one method per value. */
function keepsMethodField(
  id: string,
  field: keyof typeof METHOD_CASES,
  title: CheckTitle,
  judge: (context: Context, sent: unknown, read: unknown) => void = () => undefined,
): Check {
  return check(id, title, { ...OWN_METHODS, clauses: [id], shares: SHARED_METHODS }, async (context) => {
    const { delivery, expect } = context;
    const isKept = await unlessUndecided(async () => {
      const together = await sharedMethods(context);
      for (const { sent, read } of together?.made ?? []) judge(context, sent[field], read[field]);
      // Where no label page is accepted, none is among them.
      if (together?.made.some(({ sent }) => !isUnset(sent[field])) !== true) return false;
      return together.made.every(
        ({ sent, read }) => readBackFaults(context, field, sent[field], read[field]).length === 0,
      );
    });
    if (isKept) return expect.that(isKept, `the ${field} of a new method must read back`);
    let isTaken = false;
    for (const { value, refusable } of METHOD_CASES[field](context) as readonly Case[]) {
      const { response, method } = await tryMethod(context, delivery, { [field]: value });
      if (method === undefined) {
        // A create that is refused with any value is not caused by this field.
        context.given.doneWith(await context.given.newMethod(delivery));
        // The plain first value proves the rule where the others are refused.
        isTaken ||= context.sendsMinimum && field === 'reference' && (await keepsKnownReference(context));
        if (refusable !== true && !(context.sendsMinimum && isTaken))
          expect.accepted(response, `must accept a new method with the ${field} ${JSON.stringify(value)}`);
        continue;
      }
      isTaken = true;
      context.given.doneWith(method);
      const read = (await readMethod(context, method))[field];
      judge(context, value, read);
      expect.noFaults(readBackFaults(context, field, value, read), `the ${field} of a new method must read back`);
    }
    // Also with all other fields: a value may be lost only in combination with others.
    for (const which of ['first', 'second'] as const) {
      const method = await context.given.newMethod(delivery, methodValues(context, which));
      context.given.doneWith(method);
      const faults = readBackFaults(context, field, method.fields[field], (await readMethod(context, method))[field]);
      expect.noFaults(faults, `the ${field} of a new method with all fields must read back`);
    }
  });
}

/** So many references of other methods are tried. */
const MAX_KNOWN_REFERENCES = 3;

/**
 * Asserts that a method keeps a reference that another method of the owner has: where a service knows all references, for example as the
 * names of its carriers, these are some of them. False where it takes none of them, or where no method has one.
 */
async function keepsKnownReference(context: Context): Promise<boolean> {
  const { delivery, expect, given, resources } = context;
  const all = (await listMethods(context, delivery)).flatMap(({ reference }) =>
    typeof reference === 'string' && reference !== '' && resources.markIn(reference) === undefined ? [reference] : [],
  );
  for (const reference of [...new Set(all)].slice(0, MAX_KNOWN_REFERENCES)) {
    const { response, method } = await tryMethod(context, delivery, { reference }, { isFoundByTitle: true });
    if (method === undefined) continue;
    given.doneWith(method);
    const read = await readMethod(context, method);
    const faults = readBackFaults(context, 'reference', reference, read.reference);
    expect.noFaults(faults, 'the reference of a new method must read back', { response });
    return true;
  }
  return false;
}

export const isCountryList = (value: unknown): boolean => fits('countries', value);

/** The list as a set: its order means nothing. */
function judgeCountries(context: Context, field: MethodField, sent: unknown, read: unknown): void {
  const { expect, given } = context;
  given.holds(
    isCountryList(read),
    'delivery.method.country-lists-are-codes',
    `${field} reads as ${JSON.stringify(read)}`,
  );
  const codes = (list: unknown): string[] =>
    Array.isArray(list) ? list.map((code) => String(code).toUpperCase()).sort() : [];
  expect.equal(codes(read), codes(sent), `${field} must read back as the list that was given`, {
    pointer: `/${field}`,
  });
}

export const checks: readonly Check[] = [
  keepsMethodField(
    'delivery.method.title-kept',
    'title',
    'MUST return the title that was set on a method',
    ({ given }, _sent, read) =>
      given.holds(
        fits('multilanguage', read),
        'delivery.multilanguage.shape',
        `the title reads as ${JSON.stringify(read)}`,
      ),
  ),
  keepsMethodField('delivery.method.reference-kept', 'reference', 'MUST return the reference that was set on a method'),
  keepsMethodField(
    'delivery.method.countries-from-kept',
    'available_countries_from',
    'MUST return the store countries that were set on a method',
    (context, sent, read) => judgeCountries(context, 'available_countries_from', sent, read),
  ),
  keepsMethodField(
    'delivery.method.countries-to-kept',
    'available_countries_to',
    'MUST return the destination countries that were set on a method',
    (context, sent, read) => judgeCountries(context, 'available_countries_to', sent, read),
  ),
  keepsMethodField(
    'delivery.method.print-label-url-kept',
    'print_label_url',
    'MUST return the label address that was set on a method',
  ),

  check(
    'delivery.method.country-lists-are-codes',
    'MUST return the country lists of a method as arrays of two-letter codes',
    { ...OWN_METHODS, clauses: ['delivery.method.country-lists-are-codes'], shares: SHARED_METHODS },
    async (context) => {
      const { delivery, expect, given } = context;
      const expectCodes = (shown: Json | undefined): void => {
        for (const field of ['available_countries_from', 'available_countries_to'] as const) {
          expect.that(isCountryList(shown?.[field]), `${field} must be an array of two-letter texts, or no value`, {
            expected: 'an array of two-letter texts',
            actual: shown?.[field],
            pointer: `/${field}`,
          });
        }
      };
      const shared = await holdsForSharedMethods(context, ({ read, listed }) =>
        [read, listed].every(
          ({ available_countries_from: from, available_countries_to: to }) =>
            isCountryList(from) && isCountryList(to) && !isUnset(to),
        ),
      );
      const some = shared
        ? undefined
        : await given.newMethod(delivery, {
            available_countries_from: ['LV'],
            available_countries_to: context.hasOneCountry ? [ownCountry(context)] : ['EE', 'LT', 'LV'],
          });
      const bare = await tryMethod(context, delivery, {
        available_countries_from: undefined,
        available_countries_to: undefined,
      });
      // A service may drop what it has already. In some languages the rest is then no longer an array.
      const repeats = await tryMethod(context, delivery, { available_countries_to: ['LV', 'LV', 'EE'] });
      const methods = [some, bare.method, repeats.method].filter((method) => method !== undefined);
      const listed = await listedByHandle(
        context,
        delivery,
        methods.map(({ handle }) => handle),
      );
      for (const method of methods) {
        expectCodes(await readMethod(context, method));
        expectCodes(listed.get(method.handle));
      }
      if (some === undefined) {
        expect.that(shared, 'the country lists of methods with some must be arrays of two-letter texts');
        return;
      }
      const shown = await readMethod(context, some);
      given.holds(
        !isUnset(shown.available_countries_from) && !isUnset(shown.available_countries_to),
        'delivery.method.countries-to-kept',
        'neither list of countries reads back, so nothing could be judged',
      );
    },
  ),

  check(
    'delivery.method.name-string',
    'MUST return the name of a method, if any, as a string',
    { ...OWN_METHODS, clauses: ['delivery.method.name-string'], shares: SHARED_METHODS },
    async (context) => {
      const { delivery, expect, given } = context;
      const isName = (name: unknown): boolean => isUnset(name) || typeof name === 'string';
      const shared = await holdsForSharedMethods(
        context,
        ({ read, listed }) => isName(read.name) && isName(listed.name),
      );
      if (shared) return expect.that(shared, 'the name of a method must be a string');
      const method = await given.newMethod(delivery);
      const listed = await listedByHandle(context, delivery, [method.handle]);
      for (const shown of [await readMethod(context, method), listed.get(method.handle) ?? {}]) {
        expect.that(isName(shown.name), 'the name of a method must be a string', {
          expected: 'a string',
          actual: shown.name,
          pointer: '/name',
        });
      }
    },
  ),

  check(
    'delivery.method.name-read-only',
    'MUST ignore or refuse a name sent in a create or an update',
    { ...OWN_METHODS, clauses: ['delivery.method.name-read-only'] },
    async (context) => {
      const { delivery, expect, given, resources, send } = context;
      const name = `Sent name ${resources.newMark()}`;
      const isKeptOut = (shown: unknown, when: string) =>
        expect.that(!String(shown ?? '').includes(name), `a name sent with ${when} must not become the method's`, {
          expected: 'a name of the service',
          actual: shown ?? null,
          pointer: '/name',
        });
      // Refusing the whole call is allowed, like ignoring the name.
      const { method: created } = await tryMethod(context, delivery, { name });
      if (created !== undefined) {
        isKeptOut((await readMethod(context, created)).name, 'a create');
        given.doneWith(created);
      }

      const method = await given.newMethod(delivery);
      const before = await readMethod(context, method);
      const { reference, title } = method.fields;
      for (const fields of [{ name }, { name, reference }, { name, title }]) {
        await send(delivery.changeMethod(method.handle, fields), 'change');
        const after = await readMethod(context, method);
        isKeptOut(after.name, 'an update');
        // The service may derive the name from the title.
        if (!('title' in fields))
          expect.equal(
            after.name ?? null,
            before.name ?? null,
            'an update that sends a name must not change the name',
            {
              pointer: '/name',
            },
          );
        const changed = changedFields(context, METHOD_FIELDS, before, after);
        const named = changed.filter((field) => JSON.stringify(after[field] ?? null).includes(name));
        expect.equal(named, [], 'a name sent with an update must not become the value of another field', {
          pointer: `/${named[0] ?? ''}`,
        });
        const kept = 'delivery.method.update-keeps-omitted-fields';
        given.holds(changed.length === 0, kept, `an update that sends a name changes ${changed}`);
      }
    },
  ),
];
