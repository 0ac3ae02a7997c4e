/** Side effects of delivery calls: on other methods and points that the call does not name. */
import type { Method } from '../../../../mock/state/state.ts';
import type { Point } from '../../../../mock/types/point.ts';
import type { MutableRequest } from '../../message.ts';
import { keyOf, type World } from '../../world.ts';
import type { Effect, EffectRow } from './effect.ts';

const handlesOf = ({ segments }: MutableRequest): string[] => (segments.handle ?? '').split(',');

/** The owner's methods that the path does not name, newest first. */
function neighboursOf({ service, methods }: World, sent: MutableRequest): Method[] {
  const named = handlesOf(sent);
  const key = keyOf(sent);
  const created = methods.filter((one) => one.key === key && !named.includes(one.handle)).reverse();
  return created.flatMap(({ handle }) => service.state.methods.get(handle) ?? []);
}

export const patchMethod = (world: World, method: Method | undefined, changes: Partial<Method>): boolean => {
  if (method === undefined || Object.entries(changes).every(([name, value]) => method[name as keyof Method] === value))
    return false;
  world.service.state.methods.set(method.handle, { ...method, ...changes });
  return true;
};

const onNeighbour =
  (change: (world: World, method: Method) => boolean): Effect =>
  (world, sent) =>
    neighboursOf(world, sent)
      .slice(0, 1)
      .some((method) => change(world, method));
const onEveryNeighbour =
  (change: (world: World, method: Method) => boolean): Effect =>
  (world, sent) =>
    neighboursOf(world, sent).filter((method) => change(world, method)).length > 0;
const onOwn =
  (changes: Partial<Method>): Effect =>
  (world, sent) =>
    handlesOf(sent).filter((handle) => patchMethod(world, world.service.state.methods.get(handle), changes)).length > 0;

const removeMethod = ({ service: { state } }: World, { handle }: Method): boolean => {
  state.methods.delete(handle);
  state.points.drop(handle);
  return true;
};

const emptyPoints = ({ service: { state } }: World, { handle }: Method): boolean => {
  const list = state.points.of(handle);
  const had = list.size > 0;
  list.clear();
  return had;
};

/** Changes points of the methods in the path that the call does not name. */
const onOtherPoints =
  (change: (world: World, handle: string, others: readonly Point[]) => boolean): Effect =>
  (world, sent) => {
    const body = sent.json?.pickup_point as { id?: unknown } | undefined;
    const own = sent.segments.point ?? body?.id;
    return (
      handlesOf(sent).filter((handle) => {
        const others = world.service.state.points
          .of(handle)
          .all()
          .filter(({ id }) => id !== own);
        return others.length > 0 && change(world, handle, others);
      }).length > 0
    );
  };

export const replacePoint = (world: World, handle: string, point: Point): boolean => {
  world.service.state.points.of(handle).replace(point);
  return true;
};

const DELIVERY_WRITES =
  /^delivery\.(method\.(create|update|delete)|point\.(create|update|delete)|points\.batch-replace)$/;
const POINT_WRITES = /^delivery\.(point\.(create|update|delete)|points\.batch-replace)$/;
const SINGLE_POINT_WRITES = /^delivery\.point\.(create|update|delete)$/;

export const DELIVERY_EFFECTS: readonly EffectRow[] = [
  {
    id: 'neighbour-method-removed',
    about: 'Another method of the owner is removed.',
    on: DELIVERY_WRITES,
    effect: onNeighbour(removeMethod),
  },
  {
    id: 'neighbour-method-title-lost',
    about: 'Another method loses its title.',
    on: DELIVERY_WRITES,
    effect: onNeighbour((world, one) => patchMethod(world, one, { title: null })),
  },
  {
    id: 'neighbour-method-label-url-lost',
    about: 'Another method loses print_label_url.',
    on: DELIVERY_WRITES,
    effect: onNeighbour((world, one) => patchMethod(world, one, { print_label_url: null })),
  },
  {
    id: 'neighbour-methods-title-copied',
    about: 'Other methods get the title of this one.',
    on: /^delivery\.method\.(create|update)$/,
    effect: (world, sent) => {
      const title = (sent.json?.delivery_method as Partial<Method> | undefined)?.title;
      return title !== undefined && onEveryNeighbour((inner, one) => patchMethod(inner, one, { title }))(world, sent);
    },
  },
  {
    id: 'neighbour-points-lost',
    about: 'Another method loses its pickup points.',
    on: DELIVERY_WRITES,
    effect: onEveryNeighbour(emptyPoints),
  },
  {
    id: 'own-points-lost',
    about: 'The method loses its pickup points.',
    on: /^delivery\.method\.update$/,
    effect: (world, sent) =>
      handlesOf(sent).filter((handle) => {
        const method = world.service.state.methods.get(handle);
        return method !== undefined && emptyPoints(world, method);
      }).length > 0,
  },
  ...(['title', 'reference', 'available_countries_from', 'available_countries_to', 'print_label_url'] as const).map(
    (name): EffectRow => ({
      id: `own-method-${name.replaceAll('_', '-')}-lost`,
      about: `The method loses ${name}.`,
      on: POINT_WRITES,
      effect: onOwn({ [name]: null }),
    }),
  ),
  {
    id: 'first-other-point-removed',
    about: 'Another point of the method is removed.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints((world, handle, others) => world.service.state.points.of(handle).remove(others[0]!.id)),
  },
  {
    id: 'last-other-point-removed',
    about: 'The newest other point of the method is removed.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints((world, handle, others) => world.service.state.points.of(handle).remove(others.at(-1)!.id)),
  },
  {
    id: 'other-points-title-lost',
    about: 'The other points of the method lose their titles.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints(
      (world, handle, others) =>
        others.filter((point) => replacePoint(world, handle, { ...point, title: '' })).length > 0,
    ),
  },
  {
    id: 'last-other-point-attributes-lost',
    about: 'The newest other point loses its attributes.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints((world, handle, others) =>
      replacePoint(world, handle, { ...others.at(-1)!, attributes: '' }),
    ),
  },
  {
    id: 'same-case-point-changed',
    about: 'The point whose id differs only in letter case is removed as well.',
    on: SINGLE_POINT_WRITES,
    effect: (world, sent) => {
      const own = String(sent.segments.point ?? (sent.json?.pickup_point as { id?: unknown } | undefined)?.id);
      return onOtherPoints((inner, handle, others) => {
        const alike = others.find(({ id }) => id.toLowerCase() === own.toLowerCase());
        return alike !== undefined && inner.service.state.points.of(handle).remove(alike.id);
      })(world, sent);
    },
  },
  {
    id: 'same-id-elsewhere-changed',
    about: 'A point of another method with the same id loses its address.',
    on: SINGLE_POINT_WRITES,
    effect: (world, sent) => {
      const own = String(sent.segments.point ?? (sent.json?.pickup_point as { id?: unknown } | undefined)?.id);
      return onEveryNeighbour((inner, { handle }) => {
        const alike = inner.service.state.points.of(handle).get(own);
        return alike !== undefined && replacePoint(inner, handle, { ...alike, address: '' });
      })(world, sent);
    },
  },
];
