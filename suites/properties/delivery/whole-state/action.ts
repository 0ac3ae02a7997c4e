/** What a step comes to on this target: its calls, and what the model then has. */
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { ModelClause } from '../clauses.ts';
import type { Write } from '../state.ts';
import type { MethodState } from './world.ts';

/** A call as it was made, so that it can be made once more. */
export interface Action {
  readonly words: string;
  readonly methods: readonly MethodState[];
  readonly write: Omit<Write, 'slots' | 'by' | 'served'>;
  /** Whether nothing in it is of our choice that a service may refuse. */
  readonly isPlain: boolean;
  readonly calls: readonly ServiceRequest[];
  readonly by?: 'own' | 'other';
  /** The clause that a refusal goes against, where it is not that of its kind of write. */
  readonly promise?: ModelClause;
  /** The clause that a change goes against where the call was refused, if a special one. */
  readonly ifRefused?: string;
  /** The clause that any effect goes against, where the call must have none. */
  readonly mustNotWork?: string;
  /** What the model has after the call was served; `learns`: what of a method is not known then and has to be read. */
  readonly apply: (learns: (method: MethodState, ids?: readonly string[]) => void) => void;
}
