/** Faults of labels that only some delivery methods show: those that were updated, and those with a text of two lines. */
import type { Deviation } from '../../types/deviation.ts';
import { seen } from './interception.ts';

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
];
