/** The credentials that an operator may have, and the keys of a profile that each of them fills. */

export interface Credential {
  /** As `--with` names it. */
  readonly name: string;
  readonly about: string;
  /** Paths in the profile; the example of each names the environment variable. */
  readonly keys: readonly string[];
  readonly api: 'v1' | 'api';
}

export const CREDENTIALS: readonly Credential[] = [
  { name: 'store', about: 'the API key of a test store', keys: ['delivery.private.apiKey'], api: 'v1' },
  {
    name: 'other-store',
    about: 'the API key of a second store',
    keys: ['delivery.private.otherApiKey'],
    api: 'v1',
  },
  { name: 'provider', about: 'the global key of a delivery provider', keys: ['delivery.public.apiKey'], api: 'v1' },
  {
    name: 'app',
    about: 'the key of a test app and the authCode of an installation',
    keys: ['apps.apiKey', 'apps.authCode'],
    api: 'v1',
  },
  { name: 'app-secret', about: "the app's secret (app_secret)", keys: ['apps.appSecret'], api: 'v1' },
  {
    name: 'other-installation',
    about: 'the authCode of a second installation',
    keys: ['apps.otherAuthCode'],
    api: 'v1',
  },
  {
    name: 'reseller',
    about: 'e-mail and password of a reseller account',
    keys: ['reseller.email', 'reseller.password'],
    api: 'api',
  },
];
