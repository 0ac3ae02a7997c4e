/** Saying what is wrong with a field of a label request, in one way. */
import { isWordForNothing, LABEL_BUYER_FIELDS } from '../../../contracts/fields/catalogue/label-request.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { LabelRequest } from './orders.ts';

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

/** Asserts that fields are there, even if empty: what a buyer or seller left empty is empty as entered. */
export function expectFields(context: Context, request: LabelRequest, names: readonly string[]): void {
  for (const name of names) {
    const message = `must send the field ${name}, even if empty`;
    expectField(context, request, name, (value) => value !== undefined, message, `the field ${name}`);
    const entered = `must send the field ${name} as entered`;
    expectField(context, request, name, (value) => !isWordForNothing(name, value), entered, 'an empty value');
  }
}

/** The buyer's own address. A state is not a part of most countries' addresses, and these fields come only where they say something. */
export const BUYER_FIELDS = LABEL_BUYER_FIELDS;

/** Those without which there is no address. */
export const BUYER_ADDRESS_FIELDS = BUYER_FIELDS.filter((field) => field !== 'buyer_state');
