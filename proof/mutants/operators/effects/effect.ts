/** One side effect: what a call changes besides its purpose. */
import type { MutableRequest } from '../../message.ts';
import type { World } from '../../world.ts';

/** Changes the state of the service; returns false when there was nothing to change. */
export type Effect = (world: World, sent: MutableRequest) => boolean;

export interface EffectRow {
  readonly id: string;
  readonly about: string;
  readonly on: RegExp;
  readonly effect: Effect;
}
