// The example profile with its env file: the values of the service that `proofmark mock` starts, secrets as variables.
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { jsonText } from './json.ts';

/** Where `proofmark mock` listens by default. */
const ORIGIN = 'http://127.0.0.1:4010';

/** Variables by the path of the secret; the names are those of `proofmark init`. */
const VARIABLES: Readonly<Record<string, string>> = {
  'delivery.private.apiKey': 'STORE_KEY',
  'delivery.private.otherApiKey': 'OTHER_STORE_KEY',
  'delivery.public.apiKey': 'PROVIDER_KEY',
  'delivery.public.expectedFields.api_password': 'PROVIDER_PASSWORD',
  'apps.apiKey': 'APP_KEY',
  'apps.appSecret': 'APP_SECRET',
  'apps.authCode': 'AUTH_CODE',
  'apps.otherAuthCode': 'OTHER_AUTH_CODE',
  'reseller.email': 'RESELLER_EMAIL',
  'reseller.password': 'RESELLER_PASSWORD',
};

/** The files by path. */
export function exampleFiles(): Map<string, string> {
  const env: string[] = [];
  const withVariables = (value: unknown, path: string): unknown => {
    const name = VARIABLES[path];
    if (name !== undefined) {
      env.push(`${name}=${value}`);
      return `\${${name}}`;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withVariables(inner, path === '' ? key : `${path}.${key}`)]),
    );
  };
  const profile = withVariables(
    { ...profileOf(createService({ origin: ORIGIN })), driver: '../mock/driver.ts' },
    '',
  ) as object;
  const heading =
    '# The credentials of the embedded service: npx proofmark run --target examples/profile.json --env-file examples/mock.env';
  return new Map([
    ['examples/profile.json', jsonText(profile)],
    ['examples/mock.env', `${[heading, ...env].join('\n')}\n`],
  ]);
}
