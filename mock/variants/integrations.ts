/** Requests to integrators as other services send them, and callbacks as other services accept them. */

import { pages, refused } from '../faults/interception.ts';
import { refuse } from '../http/refusal.ts';
import { LABEL_CALLBACK_PATH } from '../orders/labels.ts';
import type { Deviation } from '../types/deviation.ts';
import { isThere } from './looking.ts';

const CALLBACK_FIELDS = ['label_request_id', 'label_url', 'tracking_code', 'tracking_url', 'error_msg'];

/** A value as a store with an orderly address book keeps it. */
function tidied(name: string, text: string): string {
  if (name === 'shipping_email') return text.trim().toLowerCase();
  if (name === 'shipping_phone') return text.replace(/^(\+\d{3})(\d{4})(\d+)$/, '$1 $2 $3');
  if (name === 'amount') return Number(text).toFixed(3);
  return /^(shipping|buyer)_/.test(name) ? text.trim() : text;
}

export const integrationVariants: readonly Deviation[] = [
  {
    id: 'labels.custom-fields',
    about: 'The label request also contains the values of the provider’s settings form, under their ids.',
    rules: () => ({
      labelCustomFields: ({ provider, website }) =>
        Object.entries((provider && website.deliverySettings[provider.id]) ?? {}).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : value ? '1' : '0',
        ]),
    }),
  },
  {
    id: 'labels.additional-fields',
    about: 'Label requests contain fields that are not in the contract, and the signature covers them.',
    rules: (correct) => ({
      labelFields: (context) => [...correct.labelFields(context), ['payment_method', 'card'], ['is_test', '']],
    }),
  },
  {
    id: 'labels.signature-first',
    about: 'The signature is the first field of label and checkout requests.',
    rules: () => ({ withSignature: (fields, signature) => [['signature', signature], ...fields] }),
  },
  {
    id: 'labels.field-order',
    about: 'Label requests have their fields in another order.',
    rules: (correct) => ({ labelFields: (context) => [...correct.labelFields(context)].reverse() }),
  },
  {
    id: 'labels.error-callback-signed',
    about: 'An error callback needs a signature like a success callback.',
    rules: () => ({ callbackNeedsSignature: () => true }),
  },
  {
    id: 'labels.multipart',
    about: 'Label and checkout requests are sent as multipart forms.',
    http: pages((html) => html.replace(/<form (?=[^>]*action="https?:)/g, '<form enctype="multipart/form-data" ')),
  },
  {
    id: 'labels.entries-tidied',
    about:
      'What the buyer entered is sent without spaces around it, the e-mail in lower case, the phone in groups, the amount with three decimals.',
    rules: (correct) => ({
      labelFields: (context) => correct.labelFields(context).map(([name, text]) => [name, tidied(name, text)]),
    }),
  },
  {
    id: 'labels.empty-fields-left-out',
    about: 'Fields of a label request whose value is empty are left out.',
    rules: (correct) => ({
      labelFields: (context) => correct.labelFields(context).filter(([, value]) => value !== ''),
    }),
  },
  {
    id: 'labels.seller-country-lower-case',
    about: 'The country of the seller is sent in lower case, like that of the buyer.',
    rules: (correct) => ({
      labelFields: (context) =>
        correct
          .labelFields(context)
          .map(([name, value]) => [name, name === 'seller_country' ? value.toLowerCase() : value]),
    }),
  },
  {
    id: 'labels.callback-as-described',
    about:
      'Callbacks sign their id before the label address, in whatever order they send them, and have no further fields.',
    rules: (correct) => ({
      callbackSignature: (params, key) => {
        if (params.some(([name]) => !CALLBACK_FIELDS.includes(name)))
          refuse('invalid', 'There is an unexpected field.');
        const first = ['label_request_id', 'label_url'].flatMap((name) => params.filter(([other]) => other === name));
        return correct.callbackSignature([...first, ...params.filter((pair) => !first.includes(pair))], key);
      },
    }),
  },
  {
    id: 'labels.copied-files',
    about: 'The file of a label is fetched, and the order shows the address of the copy.',
    http: async (request, next, service) => {
      const response = await next(request);
      const url = new URL(request.url);
      const address = url.searchParams.get('label_url');
      if (url.pathname !== LABEL_CALLBACK_PATH || response.status !== 200 || address === null) return response;
      const { state, origin } = service;
      const { orderUuid = '' } = state.labelRequests.get(url.searchParams.get('label_request_id') ?? '') ?? {};
      const order = state.orders.get(orderUuid);
      if (order === undefined || !(await isThere(address))) return response;
      const copy = `${origin}/files/${orderUuid}/${service.random(6).toString('hex')}.pdf`;
      service.change(() => state.orders.patch(orderUuid, { label: { ...order.label, url: copy } }));
      return response;
    },
  },
  {
    id: 'labels.one-callback-per-request',
    about: 'A label request is answered once: a second callback is refused.',
    rules: () => ({ mayRespondAgain: (request) => request.outcome === 'waiting' }),
  },
  {
    id: 'labels.done-with-a-label',
    about: 'An order that has a label takes no more callbacks.',
    http: async (request, next, { state }) => {
      const url = new URL(request.url);
      const answered = state.labelRequests.get(url.searchParams.get('label_request_id') ?? '');
      const isDone = answered !== undefined && state.orders.get(answered.orderUuid)?.label.url != null;
      return url.pathname === LABEL_CALLBACK_PATH && isDone ? refused(409, 'This order has a label.') : next(request);
    },
  },
  {
    id: 'labels.button-away-while-waiting',
    about: 'An order does not show Print Label while a label request waits for its callback.',
    http: async (request, next, { state }) => {
      const response = await next(request);
      const [, uuid] = /^\/admin\/orders\/([^/]+)\/$/.exec(new URL(request.url).pathname) ?? [];
      const waits = state.labelRequests.filter((one) => one.orderUuid === uuid && one.outcome === 'waiting').length > 0;
      if (!waits) return response;
      const headers = new Headers(response.headers);
      headers.delete('content-length');
      const html = (await response.text()).replace(/<form[^>]*print-label.*?<\/form>/s, '');
      return new Response(html, { status: response.status, headers });
    },
  },
  {
    id: 'install.callback-in-another-form',
    about: 'Callback addresses are written in another form than browsers write them in.',
    rules: (correct) => ({
      installQuery: (visit, callback) =>
        correct.installQuery(
          visit,
          callback.replace('http', 'HTTP').replace('/app_callback/', '/catalog/../app_callback/'),
        ),
    }),
  },
  {
    id: 'install.hash-first',
    about: 'The hash is the first parameter of install and settings requests.',
    rules: () => ({ withHash: (sent, hash) => [['hash', hash], ...sent] }),
  },
  {
    id: 'install.additional-parameters',
    about: 'Install and settings requests contain a parameter that is not in the contract.',
    rules: (correct) => ({
      installQuery: (visit, callback) => [
        ['websiteId', String(visit.websiteId)],
        ...correct.installQuery(visit, callback),
      ],
    }),
  },
  {
    id: 'install.parameter-order',
    about: 'Install and settings requests have their parameters in another order.',
    rules: (correct) => ({ installQuery: (visit, callback) => [...correct.installQuery(visit, callback)].reverse() }),
  },
];
