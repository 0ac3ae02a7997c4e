/** Fields of a label request that depend on where an order goes (spec: Events, Label request). */
import { type Check, check } from '../../../harness/check/check.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { LABELS } from '../button.ts';
import { BUYER_ADDRESS_FIELDS, BUYER_FIELDS, expectField, expectFields } from '../steps/fields.ts';
import { numericPointIdIn, POINT_STREET, pointIdIn } from '../steps/methods.ts';
import { fieldOf, requestOf } from '../steps/orders.ts';

/** The field of the delivery address: `shipping_zip` for `buyer_zip`. */
const shippingFieldOf = (field: string): string => field.replace('buyer_', 'shipping_');

const isEmpty = (value: string | undefined): boolean => value === undefined || value === '';

export const checks: readonly Check[] = [
  check(
    'labels.request.pickup-point-id',
    'MUST send the id of the pickup point of an order',
    { ...LABELS, clauses: ['labels.request.pickup-point-id'] },
    async (context) => {
      const message = 'must send the id of the pickup point unchanged';
      const ids = { 'pickup-point': pointIdIn(context), 'numeric-point': numericPointIdIn(context) };
      for (const kind of ['pickup-point', 'numeric-point'] as const) {
        const id = ids[kind];
        if (id === undefined) continue;
        const holds = (value: string | undefined) => value === id;
        expectField(context, await requestOf(context, kind), 'shipping_pickup_point_id', holds, message, id);
      }
    },
  ),

  check(
    'labels.request.no-pickup-point-id-otherwise',
    'MUST NOT send a pickup point id for an order to an address',
    { ...LABELS, clauses: ['labels.request.no-pickup-point-id-otherwise'] },
    async (context) => {
      const request = await requestOf(context, 'own-address');
      const message = 'must not send a pickup point for an order without one';
      expectField(context, request, 'shipping_pickup_point_id', isEmpty, message, 'no value');
    },
  ),

  check(
    'labels.request.buyer-address-when-different',
    "MUST send the buyer's own address for an order to another address",
    { ...LABELS, clauses: ['labels.request.buyer-address-when-different'] },
    async (context) => {
      const request = await requestOf(context, 'other-address');
      expectFields(context, request, 'labels.request.buyer-address-when-different', BUYER_ADDRESS_FIELDS);
      const isFilled = BUYER_ADDRESS_FIELDS.some((field) => !isEmpty(fieldOf(request, field)));
      context.expect.that(isFilled, "must send the buyer's own address for an order to another one", {
        expected: 'an address',
        actual: 'empty fields',
        pointer: `field ${BUYER_ADDRESS_FIELDS[0]}`,
        exchange: request.received.exchange,
      });
      const isSame = (field: string): boolean => fieldOf(request, field) === fieldOf(request, shippingFieldOf(field));
      if (BUYER_ADDRESS_FIELDS.every(isSame)) {
        throw new Inconclusive(
          "the buyer's own address in the label request is the delivery address: let the driver give a buyer with otherBuyerAddress a different address",
          'configuration',
        );
      }
    },
  ),

  check(
    'labels.request.buyer-address-for-pickup',
    "MUST send the buyer's own address for an order to a pickup point",
    { ...LABELS, clauses: ['labels.request.buyer-address-for-pickup'] },
    async (context) => {
      const request = await requestOf(context, 'pickup-point');
      expectFields(context, request, 'labels.request.buyer-address-for-pickup', BUYER_ADDRESS_FIELDS);
      const message = "must send the buyer's own address, and not that of the pickup point";
      const isOwn = (value: string | undefined) => value !== POINT_STREET;
      expectField(context, request, 'buyer_street', isOwn, message, 'the street of the buyer');
    },
  ),

  check(
    'labels.request.no-buyer-address-otherwise',
    "MUST NOT send a second address for an order to the buyer's own address",
    { ...LABELS, clauses: ['labels.request.no-buyer-address-otherwise'] },
    async (context) => {
      const request = await requestOf(context, 'own-address');
      for (const field of BUYER_FIELDS) {
        const message = `must not send ${field} when the order goes to the buyer's own address`;
        expectField(context, request, field, isEmpty, message, 'no value');
      }
    },
  ),
];
