/** Points with ids of our choice, which a service may refuse. */
import type { Context } from '../../../harness/check/context.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import type { Method } from '../steps/reading.ts';
import { minimalPoint } from '../steps/values.ts';

/** A service may want a title that no other point has. */
const titleAt = (at: number): string => `Central Station ${String.fromCodePoint('A'.codePointAt(0)! + at)}`;

/** Adds points with ids that a service may refuse; returns the accepted ones. */
export async function offer(context: Context, { delivery, handle }: Method, ids: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const [at, id] of ids.entries()) {
    const point = minimalPoint(context, id, 'Plain street 1', titleAt(at));
    if (isServed(await context.send(delivery.addPoint(handle, point), 'add'))) taken.push(id);
  }
  return taken;
}
