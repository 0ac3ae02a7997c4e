/** Paths that Delivery and Apps do not have, asked for once by the checks that judge what comes of it (spec: Errors). */
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import type { CheckOptions, CheckTitle } from '../../harness/check/facts.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { once } from '../../harness/resources/once.ts';
import type { ServiceRequest } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { isRefused } from '../../harness/target/response/judge-response.ts';
import { isEnvelopeLike, unavailable } from './samples.ts';

/** Whose paths they are, and how they are asked for. */
export interface UnknownPaths {
  /** `Delivery`, for messages. */
  readonly of: string;
  readonly options: Pick<CheckOptions, 'needs' | 'effects' | 'part'>;
  readonly calls: (context: Context) => readonly ServiceRequest[];
  /** A call of an existing path with an HTTP method that no operation there has, and that changes nothing if it is served. */
  readonly otherMethod: (context: Context) => ServiceRequest;
  /** A call of the same caller that is served, and the clause under which it is. */
  readonly control: (context: Context) => ServiceRequest;
  readonly clause: string;
}

interface PathResponse {
  readonly path: string;
  readonly response: ServiceResponse;
  readonly isServed: boolean;
}

/** Asserts that a refusal is the interface's own: whether each part of it is right has checks of its own. */
export function expectEnvelope({ expect }: Context, what: string, response: ServiceResponse): void {
  expect.that(isEnvelopeLike(response), `${what} is refused without the error envelope`, {
    expected: 'a JSON object with error, error_code and error_message',
    actual: summary(response),
    response,
  });
}

/** A check that they are refused. */
export const refusesUnknownPaths = (id: string, title: CheckTitle, paths: UnknownPaths): Check =>
  check(
    id,
    title,
    { clauses: ['envelope.v1.unknown-path'], ...paths.options, shares: nameOf(paths) },
    async (context) => {
      for (const { path, response, isServed } of await responsesTo(context, paths))
        context.expect.that(!isServed, `a path that does not exist, ${path}, must be refused`, {
          expected: 'a refusal',
          actual: summary(response),
          response,
        });
    },
  );

/** A check that each refusal has the error envelope. A path that is served is not judged by it. */
export const refusesWithEnvelope = (id: string, title: CheckTitle, paths: UnknownPaths): Check =>
  check(
    id,
    title,
    { clauses: ['envelope.v1.unknown-path-envelope'], ...paths.options, shares: nameOf(paths) },
    async (context) => {
      const refused = (await responsesTo(context, paths)).filter(({ isServed }) => !isServed);
      for (const { path, response } of refused) expectEnvelope(context, `the path ${path}`, response);
      const call = paths.otherMethod(context);
      const response = await context.send(call, 'probe');
      if (isRefused(response) === 'refused') expectEnvelope(context, `${call.method} ${call.path}`, response);
      if (refused.length === 0)
        throw new Inconclusive('every unknown path is served, so there is no refusal to judge', 'target');
    },
  );

const nameOf = ({ of }: UnknownPaths): string => `answers on unknown paths of ${of}`;

/** What the target answers, asked once. Throws when it is not available, or refuses the control request. */
const responsesTo = (context: Context, paths: UnknownPaths): Promise<PathResponse[]> =>
  once(context, nameOf(paths), async () => {
    const { given, send } = context;
    await given.accepted(send(paths.control(context), 'control'), paths.clause);
    const responses: PathResponse[] = [];
    for (const call of paths.calls(context)) {
      const response = await send(call, 'probe');
      const refusal = isRefused(response);
      if (refusal === 'unavailable') throw unavailable(response);
      responses.push({ path: call.path, response, isServed: refusal === 'served' });
    }
    return responses;
  });
