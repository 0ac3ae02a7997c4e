/** Methods for checks of points, with exactly these points. */
import type { Context } from '../../../../harness/check/context.ts';
import type { Given, MethodUnderTest } from '../../../../harness/check/given/index.ts';
import { borrowMethod } from '../../../../harness/resources/methods/borrowed.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { addPoints } from '../reading.ts';
import { inTurn } from './create-method.ts';

/** The owner of the methods, and the fields that they need. */
export interface MethodKind {
  readonly kind: string;
  readonly make: (context: Context, given: Given) => Promise<MethodUnderTest>;
}

export const OF_STORE: MethodKind = { kind: 'store', make: (context, given) => given.newMethod(context.delivery) };

/** A method with any list of points, for checks that begin by replacing it. */
export async function methodWithPoints(
  context: Context,
  { kind, make }: MethodKind = OF_STORE,
): Promise<MethodUnderTest> {
  const { method } = await borrowMethod(context, kind, (given) => make(context, given));
  return method;
}

/**
 * A method with these points. A borrowed method gets them as its whole list in one call; in a new one they are added one by
 * one, so that a check that does not pass depends only on adds.
 */
export async function methodWith(
  context: Context,
  points: readonly Json[],
  { kind, make }: MethodKind = OF_STORE,
): Promise<MethodUnderTest> {
  const { method, isNew } = await borrowMethod(context, kind, (given) => make(context, given));
  const isFilled = context.mayShare && (!isNew || points.length > 1) && (await fill(context, method, points));
  // A service may refuse an empty list: then the check gets an unused method.
  const filled = isFilled || isNew ? method : await make(context, context.given);
  if (!isFilled) await addPoints(context, filled, points);
  return filled;
}

/** A method of the check's own with these points, for checks that delete it. */
export async function ownMethodWith(
  context: Context,
  points: readonly Json[],
  { make }: MethodKind = OF_STORE,
): Promise<MethodUnderTest> {
  const method = await make(context, context.given);
  if (!(await fill(context, method, points))) await addPoints(context, method, points);
  return method;
}

async function fill({ send }: Context, { delivery, handle }: MethodUnderTest, points: readonly Json[]) {
  return isServed(await send(delivery.batchReplace(handle, { pickup_points: points }), 'given'));
}

/** Several methods, each with the same points. */
export const methodsWith = (context: Context, count: number, points: readonly Json[]): Promise<MethodUnderTest[]> =>
  inTurn(Array(count).fill(points) as (readonly Json[])[], (each) => methodWith(context, each));
