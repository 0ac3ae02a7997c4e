/** Saying what is wrong with a field of a label request, in one way. */
import {
  hasWordForNothing,
  LABEL_BUYER_FIELDS,
  lackingFields,
} from '../../../contracts/fields/catalogue/label-request.ts';
import type { KnownLabelField } from '../../../contracts/fields/label-values.ts';
import type { Context } from '../../../harness/check/context.ts';
import { fieldOf, type LabelRequest } from './orders.ts';

/** Asserts something about one field; `expected` says in words or as a value what it should be. */
export function expectField(
  { expect }: Context,
  request: LabelRequest,
  name: string,
  holds: (value: string | undefined) => boolean,
  message: string,
  expected: unknown,
): void {
  // Of a name that is there twice, receivers keep the first value or the last one.
  const sent = request.fields.filter(([field]) => field === name).map(([, value]) => value);
  const value = sent.find((one) => !holds(one)) ?? sent[0];
  expect.that(holds(value), `${message} (order: ${request.order.kind})`, {
    expected,
    actual: value ?? 'no such field',
    pointer: `field ${name}`,
    exchange: request.received.exchange,
  });
}

/**
 * Asserts that later requests for an order have the order_uuid of the first one; whether that is the right one is another clause's.
 * Inconclusive where the first one has none.
 */
export function expectSameOrderUuid(
  context: Context,
  first: LabelRequest,
  others: readonly LabelRequest[],
  message: string,
): void {
  const uuid = context.given.present(
    fieldOf(first, 'order_uuid'),
    'labels.request.order-uuid',
    'a label request had no order_uuid',
    { exchange: first.received.exchange },
  );
  for (const request of others) expectField(context, request, 'order_uuid', (value) => value === uuid, message, uuid);
}

/**
 * Fields of a clause that a request lacks and that may be empty: what a buyer or seller left empty is empty as entered, and may be left
 * out. Not those of which the driver or another request shows that they have a value.
 *
 * @param others the other requests of the run: the data of the seller are the same in all of them
 */
export function emptyOnes(
  request: LabelRequest,
  clause: string,
  names: readonly string[],
  others: readonly LabelRequest[] = [],
): readonly string[] {
  const { missing, mayBeEmpty } = lackingFields(clause, names, (name) => fieldOf(request, name));
  const isFilled = (name: string): boolean =>
    (request.order.labelFields[name as KnownLabelField] ?? '') !== '' ||
    (name.startsWith('seller_') && others.some((other) => (fieldOf(other, name) ?? '') !== ''));
  return mayBeEmpty ? missing.filter((name) => !isFilled(name)) : [];
}

/** Asserts that the fields of a clause are there, but for those that may be empty (`emptyOnes`): they have a check of their own. */
export function expectFields(
  context: Context,
  request: LabelRequest,
  clause: string,
  names: readonly string[],
  others?: readonly LabelRequest[],
): void {
  const empty = emptyOnes(request, clause, names, others);
  for (const name of names) {
    const entered = `must send the field ${name} as entered`;
    expectField(context, request, name, (value) => !hasWordForNothing(name, value), entered, 'an empty value');
    const message = `must send the field ${name}`;
    const isThere = (value: string | undefined) => value !== undefined || empty.includes(name);
    expectField(context, request, name, isThere, message, `the field ${name}`);
  }
}

/** The buyer's own address. A state is not a part of most countries' addresses, and these fields come only where they say something. */
export const BUYER_FIELDS = LABEL_BUYER_FIELDS;

/** Those without which there is no address. */
export const BUYER_ADDRESS_FIELDS = BUYER_FIELDS.filter((field) => field !== 'buyer_state');
