/** Every mutant: one operator at one location, with or without a condition. Its id describes it. */
import { CONDITIONS, type Condition } from './locations/conditions.ts';
import type { Field } from './locations/fields.ts';
import { OPERATIONS, type Operation } from './locations/operations.ts';
import { OPERATORS } from './operators/index.ts';
import type { Operator } from './operators/operator.ts';

export interface Mutant {
  /** `delivery.points.list.city~lower-case@desc`: location, operator, condition. */
  readonly id: string;
  readonly operation: Operation;
  readonly field?: Field;
  readonly operator: Operator;
  readonly condition?: Condition;
}

/** All of them, in the order of the tables. */
export const MUTANTS: readonly Mutant[] = OPERATIONS.flatMap((operation) =>
  [undefined, ...operation.fields].flatMap((field) =>
    OPERATORS.filter((operator) => operator.applies(operation, field)).flatMap((operator) =>
      conditionsOf(operation, operator, field).map((condition) => mutantOf(operation, operator, field, condition)),
    ),
  ),
);

function conditionsOf(operation: Operation, operator: Operator, field: Field | undefined): (Condition | undefined)[] {
  return [
    undefined,
    ...CONDITIONS.filter(
      ({ group, applies }) => (operator.when?.includes(group) ?? true) && applies(operation, field !== undefined),
    ),
  ];
}

function mutantOf(operation: Operation, operator: Operator, field?: Field, condition?: Condition): Mutant {
  const where = field === undefined ? operation.id : `${operation.id}.${field.name}`;
  const when = condition === undefined ? '' : `@${condition.id}`;
  return {
    id: `${where}~${operator.id}${when}`,
    operation,
    operator,
    ...(field === undefined ? {} : { field }),
    ...(condition === undefined ? {} : { condition }),
  };
}
