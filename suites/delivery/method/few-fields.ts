/** A method without countries and without a reference is listed as any other: a list that joins tables may leave it out. */
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { inOneLanguage, readBackFaults } from '../steps/fields.ts';
import { inTurn, mayOmitTitle, tryMethod } from '../steps/methods/create-method.ts';
import { listedByHandle, type Method, readMethod, showsMethod } from '../steps/reading.ts';

const WITHOUT_COUNTRIES: Json = { available_countries_from: undefined, available_countries_to: undefined };

/** Asserts that methods created with few fields are in the list. A service may refuse them: it may require any field. */
export async function listsMethodsWithFewFields(context: Context): Promise<void> {
  const { delivery, expect, given, resources, send } = context;
  const untitled = (fields: Json) =>
    mayOmitTitle(context)
      ? tryMethod(context, delivery, { ...fields, title: undefined })
      : Promise.resolve({ method: undefined });
  const bare = await untitled(WITHOUT_COUNTRIES);
  const variety: Json[] = [
    ...(bare.method === undefined ? [WITHOUT_COUNTRIES] : []),
    { reference: undefined, title: inOneLanguage(context, `Few fields ${resources.newMark()}`) },
  ];
  // A service may require the lists of countries, but no title.
  const withCountries = bare.method === undefined ? await untitled({}) : { method: undefined };
  const attempts = await inTurn(variety, (fields) => tryMethod(context, delivery, fields));
  const handles = [bare, withCountries, ...attempts].flatMap(({ method }) =>
    method === undefined ? [] : [method.handle],
  );
  if (handles.length === 0) return;
  const listed = await listedByHandle(context, delivery, handles);
  for (const handle of handles) {
    given.holds(
      listed.has(handle) || showsMethod(await send(delivery.readMethod(handle), 'read'), handle),
      'delivery.method.create-stores',
      'a new method with few fields is neither in the list nor can it be read',
    );
    expect.that(listed.has(handle), 'the list must contain a new method with few fields', {
      expected: handle,
      actual: [...listed.keys()],
      pointer: '/delivery_methods',
    });
  }
  const first = bare.method ?? withCountries.method;
  if (first !== undefined) await takesFirstTitle(context, first);
}

/** States that a method without a title shows the one that an update gives it. */
async function takesFirstTitle(context: Context, method: Method): Promise<void> {
  const { delivery, given, send } = context;
  const title = inOneLanguage(context, 'First title');
  if (!isServed(await send(delivery.changeMethod(method.handle, { title }), 'change'))) return;
  const read = await readMethod(context, method);
  const [fault] = readBackFaults(context, 'title', title, read.title);
  given.holds(fault === undefined, 'delivery.method.update-applies', `a first title is not kept: ${fault?.message}`);
}
