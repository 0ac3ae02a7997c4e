/** Names of fields and headers that carry credentials; one list for redaction, for what is received, and for the profile. */

/** In lower case without `-` and `_`; of the spec, of HTTP, and what others call the same. */
const NAMES = new Set([
  'apikey',
  'apitoken',
  'appsecret',
  'authcode',
  'authorization',
  'cookie',
  'email',
  'loginurl',
  'password',
  'proxyauthorization',
  'secret',
  'setcookie',
  'token',
  'xapikey',
]);

/** Custom fields are named by integrators: `api_password`, `courier-secret`, `clientApiKey`. */
const ANY_CREDENTIAL = /pass(?:word|wd|phrase)|secret|api[-_]?key|access[-_]?token|private[-_]?key/i;

/** Whether a field or header of that name carries a credential (or the account it belongs to). */
export function isCredentialField(name: string): boolean {
  return NAMES.has(name.replaceAll(/[-_]/g, '').toLowerCase()) || ANY_CREDENTIAL.test(name);
}

/** Whether a field of that name holds something that opens a door by itself. */
export function holdsSecret(name: string): boolean {
  return ANY_CREDENTIAL.test(name);
}
