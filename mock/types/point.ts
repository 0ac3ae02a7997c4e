/** A pickup point as it is kept. */
import type { Text } from './text.ts';

export interface Point {
  readonly id: string;
  readonly title: Text | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly zip: string | null;
  readonly country: string | null;
  /** `undefined` was never set; `''` was sent as the empty string. */
  readonly attributes: Readonly<Record<string, unknown>> | '' | undefined;
}
