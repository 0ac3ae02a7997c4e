/** A list of five points in pages of two. */
import type { Context } from '../../../../harness/check/context.ts';
import type { Method } from '../../steps/reading.ts';
import { type FullReading, isSizeRefusal, pointsOf, readList } from './index.ts';

/** Three pages of two, so that one of them has a page before and after it. */
export const IDS: readonly string[] = ['one', 'two', 'three', 'four', 'five'];
export const IN_TWOS = { pageSize: 2 } as const;

/**
 * The points in pages of two, each requested by `send`. Undefined if the service does not take that size, shows all of them on one page, or
 * does not show the last page.
 */
export async function inPages(
  context: Context,
  { delivery, handle }: Method,
  send: Context['send'] = context.send,
): Promise<FullReading | undefined> {
  try {
    const reading = await readList(context, pointsOf(delivery, handle), IN_TWOS, undefined, send);
    return reading.pages.length > 1 && reading.end === 'last-page' ? reading : undefined;
  } catch (error) {
    if (isSizeRefusal(error)) return undefined;
    throw error;
  }
}
