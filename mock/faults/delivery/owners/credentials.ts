/** Faults of keys, and of the values that only a delivery provider may read. */

import { type Method, ownerOf } from '../../../state/state.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { asLikePattern, asRegularExpression, byLettersAndDigits, fromTheEnd, inAnyOrder } from '../../comparisons.ts';
import { bodies, type InterceptedRequest, intercepts, json, PATHS } from '../../interception.ts';

/** Compares keys differently; other secrets are compared correctly. */
const keys =
  (matches: (presented: string, stored: string) => boolean): NonNullable<Deviation['rules']> =>
  () => ({
    deliveryKeyMatches: (presented, holder) => matches(presented, holder.apiKey),
  });

/** Serves a call without a valid key as if the owner had sent it. */
const withoutKey = (
  method: string,
  path: RegExp,
  when: (met: InterceptedRequest) => boolean = () => true,
): NonNullable<Deviation['http']> =>
  intercepts(method, path, async (met) => {
    const key = keyOfOwner(met);
    if (key === undefined || hasValidKey(met) || !when(met)) return met.pass();
    return met.pass({ headers: { authorization: `ApiKey ${key}` } });
  });

function hasValidKey({ request, service: { state } }: InterceptedRequest): boolean {
  const presented = request.headers.get('authorization')?.replace(/^ApiKey /, '');
  return [...state.websites.all(), ...state.providers.all()].some(({ apiKey }) => apiKey === presented);
}

/** The key of the method's owner; of the first store or provider where the path names no method. */
function keyOfOwner({ service, parts, request }: InterceptedRequest): string | undefined {
  const { state } = service;
  const method: Method | undefined = state.methods.get((parts[0] ?? '').split(',')[0] ?? '');
  if (method !== undefined) return ownerOf(state, method.owner)?.apiKey;
  const isSettings = PATHS.settings.test(new URL(request.url).pathname);
  return isSettings ? state.providers.all()[0]?.apiKey : state.websites.all()[0]?.apiKey;
}

const hasNoHeader = ({ request }: InterceptedRequest): boolean => !request.headers.has('authorization');

const reversed = ({ request }: InterceptedRequest): boolean => new URL(request.url).searchParams.get('desc') === '1';

const isLaterPage = ({ request }: InterceptedRequest): boolean =>
  [...new URL(request.url).searchParams.keys()].some((name) => name !== 'page_size' && name !== 'desc');

export const credentialFaults: readonly Deviation[] = [
  {
    id: 'keys.not-required-on-later-pages',
    clause: 'delivery.credentials.every-read',
    about: 'The first page of a list requires the key; the pages that its link leads to do not.',
    http: withoutKey('GET', PATHS.points, isLaterPage),
  },
  {
    id: 'keys.private-refused',
    clause: 'delivery.credentials.private-key-accepted',
    about: 'Keys of stores are refused, as if they had to be approved; those of providers are served.',
    rules: (correct) => ({
      deliveryKeyMatches: (presented, holder) => !('alias' in holder) && correct.deliveryKeyMatches(presented, holder),
    }),
  },
  {
    id: 'keys.public-refused',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'Keys of delivery providers are refused; those of stores are served.',
    rules: (correct) => ({
      deliveryKeyMatches: (presented, holder) => 'alias' in holder && correct.deliveryKeyMatches(presented, holder),
    }),
  },
  {
    id: 'keys.bearer-only',
    clauses: ['delivery.credentials.private-key-accepted', 'delivery.credentials.public-key-accepted'],
    about: 'Keys are accepted with the scheme Bearer instead of ApiKey.',
    http: intercepts('*', PATHS.anyDelivery, async ({ request, pass }) => {
      const header = request.headers.get('authorization') ?? '';
      const word = header.startsWith('Bearer ') ? 'ApiKey' : 'Unknown';
      return pass({ headers: { authorization: header.replace(/^\S+/, word) } });
    }),
  },
  {
    id: 'keys.missing-served',
    clause: 'delivery.credentials.missing-key-refused',
    about: 'A call without an Authorization header is served as the first store.',
    http: withoutKey('*', PATHS.anyDelivery, hasNoHeader),
  },
  {
    id: 'keys.empty-served',
    clause: 'delivery.credentials.missing-key-refused',
    about: 'A call whose header contains only the word ApiKey is served as the first store.',
    http: withoutKey(
      '*',
      PATHS.anyDelivery,
      ({ request }) => request.headers.get('authorization')?.trim() === 'ApiKey',
    ),
  },
  {
    id: 'keys.any-served',
    clauses: ['delivery.credentials.wrong-key-refused', 'delivery.credentials.near-miss-key-refused'],
    about: 'Any text is accepted as the key of the first store.',
    rules: (correct) => ({
      deliveryKeyMatches: (presented, holder) =>
        correct.deliveryKeyMatches(presented, holder) || ('alias' in holder && presented.length > 8),
    }),
  },
  {
    id: 'keys.first-eight-characters',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'Keys are compared by their first eight characters.',
    rules: keys((presented, stored) => presented.slice(0, 8) === stored.slice(0, 8)),
  },
  {
    id: 'keys.last-eight-characters',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'Keys are compared by their last eight characters.',
    rules: keys((presented, stored) => presented.slice(-8) === stored.slice(-8)),
  },
  {
    id: 'keys.case-insensitive',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'Keys are compared without regard to letter case.',
    rules: keys((presented, stored) => presented.toLowerCase() === stored.toLowerCase()),
  },
  {
    id: 'keys.second-half-case-insensitive',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'A key is looked up by its first half, and the rest of it is compared without regard to letter case.',
    rules: keys((presented, stored) => {
      const half = Math.floor(stored.length / 2);
      return presented.startsWith(stored.slice(0, half)) && presented.toLowerCase() === stored.toLowerCase();
    }),
  },
  {
    id: 'keys.longer-served',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'A text that begins with a key is accepted.',
    rules: keys((presented, stored) => presented.startsWith(stored)),
  },
  {
    id: 'keys.preceded-served',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'A text that ends with a key is accepted.',
    rules: keys(fromTheEnd),
  },
  {
    id: 'keys.letters-and-digits-only',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'Keys are compared by their letters and digits only, as numbers of accounts are.',
    rules: keys(byLettersAndDigits),
  },
  {
    id: 'keys.characters-in-any-order',
    clause: 'delivery.credentials.wrong-key-refused',
    about: 'The characters of a key are added up: in another order they are accepted.',
    rules: keys(inAnyOrder),
  },
  {
    id: 'keys.shorter-served',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'A key without its last character is accepted.',
    rules: keys((presented, stored) => stored.startsWith(presented) && presented.length >= stored.length - 1),
  },
  {
    id: 'keys.first-character-ignored',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'A key with a wrong first character is accepted.',
    rules: keys((presented, stored) => stored.endsWith(presented) && presented.length >= stored.length - 1),
  },
  {
    id: 'keys.provider-keys-by-prefix',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'Keys of providers are compared by their first eight characters; those of stores are compared whole.',
    rules: (correct) => ({
      deliveryKeyMatches: (presented, holder) =>
        'alias' in holder
          ? correct.deliveryKeyMatches(presented, holder)
          : presented.slice(0, 8) === holder.apiKey.slice(0, 8),
    }),
  },
  {
    id: 'keys.as-like-pattern',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'A key is a pattern of LIKE: an underscore matches any character.',
    rules: keys((presented, stored) => asLikePattern(presented, stored)),
  },
  {
    id: 'keys.provider-keys-as-regular-expression',
    clause: 'delivery.credentials.near-miss-key-refused',
    about: 'A key is a regular expression for those of providers; keys of stores are compared whole.',
    rules: (correct) => ({
      deliveryKeyMatches: (presented, holder) =>
        'alias' in holder
          ? correct.deliveryKeyMatches(presented, holder)
          : asRegularExpression(presented, holder.apiKey),
    }),
  },
  {
    id: 'keys.null-served',
    clause: 'delivery.credentials.wrong-key-refused',
    about: 'The word null is accepted as the key of the first store.',
    http: withoutKey('*', PATHS.anyDelivery, ({ request }) => request.headers.get('authorization') === 'ApiKey null'),
  },
  {
    id: 'keys.zero-served',
    clause: 'delivery.credentials.wrong-key-refused',
    about: 'A zero counts as no key, and as the one of the first store.',
    http: withoutKey('*', PATHS.anyDelivery, ({ request }) => request.headers.get('authorization') === 'ApiKey 0'),
  },
  {
    id: 'keys.not-required-for-method',
    clause: 'delivery.credentials.every-read',
    about: 'A method is read without a key.',
    http: withoutKey('GET', PATHS.method),
  },
  {
    id: 'keys.not-required-for-points',
    clause: 'delivery.credentials.every-read',
    about: 'The points of a method are listed without a key.',
    http: withoutKey('GET', PATHS.points),
  },
  {
    id: 'keys.not-required-for-reversed-points',
    clause: 'delivery.credentials.every-read',
    about: 'The points of a method are listed in reverse order without a key.',
    http: withoutKey('GET', PATHS.points, reversed),
  },
  {
    id: 'keys.not-required-for-reversed-methods',
    clause: 'delivery.credentials.every-read',
    about: 'Methods are listed in reverse order without a key.',
    http: withoutKey('GET', PATHS.methods, reversed),
  },
  {
    id: 'keys.not-required-for-point',
    clause: 'delivery.credentials.every-read',
    about: 'A point is read without a key.',
    http: withoutKey('GET', PATHS.point),
  },
  {
    id: 'keys.not-required-for-settings',
    clause: 'delivery.credentials.every-read',
    about: 'Custom field values are returned without a key.',
    http: withoutKey('POST', PATHS.settings),
  },
  {
    id: 'keys.not-required-for-create',
    clause: 'delivery.credentials.every-write',
    about: 'A method is created without a key.',
    http: withoutKey('POST', PATHS.newMethod),
  },
  {
    id: 'keys.not-required-for-update',
    clause: 'delivery.credentials.every-write',
    about: 'A method is updated with any key, or none.',
    http: withoutKey('PUT', PATHS.method),
  },
  {
    id: 'keys.not-required-for-batch',
    clause: 'delivery.credentials.every-write',
    about: 'Points are replaced without a key.',
    http: withoutKey('POST', PATHS.batch),
  },
  {
    id: 'keys.several-handles-with-wrong-key',
    clause: 'delivery.credentials.every-write',
    about: 'A point of several methods is updated with any key, though not without one; that of one method is not.',
    http: withoutKey('PUT', PATHS.point, (met) => !hasNoHeader(met) && met.parts[0]!.includes(',')),
  },
  {
    id: 'keys.refused-as-403',
    clause: 'delivery.credentials.code-401',
    about: 'Bad keys are refused with status 403 instead of 401.',
    rules: (correct) => ({
      finish: (call, response) => {
        const usual = correct.finish(call, response);
        const isMeant = call.iface === 'delivery' && usual.status === 401;
        return isMeant ? { ...usual, status: 403, body: { ...usual.body, error_code: 403 } } : usual;
      },
    }),
  },
  {
    id: 'settings.under-another-name',
    clause: 'delivery.settings.returns-fields',
    about: 'Custom field values are returned under the name values instead of fields.',
    rules: bodies(['readProviderSettings'], ({ fields, ...rest }) => ({ ...rest, values: fields })),
  },
  {
    id: 'settings.as-list',
    clause: 'delivery.settings.returns-fields',
    about: 'Custom field values are returned as a list of names with their values.',
    rules: bodies(['readProviderSettings'], ({ fields, ...rest }) => ({
      ...rest,
      fields: Object.entries(fields as object).map(([name, value]) => ({ name, value })),
    })),
  },
  {
    id: 'settings.of-last-website',
    clause: 'delivery.settings.values-of-order',
    about: 'The values are those of the store that configured the provider last, for every order.',
    http: intercepts('POST', PATHS.settings, async ({ body, pass, service }) => {
      const response = await pass();
      const order = service.state.orders.get(String(body?.order_uuid));
      const provider = order?.owner.split(':')[1] ?? '';
      const fields = service.state.websites
        .all()
        .findLast((website) => website.deliverySettings[Number(provider)] !== undefined)?.deliverySettings[
        Number(provider)
      ];
      return response.status === 200 && fields !== undefined ? json({ fields }) : response;
    }),
  },
  {
    id: 'settings.every-second-response-empty',
    clause: 'delivery.settings.values-of-order',
    about: 'Every second response for an order has no values.',
    rules: (correct) => {
      let responses = 0;
      return {
        settingsFields: (...of) => {
          responses += 1;
          return responses % 2 === 0 ? {} : correct.settingsFields(...of);
        },
      };
    },
  },
  {
    id: 'settings.last-value-lost',
    clause: 'delivery.settings.values-of-order',
    about: 'The last text among the values is omitted.',
    rules: (correct) => ({
      settingsFields: (order, provider, website) => {
        const fields = Object.entries(correct.settingsFields(order, provider, website));
        const last = fields.findLast(([, value]) => typeof value === 'string')?.[0];
        return Object.fromEntries(fields.filter(([name]) => name !== last));
      },
    }),
  },
  {
    id: 'settings.foreign-order-served',
    clause: 'delivery.settings.foreign-order',
    about: 'A provider gets the values of a store for an order that is another provider’s.',
    rules: () => ({ orderIsOf: () => true }),
  },
  {
    id: 'settings.order-with-store-method-served',
    clause: 'delivery.settings.foreign-order',
    about: "A provider gets the values of a store for an order that was bought with the store's own method.",
    surface: 'browser',
    // Orders of other providers are refused.
    rules: (correct) => ({
      orderIsOf: (owner, order) => order.owner.startsWith('website:') || correct.orderIsOf(owner, order),
    }),
  },
  {
    id: 'settings.unknown-order-served',
    clause: 'delivery.settings.unknown-order',
    about: 'An unknown order returns the values of the provider’s first order.',
    http: intercepts('POST', PATHS.settings, async ({ body, pass, service }) => {
      const known = service.state.orders.get(String(body?.order_uuid)) !== undefined;
      const first = service.state.orders.find(({ owner }) => owner.startsWith('provider:'));
      return known ? pass() : pass({ body: { order_uuid: first?.uuid } });
    }),
  },
  {
    id: 'settings.order-by-prefix',
    clause: 'delivery.settings.unknown-order',
    about: 'An order is found by a prefix of its id.',
    http: intercepts('POST', PATHS.settings, async ({ body, pass, service }) => {
      const sent = body?.order_uuid;
      if (typeof sent !== 'string' || sent === '') return pass();
      const found = service.state.orders.find(({ uuid }) => uuid.startsWith(sent));
      return pass({ body: { order_uuid: found?.uuid ?? sent } });
    }),
  },
  {
    id: 'settings.order-with-suffix',
    clause: 'delivery.settings.unknown-order',
    about: 'An order is found by a text that begins with its id.',
    http: intercepts('POST', PATHS.settings, async ({ body, pass, service }) => {
      const sent = body?.order_uuid;
      const found = service.state.orders.find(({ uuid }) => typeof sent === 'string' && sent.startsWith(uuid));
      return pass(found === undefined ? undefined : { body: { order_uuid: found.uuid } });
    }),
  },
  {
    id: 'settings.order-by-pattern',
    clause: 'delivery.settings.unknown-order',
    about: 'A percent sign at the end of an order id matches any characters.',
    http: intercepts('POST', PATHS.settings, async ({ body, pass, service }) => {
      const sent = body?.order_uuid;
      if (typeof sent !== 'string' || !sent.endsWith('%')) return pass();
      const found = service.state.orders.find(({ uuid }) => uuid.startsWith(sent.slice(0, -1)));
      return pass({ body: { order_uuid: found?.uuid ?? sent } });
    }),
  },
  {
    id: 'settings.served-to-stores',
    clause: 'delivery.settings.providers-only',
    about: 'A store’s private key returns the values of a provider’s order.',
    rules: () => ({
      mayAskSettings: () => true,
      orderIsOf: (owner, order) => owner.provider === null || owner.id === order.owner,
    }),
  },
];
