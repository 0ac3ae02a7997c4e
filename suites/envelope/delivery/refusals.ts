/** A refused call has changed nothing: not in part either, however far it got before it was refused. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { pointsAt, replacePoints, wholeList } from '../../delivery/batch/calls.ts';
import { changedFields, METHOD_FIELDS, POINT_FIELDS } from '../../delivery/steps/fields.ts';
import { tryMethod } from '../../delivery/steps/methods/create-method.ts';
import { unlessFull } from '../../delivery/steps/methods/unless-full.ts';
import { OWN_METHODS } from '../../delivery/steps/options.ts';
import { listPoints, type Method, readMethod } from '../../delivery/steps/reading.ts';
import { unavailable } from '../samples.ts';
import { notJson } from './bad-bodies.ts';

/** What is compared before and after. */
interface State {
  readonly method: Json;
  readonly points: ReadonlyMap<string, Json>;
}

const refusalChangesNothing = check(
  'envelope.delivery.refusal-changes-nothing',
  'MUST NOT change anything when it refuses a Delivery request',
  { clauses: ['envelope.delivery.refusal-changes-nothing'], ...OWN_METHODS },
  async (context) => {
    const { delivery, given, expect, send } = context;
    const method = await withLabelPage(context);
    const other = await unlessFull(context, () => withLabelPage(context));
    const alike = wholeList(method, pointsAt(context, ['a', 'A', 'b', 'B']));
    if (!isServed(await send(alike, 'given'))) await replacePoints(context, method, pointsAt(context, ['a', 'b']));
    if (other !== undefined) await replacePoints(context, other, pointsAt(context, ['in-other']));
    const others = other && (await stateOf(context, other));
    const update = (title: string): ServiceRequest =>
      delivery.changeMethod(method.handle, { title: given.text(title) });
    const updateOfPoint = (title: string): ServiceRequest =>
      delivery.changePoint(method.handle, 'a', { title: given.text(title) });
    const isUpdatable = isServed(await send(update('Before'), 'control'));
    const isPointUpdatable = isServed(await send(updateOfPoint('Before'), 'control'));
    let before = await stateOf(context, method);
    let refused = 0;
    // Where a title can not be changed, the refusal says nothing about the other fields.
    const change = isUpdatable
      ? { title: given.text('Changed') }
      : { reference: `${context.resources.newMark()} changed` };
    const calls = halfGoodCalls(context, method, change, other?.handle);
    const firstForBoth = calls.findIndex(([, { path }]) => other !== undefined && path.includes(other.handle));
    for (const [at, [what, call]] of calls.entries()) {
      // The last calls are for both methods: until then nothing of the other one may have changed.
      if (at === firstForBoth && other !== undefined && others !== undefined)
        expectUnchanged(context, others, await stateOf(context, other));
      const response = await send(call, 'probe');
      const refusal = isRefused(response);
      if (refusal === 'unavailable') throw unavailable(response);
      if (!context.explains && at < calls.length - 1) {
        // Where all are refused, one look shows whether any of them did something: none undoes what another one did.
        if (refusal !== 'refused') throw new Inconclusive(`${what} was served`, 'target');
        refused += 1;
        continue;
      }
      // The fields of the method are read after calls that could reach them, and in the end.
      const reachesFields = /delivery_method\/[^/]*\/?$/.test(call.path);
      const isLast = at === calls.length - 1;
      const after = await stateOf(context, method, reachesFields || isLast ? undefined : before.method);
      // A service may coerce, ignore or do in part what others refuse: what it then did is the new state.
      if (refusal === 'refused') {
        refused += 1;
        const change = changeBetween(context, before, after);
        expect.that(change === undefined, `${what} was refused, and afterwards ${change}`, {
          expected: plain(before),
          actual: plain(after),
          response,
        });
      }
      before = after;
    }
    // What a refused call held has to be free again, and what it brought must not come with the next one.
    const isPointThere = before.points.has(JSON.stringify('a'));
    const updates = [...(isUpdatable ? [update] : []), ...(isPointUpdatable && isPointThere ? [updateOfPoint] : [])];
    if (refused > 0 && updates.length > 0) {
      for (const next of updates)
        expect.served(
          await send(next('After'), 'control'),
          'an update like one before the refused calls must be served',
        );
      const after = await stateOf(context, method);
      const change = changeBetween(context, withTitlesOf(after, before), after);
      expect.that(change === undefined, `calls were refused, and after the next update of a title ${change}`, {
        expected: plain(before),
        actual: plain(after),
      });
    }
    given.granted(
      refused > 0,
      'envelope.v1.malformed-input',
      'nothing was refused, and a service need not refuse anything',
    );
  },
);

/** A method that has a value in every field, so that none can be lost without a difference. */
async function withLabelPage(context: Context): Promise<Method> {
  const fields = { print_label_url: 'https://labels.example/print' };
  const { method } = await tryMethod(context, context.delivery, fields);
  return method ?? context.given.newMethod(context.delivery);
}

function expectUnchanged(context: Context, before: State, after: State): void {
  const change = changeBetween(context, before, after);
  context.expect.that(change === undefined, `after calls for one method ${change}, though it is of another`, {
    expected: plain(before),
    actual: plain(after),
  });
}

/** No reading of an object is one of these texts. */
const TEXTS_AS_OBJECTS = { address: {}, city: {}, zip: {}, country: {} };

/**
 * Calls of which one part is right, such as `change` of the method, so that a service that works them off one by one has begun when it comes to the other. Lists
 * last: one that is served leaves few points.
 */
function halfGoodCalls(
  context: Context,
  method: Method,
  change: Json,
  otherHandle?: string,
): [string, ServiceRequest][] {
  const { delivery, handle } = method;
  const unknown = context.resources.newMark();
  // The refusal of a field that can't be changed says nothing about the handle.
  const field = context.resources.operations.changeable('pickup_point', ['address', 'city', 'title']) ?? 'address';
  const changedTo = (words: string): Json => ({ [field]: field === 'title' ? context.given.text(words) : words });
  const changed = changedTo('Changed');
  const [fresh, again, taken] = pointsAt(context, ['fresh', 'a', 'in-other'], changed) as [Json, Json, Json];
  const withUnknown = [handle, unknown];
  const title = context.given.text('Changed');
  const batch = wholeList(method, [fresh]);
  // A service that takes it all the same has one method more, which is removed by its reference.
  context.given.track({ kind: 'delivery-method', owner: delivery.owner, reference: unknown });
  const both = otherHandle === undefined ? undefined : [handle, otherHandle];
  const forBoth: [string, ServiceRequest][] =
    both === undefined
      ? []
      : [
          [
            'an update of a point that the second of two methods does not have',
            delivery.changePoint(both, 'a', changedTo('Changed too')),
          ],
          ['a deletion of a point that the second of two methods does not have', delivery.deletePoint(both, 'b')],
          ['a new point for two methods, the second of which has its id', delivery.addPoint(both, taken)],
        ];
  return [
    [
      'a new method with a list of countries that is an object',
      delivery.addMethod({ reference: unknown, title, available_countries_to: { all: true } }),
    ],
    [
      'an update of a method with a list of countries that is an object',
      delivery.changeMethod(handle, { ...change, available_countries_to: { all: true } }),
    ],
    [
      'an update of a method with objects for its reference and its label page',
      delivery.changeMethod(handle, { ...change, reference: {}, available_countries_from: {}, print_label_url: {} }),
    ],
    [
      'an update of a point with objects for its texts',
      delivery.changePoint(handle, 'a', { ...TEXTS_AS_OBJECTS, attributes: 42 }),
    ],
    [
      'an update of a point with attributes that are a number',
      delivery.changePoint(handle, 'a', { ...changed, attributes: 42 }),
    ],
    ['an update of a point of a known and an unknown method', delivery.changePoint(withUnknown, 'a', changed)],
    ['a deletion in a known and an unknown method', delivery.deletePoint(withUnknown, 'b')],
    ['a new point with an id that is taken', delivery.addPoint(handle, again)],
    ['a new point for a known and an unknown method', delivery.addPoint(withUnknown, fresh)],
    // Before any list that a service may take: it would bring these values, or leave no such point.
    ...forBoth,
    ['a batch call that is not JSON', notJson(batch)],
    ['a list in which one point is a number', wholeList(method, [fresh, 42 as unknown as Json])],
    ['a list in which one point has no id', wholeList(method, [fresh, { address: 'Nowhere' }])],
    ['a list that repeats an id', wholeList(method, [fresh, again, again])],
    ['a batch call for a known and an unknown method', wholeList({ delivery, handle: withUnknown }, [fresh])],
  ];
}

/** `fields`: those of the method, where they are known. */
async function stateOf(context: Context, method: Method, fields?: Json): Promise<State> {
  // A call that was served against all expectation may have left a point with an odd id: it is part of the state.
  const points = (await listPoints(context, method)).map((point): [string, Json] => [JSON.stringify(point.id), point]);
  return { method: fields ?? (await readMethod(context, method)), points: new Map(points) };
}

/** The first difference, as the end of a sentence; undefined when there is none. */
function changeBetween(context: Context, before: State, after: State): string | undefined {
  const [field] = changedFields(context, METHOD_FIELDS, before.method, after.method);
  if (field !== undefined) return `the ${field} of the method had changed`;
  for (const id of after.points.keys()) if (!before.points.has(id)) return `there was a point ${id}`;
  for (const [id, point] of before.points) {
    const now = after.points.get(id);
    if (now === undefined) return `the point ${id} was gone`;
    const [changed] = changedFields(context, POINT_FIELDS, point, now);
    if (changed !== undefined) return `the ${changed} of the point ${id} had changed`;
  }
  return undefined;
}

/** A state with the titles of another one. */
const withTitlesOf = ({ method, points }: State, state: State): State => ({
  method: { ...state.method, title: method.title },
  points: new Map([...state.points].map(([id, point]) => [id, { ...point, title: points.get(id)?.title }])),
});

const plain = ({ method, points }: State) => ({ method, pickup_points: [...points.values()] });

export const checks: readonly Check[] = [refusalChangesNothing];
