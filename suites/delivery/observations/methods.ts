/** Observations of delivery methods where the contract leaves the choice to the service. */

import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { handleIn } from '../../../harness/check/given/index.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { inOneLanguage, METHOD_FIELDS, sameReading } from '../steps/fields.ts';
import { inTurn, tryMethod } from '../steps/methods/create-method.ts';
import { formOf, observes } from '../steps/observe.ts';
import {
  addPoints,
  listedByHandle,
  listMethods,
  type Method,
  readMethod,
  readPoint,
  showsMethod,
} from '../steps/reading.ts';
import { methodValues, pointAt } from '../steps/values.ts';

/** Whether a response holds the resource, a part of it, or nothing. */
function contentOf(response: ServiceResponse, name: string, fields: readonly string[]): string {
  const resource = resourceOf(response.json, name);
  if (!isJsonObject(resource)) return 'neither handle nor method';
  const held = fields.filter((field) => Object.hasOwn(resource, field));
  if (held.length > 1) return 'the whole method';
  return handleIn(response) === undefined ? 'neither handle nor method' : 'the handle';
}

function formOfResource(response: ServiceResponse, name: string): string {
  if (!isJsonObject(response.json)) return 'no object';
  const wrapped = isJsonObject(response.json[name]) ? 'wrapped under its name' : 'bare';
  return Object.hasOwn(response.json, 'error') ? `${wrapped}, beside error` : wrapped;
}

/** The result of an update of one field. */
function effectOf(
  context: Context,
  response: ServiceResponse,
  field: string,
  sent: unknown,
  before: Json,
  after: Json,
): string {
  if (!isServed(response)) return 'refused';
  const takes = field === 'title' ? !sameReading(context, field, before.title, after.title) : after[field] === sent;
  if (takes || (!sameReading(context, field, before[field], after[field]) && Array.isArray(sent))) return 'taken';
  return sameReading(context, field, before[field], after[field]) ? 'ignored' : 'changed to something else';
}

export const checks: readonly Check[] = [
  observes(
    'delivery.observations.method-responses',
    'OBSERVES what the responses to create, update and read of a method contain',
    ['delivery.method.create-response', 'delivery.method.update-response', 'delivery.method.single-resource-form'],
    async (context) => {
      const { delivery, given, send } = context;
      const method = await given.newMethod(delivery);
      context.observe('delivery.method.create-response', contentOf(method.created, 'delivery_method', METHOD_FIELDS));

      const call = delivery.changeMethod(method.handle, { reference: method.fields.reference });
      const updated = await given.accepted(send(call, 'change'), 'delivery.method.update-applies');
      context.observe('delivery.method.update-response', contentOf(updated, 'delivery_method', METHOD_FIELDS));

      const read = await send(delivery.readMethod(method.handle), 'read');
      given.holds(
        showsMethod(read, method.handle),
        'delivery.method.read-by-handle',
        "a method can't be read by its handle",
      );
      await addPoints(context, method, [pointAt(context, 'p')]);
      await readPoint(context, method, 'p');
      const point = await send(delivery.readPoint(method.handle, 'p'), 'read');
      context.observe('delivery.method.single-resource-form', {
        method: formOfResource(read, 'delivery_method'),
        point: formOfResource(point, 'pickup_point'),
      });
    },
  ),

  observes(
    'delivery.observations.method-fields',
    'OBSERVES which fields a new method requires and how unset values are returned',
    ['delivery.method.required-fields', 'delivery.method.missing-value-form'],
    async (context) => {
      const { delivery, given, send } = context;
      const needed: Json = {};
      const missing: Json = {};
      for (const field of METHOD_FIELDS) {
        const { method } = await tryMethod(context, delivery, { [field]: undefined });
        needed[field] = method === undefined ? 'needed' : 'not needed';
        if (method === undefined) continue;
        missing[field] = formOf((await readMethod(context, method))[field]);
        // An owner may have no room for all of them.
        given.doneWith(method);
      }
      context.observe('delivery.method.required-fields', needed);

      const method = await given.newMethod(delivery);
      const points: Json = {};
      if (isServed(await send(delivery.addPoint(method.handle, { id: 'bare' }), 'add'))) {
        const point = await readPoint(context, method, 'bare');
        for (const field of ['title', 'address', 'city', 'zip', 'country', 'attributes'])
          points[field] = formOf(point[field]);
      }
      context.observe('delivery.method.missing-value-form', { method: missing, point: points });
    },
  ),

  observes(
    'delivery.observations.method-writes',
    'OBSERVES which fields of a method are writable and how a sent name is handled',
    ['delivery.method.writable-fields', 'delivery.method.name-handling'],
    async (context) => {
      const { delivery, given, resources, send } = context;
      const name = `Sent name ${resources.newMark()}`;
      const { method: named, response: creation } = await tryMethod(context, delivery, { name });
      const shown = named === undefined ? undefined : (await readMethod(context, named)).name;

      const method = await given.newMethod(delivery, methodValues(context, 'first'));
      const writable: Json = {};
      let before = await readMethod(context, method);
      // One reading shows what became of all fields that were changed one by one. The name may follow another field.
      for (const values of [methodValues(context, 'second'), { name }] as Json[]) {
        const responses = await inTurn(Object.entries(values), ([field, value]) =>
          send(delivery.changeMethod(method.handle, { [field]: value }), 'change'),
        );
        const after = await readMethod(context, method);
        for (const [at, [field, value]] of Object.entries(values).entries())
          writable[field] = effectOf(context, responses[at]!, field, value, before, after);
        before = after;
      }
      writable.handle = await handleChange(context);
      context.observe('delivery.method.writable-fields', writable);
      context.observe('delivery.method.name-handling', {
        create: !isServed(creation) ? 'refused' : shown === name ? 'taken' : 'ignored',
        update: writable.name,
      });
    },
  ),

  observes(
    'delivery.observations.method-countries',
    'OBSERVES how empty country lists are returned and invalid codes are handled',
    ['delivery.method.empty-country-list', 'delivery.method.invalid-country-handling'],
    async (context) => {
      const { delivery } = context;
      const fields = ['available_countries_from', 'available_countries_to'] as const;
      const { method } = await tryMethod(context, delivery, Object.fromEntries(fields.map((field) => [field, []])));
      const read = method === undefined ? undefined : await readMethod(context, method);
      const form = (field: string) => (read === undefined ? 'refused' : formOf(read[field]));
      context.observe('delivery.method.empty-country-list', { from: form(fields[0]), to: form(fields[1]) });

      const handling: Json = {};
      const tried = await inTurn(Object.entries(WRONG_COUNTRIES), async ([which, codes]) => {
        const { method: one } = await tryMethod(context, delivery, { available_countries_to: codes });
        return { which, codes, handle: one?.handle };
      });
      const handles = tried.flatMap(({ handle }) => handle ?? []);
      const listed = handles.length === 0 ? undefined : await listedByHandle(context, delivery, handles);
      for (const { which, codes, handle } of tried) {
        if (handle === undefined) {
          handling[which] = 'refused';
          continue;
        }
        const kept = listed?.get(handle)?.available_countries_to;
        const stored = Array.isArray(kept) && kept.includes(codes[1]);
        handling[which] = stored ? 'stored' : isUnset(kept) ? 'all dropped' : 'dropped';
        if (stored && which !== 'no country')
          context.warn(
            `A country that is ${which} is stored as it was sent: the integrator does not notice, and buyers are not offered the method.`,
          );
      }
      context.observe('delivery.method.invalid-country-handling', handling);
    },
  ),
];

/** Lists whose second code is invalid. */
const WRONG_COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  'three letters': ['LV', 'LVA'],
  'a name': ['LV', 'Latvia'],
  'no country': ['LV', 'QQ'],
  digits: ['LV', '37'],
};

const CREATES = 'delivery.method.create-stores';

/** The effect of an update with another handle. The method is then found under its new handle. */
async function handleChange(context: Context): Promise<string> {
  const { delivery, given, resources, send } = context;
  const reference = resources.newMark();
  const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
  const fields = { ...given.methodFields(reference), title: inOneLanguage(context, `Proofmark ${reference}`) };
  const created = await given.accepted(send(delivery.addMethod(fields), 'given'), 'delivery.method.create-stores');
  const handle = handleIn(created) ?? (await given.findMethod(delivery, reference));
  tracked.created({ handle });
  const other = resources.newMark();
  const response = await send(delivery.changeMethod(handle, { handle: other }), 'change');
  const at = async (method: Method) =>
    showsMethod(await send(delivery.readMethod(method.handle), 'read'), method.handle);
  if (await at({ delivery, handle: other })) {
    const isBoth = await at({ delivery, handle });
    if (isBoth) given.track({ kind: 'delivery-method', owner: delivery.owner, reference }).created({ handle: other });
    else tracked.created({ handle: other });
    given.holds(!isBoth, CREATES, 'an update that sends another handle leaves the method and makes a second one');
    return 'taken';
  }
  if (await at({ delivery, handle })) return isServed(response) ? 'ignored' : 'refused';
  const moved = (await listMethods(context, delivery)).find((method) => method.reference === reference);
  if (typeof moved?.handle === 'string') tracked.created({ handle: moved.handle });
  return 'changed to something else';
}
