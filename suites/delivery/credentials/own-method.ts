/** A new method of an owner whose languages are not known. */
import type { Context } from '../../../harness/check/context.ts';
import type { Delivery } from '../../../harness/target/interfaces/delivery.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { plainTitle } from '../steps/owners/index.ts';
import { type Method, readMethod } from '../steps/reading.ts';

/** The title is a plain string, and where that is refused one for the website. */
export async function readableMethod(context: Context, delivery: Delivery): Promise<Method> {
  const { method } = await tryMethod(context, delivery, { title: plainTitle(context) });
  const made = method ?? (await context.given.newMethod(delivery));
  await readMethod(context, made);
  return made;
}
