/** Calls that a service has to refuse, or may: those that are refused must change nothing, and no call may bring one id twice. */

import type { Context } from '../../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { Delivery, Json } from '../../../../harness/target/interfaces/delivery.ts';
import { nearMissKey, WITHOUT_KEY } from '../../../delivery/steps/owners/keys.ts';
import { pointAt } from '../../../delivery/steps/values.ts';
import type { Action } from './action.ts';
import { withAlteredBody } from './raw-body.ts';
import type { Step } from './steps.ts';
import { handlesOf, type MethodState, placesOf, type World } from './world.ts';

type Refused = Extract<Step, { do: 'refused' }>;

/** The action of a step that is to be refused; undefined where it has no meaning on this target. */
export function refusedCall(context: Context, world: World, store: Delivery, step: Refused): Action | undefined {
  const alive = world.alive();
  const [method] = alive;
  if (method === undefined) return undefined;
  const id = [...method.points.keys()][0] ?? 'nowhere';
  const learnsAll: Action['apply'] = (learns) => learns(method);
  const base = { methods: [method], isPlain: false, apply: learnsAll } as const;
  const write = writeOf(step.by, id);
  const several = alive.slice(0, COUNT[step.named ?? 'one']);
  const named = step.by.endsWith(' method') ? [method] : several;
  const plain = callOf(context, store, named, id, step.by);
  const batch = (points: readonly unknown[]): ServiceRequest =>
    store.batchReplace(handlesOf(several), { pickup_points: points });
  const point = (of: string): Json => pointAt(context, of);
  const batchBase = {
    ...{ ...base, methods: several, write: { kind: 'batch', ids: [] }, words: `${step.what} on ${placesOf(several)}` },
    apply: (learns) => {
      for (const one of several) learns(one);
    },
  } as const satisfies Partial<Action>;
  const words = `${step.what}: ${step.by} on ${placesOf(named)}`;
  switch (step.what) {
    case 'wrong key':
      return {
        ...{ ...base, words, write, methods: named, calls: [nearMissKey(context, store.key).mutate(plain)] },
        mustNotWork: 'delivery.credentials.near-miss-key-refused',
      };
    case 'no key':
      return {
        ...{ ...base, words, write, methods: named, calls: [WITHOUT_KEY[0]!.mutate(plain)] },
        mustNotWork: 'delivery.credentials.missing-key-refused',
      };
    case 'other owner': {
      if (!world.methods.some(({ owner }) => owner === 'other')) return undefined;
      const call = callOf(context, context.otherDelivery, named, id, step.by);
      const by = { by: 'other', mustNotWork: INTRUSION[step.by] } as const;
      return { ...base, words, write, methods: named, calls: [call], ...by };
    }
    case 'no such method beside': {
      const handles = [method.handle, `dm${context.resources.newMark()}`];
      const call =
        step.by === 'DELETE'
          ? store.deletePoint(handles, id)
          : step.by === 'PUT'
            ? store.changePoint(handles, id, { city: 'Changed' })
            : store.addPoint(handles, point('beside'));
      return { ...base, words, write, calls: [call] };
    }
    case 'no such point': {
      const beside = several.length > 1 ? pointOfFirstOnly(several) : undefined;
      if (beside === undefined && method.points.has('nowhere')) return undefined;
      const { id: missing, handles, methods } = beside ?? { id: 'nowhere', handles: method.handle, methods: [method] };
      const isDelete = step.by === 'DELETE';
      const call = isDelete
        ? store.deletePoint(handles, missing)
        : store.changePoint(handles, missing, { city: 'Changed' });
      const kind = isDelete ? 'delete' : 'change';
      return {
        ...{ ...base, words, methods, calls: [call], write: { kind, ids: [missing], fields: ['city'] } },
        // Of a deletion nothing can come where no method has the point, whatever the response is. A change may make the point.
        apply: (learns) => {
          if (!isDelete || beside !== undefined) for (const one of methods) learns(one, [missing]);
        },
      };
    }
    case '101 points': {
      const points = Array.from({ length: 101 }, (_, at) => point(`over ${at + 1}`));
      return {
        ...{ ...batchBase, calls: [batch(points)] },
        ifRefused: 'delivery.batch.refused-list-changes-nothing',
      };
    }
    case 'an id twice':
      return { ...batchBase, calls: [batch([point('once'), point('twice'), point('twice')])] };
    case 'no points':
      return { ...batchBase, calls: [store.batchReplace(handlesOf(several), {})] };
    case 'no JSON':
      return { ...batchBase, calls: [withAlteredBody(batch([point('cut')]))] };
    case 'a point without its id': {
      const { id: _, ...nameless } = point('nameless');
      return { ...batchBase, calls: [batch([point('named'), nameless])] };
    }
    case 'the id of another point': {
      const [one, other] = method.points.keys();
      if (one === undefined || other === undefined) return undefined;
      const call = store.changePoint(method.handle, one, { id: other });
      // The fields of the point that is left are those of either.
      const apply: Action['apply'] = (learns) => learns(method, [one, other]);
      return { ...base, words, calls: [call], write: { kind: 'change', ids: [one, other], fields: ['id'] }, apply };
    }
  }
}

const COUNT = { one: 1, two: 2, all: Number.POSITIVE_INFINITY } as const;

/** A point that the first method has and the second lacks, for a call under both of them. */
function pointOfFirstOnly([first, second]: readonly MethodState[]) {
  if (first === undefined || second === undefined) return undefined;
  const id = [...first.points.keys()].find((one) => !second.points.has(one));
  return id === undefined ? undefined : { id, handles: handlesOf([first, second]), methods: [first, second] };
}

const INTRUSION: Readonly<Record<Refused['by'], string>> = {
  DELETE: 'delivery.owner.points-not-deletable',
  PUT: 'delivery.owner.points-not-changeable',
  POST: 'delivery.owner.points-not-addable',
  'PUT method': 'delivery.owner.methods-not-changeable',
  'DELETE method': 'delivery.owner.methods-not-deletable',
  'POST list': 'delivery.owner.points-not-replaceable',
};

const writeOf = (by: Refused['by'], id: string): Action['write'] => ({
  kind: KIND[by],
  ids: by === 'POST' || by === 'POST list' ? ['intruder'] : [id],
  fields: ['city'],
});

const KIND = {
  DELETE: 'delete',
  PUT: 'change',
  POST: 'add',
  'PUT method': 'method',
  'DELETE method': 'method',
  'POST list': 'batch',
} as const;

const callOf = (
  context: Context,
  store: Delivery,
  methods: readonly MethodState[],
  id: string,
  by: Refused['by'],
): ServiceRequest => {
  const { handle } = methods[0]!;
  const handles = handlesOf(methods);
  if (by === 'DELETE') return store.deletePoint(handles, id);
  if (by === 'DELETE method') return store.deleteMethod(handle);
  if (by === 'PUT method') return store.changeMethod(handle, { print_label_url: 'https://labels.example/intruder' });
  if (by === 'POST list') return store.batchReplace(handles, { pickup_points: [pointAt(context, 'intruder')] });
  return by === 'PUT'
    ? store.changePoint(handles, id, { city: 'Changed' })
    : store.addPoint(handles, pointAt(context, 'intruder'));
};
