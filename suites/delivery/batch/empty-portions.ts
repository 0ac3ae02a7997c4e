/** Portions of an upload without points: a service may refuse them, and those that it takes end or continue the upload. */
import type { Context } from '../../../harness/check/context.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import type { Method } from '../steps/reading.ts';
import { pointsAt, portion, upload } from './calls.ts';
import { expectListed } from './points/content.ts';

const FINAL = 'delivery.batch.finalization-publishes';

/**
 * The first portion and the final one may be empty, and a service may refuse an empty portion. `country`: of an upload for one, which
 * leaves the points `others` in place.
 */
export async function emptyPortions(
  context: Context,
  method: Method,
  { country, others = [] }: { readonly country?: string; readonly others?: readonly string[] } = {},
): Promise<void> {
  const { expect, given, send } = context;
  const rest = country === undefined ? {} : { country };
  const only = pointsAt(context, ['only'], rest);
  if (isServed(await send(portion(method, [], 'first', rest)))) {
    const next = await send(portion(method, only, 'middle', rest));
    if (!isServed(next)) await given.accepted(send(portion(method, only, 'first', rest), 'given'), FINAL);
    expect.served(next, 'a portion must be accepted after an empty first one, because the same first portion is');
  } else {
    await given.accepted(send(portion(method, only, 'first', rest), 'given'), FINAL);
  }
  if (!isServed(await send(portion(method, [], 'last', rest)))) return;
  const rule = 'an empty final portion must publish the earlier ones';
  await expectListed(context, method, { exactly: ['only', ...others] }, rule);
}

/** An upload goes on after an empty portion in its middle, which a service may also refuse. */
export async function emptyMiddlePortion(context: Context, method: Method): Promise<void> {
  const { expect, given, send } = context;
  const [one, two] = [pointsAt(context, ['one']), pointsAt(context, ['two'])];
  await given.accepted(send(portion(method, one, 'first'), 'given'), FINAL);
  const isTaken = isServed(await send(portion(method, [], 'middle')));
  const final = await send(portion(method, two, 'last'));
  if (!isServed(final)) await upload(context, method, [one, two]);
  if (!isTaken) return;
  expect.served(final, 'a portion must be accepted after an empty middle one, because it is accepted without that one');
  const rule = 'after an empty middle portion the list must contain the points of the others';
  await expectListed(context, method, { exactly: ['one', 'two'] }, rule);
}
