/** Observations of pickup points where the contract leaves the choice to the service. */
import type { Check } from '../../../harness/check/check.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { observes, outcomeOf } from '../steps/observe.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { countOf, idsOf, listPoints, showsMethod } from '../steps/reading.ts';
import { changeOfPoint, pointAt, pointValues } from '../steps/values.ts';

/** Ids that a service may refuse, with the question about each. None of them is sent in a path. */
const AWKWARD_IDS: Readonly<Record<string, unknown>> = {
  empty: '',
  'a space': ' ',
  'a comma': 'a,b',
  'a slash': 'a/b',
  'a percent sign': '50%',
  'a question mark': 'a?b',
  'letters of other scripts': 'Ķīpsala',
  'an emoji': '📦',
  '300 characters': 'x'.repeat(300),
  'a number': 7,
  'a dot': '.',
  'two dots': '..',
};

export const checks: readonly Check[] = [
  observes(
    'delivery.observations.point-fields',
    'OBSERVES which fields a new pickup point requires',
    ['delivery.point.required-fields'],
    async (context) => {
      const { delivery, send } = context;
      const method = await methodWith(context, []);
      const needed: Json = {};
      for (const field of ['id', ...POINT_FIELDS]) {
        const fields = Object.entries(pointAt(context, `without-${field}`)).filter(([name]) => name !== field);
        const response = await send(delivery.addPoint(method.handle, Object.fromEntries(fields)), 'add');
        needed[field] = isServed(response) ? 'not needed' : 'needed';
      }
      context.observe('delivery.point.required-fields', needed);
    },
  ),

  observes(
    'delivery.observations.point-ids',
    'OBSERVES how a duplicate, changed or awkward point id is handled',
    ['delivery.point.duplicate-id-handling', 'delivery.point.id-change', 'delivery.point.unusual-ids'],
    async (context) => {
      const { delivery, given, send } = context;
      const full = { ...pointValues(context, 'first'), id: 'x', address: 'Old street 1' };
      const method = await methodWith(context, [full, pointAt(context, 'y', 'Old street 2')]);

      const again = await send(delivery.addPoint(method.handle, pointAt(context, 'x', 'New street 1')), 'add');
      const points = await listPoints(context, method);
      let ids = idsOf(points);
      const copies = countOf(ids, 'x');
      const address = points.find(({ id }) => id === 'x')?.address;
      const replaced = address === 'New street 1' ? 'replaces the old one' : 'ignored';
      const handling = copies > 1 ? 'added besides the old one' : isServed(again) ? replaced : 'refused';
      context.observe('delivery.point.duplicate-id-handling', handling);
      if (handling === 'ignored')
        context.warn(
          'A point whose id is taken is ignored with a success response: the integrator believes that the new data was stored.',
        );

      const moves: Json = {};
      for (const [which, from, to] of [
        ['to a free id', 'x', 'z'],
        ['to a taken id', 'y', 'z'],
      ] as const) {
        // If the first change was refused, `x` is the existing id.
        const target = which === 'to a taken id' && !ids.includes(to) ? 'x' : to;
        const wasFree = !ids.includes(target);
        const isOfOther = which === 'to a taken id';
        const change = { id: target, ...(isOfOther ? changeOfPoint(context, 'Moved') : {}) };
        const response = await send(delivery.changePoint(method.handle, from, change), 'change');
        const now = await listPoints(context, method);
        ids = idsOf(now);
        const other = isOfOther && ids.includes(from) ? now.find(({ id }) => id === target) : undefined;
        const isOther = other !== undefined && JSON.stringify(other).includes('Moved');
        given.holds(
          !isOther,
          'delivery.point.update-leaves-other-points',
          `an update of ${from} changes the point ${target} that its body names`,
        );
        const gone = !ids.includes(from);
        // The id may become the other one or stay, but there is still one point.
        const isOne = !wasFree || ids.includes(target) === gone;
        const left = isOne ? '' : `an update of the id of ${from} to ${target} leaves ${ids.join(', ') || 'nothing'}`;
        given.holds(isOne, 'delivery.point.update-applies', left);
        const [was, is] = [points.find(({ id }) => id === from), now.find(({ id }) => id === target)];
        const isMoved = wasFree && gone && copies === 1 && was !== undefined && is !== undefined;
        const lost = isMoved ? changedFields(context, POINT_FIELDS, was, is) : [];
        given.holds(
          lost.length === 0,
          'delivery.point.update-keeps-omitted-fields',
          `an update of the id of ${from} changes ${lost}`,
        );
        moves[which] = !isServed(response) ? 'refused' : gone ? 'taken' : 'ignored';
        if (gone && which === 'to a taken id')
          context.warn(
            'An update that gives a point the id of another one leaves only one of the two: the integrator loses a point.',
          );
      }
      context.observe('delivery.point.id-change', moves);

      const awkward: Json = {};
      for (const [which, id] of Object.entries(AWKWARD_IDS)) {
        const response = await send(delivery.addPoint(method.handle, { ...pointAt(context, 'awkward'), id }), 'add');
        awkward[which] = isServed(response) ? 'taken' : 'refused';
        if (isServed(response) && /^(a|two) dots?$/.test(which))
          context.warn(
            `An id of ${which} is accepted: no client can address that point, and some would reach the method instead.`,
          );
      }
      context.observe('delivery.point.unusual-ids', awkward);
    },
    // A plain id in place of an awkward one would show nothing.
    { ...OWN_METHODS, exactValues: ['id'] },
  ),

  observes(
    'delivery.observations.unknown-among-handles',
    'OBSERVES how a request with one unknown handle among several is handled',
    ['delivery.handles.unknown-beside-known'],
    async (context) => {
      const { delivery, resources, send } = context;
      const known = ['last', 'first'].flatMap((which) => [`changed-${which}`, `gone-${which}`]);
      const method = await methodWith(
        context,
        known.map((id) => pointAt(context, id)),
      );
      const unknown = resources.newMark();
      const seen: Json = {};
      const orders = {
        last: [method.handle, unknown],
        first: [unknown, method.handle],
      };
      const lost = new Set<string>();
      for (const [which, handles] of Object.entries(orders)) {
        const calls: readonly [string, ServiceRequest, (points: ReadonlyMap<unknown, Json>) => boolean][] = [
          [
            'add',
            delivery.addPoint(handles, pointAt(context, `added-${which}`)),
            (points) => points.has(`added-${which}`),
          ],
          [
            'update',
            delivery.changePoint(handles, `changed-${which}`, { city: 'Changed' }),
            (points) => points.get(`changed-${which}`)?.city === 'Changed',
          ],
          ['delete', delivery.deletePoint(handles, `gone-${which}`), (points) => !points.has(`gone-${which}`)],
        ];
        const responses = await inTurn(calls, ([, call]) => send(call, 'probe'));
        const points = new Map((await listPoints(context, method)).map((point) => [point.id, point]));
        for (const [at, [what, , done]] of calls.entries()) {
          const response = responses[at]!;
          const [served, isDone] = [isServed(response), done(points)];
          const unknownReported =
            served && response.text.includes(unknown) ? ', and reported which one is unknown' : '';
          seen[`${what}, the unknown one ${which}`] = served
            ? isDone
              ? `done for the known one${unknownReported}`
              : 'success response, but not done'
            : isDone
              ? 'refused, but done for the known one'
              : 'refused';
          if (served && !isDone) lost.add(what);
        }
      }
      if (lost.size > 0)
        context.warn(
          `A call to ${[...lost].join(' or ')} a point under a known and an unknown handle gets a success response but does nothing: the integrator believes that it was done.`,
        );
      context.observe('delivery.handles.unknown-beside-known', seen);
    },
  ),

  observes(
    'delivery.observations.unknown-resources',
    'OBSERVES how requests for unknown methods and points are refused',
    ['delivery.method.delete-unknown', 'envelope.errors.code-for-unknown-resource'],
    async (context) => {
      const { delivery, given, resources, send } = context;
      const method = await methodWith(context, []);
      const unknown = resources.newMark();
      const outcome = async (call: ServiceRequest) => outcomeOf(await send(call, 'probe'));
      context.observe('delivery.method.delete-unknown', {
        method: await outcome(delivery.deleteMethod(unknown)),
        point: await outcome(delivery.deletePoint(method.handle, 'nowhere')),
      });

      const reference = resources.newMark();
      const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
      const updated = await send(delivery.changeMethod(unknown, { reference }), 'probe');
      const updatedPoint = await send(delivery.changePoint(method.handle, 'nowhere', { city: 'Nowhere' }), 'probe');
      if (showsMethod(await send(delivery.readMethod(unknown), 'read'), unknown)) tracked.created({ handle: unknown });
      if (isServed(updated) || isServed(updatedPoint))
        context.warn(
          'An update of something that does not exist gets a success response: an integrator with a wrong handle or id does not notice.',
        );
      context.observe('envelope.errors.code-for-unknown-resource', {
        'read a method': await outcome(delivery.readMethod(resources.newMark())),
        'update a method': outcomeOf(updated),
        'list the points of a method': await outcome(delivery.listPoints(resources.newMark())),
        'add a point to a method': await outcome(delivery.addPoint(resources.newMark(), pointAt(context, 'p'))),
        'read a point': await outcome(delivery.readPoint(method.handle, 'elsewhere')),
        'update a point': outcomeOf(updatedPoint),
      });
    },
  ),
];
