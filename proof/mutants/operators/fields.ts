/** Applies value operators: a reading operation returns a changed value, and a writing operation stores one. */

import type { Field } from '../locations/fields.ts';
import { isReading, type Operation } from '../locations/operations.ts';
import { copyOfSent, type Json, type MutableRequest, type Reply, recordsIn, setParam } from '../message.ts';
import { shownObjects, writtenObjects } from '../objects.ts';
import type { AppliesTo, Behaviour, Operator } from './operator.ts';
import { success } from './replies.ts';
import { DROPPED, VALUE_OPERATORS, type ValueOperator } from './values.ts';

/** Fields that no response contains. */
const isNeverShown = (operation: Operation, { name }: Field): boolean =>
  !isReading(operation) && (name === 'language' || name === 'password');

/** Whether the responses with this field also contain another field. */
const hasNextField = ({ id, fields }: Operation): boolean => fields.length > 1 && id !== 'apps.snippet.set';

/** Remembers the last values of a field, for the operator that copies from a neighbour. */
class Neighbours {
  #last: { readonly key: string; readonly value: unknown } | undefined;
  #before: { readonly key: string; readonly value: unknown } | undefined;

  /** The value in the previously seen object; this object becomes the previous one. */
  otherThan(key: string, value: unknown): unknown {
    if (this.#last?.key !== key) this.#before = this.#last;
    this.#last = { key, value };
    return this.#before?.value;
  }
}

interface Change {
  readonly operator: ValueOperator;
  readonly field: Field;
  readonly fields: readonly Field[];
}

const UNCHANGED = Symbol('unchanged');

/** The value of a field after the operator; `UNCHANGED` if it does not differ. */
function changed(record: Json, { operator, field, fields }: Change, other: unknown): unknown {
  if (!Object.hasOwn(record, field.name)) return UNCHANGED;
  const before = record[field.name];
  const next = record[fields[(fields.indexOf(field) + 1) % fields.length]!.name];
  const after = operator.change(before, { field, record, other, next });
  if (after === DROPPED) return after;
  const isSame = after === before || (typeof before === 'object' && JSON.stringify(after) === JSON.stringify(before));
  return isSame ? UNCHANGED : after;
}

/** Calls `found` for each record of an exchange whose field reads differently; it returns true to stop. */
type Visit = (
  sent: MutableRequest,
  reply: Reply,
  holds: AppliesTo,
  found: (record: Json, after: unknown) => boolean,
) => void;

function behaviourOf(field: Field, visit: Visit): Behaviour {
  return {
    isPure: true,
    response: (sent, reply, world, holds) => {
      visit(sent, reply, holds, (record, after) => {
        if (after === DROPPED) delete record[field.name];
        else record[field.name] = after;
        world.fire();
        return false;
      });
      return reply;
    },
    deviates: (sent, reply, holds) => {
      let isMet = false;
      visit(sent, reply, holds, () => {
        isMet = true;
        return true;
      });
      return isMet;
    },
  };
}

/** The response of a reading operation shows the value differently. */
function shown(operator: ValueOperator, operation: Operation, field: Field): Behaviour {
  const neighbours = new Neighbours();
  const change: Change = { operator, field, fields: operation.fields };
  return behaviourOf(field, (sent, reply, holds, found) => {
    if (sent.operation !== operation) return;
    for (const { key, record, index, length } of shownObjects(sent, reply)) {
      const other = neighbours.otherThan(key, record[field.name]);
      if (!holds(sent, { key, index, length })) continue;
      const after = changed(record, change, other);
      if (after !== UNCHANGED && found(record, after)) return;
    }
  });
}

/** The stored value reads back differently in every operation that shows it, until it is written again. */
function stored(operator: ValueOperator, operation: Operation, field: Field): Behaviour {
  const marked = new Set<string>();
  const neighbours = new Neighbours();
  const change: Change = { operator, field, fields: operation.fields };
  return behaviourOf(field, (sent, reply, holds, found) => {
    if (!isReading(sent.operation)) {
      for (const { key, record, index, length, handleIndex } of writtenObjects(sent, reply)) {
        if (!Object.hasOwn(record, field.name)) continue;
        const isMeant = sent.operation === operation && holds(sent, { key, index, length, handleIndex });
        if (isMeant) marked.add(key);
        else marked.delete(key);
      }
      return;
    }
    for (const { key, record } of shownObjects(sent, reply)) {
      const other = neighbours.otherThan(key, record[field.name]);
      if (!marked.has(key)) continue;
      const after = changed(record, change, other);
      if (after !== UNCHANGED && found(record, after)) return;
    }
  });
}

/** Value operators that represent all others in combinations with conditions; the others run without conditions. */
const WITH_CONDITIONS = new Set([
  'null',
  'default',
  'lower-case',
  'escape-entities',
  'from-other-object',
  'another-value',
  'languages-rotated',
  'last-language-lost',
  'last-element-lost',
  'number-to-text',
  'flip',
]);

const asOperator = (operator: ValueOperator): Operator => ({
  id: operator.id,
  group: operator.group,
  about: `A value is changed: ${operator.id}.`,
  applies: (operation, field) =>
    field !== undefined &&
    operator.kinds.includes(field.kind) &&
    !isNeverShown(operation, field) &&
    (operator.id !== 'from-next-field' || hasNextField(operation)),
  behave: (operation, field) => (isReading(operation) ? shown : stored)(operator, operation, field!),
  ...(WITH_CONDITIONS.has(operator.id) ? {} : { when: [] }),
});

/** Removes a field from a request before the service sees it. */
function withoutField(sent: MutableRequest, field: Field, holds: AppliesTo): MutableRequest {
  const copy = copyOfSent(sent);
  if (holds(sent)) setParam(copy, field.name, undefined);
  const records = recordsIn(copy.operation, copy.json);
  for (const [index, record] of records.entries()) {
    if (holds(sent, { index, length: records.length })) delete record[field.name];
  }
  return copy;
}

const ignored: Operator = {
  id: 'ignored',
  group: 'ignore',
  about: 'The service ignores a field that was sent and reports success.',
  applies: (operation, field) => field !== undefined && !isReading(operation) && field.name !== 'id',
  behave: (_operation, field) => ({
    serve: async (sent, world, holds): Promise<Reply> => {
      const without = withoutField(sent, field!, holds);
      if (
        JSON.stringify([without.json, without.form, without.query]) ===
        JSON.stringify([sent.json, sent.form, sent.query])
      ) {
        return world.forward(sent);
      }
      world.fire();
      const reply = await world.forward(without);
      // A service that ignores the only field still reports success.
      return reply.status === 400 ? success() : reply;
    },
  }),
};

export const FIELD_OPERATORS: readonly Operator[] = [...VALUE_OPERATORS.map(asOperator), ignored];
