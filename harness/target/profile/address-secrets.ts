/** Secrets in the addresses of a profile: a token in a path or query, for a preview or a gate. */
import type { Format } from './shape/index.ts';

const ADDRESSES: ReadonlySet<Format> = new Set(['base-v1', 'base-api', 'web-address']);
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * What an address takes from the environment and may be a secret, by the name of the variable. A variable that holds the host, or the
 * whole address, is not one; of a whole address the values of its query are.
 */
export function secretsInAddress(
  template: string,
  format: Format | undefined,
  env: Readonly<Record<string, string | undefined>>,
): [name: string, value: string][] {
  if (format === undefined || !ADDRESSES.has(format)) return [];
  const authority = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(template)?.[0] ?? '';
  return [...template.matchAll(REFERENCE)].flatMap(({ 1: name = '', index }): [string, string][] => {
    const value = env[name] ?? '';
    if (index >= authority.length) return [[name, value]];
    const query = URL.parse(value)?.search ?? '';
    const pairs = query.slice(1).split('&');
    const written = pairs.map((pair) => pair.slice(pair.indexOf('=') + 1));
    const values = [...written, ...new URLSearchParams(query).values()];
    return values.filter((one) => one !== '').map((one) => [name, one]);
  });
}

/** Whether the address of a proxy holds what opens it. A user alone may be a token: some proxies take nothing else. */
export function isProxyWithCredentials(format: Format | undefined, text: string): boolean {
  const url = format === 'proxy' ? URL.parse(text) : null;
  return url !== null && (url.username !== '' || url.password !== '');
}
