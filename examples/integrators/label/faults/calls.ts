/** How a faulty label page calls the service. */
import { setTimeout } from 'node:timers/promises';
import { examplesOver } from '../../support/example.ts';
import LabelPage from '../correct.ts';

/** How long a label takes to be made. */
const LABEL_MS = 600;

export default examplesOver(LabelPage, {
  'label.calls.bearer': {
    clauses: ['provider.calls.authorization-header'],
    about: 'The values of the settings form are requested with the key after the word Bearer.',
    // Label pages need no call.
    change: (correct) => ({ authorization: () => `Bearer ${correct.settings.apiKey}` }),
  },
  'label.calls.form-body': {
    clauses: ['envelope.v1.request-bodies-are-json'],
    about: 'The values of the settings form are requested with a web form instead of JSON.',
    change: (correct) => ({
      customerNumber: async (orderUuid) => {
        const response = await fetch(`${correct.settings.base}store/delivery_provider_settings/`, {
          method: 'POST',
          headers: { authorization: correct.authorization() },
          body: new URLSearchParams({ order_uuid: orderUuid }),
        });
        await response.text();
        return '';
      },
    }),
  },
  'label.calls.order-id-instead-of-uuid': {
    clauses: ['provider.calls.wrapped-bodies'],
    about: 'The values of the settings form are requested by order_id instead of order_uuid.',
    // The key is correct.
    change: (correct) => ({
      call: (method, path, body) => {
        const renamed = body !== undefined && 'order_uuid' in body ? { order_id: body.order_uuid } : body;
        return correct.call(method, path, renamed);
      },
    }),
  },
  'label.calls.settings-of-first-store': {
    clauses: ['provider.calls.settings-of-own-store'],
    about: 'The values of the settings form are requested once, and used for the orders of every store.',
    // They are requested with an order_uuid as it was received.
    change: (correct) => {
      let values: Promise<string> | undefined;
      return {
        customerNumber: (orderUuid) => {
          values ??= correct.customerNumber(orderUuid);
          return values;
        },
      };
    },
  },
  'label.calls.password-on-label': {
    clauses: ['provider.label.password-hidden'],
    about: 'The label shows the password of the store beside its customer number.',
    // Both are those of the store that owns the order.
    change: (correct) => ({
      customerNumber: async (orderUuid) => {
        const response = await correct.call('POST', 'store/delivery_provider_settings/', { order_uuid: orderUuid });
        const fields = Object(response?.fields) as Record<string, unknown>;
        return `${fields.client_id} ${fields.client_password}`;
      },
    }),
  },
  'label.calls.settings-by-part-of-uuid': {
    clauses: ['provider.calls.settings-of-own-store'],
    about: 'The values of the settings form are kept by the first eight characters of order_uuid.',
    // The first order of each beginning is requested as it was received.
    change: (correct) => ({ customerNumber: numberKeptBy(correct, (orderUuid) => orderUuid.slice(0, 8)) }),
  },
  'label.calls.settings-by-company': {
    clauses: ['provider.calls.settings-of-own-store'],
    about: 'The values of the settings form are kept by seller_id: two stores of one company share them.',
    // Stores of different companies have their own.
    change: (correct) => {
      const companies = new Map<string, string>();
      return {
        printLabel: (fields) => {
          const { order_uuid = '', seller_id = '' } = Object.fromEntries(fields);
          companies.set(order_uuid, seller_id);
          return correct.printLabel(fields);
        },
        customerNumber: numberKeptBy(correct, (orderUuid) => companies.get(orderUuid) ?? ''),
      };
    },
  },
  'label.calls.settings-of-latest-order': {
    clauses: ['provider.calls.settings-of-own-store'],
    about:
      'The values of the settings form are requested for the order that came last, while others are still being printed.',
    // Orders that are printed one after another get those of their own store.
    change: (correct) => {
      let latest = '';
      return {
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          latest = Object.fromEntries(fields).order_uuid ?? '';
          await setTimeout(LABEL_MS);
          return correct.printLabel(fields);
        },
        customerNumber: () => correct.customerNumber(latest),
      };
    },
  },
  'label.calls.order-uuid-in-upper-case': {
    clauses: ['provider.calls.wrapped-bodies'],
    about: 'The values of the settings form are requested with the order_uuid in upper case.',
    // It is sent under its name.
    change: (correct) => ({ customerNumber: (orderUuid) => correct.customerNumber(orderUuid.toUpperCase()) }),
  },
});

/** Requests the customer number for the first order with the same key, and keeps it for the others. */
function numberKeptBy(correct: LabelPage, keyOf: (orderUuid: string) => string): LabelPage['customerNumber'] {
  const kept = new Map<string, Promise<string>>();
  return (orderUuid) => {
    const key = keyOf(orderUuid);
    const number = kept.get(key) ?? correct.customerNumber(orderUuid);
    kept.set(key, number);
    return number;
  };
}
