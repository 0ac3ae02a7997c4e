/** The type of an operator: one way to deviate, with new state for each mutant. */
import type { ConditionGroup } from '../locations/conditions.ts';
import type { Field } from '../locations/fields.ts';
import type { Operation } from '../locations/operations.ts';
import type { MutableRequest, Reply } from '../message.ts';
import type { World } from '../world.ts';

/** Whether the mutant deviates here: its condition, with the object in question. */
export type AppliesTo = (
  sent: MutableRequest,
  at?: { key?: string; index?: number; length?: number; handleIndex?: number },
) => boolean;

export interface Behaviour {
  /** Serves a call of the mutant's operation if its condition holds. */
  readonly serve?: (sent: MutableRequest, world: World, holds: AppliesTo) => Promise<Reply>;
  /** Changes the response to any call from the correct service or from `serve`. */
  readonly response?: (sent: MutableRequest, reply: Reply, world: World, holds: AppliesTo) => Reply | Promise<Reply>;
  /** `response` depends only on the exchanges, so that recorded exchanges of the correct service show where it deviates. */
  readonly isPure?: true;
  /** For pure operators: whether it deviates here, without copying the response. */
  readonly deviates?: (sent: MutableRequest, reply: Reply, holds: AppliesTo) => boolean;
  /** For other operators: whether it could deviate on this exchange of the correct service. */
  readonly mayDeviate?: (sent: MutableRequest, reply: Reply) => boolean;
  /** Runs before any call is served. */
  readonly before?: (sent: MutableRequest, world: World) => Promise<void>;
}

export interface Operator {
  readonly id: string;
  /** The kind of operator, for the figures. */
  readonly group: string;
  readonly about: string;
  /** On which operations, or fields of them, it makes a mutant. */
  readonly applies: (operation: Operation, field?: Field) => boolean;
  readonly behave: (operation: Operation, field?: Field) => Behaviour;
  /** What it changes beside the object of the call stays so until another call changes it back. */
  readonly isLasting?: true;
  /** The groups of conditions that it is combined with; without it, all of them. */
  readonly when?: readonly ConditionGroup[];
}
