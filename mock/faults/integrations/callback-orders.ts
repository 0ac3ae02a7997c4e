/** Faults of label callbacks that depend on other requests, on the owner of the method, or on the address of the label. */

import { LABEL_CALLBACK_PATH } from '../../orders/labels.ts';
import type { LabelRequest, Order } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { MockService } from '../../types/service.ts';
import { memory, refused, success } from '../interception.ts';
import { seen } from './interception.ts';

type Http = NonNullable<Deviation['http']>;

const STORED = 'labels.callback.success-stored';
const NONE = { url: null, trackingCode: null, trackingUrl: null, error: null } as const;

const requestIn = (url: URL, { state }: MockService): LabelRequest | undefined =>
  url.pathname === LABEL_CALLBACK_PATH
    ? state.labelRequests.get(url.searchParams.get('label_request_id') ?? '')
    : undefined;

/** The label requests for which a forged callback has come. */
const endedRequests = memory(() => new Set<string>());

/** The request id of the first press of an order is sent again once its label is in this state. */
const repeatsId = (id: string, about: string, field: 'url' | 'error'): Deviation =>
  seen(id, 'labels.request.id-new-per-press', about, (correct) => {
    const first = new Map<string, string>();
    return {
      labelFields: (context) => {
        const { uuid, label } = context.order;
        const known = first.get(uuid);
        if (label[field] !== null && known !== undefined) return correct.labelFields({ ...context, requestId: known });
        first.set(uuid, context.requestId);
        return correct.labelFields(context);
      },
    };
  });

/** Accepts the labels of some orders without storing them. */
const withoutLabel =
  (isMeant: (label: Order['label']) => boolean): Http =>
  async (request, next, service) => {
    const url = new URL(request.url);
    const order = service.state.orders.get(requestIn(url, service)?.orderUuid ?? '');
    return order !== undefined && isMeant(order.label) && url.searchParams.has('label_url') ? success() : next(request);
  };

/** Changes the address of a label before it is stored. */
const stored = (id: string, about: string, change: (url: string) => string): Deviation =>
  seen(id, STORED, about, (correct) => ({
    labelKept: (params) => {
      const kept = correct.labelKept(params);
      return { ...kept, url: kept.url === null ? null : change(kept.url) };
    },
  }));

/** Corrects or spoils the signature of a callback for an order with a provider's method. */
const ofProviders =
  (
    signature: (sent: string | null, keys: { own: string; stores: string; sign: (key: string) => string }) => string,
  ): Http =>
  (request, next, service) => {
    const url = new URL(request.url);
    const [kind, number = ''] = requestIn(url, service)?.owner.split(':') ?? [];
    if (kind !== 'provider') return next(request);
    const params = [...url.searchParams].filter(([name]) => name !== 'signature');
    const order = service.state.orders.get(requestIn(url, service)?.orderUuid ?? '');
    const keys = {
      own: service.state.providers.get(number)?.apiKey ?? '',
      stores: service.state.websites.get(String(order?.websiteId))?.apiKey ?? '',
      sign: (key: string) => service.rules.callbackSignature(params, key),
    };
    url.searchParams.set('signature', signature(url.searchParams.get('signature'), keys));
    return next(new Request(url, { headers: request.headers }));
  };

/** Changes other orders after a callback with this field was accepted. */
const others =
  (field: 'label_url' | 'error_msg', change: (order: Order, own: Order) => Partial<Order['label']> | null): Http =>
  async (request, next, service) => {
    const response = await next(request);
    const url = new URL(request.url);
    const { orders } = service.state;
    const own = orders.get(requestIn(url, service)?.orderUuid ?? '');
    if (response.status !== 200 || own === undefined || !url.searchParams.has(field)) return response;
    service.change(() => {
      for (const order of orders.all()) {
        const label = order.uuid === own.uuid ? null : change(order, own);
        if (label !== null) orders.patch(order.uuid, { label: { ...order.label, ...label } });
      }
    });
    return response;
  };

export const callbackOrderFaults: readonly Deviation[] = [
  {
    id: 'labels.plus-kept-in-callbacks',
    clause: 'labels.callback.form-encoded',
    about:
      'A plus in the query of a callback stays one, so that values with spaces from many languages are not authentic.',
    surface: 'browser',
    http: (request, next) => {
      const url = new URL(request.url);
      if (url.pathname !== LABEL_CALLBACK_PATH) return next(request);
      url.search = url.search.replaceAll('+', '%2B');
      return next(new Request(url, { method: request.method, headers: request.headers }));
    },
  },
  seen(
    'labels.code-after-tracking-url-lost',
    'labels.callback.tracking-in-sent-order',
    'A tracking code is stored only if it is sent right after the address of the label.',
    (correct) => ({
      labelKept: (params) => {
        const kept = correct.labelKept(params);
        const at = params.findIndex(([name]) => name === 'tracking_code');
        return { ...kept, trackingCode: params[at - 1]?.[0] === 'label_url' ? kept.trackingCode : null };
      },
    }),
  ),
  seen(
    'labels.success-shows-failure',
    STORED,
    'An order with a label shows a failure that no callback has reported.',
    (correct) => ({
      labelKept: (params) => ({ ...correct.labelKept(params), error: 'The label could not be printed.' }),
    }),
  ),
  {
    id: 'labels.label-for-orders-with-one',
    clause: 'labels.callback.other-order-untouched',
    about: 'A label replaces those of all other orders that have one.',
    surface: 'browser',
    http: others('label_url', ({ label, owner }, own) =>
      label.url !== null && owner === own.owner ? own.label : null,
    ),
  },
  seen(
    'labels.tracking-of-earlier-callback',
    'labels.callback.other-order-untouched',
    'A label that is reported without a tracking code gets the code of the callback before it.',
    (correct) => {
      let latest: string | null = null;
      return {
        labelKept: (params) => {
          const kept = correct.labelKept(params);
          latest = kept.trackingCode ?? latest;
          return { ...kept, trackingCode: latest };
        },
      };
    },
  ),
  {
    id: 'labels.failure-clears-others',
    clause: 'labels.callback.other-order-untouched',
    about: 'A failure of one order removes the labels of all others.',
    surface: 'browser',
    http: others('error_msg', () => ({ url: null, trackingCode: null })),
  },
  repeatsId('labels.request-id-reused-after-label', 'A press on an order with a label repeats an earlier id.', 'url'),
  repeatsId('labels.request-id-reused-after-error', 'A press after a failure repeats the id that failed.', 'error'),
  stored('labels.label-url-decoded', 'Percent escapes in the address of a label are decoded.', (url) => {
    try {
      return decodeURIComponent(url);
    } catch {
      return url;
    }
  }),
  stored('labels.label-url-truncated', 'The address of a label is cut after 255 characters.', (url) =>
    url.slice(0, 255),
  ),
  stored('labels.label-url-plus-as-space', 'Plus signs in the address of a label become spaces.', (url) =>
    url.replaceAll('+', ' '),
  ),
  stored('labels.label-url-lower-case', 'The address of a label is stored in lower case.', (url) => url.toLowerCase()),
  {
    id: 'labels.label-for-latest-press',
    clauses: ['labels.callback.other-order-untouched', STORED],
    about: 'A label is stored for the order whose button was pressed last.',
    surface: 'browser',
    http: async (request, next, service) => {
      const response = await next(request);
      const { state } = service;
      const own = state.orders.get(requestIn(new URL(request.url), service)?.orderUuid ?? '');
      const latest = state.orders.get(state.labelRequests.all().at(-1)?.orderUuid ?? '');
      if (response.status !== 200 || own === undefined || latest === undefined || own.uuid === latest.uuid)
        return response;
      service.change(() => {
        state.orders.patch(latest.uuid, { label: own.label });
        state.orders.patch(own.uuid, { label: NONE });
      });
      return response;
    },
  },
  {
    id: 'labels.no-label-after-error',
    clause: STORED,
    about: 'After a failure, the callbacks for later requests of the order are accepted and not stored.',
    surface: 'browser',
    http: withoutLabel(({ error }) => error !== null),
  },
  seen(
    'labels.order-uuid-new-after-label',
    'labels.request.order-uuid-identifies-order',
    'A press on an order with a label sends a new order_uuid.',
    (correct) => ({
      labelFields: (context) =>
        correct.labelFields(context).map(([name, value]) => {
          const isOther = name === 'order_uuid' && context.order.label.url !== null;
          return [name, isOther ? value.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) : value];
        }),
    }),
  ),
  {
    id: 'labels.later-label-ignored',
    clause: 'labels.callback.later-label-stored',
    about: 'An order keeps its first label: the callbacks for later requests are accepted and not stored.',
    surface: 'browser',
    http: withoutLabel(({ url }) => url !== null),
  },
  {
    id: 'labels.callback-needs-cookie',
    clause: 'labels.callback.without-cookies',
    about: 'A callback is accepted only with a cookie of the store.',
    surface: 'browser',
    http: (request, next) =>
      new URL(request.url).pathname === LABEL_CALLBACK_PATH && !request.headers.has('cookie')
        ? Promise.resolve(refused(403, 'Please sign in.'))
        : next(request),
  },
  {
    id: 'labels.request-ended-by-forgery',
    clause: 'labels.callback.stored-after-forgery',
    about: 'A label request takes no callback after one whose signature was wrong.',
    surface: 'browser',
    http: async (request, next, service) => {
      const named = requestIn(new URL(request.url), service);
      if (named === undefined) return next(request);
      const ended = endedRequests(service);
      if (ended.has(named.id)) return refused(410, 'This label request has ended.');
      const response = await next(request);
      if (response.status === 401) ended.add(named.id);
      return response;
    },
  },
  {
    id: 'labels.provider-callback-needs-key-of-store',
    clauses: [STORED, 'labels.callback.near-miss-signature-refused'],
    about: 'Callbacks for a provider’s method are verified with the key of the store.',
    surface: 'browser',
    http: ofProviders((sent, { own, stores, sign }) => (sent === sign(stores) ? sign(own) : 'wrong')),
  },
  {
    id: 'labels.provider-callback-not-verified',
    clause: 'labels.callback.near-miss-signature-refused',
    about: 'Callbacks for a provider’s method are accepted with any signature.',
    surface: 'browser',
    http: ofProviders((_sent, { own, sign }) => sign(own)),
  },
];
