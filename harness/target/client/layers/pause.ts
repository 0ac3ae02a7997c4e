/** How a response asks to send less: 429, or 503 with Retry-After. */
import type { ServiceResponse } from '../types.ts';

/** Whether the target refused this only because of too many requests; nothing can be judged by such a response. */
export function isThrottled(response: Pick<ServiceResponse, 'status' | 'header'>): boolean {
  return response.status === 429 || (response.status === 503 && response.header('retry-after') !== undefined);
}

/** How long the response asks to wait, in milliseconds: seconds or a date by the target's own clock (RFC 9110, Retry-After). */
export function pauseOf(response: Pick<ServiceResponse, 'header'>, now: number): number | undefined {
  const text = response.header('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = Date.parse(text);
  const itsNow = Date.parse(response.header('date') ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(itsNow) ? now : itsNow));
}
