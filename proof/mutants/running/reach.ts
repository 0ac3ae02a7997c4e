/** Which checks reach a mutant, learned from their exchanges with the correct service. */
import type { MockService } from '../../../mock/types/service.ts';
import { isReading } from '../locations/operations.ts';
import { copyOfReply, type MutableRequest, type Reply } from '../message.ts';
import type { Mutant } from '../mutant.ts';
import type { AppliesTo } from '../operators/operator.ts';
import { type Credentials, World } from '../world.ts';

/** How often a run calls each operation before a check, by check and operation. */
export type CallsBefore = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Recording {
  readonly exchanges: readonly { readonly check: string; readonly sent: MutableRequest; readonly reply: Reply }[];
  readonly callsBefore: CallsBefore;
  readonly service: MockService;
  readonly credentials: Credentials;
}

/**
 * By mutant: the checks in which it would deviate. All others see the correct service and so come to the
 * same verdict.
 */
export function checksMeeting(
  mutants: readonly Mutant[],
  { exchanges, callsBefore, service, credentials }: Recording,
): Map<string, ReadonlySet<string>> {
  const world = new World(service, credentials);
  const watching = mutants.map((mutant) => watcherOf(mutant, world));
  let latest = '';
  for (const { check, sent, reply } of exchanges) {
    if (check !== latest) world.startAt(callsBefore.get(check));
    latest = check;
    world.begin(sent);
    for (const watcher of watching) if (watcher.sees(sent, reply)) watcher.met.add(check);
    world.end(sent, reply);
  }
  return new Map(watching.map(({ id, met }) => [id, met]));
}

interface Watcher {
  readonly id: string;
  readonly met: Set<string>;
  /** Whether the mutant would deviate on this exchange. */
  readonly sees: (sent: MutableRequest, reply: Reply) => boolean;
}

function watcherOf({ id, operation, operator, condition, field }: Mutant, world: World): Watcher {
  const { response, deviates, isPure, mayDeviate } = operator.behave(operation, field);
  const holds: AppliesTo = (sent, at = {}) => condition === undefined || condition.holds(sent, world, at);
  const isOf = resourceOf(operation.id);
  return {
    id,
    met: new Set(),
    sees: (sent, reply) => {
      if (isPure !== true) {
        if (sent.operation !== operation || mayDeviate?.(sent, reply) === false) return false;
        return field !== undefined || holds(sent);
      }
      if (sent.operation !== operation && resourceOf(sent.operation.id) !== isOf) return false;
      if (deviates !== undefined) return deviates(sent, reply, holds);
      world.fired = 0;
      void response?.(
        sent,
        isReading(sent.operation) || sent.operation === operation ? copyOfReply(reply) : reply,
        world,
        holds,
      );
      return world.fired > 0;
    },
  };
}

/** Operations on one kind of resource: one stores what another shows. A delete of a method also affects its points. */
function resourceOf(id: string): string {
  if (id.startsWith('delivery.')) return 'delivery';
  return id.split('.').slice(0, 2).join('.').replace(/s$/, '');
}
