/** Which request, order, invoice and delivery method a label request names (spec: Events, Label request). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { textsOf } from '../../delivery/steps/fields.ts';
import { LABELS } from '../button.ts';
import { expectField, expectSameOrderUuid } from '../steps/fields.ts';
import { fieldOf, type LabelRequest, received, requestOf, requestsOf, secondPress } from '../steps/orders.ts';

const isFilled = (value: string | undefined): boolean => value !== undefined && value !== '';

/** The requests of two presses on one order; of one where the button is gone while the first request has no answer. */
async function twoPresses(context: Context): Promise<[LabelRequest, LabelRequest?]> {
  const first = await requestOf(context, 'own-address');
  try {
    return [first, received(context, await secondPress(context))];
  } catch (error) {
    if (error instanceof Inconclusive) return [first];
    throw error;
  }
}

/** Requests of at least two orders. */
async function severalOrders(context: Context): Promise<LabelRequest[]> {
  const requests = await requestsOf(context);
  return requests.length > 1 ? requests : [...requests, await requestOf(context, 'other-address')];
}

export const checks: readonly Check[] = [
  check(
    'labels.request.id-present',
    'MUST send a label_request_id with each label request',
    { ...LABELS, clauses: ['labels.request.id-present'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        expectField(context, request, 'label_request_id', isFilled, 'must send a label_request_id', 'a text');
      }
    },
  ),

  check(
    'labels.request.id-new-per-press',
    'MUST send a new label_request_id at each press of Print Label',
    { ...LABELS, clauses: ['labels.request.id-new-per-press'] },
    async (context) => {
      const [first, second] = await twoPresses(context);
      const others = second === undefined ? await severalOrders(context) : await requestsOf(context);
      const requests = [first, ...(second === undefined ? [] : [second]), ...others.slice(1)];
      const seen = new Map<string, LabelRequest>();
      for (const request of requests) {
        const id = fieldOf(request, 'label_request_id') ?? '';
        const { exchange } = request.received;
        const missing = 'a label request had no label_request_id';
        context.given.holds(isFilled(id), 'labels.request.id-present', missing, { exchange });
        context.expect.that(!seen.has(id), 'must send a new label_request_id at each press', {
          expected: 'an id that no earlier press had',
          actual: id,
          pointer: 'field label_request_id',
          exchange,
        });
        seen.set(id, request);
      }
    },
  ),

  check(
    'labels.request.order-uuid',
    'MUST send the order_uuid of the order',
    { ...LABELS, clauses: ['labels.request.order-uuid'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        const { uuid } = request.order;
        const message = 'must send the order_uuid of the order whose button was pressed';
        expectField(context, request, 'order_uuid', (value) => value === uuid, message, uuid);
      }
    },
  ),

  check(
    'labels.request.order-uuid-identifies-order',
    'MUST send one order_uuid per order and different ones for different orders',
    { ...LABELS, clauses: ['labels.request.order-uuid-identifies-order'] },
    async (context) => {
      const [first, second] = await twoPresses(context);
      const same = 'must send the same order_uuid at both presses for one order';
      expectSameOrderUuid(context, first, second === undefined ? [] : [second], same);
      expectDistinct(context, await severalOrders(context), 'order_uuid');
    },
  ),

  check(
    'labels.request.invoice-id',
    'MUST send an invoice_id',
    { ...LABELS, clauses: ['labels.request.invoice-id'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        expectField(context, request, 'invoice_id', isFilled, 'must send an invoice_id', 'a text');
      }
    },
  ),

  check(
    'labels.request.invoice-id-unique',
    'MUST send different values of invoice_id for different orders',
    { ...LABELS, clauses: ['labels.request.invoice-id-unique'] },
    async (context) => {
      const requests = await severalOrders(context);
      for (const request of requests) {
        const { exchange } = request.received;
        const message = 'a label request had no invoice_id';
        context.given.holds(isFilled(fieldOf(request, 'invoice_id')), 'labels.request.invoice-id', message, {
          exchange,
        });
      }
      expectDistinct(context, requests, 'invoice_id');
    },
  ),

  check(
    'labels.request.method-handle',
    'MUST send the handle of the delivery method',
    { ...LABELS, clauses: ['labels.request.method-handle'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        const { handle } = request.order.method;
        const message = 'must send the handle of the method that the order was bought with';
        expectField(context, request, 'delivery_method_handle', (value) => value === handle, message, handle);
      }
    },
  ),

  check(
    'labels.request.method-name',
    'MUST send the name of the delivery method',
    { ...LABELS, clauses: ['labels.request.method-name'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        const { name } = request.order.method.read;
        // A missing value may be omitted where the method is read; then nothing is known to compare with.
        const known = typeof name === 'string' && name !== '';
        const holds = (value: string | undefined) => (known ? value === name : value !== undefined);
        const expected = known ? name : 'the field delivery_method_name';
        expectField(context, request, 'delivery_method_name', holds, 'must send the name of the method', expected);
      }
    },
  ),

  check(
    'labels.request.method-title',
    'MUST send the title of the delivery method in one of its languages',
    { ...LABELS, clauses: ['labels.request.method-title'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        const texts = Object.values(textsOf(context, request.order.method.read.title));
        context.given.holds(texts.length > 0, 'delivery.method.title-kept', 'the method is returned without its title');
        const message = 'must send the title of the method in one of its languages';
        expectField(context, request, 'delivery_method_title', (value) => texts.includes(value), message, texts);
      }
    },
  ),

  check(
    'labels.request.method-reference',
    'MUST send the reference of the delivery method unchanged',
    { ...LABELS, clauses: ['labels.request.method-reference'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        const { read, hasReference } = request.order.method;
        const reference = typeof read.reference === 'string' ? read.reference : '';
        const isKept = reference !== '' || !hasReference;
        context.given.holds(isKept, 'delivery.method.reference-kept', 'the method is returned without its reference');
        const message = 'must send the reference of the method unchanged';
        const isSame = (value: string | undefined): boolean => inOneLine(value ?? '') === inOneLine(reference);
        const expected = reference === '' ? 'no value, since the method has no reference' : reference;
        expectField(context, request, 'delivery_method_reference', isSame, message, expected);
      }
    },
  ),
];

/** A form writes line breaks in its own way. */
const inOneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');

/** Asserts that no two requests have one value in a field. */
function expectDistinct({ expect }: Context, requests: readonly LabelRequest[], name: string): void {
  const seen = new Set<string | undefined>();
  for (const request of requests) {
    const value = fieldOf(request, name);
    expect.that(!seen.has(value), `must send different values of ${name} for different orders`, {
      expected: 'a value that no other order has',
      actual: value ?? 'no such field',
      pointer: `field ${name}`,
      exchange: request.received.exchange,
    });
    seen.add(value);
  }
}
