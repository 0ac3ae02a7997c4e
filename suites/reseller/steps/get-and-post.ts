/** Each Reseller call by GET and by POST. A call that works by only one method breaks the clause about methods; one that works by neither breaks its own clause. */
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Via } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import type { Build } from './login/session.ts';

export const VIAS = ['GET', 'POST'] as const satisfies readonly Via[];

/** The missing effect of a call as the end of a sentence; `undefined` when the call had its effect. */
export type EffectCheck = (response: ServiceResponse) => Promise<string | undefined>;

const REFUSED = 'envelope.reseller.refusal-changes-nothing';

const DONE: EffectCheck = async () => undefined;

interface Effect {
  /** The effect may show later, so that a reading without it does not count against the call. */
  readonly late?: boolean;
  /** Whether the account shows what only this call can have brought about: asked where the call was refused. */
  readonly isMade?: () => Promise<boolean>;
  /** What the call was responded with, where the check has sent it by the given method already. */
  readonly sent?: ServiceResponse | undefined;
  /** States what has to hold where the call is refused by both methods: asked with the response of the other one. */
  readonly mayRefuse?: (response: ServiceResponse) => Promise<void>;
}

/**
 * Asserts that a call works by the given method. If it does not, the other method is tried: if that fails as well, the call's own
 * clause is violated, and this check decides nothing. The same applies if the call succeeds and only the other method
 * has the effect, unless the effect may be `late`. States as a precondition that a refused call was not carried out. Returns the response.
 */
export async function expectServedBy(
  context: Context,
  via: Via,
  build: Build,
  clause: string,
  undone: EffectCheck = DONE,
  { late = false, isMade, sent, mayRefuse }: Effect = {},
): Promise<ServiceResponse> {
  const attempt = async (way: Via, known?: ServiceResponse) => {
    const response = known ?? (await context.send(build(way), way));
    return {
      response,
      fault: isServed(response) ? await undone(response) : `it was refused: ${summary(response)}`,
    };
  };
  const { response, fault } = await attempt(via, sent);
  const { path } = build(via);
  if (fault !== undefined) {
    if (isMade !== undefined && !isServed(response)) {
      const though = `${path} by ${via} was refused and is carried out all the same`;
      context.given.holds(!(await isMade()), REFUSED, though, { response });
    }
    const other = await attempt(via === 'GET' ? 'POST' : 'GET');
    if (!isServed(response) && isServed(other.response)) context.noteRefusedRead(build(via), response);
    const neither = `${path} works neither by GET nor by POST`;
    const untrue = `${path} by ${via} reports success but does nothing: ${fault}`;
    // A refusal of the same call again may rest on the first one, which then had its effect where this reading does not show it.
    context.given.holds(late || !isServed(response) || isServed(other.response), clause, untrue, {
      response,
    });
    await mayRefuse?.(other.response);
    context.given.granted(other.fault === undefined || isServed(other.response), clause, neither, other);
    context.given.holds(other.fault === undefined, clause, neither, other);
    context.given.holds(late || !isServed(response), clause, untrue, { response });
  }
  const carried = via === 'GET' ? 'its parameters in the query' : 'its parameters as form fields';
  context.expect.that(fault === undefined, `${path} must be served by ${via} with ${carried}: ${fault}`, {
    response,
  });
  return response;
}
