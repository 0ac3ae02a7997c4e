/** All mistakes of clients, each put into every call of one conversation that it concerns. */
import { APP_MISTAKES } from './apps.ts';
import { DELIVERY_MISTAKES } from './delivery.ts';
import type { Mistake } from './mistake.ts';
import { RESELLER_MISTAKES } from './reseller.ts';
import { UPLOAD_MISTAKES } from './uploads.ts';

export type { Mistake } from './mistake.ts';

export const MISTAKES: readonly Mistake[] = [
  ...DELIVERY_MISTAKES,
  ...UPLOAD_MISTAKES,
  ...APP_MISTAKES,
  ...RESELLER_MISTAKES,
];
