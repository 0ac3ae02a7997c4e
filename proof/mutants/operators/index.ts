/** The table of operators. */
import { ACCESS_OPERATORS } from './access.ts';
import { ACTION_OPERATORS } from './actions.ts';
import { EFFECT_OPERATORS } from './effects/index.ts';
import { FIELD_OPERATORS } from './fields.ts';
import { LIST_OPERATORS } from './lists.ts';
import { MEMORY_OPERATORS } from './memory.ts';
import type { Operator } from './operator.ts';
import { RESPONSE_OPERATORS } from './responses.ts';

export const OPERATORS: readonly Operator[] = [
  ...FIELD_OPERATORS,
  ...LIST_OPERATORS,
  ...ACTION_OPERATORS,
  ...MEMORY_OPERATORS,
  ...ACCESS_OPERATORS,
  ...EFFECT_OPERATORS,
  ...RESPONSE_OPERATORS,
];
