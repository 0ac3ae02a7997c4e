/** Faults of label callbacks: which are accepted, and what is stored. */

import type { Pairs } from '../../http/call.ts';
import { LABEL_CALLBACK_PATH } from '../../orders/labels.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Rules } from '../../types/rules.ts';
import { questionMarks } from '../interception.ts';
import { seen } from './interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;
type Http = NonNullable<Deviation['http']>;

const value = (pairs: Pairs, name: string): string | null => pairs.find(([key]) => key === name)?.[1] ?? null;

/** Accepts a second signature besides the correct one. */
const alsoTakes =
  (second: (correct: Rules, params: Pairs, key: string) => string): MakesRules =>
  (correct) => {
    const others = new Map<string, string>();
    return {
      callbackSignature: (params, key) => {
        const right = correct.callbackSignature(params, key);
        others.set(right, second(correct, params, key));
        return right;
      },
      signatureMatches: (received, expected) =>
        correct.signatureMatches(received, expected) || (received !== '' && received === others.get(expected)),
    };
  };

/** Changes rows after a success callback was accepted. */
const takes =
  (change: (service: Parameters<Http>[2], requestId: string) => void): Http =>
  async (request, next, service) => {
    const response = await next(request);
    const { pathname, searchParams } = new URL(request.url);
    const id = searchParams.get('label_request_id');
    if (pathname === LABEL_CALLBACK_PATH && response.status === 200 && id !== null && searchParams.has('label_url')) {
      service.change(() => change(service, id));
    }
    return response;
  };

const ORDER = ['label_request_id', 'label_url', 'tracking_code', 'tracking_url'];
const place = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

export const callbackFaults: readonly Deviation[] = [
  seen(
    'labels.callback-not-stored',
    'labels.callback.success-stored',
    'Success callbacks are accepted, and no label is stored.',
    () => ({ labelKept: () => ({ url: null, trackingCode: null, trackingUrl: null, error: null }) }),
  ),
  seen(
    'labels.label-url-without-query',
    'labels.callback.success-stored',
    'The address of a label loses its query when it is stored.',
    (correct) => ({
      labelKept: (params) => {
        const kept = correct.labelKept(params);
        return { ...kept, url: kept.url?.replace(/\?.*/s, '') ?? null };
      },
    }),
  ),
  seen(
    'labels.tracking-not-stored',
    'labels.callback.tracking-stored',
    'Tracking codes of callbacks are accepted and lost.',
    (correct) => ({
      labelKept: (params) =>
        correct.labelKept(params.filter(([name]) => name !== 'tracking_code' && name !== 'tracking_url')),
    }),
  ),
  seen(
    'labels.tracking-url-not-stored',
    'labels.callback.tracking-stored',
    'The tracking address of a callback is accepted and lost; its tracking code is stored.',
    (correct) => ({ labelKept: (params) => ({ ...correct.labelKept(params), trackingUrl: null }) }),
  ),
  seen(
    'labels.tracking-url-cut-at-ampersand',
    'labels.callback.tracking-stored',
    'Of the query of a tracking address, the first parameter is kept.',
    (correct) => ({
      labelKept: (params) => {
        const kept = correct.labelKept(params);
        return { ...kept, trackingUrl: kept.trackingUrl?.split('&', 1)[0] ?? null };
      },
    }),
  ),
  seen(
    'labels.tracking-in-ascii',
    'labels.callback.tracking-stored',
    'Letters of tracking codes outside ASCII become question marks.',
    (correct) => ({
      labelKept: (params) => {
        const kept = correct.labelKept(params);
        return { ...kept, trackingCode: kept.trackingCode === null ? null : questionMarks(kept.trackingCode) };
      },
    }),
  ),
  seen(
    'labels.tracking-cut',
    'labels.callback.tracking-stored',
    'Tracking codes are cut after 20 characters.',
    (correct) => ({
      labelKept: (params) => {
        const kept = correct.labelKept(params);
        return { ...kept, trackingCode: kept.trackingCode?.slice(0, 20) ?? null };
      },
    }),
  ),
  seen(
    'labels.tracking-as-number',
    'labels.callback.tracking-stored',
    'Tracking codes of digits lose their leading zeros.',
    (correct) => ({
      labelKept: (params) => {
        const kept = correct.labelKept(params);
        const code = kept.trackingCode;
        return { ...kept, trackingCode: code && /^\d+$/.test(code) ? code.replace(/^0+(?=\d)/, '') : code };
      },
    }),
  ),
  seen(
    'labels.tracking-needs-both',
    'labels.callback.one-tracking-field',
    'A callback with one tracking field and without the other is refused.',
    (correct) => ({
      callbackSignature: (params, key) => {
        const isHalf = (value(params, 'tracking_code') === null) !== (value(params, 'tracking_url') === null);
        return correct.callbackSignature(isHalf ? [] : params, key);
      },
    }),
  ),
  seen(
    'labels.tracking-in-fixed-order',
    'labels.callback.tracking-in-sent-order',
    'The tracking code is signed before the tracking address, in any order of parameters.',
    (correct) => ({
      callbackSignature: (params, key) =>
        correct.callbackSignature(
          [...params].sort(([a], [b]) => place(a) - place(b)),
          key,
        ),
    }),
  ),
  seen(
    'labels.errors-refused',
    'labels.callback.error-accepted',
    'Callbacks that report a failure are refused.',
    (correct) => ({
      callbackNeedsSignature: () => true,
      callbackSignature: (params, key) =>
        value(params, 'error_msg') === null ? correct.callbackSignature(params, key) : 'none',
    }),
  ),
  seen(
    'labels.error-stores-label',
    'labels.callback.error-accepted',
    'A failure callback stores a label address.',
    (correct) => ({
      errorKept: (params, before) => ({ ...correct.errorKept(params, before), url: 'https://labels.example/none.pdf' }),
    }),
  ),
  {
    id: 'labels.callback-stored-for-all-orders',
    clause: 'labels.callback.other-order-untouched',
    about: 'A label is stored for all orders of the shop.',
    surface: 'browser',
    http: takes(({ state }, id) => {
      const own = state.orders.get(state.labelRequests.get(id)?.orderUuid ?? '');
      for (const { uuid, websiteId } of state.orders.all()) {
        if (own !== undefined && websiteId === own.websiteId) state.orders.patch(uuid, { label: own.label });
      }
    }),
  },
  seen(
    'labels.callback-unsigned-accepted',
    'labels.callback.unsigned-refused',
    'A callback without a signature is accepted; a wrong signature is refused.',
    (correct) => ({
      callbackNeedsSignature: (params) =>
        params.some(([name]) => name === 'signature') && correct.callbackNeedsSignature(params),
    }),
  ),
  seen(
    'labels.callback-empty-signature-accepted',
    'labels.callback.unsigned-refused',
    'A callback with an empty signature is accepted; one without the field is refused.',
    (correct) => ({
      signatureMatches: (received, expected) => received === '' || correct.signatureMatches(received, expected),
    }),
  ),
  seen(
    'labels.callback-operator-accepted',
    'labels.callback.unsigned-refused',
    'A callback whose signature is read as an object is accepted; one without the field is refused.',
    (correct) => ({
      callbackNeedsSignature: (params) =>
        !params.some(([name]) => name.startsWith('signature[')) && correct.callbackNeedsSignature(params),
    }),
  ),
  seen(
    'labels.callback-empty-key-accepted',
    'labels.callback.other-key-refused',
    'A signature with an empty key is also accepted.',
    alsoTakes((correct, params) => correct.callbackSignature(params, '')),
  ),
  seen(
    'labels.callback-key-case',
    'labels.callback.other-key-refused',
    'A signature with the key in upper case is also accepted.',
    alsoTakes((correct, params, key) => correct.callbackSignature(params, key.toUpperCase())),
  ),
  seen(
    'labels.callback-signature-of-address-only',
    'labels.callback.near-miss-signature-refused',
    'A signature over nothing but the address of the label is also accepted.',
    alsoTakes((correct, params, key) =>
      correct.callbackSignature(
        params.filter(([name]) => name === 'label_url'),
        key,
      ),
    ),
  ),
  seen(
    'labels.callback-signature-case',
    'labels.callback.near-miss-signature-refused',
    'Signatures of callbacks are compared without regard to letter case.',
    () => ({ signatureMatches: (received, expected) => received.toLowerCase() === expected.toLowerCase() }),
  ),
  seen(
    'labels.callback-signature-prefix',
    'labels.callback.near-miss-signature-refused',
    'Only the first eight characters of a signature are compared.',
    () => ({ signatureMatches: (received, expected) => received.slice(0, 8) === expected.slice(0, 8) }),
  ),
  seen(
    'labels.callback-signature-truncated',
    'labels.callback.near-miss-signature-refused',
    'A signature is compared only up to the length that was sent, unless it is empty.',
    () => ({ signatureMatches: (received, expected) => received !== '' && expected.startsWith(received) }),
  ),
  seen(
    'labels.callback-plus-as-space',
    'labels.callback.success-stored',
    'A plus in the signature of a success callback is read as a space, although it was sent encoded.',
    (correct) => ({
      callbackSignature: (params, key) => {
        const right = correct.callbackSignature(params, key);
        return value(params, 'error_msg') === null ? right.replaceAll('+', ' ') : right;
      },
    }),
  ),
  {
    id: 'labels.callback-app-key-accepted',
    clause: 'labels.callback.other-key-refused',
    about: 'A callback that is signed with the key of an app is also accepted: all keys are in one table.',
    surface: 'browser',
    http: async (request, next, service) => {
      const url = new URL(request.url);
      const named = service.state.labelRequests.get(url.searchParams.get('label_request_id') ?? '');
      if (url.pathname !== LABEL_CALLBACK_PATH || named === undefined) return next(request);
      const key = service.state.websites.get(named.owner.split(':')[1] ?? '')?.apiKey ?? '';
      const params: Pairs = [...url.searchParams].filter(([name]) => name !== 'signature');
      const signatures = service.state.apps.all().map(({ apiKey }) => service.rules.callbackSignature(params, apiKey));
      if (!signatures.includes(url.searchParams.get('signature') ?? '')) return next(request);
      url.searchParams.set('signature', service.rules.callbackSignature(params, key));
      return next(new Request(url, { method: request.method, headers: request.headers }));
    },
  },
  {
    id: 'labels.callback-for-another-request',
    clause: 'labels.callback.tampered-request-id-refused',
    about: 'A signature for one label request of the shop is accepted for any other.',
    surface: 'browser',
    http: async (request, next, service) => {
      const url = new URL(request.url);
      const received = url.searchParams.get('signature');
      const named = service.state.labelRequests.get(url.searchParams.get('label_request_id') ?? '');
      if (url.pathname !== LABEL_CALLBACK_PATH || !received || named === undefined) return next(request);
      const key = service.state.websites.get(named.owner.split(':')[1] ?? '')?.apiKey ?? '';
      const params: Pairs = [...url.searchParams].filter(([name]) => name !== 'signature');
      const signatureFor = (id: string): string =>
        service.rules.callbackSignature(
          params.map(([name, text]) => [name, name === 'label_request_id' ? id : text]),
          key,
        );
      if (!service.state.labelRequests.all().some(({ id }) => signatureFor(id) === received)) return next(request);
      url.searchParams.set('signature', signatureFor(named.id));
      return next(new Request(url, { method: request.method, headers: request.headers }));
    },
  },
  seen(
    'labels.callback-signature-reusable',
    'labels.callback.tampered-label-url-refused',
    'A signature that was valid once is accepted again with any values.',
    (correct) => {
      const known = new Set<string>();
      return {
        signatureMatches: (received, expected) => {
          if (correct.signatureMatches(received, expected)) known.add(received);
          return known.has(received);
        },
      };
    },
  ),
  seen(
    'labels.callback-added-fields-accepted',
    ['labels.callback.added-field-refused', 'labels.callback.unknown-field-refused'],
    'A signature over only label_request_id and label_url is accepted with any other values.',
    alsoTakes((correct, params, key) =>
      correct.callbackSignature(
        params.filter(([name]) => name === 'label_request_id' || name === 'label_url'),
        key,
      ),
    ),
  ),
  seen(
    'labels.callback-signature-not-compared',
    [
      'labels.callback.other-key-refused',
      'labels.callback.near-miss-signature-refused',
      'labels.callback.tampered-request-id-refused',
      'labels.callback.tampered-label-url-refused',
      'labels.callback.tampered-tracking-refused',
      'labels.callback.added-field-refused',
      'labels.callback.unknown-field-refused',
    ],
    'Any signature of a callback is accepted, except a missing or empty one.',
    () => ({ signatureMatches: (received) => received !== '' }),
  ),
];
