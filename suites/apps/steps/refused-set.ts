/** A set that was refused, and what reads afterwards (spec: Errors). */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isRefused } from '../../../harness/target/response/judge-response.ts';

interface Refused {
  readonly value: unknown;
  /** What was there before, as far as it is known. */
  readonly former: unknown;
  readonly read: () => Promise<unknown>;
}

export const REFUSED_CHANGES_NOTHING = 'envelope.delivery.refusal-changes-nothing';

/** Asserts that a value which was refused is not there. After any other response it asserts and reads nothing. */
export async function expectNotSet(
  { expect }: Context,
  response: ServiceResponse,
  { value, former, read }: Refused,
): Promise<void> {
  if (isRefused(response) !== 'refused' || isDeepStrictEqual(value, former)) return;
  const now = await read();
  const isSet = value !== '' && isDeepStrictEqual(now, value);
  expect.that(!isSet, 'a value that was refused must not be set', {
    expected: former,
    actual: now,
    response,
    clauses: [REFUSED_CHANGES_NOTHING],
  });
}
