/** Faults of services that keep the credentials of all interfaces in one table: each interface takes those of the others. */
import type { Deviation, Http } from '../types/deviation.ts';
import type { MockService } from '../types/service.ts';
import { APPS, codeIn, keyIn, passWithCredentials } from './apps/interception.ts';
import { intercepts, PATHS } from './interception.ts';
import { API, acceptsToken } from './reseller/interception.ts';

type IsKnown = (state: MockService['state'], text: string) => boolean;

const isCode: IsKnown = ({ installations }, text) => installations.has(text);
const isToken: IsKnown = ({ tokens }, text) => tokens.has(text);
const isStoreKey: IsKnown = ({ websites }, text) => websites.find(({ apiKey }) => apiKey === text) !== undefined;
const isAppKey: IsKnown = ({ apps }, text) => apps.find(({ apiKey }) => apiKey === text) !== undefined;

/** Delivery takes a text of this kind for the key of the first store. */
const asDeliveryKey = (isKnown: IsKnown): Http =>
  intercepts('*', PATHS.anyDelivery, async ({ pass, request, service: { rules, state } }) => {
    const [store] = state.websites.all();
    const isTaken = isKnown(state, rules.apiKeyOf(request.headers.get('authorization')) ?? '');
    return isTaken && store !== undefined ? pass({ headers: { authorization: `ApiKey ${store.apiKey}` } }) : pass();
  });

/** Apps takes a text of this kind for the key of an app. */
const asAppKey = (isKnown: IsKnown): Http =>
  intercepts('*', APPS.any, async (met) =>
    isKnown(met.service.state, met.service.rules.apiKeyOf(keyIn(met)) ?? '')
      ? passWithCredentials(met, 'key')
      : met.pass(),
  );

/** Apps takes a text of this kind for an authCode. */
const asCode = (isKnown: IsKnown): Http =>
  intercepts('*', APPS.any, async (met) =>
    isKnown(met.service.state, codeIn(met) ?? '') ? passWithCredentials(met, 'code') : met.pass(),
  );

/** Reseller takes a text of this kind for an apiToken. */
const asToken = (isKnown: IsKnown): Http =>
  acceptsToken(API.allButAuthorize, (token, { state }) => isKnown(state, token ?? ''));

export const oneTableOfKeysFaults: readonly Deviation[] = [
  {
    id: 'keys.auth-code-served',
    clause: 'delivery.credentials.wrong-key-refused',
    about: 'Delivery accepts the authCode of an installation as the key of a store.',
    http: asDeliveryKey(isCode),
  },
  {
    id: 'keys.session-token-served',
    clause: 'delivery.credentials.wrong-key-refused',
    about: 'Delivery accepts the token of a Reseller session as the key of a store.',
    http: asDeliveryKey(isToken),
  },
  {
    id: 'apps.key-auth-code-accepted',
    clause: 'apps.credentials.wrong-key-refused',
    about: 'Apps accepts the authCode of an installation as the key of the app.',
    http: asAppKey(isCode),
  },
  {
    id: 'apps.key-session-token-accepted',
    clause: 'apps.credentials.wrong-key-refused',
    about: 'Apps accepts the token of a Reseller session as the key of an app.',
    http: asAppKey(isToken),
  },
  {
    id: 'apps.code-session-token-accepted',
    clause: 'apps.credentials.wrong-auth-code-refused',
    about: 'Apps accepts the token of a Reseller session as the authCode of the first installation.',
    http: asCode(isToken),
  },
  {
    id: 'apps.code-app-id-accepted',
    clause: 'apps.credentials.wrong-auth-code-refused',
    about: 'Apps accepts the id of the app as the authCode of the first installation.',
    http: asCode(({ apps }, text) => apps.has(text)),
  },
  {
    id: 'reseller.token-store-key-accepted',
    clause: 'reseller.token.wrong-refused',
    about: 'Reseller accepts the key of a store as the token of the latest session.',
    http: asToken(isStoreKey),
  },
  {
    id: 'reseller.token-app-key-accepted',
    clause: 'reseller.token.wrong-refused',
    about: 'Reseller accepts the key of an app as the token of the latest session.',
    http: asToken(isAppKey),
  },
  {
    id: 'reseller.token-auth-code-accepted',
    clause: 'reseller.token.wrong-refused',
    about: 'Reseller accepts the authCode of an installation as the token of the latest session.',
    http: asToken(isCode),
  },
];
