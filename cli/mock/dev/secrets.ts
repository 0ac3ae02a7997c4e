/** Everything in the state of the service that opens a door, by the name that is shown in its place. */
import { type AddedSecret, MAX_LEARNED_SECRETS } from '../../../harness/evidence/redaction/index.ts';
import type { MockService } from '../../../mock/types/service.ts';

/**
 * Of the tokens only the latest that a redaction keeps: it would forget and learn the others again with each request, and a
 * client that signs in before each call leaves thousands.
 */
export function secretsOf({ state }: MockService): AddedSecret[] {
  const manifests = state.apps
    .all()
    .flatMap(({ id, manifest, pending }) => [
      { name: `APP_SECRET_${id}`, value: manifest.app_secret },
      ...(pending === null ? [] : [{ name: `NEW_APP_SECRET_${id}`, value: pending.app_secret }]),
    ]);
  const installations = state.installations.all().map(({ authCode, appId, websiteId }, at) => ({
    name: `AUTH_CODE_${appId}_${websiteId}_${at + 1}`,
    value: authCode,
  }));
  const isPassword = (provider: string, field: string): boolean =>
    state.providers
      .get(provider)
      ?.manifest.delivery_api_data_fields?.some(({ id, type }) => id === field && type === 'password') ?? false;
  const settings = state.websites
    .all()
    .flatMap(({ id, deliverySettings }) =>
      Object.entries(deliverySettings).flatMap(([provider, values]) =>
        Object.entries(values).flatMap(([field, value]) =>
          typeof value === 'string' && isPassword(provider, field)
            ? [{ name: `FIELD_${field.toUpperCase()}_${id}`, value }]
            : [],
        ),
      ),
    );
  return [
    ...settings,
    ...Object.entries(keysOf({ state })).map(([name, value]) => ({ name, value })),
    ...manifests,
    ...installations,
    ...state.resellers.all().map(({ id, password }) => ({ name: `RESELLER_PASSWORD_${id}`, value: password })),
    ...state.tokens
      .all()
      .slice(-MAX_LEARNED_SECRETS)
      .map(({ token, resellerId }) => ({ name: `API_TOKEN_${resellerId}`, value: token, learned: true })),
  ].filter(({ value }) => typeof value === 'string' && value !== '');
}

/** Keys that sign and open, and the secrets of apps, by names that the rules over traffic understand. */
export function keysOf({ state }: Pick<MockService, 'state'>): Record<string, string> {
  return Object.fromEntries([
    ...state.websites.all().map(({ id, apiKey }) => [`STORE_KEY_${id}`, apiKey]),
    ...state.providers.all().map(({ id, apiKey }) => [`PROVIDER_KEY_${id}`, apiKey]),
    ...state.apps.all().map(({ id, apiKey }) => [`APP_KEY_${id}`, apiKey]),
  ]);
}
