/** Which checks meet a mutant at all, learnt from what they exchange with the correct service. */
import type { MockService } from '../../mock/service.ts';
import { copyOfReply, type Reply, type Sent } from './message.ts';
import type { Mutant } from './mutant.ts';
import type { Holds } from './operators/operator.ts';
import { type Credentials, World } from './world.ts';

export interface Recording {
  readonly exchanges: readonly { readonly check: string; readonly sent: Sent; readonly reply: Reply }[];
  readonly service: MockService;
  readonly credentials: Credentials;
}

/**
 * The checks in which a mutant would deviate. Until it does, it is the correct service, so that all others come to the
 * verdict that they come to there. `all` where the answer depends on how many calls came before.
 */
export function checksMeeting(
  mutant: Mutant,
  { exchanges, service, credentials }: Recording,
): ReadonlySet<string> | 'all' {
  const { operation, operator, condition, field } = mutant;
  if (condition?.group === 'after how many calls') return 'all';
  const { answer, isPure, mayDeviate } = operator.behave(operation, field);
  const world = new World(service, credentials);
  const holds: Holds = (sent, at = {}) => condition === undefined || condition.holds(sent, world, at);
  const met = new Set<string>();
  for (const { check, sent, reply } of exchanges) {
    if (sent.operation.iface !== operation.iface) continue;
    world.begin(sent);
    if (isPure) void answer?.(sent, copyOfReply(reply), world, holds);
    else if (
      sent.operation === operation &&
      (mayDeviate?.(sent, reply) ?? true) &&
      (field !== undefined || holds(sent))
    ) {
      world.fire();
    }
    world.end(sent, reply);
    if (world.fired > 0) met.add(check);
    world.fired = 0;
  }
  return met;
}
