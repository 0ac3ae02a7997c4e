/** An update changes only the fields that it names (spec: Endpoints, PUT delivery_method). */

import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { idleHandles } from '../../../harness/resources/methods/idle-methods.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { MANY_COUNTRIES } from '../steps/awkward-values/countries.ts';
import {
  changedFields,
  givenPlainTitle,
  holdsFormerText,
  inOneLanguage,
  METHOD_FIELDS,
  METHOD_KEPT,
  type MethodField,
  pick,
  readBackFaults,
} from '../steps/fields.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, idsOf, listPoints, type Method, readEachBeside, readMethod } from '../steps/reading.ts';
import { losesNoUpdate } from '../steps/updates/at-once.ts';
import { appliesInTurn } from '../steps/updates/in-turn.ts';
import { appliesSimilar, similarMethods } from '../steps/updates/similar.ts';
import { HARD_TEXTS, methodValues, NUMERIC_TEXT, pointAt } from '../steps/values.ts';
import { giveSameTexts } from './same-texts.ts';

const APPLIES = 'delivery.method.update-applies';

/** Creates a method with these values and states that they read back: only then an update has to keep them too. */
async function methodWith(context: Context, values: Json): Promise<Method> {
  const { delivery, given } = context;
  const method = await given.newMethod(delivery, values);
  const read = await readMethod(context, method);
  for (const field of METHOD_FIELDS) {
    const lost = readBackFaults(context, field, values[field], read[field]);
    given.holds(lost.length === 0, METHOD_KEPT[field], lost[0]?.message ?? '');
  }
  return method;
}

/** Asserts that the named fields of a method read as the given values. */
async function expectValues(context: Context, method: Method, fields: readonly MethodField[], values: Json) {
  const read = await readMethod(context, method);
  const faults = fields.flatMap((field) => readBackFaults(context, field, values[field], read[field]));
  context.expect.noFaults(faults, `after an update of ${fields.join(' and ')} the new values must be returned`);
}

/** Awkward texts, if the service accepts them. A text that a create loses as well is not caused by the update. */
async function keepsHardTexts(context: Context, method: Method, writable: readonly MethodField[]): Promise<void> {
  const { delivery, send } = context;
  const values = methodValues(context, 'first');
  for (const words of HARD_TEXTS) {
    const marked = `${context.resources.newMark()} ${words}`;
    const title = inOneLanguage(context, writable.includes('reference') ? words : marked);
    const texts = { title, reference: marked };
    const fields = writable.filter((field) => Object.hasOwn(texts, field));
    if (fields.length === 0) break;
    if (!isServed(await send(delivery.changeMethod(method.handle, pick(texts, fields)), 'change'))) continue;
    const read = await readMethod(context, method);
    if (fields.some((field) => readBackFaults(context, field, texts[field as 'title'], read[field]).length > 0)) {
      await methodWith(context, { ...values, ...texts });
    }
    await expectValues(context, method, fields, texts);
  }
}

export const checks: readonly Check[] = [
  check(
    APPLIES,
    'MUST apply each field of an update, alone and with other fields',
    { ...OWN_METHODS, clauses: [APPLIES] },
    async (context) => {
      const { delivery, send } = context;
      const sets = [methodValues(context, 'first'), methodValues(context, 'second')] as const;
      const method = await methodWith(context, sets[0]);
      // Similar values can be stored; not the same ones, because a service may require unique titles and references.
      if (context.explains) await unlessFull(context, () => methodWith(context, methodValues(context, 'second')));

      const writable = await appliesInTurn(context, {
        ...{ what: 'a method', sets, fields: METHOD_FIELDS },
        change: (fields, purpose) => send(delivery.changeMethod(method.handle, fields), purpose),
        read: () => readMethod(context, method),
      });

      await takesManyCountries(context, method, writable);
      // While the title carries the mark of the run, by which a later run would know the method.
      // A service may refuse the references that were sent, and take digits.
      if (!context.sendsMinimum) await keepsDigits(context, method);
      await appliesSimilar(context, {
        values: similarMethods(context),
        change: (fields) => send(delivery.changeMethod(method.handle, fields), 'change'),
        read: () => readMethod(context, method),
        givenKept: async (values) => {
          const reference = `${context.resources.newMark()} HALL`;
          await methodWith(context, { ...sets[0], ...values, reference });
        },
      });
      await keepsHardTexts(context, method, writable);
    },
  ),

  check(
    'delivery.method.empty-update-applies',
    'MUST apply an empty value in an update, and a value after it',
    { ...OWN_METHODS, clauses: [APPLIES] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const values = methodValues(context, 'first');
      const method = await methodWith(context, values);
      const empties = { available_countries_from: [], available_countries_to: [], reference: '', title: '' };
      const change = (fields: Json) => send(delivery.changeMethod(method.handle, fields), 'change');
      const read = () => readMethod(context, method);
      const expectEmpty = async (fields: readonly string[]): Promise<void> => {
        const now = await read();
        for (const field of fields) {
          const isEmpty = field === 'title' ? !holdsFormerText(context, values.title, now.title) : isUnset(now[field]);
          if (!isEmpty && field === 'title') await givenPlainTitle(context, change, read);
          expect.that(isEmpty, `${field} must be empty after an accepted update that empties it`, {
            expected: empties[field as keyof typeof empties],
            actual: now[field],
            pointer: `/${field}`,
          });
        }
      };
      const emptied: string[] = [];
      for (const [field, empty] of Object.entries(empties)) {
        // A service may refuse an empty value; an accepted one has to be stored.
        if (!isServed(await change({ [field]: empty }))) continue;
        emptied.push(field);
        if (context.explains) await expectEmpty([field]);
      }
      // At the first try one reading shows all of them.
      if (!context.explains) await expectEmpty(emptied);
      const taken: MethodField[] = [];
      const after: Json = {};
      // The title first: without its mark, a method with a reference of another kind is not known as the run's.
      for (const field of ['title', 'reference', 'available_countries_from', 'available_countries_to'] as const) {
        // Some languages treat this reference as empty, or as a number. A service may refuse it.
        const offered = field === 'reference' && !context.sendsMinimum ? ['0', values[field]] : [values[field]];
        for (const value of offered) {
          if (!isServed(await change({ [field]: value }))) continue;
          after[field] = value;
          taken.push(field);
          break;
        }
        if (context.explains && taken.includes(field)) await expectValues(context, method, [field], after);
      }
      given.granted(taken.length > 0, APPLIES, 'no update of a single field was accepted');
      if (!context.explains) await expectValues(context, method, taken, after);
    },
  ),

  check(
    'delivery.method.update-keeps-omitted-fields',
    'MUST keep the fields that an update does not name',
    { ...OWN_METHODS, clauses: ['delivery.method.update-keeps-omitted-fields'], exactValues: ['omitted-fields'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await given.newMethod(delivery, methodValues(context, 'first'));
      const next = methodValues(context, 'second');
      let before = await readMethod(context, method);
      await addPoints(context, method, [pointAt(context, 'kept')]);
      const idsBefore = idsOf(await listPoints(context, method)).sort();
      const sent = METHOD_FIELDS.filter((field) => Object.hasOwn(next, field));
      for (const field of sent)
        given.holds(!isUnset(before[field]), METHOD_KEPT[field], `the ${field} that was given does not read back`);

      const updates = [
        ...sent.map((field) => ({ [field]: next[field] })),
        // Also all fields except one: some values may be lost only when two fields are named.
        ...sent.map((field) => pick(next, allBut(field))),
        { print_label_url: null },
        { available_countries_from: [] },
        // An update without fields, which a service may refuse.
        {},
      ];
      const taken: Json[] = [];
      for (const fields of updates) {
        if (!isServed(await send(delivery.changeMethod(method.handle, fields), 'change'))) continue;
        if (Object.keys(fields).length > 0) taken.push(fields);
        const after = await readMethod(context, method);
        const unnamed = [...METHOD_FIELDS, ...nameBeside(before, after, fields)].filter(
          (field) => !Object.hasOwn(fields, field),
        );
        const changed = changedFields(context, unnamed, before, after);
        expect.that(
          changed.length === 0,
          `an update of ${Object.keys(fields).join(', ') || 'nothing'} must leave ${changed} as it was`,
          {
            expected: before[changed[0] ?? ''] ?? null,
            actual: after[changed[0] ?? ''] ?? null,
            pointer: `/${changed[0]}`,
          },
        );
        before = after;
      }
      given.granted(taken.length > 0, APPLIES, 'no update was accepted');
      await losesNoUpdate(context, {
        ...{ what: 'a method', applies: APPLIES, values: methodValues(context, 'first') },
        fields: sent.filter((field) => taken.some((fields) => Object.hasOwn(fields, field))),
        change: (fields) => send(delivery.changeMethod(method.handle, fields), 'change'),
        read: () => readMethod(context, method),
      });
      const ids = idsOf(await listPoints(context, method)).sort();
      expect.equal(ids, idsBefore, 'an update of a method must leave its points', { pointer: '/pickup_points' });
    },
  ),

  check(
    'delivery.method.update-leaves-other-methods',
    'MUST NOT change other methods when one is updated',
    { ...OWN_METHODS, clauses: ['delivery.method.update-leaves-other-methods'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const first = methodValues(context, 'first');
      const made = [await given.newMethod(delivery, first)];
      for (const [at, values] of [methodValues(context, 'first'), methodValues(context, 'first')].entries()) {
        const make = () => given.newMethod(delivery, values);
        const one = at === 0 ? await make() : await unlessFull(context, make);
        if (one !== undefined) made.push(one);
      }
      for (const method of made.slice(1)) await giveSameTexts(context, method, first);
      // Methods of other checks that none of them uses now: a change that reaches few methods shows among many.
      const others = idleHandles(context.resources, delivery.owner);
      const readAll = () => readEachBeside(context, delivery, made, others);
      // Which fields an update can change is not stated: all of them at once, or else one by one.
      const change = async (handle: string, values: Json): Promise<boolean> => {
        let isTaken = false;
        for (const fields of [METHOD_FIELDS, ...METHOD_FIELDS.map((field) => [field])]) {
          const call = delivery.changeMethod(handle, pick(values, fields));
          if (!isServed(await send(call, 'change'))) continue;
          isTaken = true;
          if (fields === METHOD_FIELDS) break;
        }
        return isTaken;
      };
      for (const [at, changed] of made.entries()) {
        const before = await readAll();
        given.granted(await change(changed.handle, methodValues(context, 'second')), APPLIES, 'no update was accepted');
        const after = await readAll();
        const applied = changedFields(context, METHOD_FIELDS, before.own[at]!, after.own[at]!);
        // A plainer value may be the one that the method has: another check judges whether updates apply.
        given.granted(applied.length > 0, APPLIES, 'the update changed nothing');
        const pairs = [
          ...made.map(({ handle }, other) => [handle, before.own[other]!, after.own[other]!] as const),
          ...[...before.beside].map(([handle, read]) => [handle, read, after.beside.get(handle) ?? read] as const),
        ];
        for (const [handle, was, is] of pairs) {
          if (handle === changed.handle) continue;
          const touched = changedFields(context, [...METHOD_FIELDS, 'name'], was, is);
          expect.that(touched.length === 0, `an update of one method must not change ${touched} of another`, {
            expected: was[touched[0] ?? ''] ?? null,
            actual: is[touched[0] ?? ''] ?? null,
            pointer: `/${touched[0]} of ${handle}`,
          });
        }
        // Back to the old value, so that the next update would show if it spreads.
        await change(changed.handle, first);
      }
    },
  ),
];

/** Lists of more countries than a column or a form may hold: a service may refuse them, and keeps what it takes. */
async function takesManyCountries(context: Context, method: Method, writable: readonly MethodField[]): Promise<void> {
  const fields = writable.filter((field) => field.startsWith('available_countries_'));
  if (fields.length === 0 || context.hasOneCountry) return;
  const next = Object.fromEntries(fields.map((field) => [field, MANY_COUNTRIES]));
  if (!isServed(await context.send(context.delivery.changeMethod(method.handle, next), 'change'))) return;
  // What a create loses as well is not caused by the update.
  if (context.explains)
    await unlessFull(context, () => methodWith(context, { ...methodValues(context, 'second'), ...next }));
  await expectValues(context, method, fields, next);
}

/** A reference of digits only, which a service may refuse, stays a text. All others begin with a mark of the run. */
async function keepsDigits(context: Context, method: Method): Promise<void> {
  // One loses its zeros as a number; the other is shown as one even by code that leaves texts with such zeros alone.
  for (const reference of [NUMERIC_TEXT, '1207']) {
    const next = { reference };
    const response = await context.send(context.delivery.changeMethod(method.handle, next), 'change');
    if (isServed(response)) await expectValues(context, method, ['reference'], next);
  }
}

const allBut = (field: MethodField): MethodField[] => METHOD_FIELDS.filter((other) => other !== field);

/** Fields from which a service may derive the name that it assigns. */
const NAMED_AFTER = ['title', 'reference'] as const;

/**
 * The name, unless it may have followed the title or the reference. A new text does not take the name away; and a name that was not made
 * of the former text does not become the new one.
 */
function nameBeside(before: Json, after: Json, fields: Json): string[] {
  const named = NAMED_AFTER.filter((field) => Object.hasOwn(fields, field));
  if (named.length === 0) return ['name'];
  if (isUnset(before.name)) return [];
  const isCopied = named.some(
    (field) => holdsText(after[field], after.name) && !resembles(textIn(before[field]), String(before.name)),
  );
  return isUnset(after.name) || isCopied ? ['name'] : [];
}

/** All texts of a value, one after the other. */
const textIn = (value: unknown): string => (isJsonObject(value) ? Object.values(value).join(' ') : String(value ?? ''));

const holdsText = (value: unknown, text: unknown): boolean =>
  typeof text === 'string' && text !== '' && (isJsonObject(value) ? Object.values(value) : [value]).includes(text);

/** Whether a name may be made of a text, in whatever letters: one word of it begins like a word of the other. */
function resembles(text: string, name: string): boolean {
  const words = (of: string): string[] =>
    of
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, WORD_START));
  const ofName = words(name);
  return words(text).some((word) => ofName.includes(word));
}

/** So many characters of a word are left however a name is shortened. */
const WORD_START = 3;
