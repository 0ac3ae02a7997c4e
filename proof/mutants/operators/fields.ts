/** Value operators as operators: on a reading operation its response changes, on a writing one what it stored reads differently. */

import type { Field } from '../locations/fields.ts';
import { isReading, type Operation } from '../locations/operations.ts';
import { copyOf, copyOfSent, type Json, type Reply, recordsIn, type Sent, setParam } from '../message.ts';
import { shownObjects, writtenObjects } from '../objects.ts';
import type { World } from '../world.ts';
import type { Behaviour, Holds, Operator } from './operator.ts';
import { success } from './replies.ts';
import { DROPPED, VALUE_OPERATORS, type ValueOperator } from './values.ts';

/** Fields that name the object itself: a write that stores them differently is another object. */
const isIdentifier = (operation: Operation, { name }: Field): boolean =>
  !isReading(operation) && (name === 'id' || name === 'domain' || name === 'language' || name === 'password');

/** Remembers the values of a field by object, for operators that copy from a neighbour. */
class Neighbours {
  readonly #seen = new Map<string, unknown>();

  otherThan(key: string, own: unknown): unknown {
    const text = JSON.stringify(own);
    return [...this.#seen].findLast(([one, other]) => one !== key && JSON.stringify(other) !== text)?.[1];
  }

  note(key: string, value: unknown): void {
    this.#seen.delete(key);
    if (value !== undefined) this.#seen.set(key, copyOf(value));
  }
}

function changeIn(record: Json, { operator, field, fields, other, world }: Change): void {
  if (!Object.hasOwn(record, field.name)) return;
  const before = record[field.name];
  const next = record[fields[(fields.indexOf(field) + 1) % fields.length]!.name];
  const after = operator.change(before, { field, record, other, next });
  if (after !== DROPPED && JSON.stringify(after) === JSON.stringify(before)) return;
  if (after === DROPPED) delete record[field.name];
  else record[field.name] = after;
  world.fire();
}

interface Change {
  readonly operator: ValueOperator;
  readonly field: Field;
  readonly fields: readonly Field[];
  readonly other: unknown;
  readonly world: World;
}

/** The response of a reading operation shows the value differently. */
function shown(operator: ValueOperator, operation: Operation, field: Field): Behaviour {
  const neighbours = new Neighbours();
  return {
    isPure: true,
    answer: (sent, reply, world, holds) => {
      if (sent.operation !== operation) return reply;
      for (const { key, record, index, length } of shownObjects(sent, reply)) {
        const own = record[field.name];
        const other = neighbours.otherThan(key, own);
        neighbours.note(key, own);
        if (!holds(sent, { key, index, length })) continue;
        changeIn(record, { operator, field, fields: operation.fields, other, world });
      }
      return reply;
    },
  };
}

/** What the operation stored reads back differently, on every operation that shows it, until it is stored otherwise. */
function stored(operator: ValueOperator, operation: Operation, field: Field): Behaviour {
  const marked = new Set<string>();
  const neighbours = new Neighbours();
  return {
    isPure: true,
    answer: (sent, reply, world, holds) => {
      for (const { key, record, index, length, handleIndex } of writtenObjects(sent, reply)) {
        if (!Object.hasOwn(record, field.name)) continue;
        const isMeant = sent.operation === operation && holds(sent, { key, index, length, handleIndex });
        if (isMeant) marked.add(key);
        else marked.delete(key);
      }
      if (!isReading(sent.operation)) return reply;
      for (const { key, record } of shownObjects(sent, reply)) {
        const other = neighbours.otherThan(key, record[field.name]);
        neighbours.note(key, record[field.name]);
        if (marked.has(key)) changeIn(record, { operator, field, fields: operation.fields, other, world });
      }
      return reply;
    },
  };
}

/** Value operators that stand for all others where a condition decides: the others are tried on every call only. */
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
    field !== undefined && operator.kinds.includes(field.kind) && !isIdentifier(operation, field),
  behave: (operation, field) => (isReading(operation) ? shown : stored)(operator, operation, field!),
  ...(WITH_CONDITIONS.has(operator.id) ? {} : { when: [] }),
});

/** Takes a field out of a request before the service sees it. */
function withoutField(sent: Sent, field: Field, holds: Holds): Sent {
  const copy = copyOfSent(sent);
  setParam(copy, field.name, undefined);
  const records = recordsIn(copy.operation, copy.json);
  for (const [index, record] of records.entries()) {
    if (holds(sent, { index, length: records.length })) delete record[field.name];
  }
  return copy;
}

const ignored: Operator = {
  id: 'ignored',
  group: 'ignore',
  about: 'The service takes no notice of a field that was sent, and reports success.',
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
      // A service that takes no notice of its only field still reports success.
      return reply.status === 400 ? success() : reply;
    },
  }),
};

export const FIELD_OPERATORS: readonly Operator[] = [...VALUE_OPERATORS.map(asOperator), ignored];
