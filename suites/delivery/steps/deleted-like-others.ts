/** Deletes of objects that differ from most: a delete carries no value that a service could refuse. */
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/** Asserts that every delete was served if one was. `what`: each object in words, in the order of the responses. */
export function expectDeletedLikeOthers(
  { expect }: Context,
  what: readonly string[],
  responses: readonly ServiceResponse[],
  clause: string,
): void {
  if (!responses.some(isServed)) return;
  for (const [at, response] of responses.entries())
    expect.that(isServed(response), `must delete ${what[at]}, as it deletes others`, {
      clauses: [clause],
      expected: 'a successful response',
      actual: summary(response),
      response,
    });
}
