/** The interpreter: a request handler with one mutant in front of the correct service. */
import type { MockService } from '../../../mock/types/service.ts';
import { copyOfSent, isSuccess, type MutableRequest, mutableRequestOf, type Reply, responseOf } from '../message.ts';
import type { Mutant } from '../mutant.ts';
import type { AppliesTo } from '../operators/operator.ts';
import { type Credentials, keyOf, World } from '../world.ts';

export interface MutatedService {
  readonly transport: (request: Request) => Promise<Response>;
  readonly world: World;
}

/** Puts a mutant in front of a service, with empty memory. */
export function mutate(service: MockService, credentials: Credentials, mutant: Mutant): MutatedService {
  const world = new World(service, credentials);
  const { operation, operator, condition, field } = mutant;
  const behaviour = operator.behave(operation, field);
  const holds: AppliesTo = (sent, at = {}) => condition === undefined || condition.holds(sent, world, at);
  const place = handlePlaceOf(mutant);

  /** Serves a call of the mutant's operation. If the condition names one handle, that handle is served separately. */
  const serve = async (sent: MutableRequest): Promise<Reply> => {
    if (behaviour.serve === undefined || sent.operation !== operation) return world.forward(sent);
    if (field === undefined && !holds(sent)) return world.forward(sent);
    const handles = (sent.segments.handle ?? '').split(',');
    if (place === undefined || field !== undefined) return behaviour.serve(sent, world, holds);
    // What is refused under one handle changes nothing under the others.
    if (!isServedUnderEach(sent, handles, world)) return world.forward(sent);
    const others = await world.forward(withHandles(sent, handles.toSpliced(place, 1)));
    if (!isSuccess(others)) return others;
    return behaviour.serve(withHandles(sent, [handles[place]!]), world, holds);
  };

  return {
    world,
    transport: async (request) => {
      const sent = await mutableRequestOf(request);
      if (sent === undefined) return service.fetch(request);
      await behaviour.before?.(sent, world);
      world.begin(sent);
      const reply = await serve(sent);
      const served = { ...reply };
      const answered = (await behaviour.response?.(sent, reply, world, holds)) ?? reply;
      world.end(sent, served);
      return responseOf(answered);
    },
  };
}

/** Whether the correct service serves a call under each of its handles, with a body that it takes. */
function isServedUnderEach(sent: MutableRequest, handles: readonly string[], { service, methods }: World): boolean {
  const { operation, segments, json } = sent;
  const key = keyOf(sent);
  const isOwn = (handle: string): boolean =>
    service.state.methods.has(handle) && methods.every((one) => one.handle !== handle || one.key === key);
  const id = operation.effect === 'create' ? (json?.pickup_point as { id?: unknown } | undefined)?.id : segments.point;
  const isFree = (handle: string): boolean => service.state.points.of(handle).get(String(id)) === undefined;
  if (new Set(handles).size < handles.length) return false;
  return handles.every((handle) => {
    if (!isOwn(handle)) return false;
    return operation.effect === 'replace' || isFree(handle) === (operation.effect === 'create');
  });
}

const withHandles = (sent: MutableRequest, handles: readonly string[]): MutableRequest => {
  const copy = copyOfSent(sent);
  copy.segments.handle = handles.join(',');
  return copy;
};

/** Which handle of a path is meant, from 0. */
function handlePlaceOf({ condition, operation }: Mutant): number | undefined {
  const place = /^handle-(\d+)$/.exec(condition?.id ?? '')?.[1];
  return place === undefined || !operation.severalHandles ? undefined : Number(place) - 1;
}
