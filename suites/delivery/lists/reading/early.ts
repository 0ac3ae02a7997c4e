/** How a method read that an early check has filled, for the check that looks at it when all others have ended. */
import type { Context } from '../../../../harness/check/context.ts';
import { unlessUndecided } from '../../../../harness/resources/once.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { listPoints, type Method, readMethod } from '../../steps/reading.ts';

export interface EarlyMethod {
  readonly method: Method;
  /** As it was read directly after it was filled. */
  readonly fields: Json;
  readonly points: readonly Json[];
}

const early = new WeakMap<Resources, EarlyMethod>();

/**
 * Notes how a method reads which no check of this process changes from now on: the first one that can be read. None of a run in plain
 * values, since only the check that wrote those sees what they stand for.
 */
export async function noteForEnd(context: Context, method: Method): Promise<void> {
  const { resources, variation } = context;
  if (variation !== undefined || early.has(resources)) return;
  const read = await unlessUndecided(async () => ({
    fields: await readMethod(context, method),
    points: await listPoints(context, method),
  }));
  // What a list without any point shows later says nothing.
  if (read !== undefined && read.points.length > 0) early.set(resources, { method, ...read });
}

/** The method that was noted; undefined where none could be. */
export const earlyMethod = (resources: Resources): EarlyMethod | undefined => early.get(resources);
