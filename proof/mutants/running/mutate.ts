/** The interpreter: a request handler with one mutant in front of the correct service. */
import type { MockService } from '../../../mock/types/service.ts';
import { copyOfSent, isSuccess, type MutableRequest, mutableRequestOf, type Reply, responseOf } from '../message.ts';
import type { Mutant } from '../mutant.ts';
import type { AppliesTo } from '../operators/operator.ts';
import { type Credentials, World } from '../world.ts';

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
