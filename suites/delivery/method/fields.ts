/** Each field of a created method reads back (spec: Delivery method). */
import { fits } from '../../../contracts/fields/forms.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { once } from '../../../harness/resources/once.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import {
  type Case,
  type CasesByField,
  type ReadBack,
  titleCases,
  unlessUndecided,
  valuesTogether,
} from '../steps/awkward-values/cases.ts';
import { tryMethod } from '../steps/create-method.ts';
import { METHOD_KEPT, type MethodField, readBackFaults } from '../steps/fields.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listedByHandle, readMethod } from '../steps/reading.ts';
import { AWKWARD_TEXT, EMOJI_TEXT, LONG_TEXT, methodValues, ownCountry, UNTIDY_TEXT } from '../steps/values.ts';

/** A check that a field reads back with each of several values, one method per value. */
function keepsMethodField(
  id: string,
  field: keyof typeof CASES,
  title: CheckTitle,
  judge: (context: Context, sent: unknown, read: unknown) => void = () => undefined,
): Check {
  return check(id, title, { ...OWN_METHODS, clauses: [id], shares: SHARED }, async (context) => {
    const { delivery, expect } = context;
    const isKept = await unlessUndecided(async () => {
      const together = await once(context, SHARED, () => methodsTogether(context));
      for (const { sent, read } of together ?? []) judge(context, sent[field], read[field]);
      return together?.every(({ sent, read }) => readBackFaults(context, field, sent[field], read[field]).length === 0);
    });
    if (isKept) return expect.that(isKept, `the ${field} of a new method must read back`);
    for (const { value, refusable } of CASES[field](context) as readonly Case[]) {
      const { answer, method } = await tryMethod(context, delivery, { [field]: value });
      if (method === undefined) {
        // A create that is refused with any value is not caused by this field.
        await context.given.newMethod(delivery);
        if (refusable !== true)
          expect.accepted(answer, `must take a new method with the ${field} ${JSON.stringify(value)}`);
        continue;
      }
      const read = (await readMethod(context, method))[field];
      judge(context, value, read);
      expect.noFaults(readBackFaults(context, field, value, read), `the ${field} of a new method must read back`);
    }
    // Also with all other fields: a value may be lost only in combination with others.
    for (const which of ['first', 'second'] as const) {
      const method = await context.given.newMethod(delivery, methodValues(context, which));
      const faults = readBackFaults(context, field, method.fields[field], (await readMethod(context, method))[field]);
      expect.noFaults(faults, `the ${field} of a new method with all fields must read back`);
    }
  });
}

/** A reference that begins with the run's mark, so that the method is never mistaken for one of somebody else. */
const referenced = (context: Context, words: string): string => `${context.resources.newMark()} ${words}`;

export const isCountryList = (value: unknown): boolean => fits('countries', value);

const COUNTRY_LISTS: readonly Case[] = [
  { value: ['LV'] },
  {
    value: ['AT', 'BE', 'DE', 'EE', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'LT', 'LV', 'NO', 'PL', 'SE'],
    refusable: true,
  },
];

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

const CASES = {
  title: (context) => titleCases(context, 'Courier to the door'),
  reference: (context) => [
    { value: referenced(context, 'A-17/b') },
    { value: referenced(context, AWKWARD_TEXT) },
    { value: referenced(context, EMOJI_TEXT), refusable: true },
    { value: referenced(context, UNTIDY_TEXT), refusable: true },
    { value: referenced(context, LONG_TEXT), refusable: true },
  ],
  available_countries_from: () => COUNTRY_LISTS,
  available_countries_to: () => COUNTRY_LISTS,
  print_label_url: () => [
    { value: 'https://example.com/print' },
    { value: 'https://www.example.org/Print/A4?store=7&kind=label%20a4&to=R%C4%ABga' },
    // An address belongs to the integrator, so a service must not normalize it.
    { value: 'https://example.com/print/', refusable: true },
    { value: 'https://labels.example.com:8443/~shop/a%2Fb,c;d/?x=a+b&y=#part', refusable: true },
  ],
} satisfies CasesByField<MethodField>;

const SHARED = 'methods with values in all fields';

/** Methods with values in all fields, as they read back; undefined if one is refused. */
async function methodsTogether(context: Context): Promise<readonly ReadBack[] | undefined> {
  const all: ReadBack[] = [];
  for (const values of [
    ...valuesTogether(context, CASES),
    methodValues(context, 'first'),
    methodValues(context, 'second'),
  ]) {
    const { method, fields } = await tryMethod(context, context.delivery, values);
    if (method === undefined) return undefined;
    all.push({ sent: fields, read: await readMethod(context, method) });
  }
  return all;
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
    { ...OWN_METHODS, clauses: ['delivery.method.country-lists-are-codes'] },
    async (context) => {
      const { delivery, expect, given } = context;
      const some = await given.newMethod(delivery, {
        available_countries_from: ['LV'],
        available_countries_to: context.asksLeast ? [ownCountry(context)] : ['EE', 'LT', 'LV'],
      });
      const bare = await tryMethod(context, delivery, {
        available_countries_from: undefined,
        available_countries_to: undefined,
      });
      const methods = [some, ...(bare.method === undefined ? [] : [bare.method])];
      const listed = await listedByHandle(
        context,
        delivery,
        methods.map(({ handle }) => handle),
      );
      for (const method of methods) {
        const read = await readMethod(context, method);
        for (const field of ['available_countries_from', 'available_countries_to'] as const) {
          for (const value of [read[field], listed.get(method.handle)?.[field]]) {
            expect.that(isCountryList(value), `${field} must be an array of two-letter texts, or no value`, {
              expected: 'an array of two-letter texts',
              actual: value,
              pointer: `/${field}`,
            });
          }
        }
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
    'delivery.method.print-label-url-null-otherwise',
    'MUST return no label address for a method without one',
    { ...OWN_METHODS, clauses: ['delivery.method.print-label-url-null-otherwise'], exactValues: ['print_label_url'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const address = 'https://example.com/print';
      const none = await given.newMethod(delivery, { print_label_url: null });
      // Next to a method with a label address, which must not be copied.
      const other = await given.newMethod(delivery, { print_label_url: address });
      const shownOf = async (method: typeof none) => (await readMethod(context, method)).print_label_url;
      const showsNone = async (method: typeof none, when: string) => {
        const shown = await shownOf(method);
        expect.that(isUnset(shown), `a method ${when} must show no label address`, {
          expected: null,
          actual: shown,
          pointer: '/print_label_url',
        });
      };
      await showsNone(none, 'created with null');
      const silent = await tryMethod(context, delivery, { print_label_url: undefined });
      if (silent.method !== undefined) await showsNone({ ...none, ...silent.method }, 'created without one');

      given.holds(!isUnset(await shownOf(other)), METHOD_KEPT.print_label_url, 'a label address does not read back');
      const applies = 'delivery.method.update-applies';
      const change = async (method: typeof none, value: string | null) =>
        isServed(await send(delivery.changeMethod(method.handle, { print_label_url: value }), 'change'));
      for (const [method, when] of [
        [other, 'whose address was changed and taken away'],
        [none, 'whose address was set and taken away again'],
      ] as const) {
        // Which fields an update can change is not stated.
        if (!(await change(method, `${address}/again`))) continue;
        given.holds((await shownOf(method)) === `${address}/again`, applies, 'an update of the label address is lost');
        if (await change(method, null)) await showsNone(method, when);
      }
    },
  ),

  check(
    'delivery.method.name-string',
    'MUST return the name of a method, if any, as a string',
    { ...OWN_METHODS, clauses: ['delivery.method.name-string'] },
    async (context) => {
      const { delivery, expect, given } = context;
      const method = await given.newMethod(delivery);
      const listed = await listedByHandle(context, delivery, [method.handle]);
      for (const shown of [await readMethod(context, method), listed.get(method.handle) ?? {}]) {
        expect.that(isUnset(shown.name) || typeof shown.name === 'string', 'the name of a method must be a string', {
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
      // Refusing the whole call is as good as ignoring the name.
      const { method: created } = await tryMethod(context, delivery, { name });
      if (created !== undefined) isKeptOut((await readMethod(context, created)).name, 'a create');

      const method = await given.newMethod(delivery);
      const before = (await readMethod(context, method)).name;
      for (const fields of [{ name }, { name, reference: method.fields.reference }]) {
        await send(delivery.changeMethod(method.handle, fields), 'change');
        const after = (await readMethod(context, method)).name;
        isKeptOut(after, 'an update');
        expect.equal(after ?? null, before ?? null, 'an update that sends a name must not change the name', {
          pointer: '/name',
        });
      }
    },
  ),
];
