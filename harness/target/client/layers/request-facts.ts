/** What decides how a request is treated: where it goes, and whether sending it twice does harm. */
import type { OutgoingRequest, SendOptions } from '../types.ts';

export const originOf = (url: string): string => new URL(url).origin;

/** Whether sending it twice does no harm. */
export const isSafe = ({ method }: OutgoingRequest, how: SendOptions): boolean =>
  how.safe ?? /^(GET|HEAD)$/.test(method);
