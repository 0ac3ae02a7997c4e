/** Methods for points of several countries. */
import type { Context } from '../../../harness/check/context.ts';
import type { MethodUnderTest } from '../../../harness/check/given.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { type MethodKind, methodWith, methodWithPoints } from '../steps/filled-methods.ts';

/** A method of our own. */
export async function newMethod(context: Context, given = context.given): Promise<MethodUnderTest> {
  return given.newMethod(context.delivery, context.sendsMinimum ? {} : { available_countries_to: ['EE', 'LV'] });
}

/** Such a method, possibly used before, for checks that begin with a whole list. */
export const usedBatchMethod = (context: Context): Promise<MethodUnderTest> => methodWithPoints(context, TWO_COUNTRIES);

/** Such a method with these points. */
export const batchMethodWith = (context: Context, points: readonly Json[]): Promise<MethodUnderTest> =>
  methodWith(context, points, TWO_COUNTRIES);

const TWO_COUNTRIES: MethodKind = { kind: 'store, two countries', make: newMethod };
