/** The label request reaches the label address (spec: Events, Label request). */
import { type Check, check } from '../../../harness/check/check.ts';
import { LABELS } from '../button.ts';
import { holdsPairs } from '../steps/address.ts';
import { fieldOf, firstPress, forEachKind, requestsOf } from '../steps/orders.ts';

export const checks: readonly Check[] = [
  check(
    'labels.request.posted-to-label-url',
    'MUST send a POST with form fields to the label address when Print Label is pressed',
    { ...LABELS, clauses: ['labels.request.posted-to-label-url'] },
    async (context) => {
      for (const { order, request, arrived } of await forEachKind(context, (kind) => firstPress(context, kind))) {
        const { labelUrl, listensAs } = order.method;
        const seen = arrived[0];
        context.expect.that(request !== undefined, 'must send a POST to the label address', {
          expected: `POST ${labelUrl}`,
          actual: seen === undefined ? 'no request' : `${seen.method} ${seen.target}`,
          exchange: seen?.exchange,
        });
        const { search } = new URL(labelUrl ?? '');
        context.expect.that(
          request?.path === `/${listensAs}` && holdsPairs(request.query, search),
          'must send the POST to the complete label address',
          { expected: `/${listensAs}${search}`, actual: request?.target, exchange: request?.exchange },
        );
        context.expect.that((request?.fields.length ?? 0) > 0, 'must send form fields in the POST', {
          expected: 'application/x-www-form-urlencoded or multipart/form-data with fields',
          actual: request?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type',
          exchange: request?.exchange,
        });
      }
    },
  ),

  // How often a service tries is not stated. But a page that gets a request twice prints two labels.
  check(
    'labels.request.sent-once',
    'SHOULD send the request of a press to the label page only once',
    { ...LABELS, clauses: ['labels.request.sent-once'] },
    async (context) => {
      const listener = await context.listener();
      for (const request of await requestsOf(context)) {
        const id = fieldOf(request, 'label_request_id') ?? '';
        context.given.holds(id !== '', 'labels.request.id-present', 'the label request has no label_request_id');
        const all = listener
          .received(request.order.method.listensAs)
          .filter((one) => one.method === 'POST' && fieldOf(one, 'label_request_id') === id);
        context.expect.that(all.length === 1, 'should send a label request once', {
          expected: `one POST with label_request_id ${id}`,
          actual: `${all.length} of them`,
          exchange: all.at(-1)?.exchange,
        });
      }
    },
  ),
];
