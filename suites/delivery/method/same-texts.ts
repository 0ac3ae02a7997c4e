/** Methods that differ in their handle only: what a target finds by a title or a reference in its place finds both of them. */
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { pick } from '../steps/fields.ts';
import type { Method } from '../steps/reading.ts';

/** Both at once, or else each that is taken alone. */
const TEXTS = [['title', 'reference'], ['reference'], ['title']] as const;

/** Gives a method the title and the reference of another one. A service may refuse either, if it wants different ones. */
export async function giveSameTexts(context: Context, { delivery, handle }: Method, values: Json): Promise<void> {
  for (const names of TEXTS) {
    const texts = pick(values, names);
    if (Object.keys(texts).length < names.length) continue;
    const isTaken = isServed(await context.send(delivery.changeMethod(handle, texts), 'change'));
    if (isTaken && names.length === TEXTS[0].length) return;
  }
}
