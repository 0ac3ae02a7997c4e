/** Faults of labels that only some delivery methods show: those that were updated, those of providers, and those with two lines. */
import type { Deviation } from '../../../types/deviation.ts';
import { fields, seen, value } from '../interception.ts';

export const labelMethodFaults: readonly Deviation[] = [
  seen(
    'labels.button-as-enabled',
    ['labels.button.shown-with-url', 'labels.button.hidden-without-url'],
    'Whether an order has the Print Label button depends on its method when the store enabled it; updates change nothing.',
    (correct) => {
      const enabled = new Map<string, boolean>();
      return {
        availableTo: (method, provider, website) => {
          if (!enabled.has(method.handle)) enabled.set(method.handle, method.print_label_url !== null);
          return correct.availableTo(method, provider, website);
        },
        mayPrintLabel: (method) => enabled.get(method.handle) ?? correct.mayPrintLabel(method),
      };
    },
  ),
  seen(
    'labels.signature-before-line-breaks',
    'labels.request.signature-correct',
    'Label requests are signed with the line breaks that are stored, and a form changes them.',
    (correct) => ({
      formSignature: (kind, fields, key) =>
        correct.formSignature(
          kind,
          fields.map(([name, text]) => [name, text.replaceAll('\r\n', '\n')] as const),
          key,
        ),
    }),
  ),
  seen(
    'labels.method-as-enabled',
    ['labels.request.method-reference'],
    'Label requests have the reference that the method had when the store enabled it.',
    (correct) => {
      const enabled = new Map<string, string | null>();
      return {
        availableTo: (method, provider, website) => {
          if (!enabled.has(method.handle)) enabled.set(method.handle, method.reference);
          return correct.availableTo(method, provider, website);
        },
        labelFields: (context) => {
          const { method } = context;
          const reference = enabled.get(method.handle) ?? method.reference;
          return correct.labelFields({ ...context, method: { ...method, reference } });
        },
      };
    },
  ),
  seen(
    'labels.seller-country-empty',
    ['labels.request.seller-country', 'labels.request.shop-of-order'],
    'The country of the seller is empty, though it is set.',
    value('seller_country', () => ''),
  ),
  seen(
    'labels.provider-orders-without-seller',
    ['labels.request.seller', 'labels.request.seller-country', 'labels.request.shop-of-order'],
    'Label requests for a provider’s method lack the seller.',
    fields((all, { provider }) => (provider === null ? all : all.filter(([name]) => !name.startsWith('seller_')))),
  ),
  seen(
    'labels.provider-orders-by-number',
    'labels.request.order-uuid',
    'Label requests for a provider’s method have the invoice number as order_uuid.',
    fields((all, { provider, order }) =>
      all.map(([name, text]) => [name, provider !== null && name === 'order_uuid' ? order.invoiceId : text] as const),
    ),
  ),
];

/** Faults that begin with a call of the interface, and show on pages. */
export const updatedMethodFaults: readonly Deviation[] = [
  seen(
    'labels.first-point-of-method',
    'labels.request.pickup-point-id',
    'The pickup point is always the first one of the list that was published last.',
    (correct) => {
      let first: string | undefined;
      return {
        publish: (list) => {
          correct.publish(list);
          first = list.slice(null, 1, false)[0]?.item.id;
        },
        labelFields: (context) =>
          correct
            .labelFields(context)
            .map(([name, id]) => [name, name === 'shipping_pickup_point_id' ? (first ?? id) : id] as const),
      };
    },
  ),
  seen(
    'labels.first-label-url',
    'labels.request.posted-to-label-url',
    'Label requests go to the first address of a method; updates change only what is read.',
    (correct) => {
      const shown = new Map<string, string>();
      return {
        mergeMethod: (before, input, site) => {
          const merged = correct.mergeMethod(before, input, site);
          if (!before?.print_label_url || !merged.print_label_url) {
            shown.delete(before?.handle ?? '');
            return merged;
          }
          if (input.print_label_url !== undefined) shown.set(before.handle, merged.print_label_url);
          return { ...merged, print_label_url: before.print_label_url };
        },
        renderMethod: (method, site) => {
          const rendered = correct.renderMethod(method, site);
          const latest = shown.get(method.handle);
          return method.print_label_url && latest !== undefined ? { ...rendered, print_label_url: latest } : rendered;
        },
      };
    },
  ),
];
