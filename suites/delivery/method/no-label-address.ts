/** A method without a label address shows none (spec: Delivery method, print_label_url). */
import { METHOD_COUNTRY_LISTS } from '../../../contracts/fields/catalogue/delivery.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { METHOD_FIELDS, METHOD_KEPT, type MethodField, sameReading } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { type Method, readMethod } from '../steps/reading.ts';
import { otherCountry } from '../steps/values.ts';

const CREATES = 'delivery.method.create-stores';

/** With letters beyond ASCII, which are not part of a URL: a service may refuse them or write them as escapes, but not lose them. Short also as escapes. */
const LETTERED_ADDRESS = 'https://example.com/ī/東?to=Ķ';

/** One list omitted, the other one null. */
const NO_COUNTRIES = { available_countries_from: undefined, available_countries_to: null };

const WITHOUT_COUNTRIES = { available_countries_from: undefined, available_countries_to: undefined };

const ADDRESS = 'https://example.com/print';

/** A method with a label address and countries, which methods that are created after it must not get. */
async function methodWithAddress(context: Context): Promise<Method & { readonly fields: Json }> {
  const { delivery, given } = context;
  const countries = {
    available_countries_from: [otherCountry(context, 'EE')],
    available_countries_to: [otherCountry(context, 'LT')],
  };
  const { method, fields } = await tryMethod(context, delivery, { print_label_url: LETTERED_ADDRESS, ...countries });
  return method === undefined
    ? given.newMethod(delivery, { print_label_url: ADDRESS, ...countries })
    : { ...method, fields };
}

/** Asserts that a method shows no label address, and returns what it shows. */
async function expectNoAddress(context: Context, method: Method, when: string): Promise<Json> {
  const shown = await readMethod(context, method);
  context.expect.that(isUnset(shown.print_label_url), `a method ${when} must show no label address`, {
    expected: null,
    actual: shown.print_label_url,
    pointer: '/print_label_url',
  });
  return shown;
}

const showsAddress = async (context: Context, method: Method, value: unknown): Promise<boolean> =>
  sameReading(context, 'print_label_url', value, (await readMethod(context, method)).print_label_url);

/**
 * Asserts that the fields that a new method was created without do not read as those of a method before it, and adds it to these.
 */
function expectNotCopied(context: Context, former: Json[], shown: Json, sent: Json): void {
  // The only country of a store may be the default of a new method.
  const mayBeDefault = (field: MethodField): boolean => context.hasOneCountry && METHOD_COUNTRY_LISTS.includes(field);
  const omitted = METHOD_FIELDS.filter((field) => isUnset(sent[field]) && !mayBeDefault(field));
  const copied = omitted.filter((field) =>
    former.some((one) => !isUnset(one[field]) && sameReading(context, field, one[field], shown[field])),
  );
  const rule = 'a method must not have fields of the method before it that it is created without';
  context.expect.equal(copied, [], rule, { pointer: `/${copied[0] ?? ''}`, clauses: [CREATES] });
  former.push(sent);
}

/** Creates a method with as few fields as the service requires, none of which is a label address; undefined if it requires one. */
async function createdBare(context: Context, former: Json[]): Promise<Method | undefined> {
  for (const omitted of [{ reference: undefined, ...NO_COUNTRIES }, NO_COUNTRIES, WITHOUT_COUNTRIES, {}]) {
    const without = { print_label_url: undefined, ...omitted };
    const { method, fields } = await tryMethod(context, context.delivery, without);
    if (method === undefined) continue;
    expectNotCopied(context, former, await expectNoAddress(context, method, 'created without one'), fields);
    return method;
  }
  return undefined;
}

/** Tries to create a method without a title, and without the list of countries that `createdBare` sends as null. */
async function createdUntitled(
  context: Context,
): Promise<{ readonly method: Method | undefined; readonly fields: Json }> {
  const without = { print_label_url: null, title: undefined };
  const made = await tryMethod(context, context.delivery, { ...without, available_countries_to: undefined });
  return made.method === undefined ? tryMethod(context, context.delivery, without) : made;
}

/** Sets another address and removes it, if the service takes both: which fields an update can change is not stated. */
async function expectRemovable(context: Context, method: Method, when: string): Promise<void> {
  const { delivery, given, send } = context;
  const change = async (value: string | null) =>
    isServed(await send(delivery.changeMethod(method.handle, { print_label_url: value }), 'change'));
  for (const value of [`${LETTERED_ADDRESS}/again`, `${ADDRESS}/again`]) {
    if (!(await change(value))) continue;
    const applies = 'delivery.method.update-applies';
    given.holds(await showsAddress(context, method, value), applies, 'an update of the label address is lost');
    if (await change(null)) await expectNoAddress(context, method, when);
    return;
  }
}

export const checks: readonly Check[] = [
  check(
    'delivery.method.print-label-url-null-otherwise',
    'MUST return no label address for a method without one',
    {
      ...OWN_METHODS,
      clauses: ['delivery.method.print-label-url-null-otherwise', CREATES],
      exactValues: ['print_label_url'],
    },
    async (context) => {
      const { delivery, given } = context;
      const other = await methodWithAddress(context);
      // The first method has a value in every field, none of which must be copied.
      const former: Json[] = [other.fields];
      const bare = await createdBare(context, former);
      const untitled = await createdUntitled(context);
      const withNull = untitled.method ?? (await tryMethod(context, delivery, { print_label_url: null })).method;
      const beside = withNull ?? bare;
      // Where a method can not be beside another, it takes its place.
      if (beside === undefined) given.doneWith(other);
      // A service may refuse null in place of an omitted field.
      const none =
        beside ??
        (await tryMethod(context, delivery, { print_label_url: undefined })).method ??
        (await given.newMethod(delivery, { print_label_url: null }));
      const created = withNull === undefined ? 'created without one' : 'created with null';
      const shownWithNull = await expectNoAddress(context, none, created);
      if (untitled.method !== undefined) expectNotCopied(context, former, shownWithNull, untitled.fields);

      const isKept = beside === undefined || (await showsAddress(context, other, other.fields.print_label_url));
      given.holds(isKept, METHOD_KEPT.print_label_url, 'a label address does not read back');
      if (beside !== undefined) await expectRemovable(context, other, 'whose address was changed and removed');
      await expectRemovable(context, none, 'whose address was set and removed again');
    },
  ),
];
