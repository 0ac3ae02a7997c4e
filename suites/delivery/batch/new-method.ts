/** Methods for points of several countries. */
import type { Context } from '../../../harness/check/context.ts';
import type { MethodUnderTest } from '../../../harness/check/given/index.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { type MethodKind, methodWith, methodWithPoints } from '../steps/methods/filled-methods.ts';

/** A method of our own. A service may refuse points in countries to which it does not deliver. */
export async function newMethod(context: Context, given = context.given): Promise<MethodUnderTest> {
  return given.newMethod(context.delivery, context.hasOneCountry ? {} : { available_countries_to: ['EE', 'LT', 'LV'] });
}

/** Such a method, possibly used before, for checks that begin with a whole list. */
export const usedBatchMethod = (context: Context): Promise<MethodUnderTest> =>
  methodWithPoints(context, SEVERAL_COUNTRIES);

/** Such a method with these points. */
export const batchMethodWith = (context: Context, points: readonly Json[]): Promise<MethodUnderTest> =>
  methodWith(context, points, SEVERAL_COUNTRIES);

const SEVERAL_COUNTRIES: MethodKind = { kind: 'store, several countries', make: newMethod };
