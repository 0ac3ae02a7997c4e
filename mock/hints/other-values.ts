/** Values that were sent in the place of a key: what they are of this service, in words. A hint names their kind and never shows them. */
import type { MockService } from '../types/service.ts';

/** What a value is, for a sentence that begins with `this is`; undefined if the service does not know it. */
export function knownValue({ state }: MockService, value: string): string | undefined {
  if (value === '') return undefined;
  if (state.tokens.get(value) !== undefined) return 'an apiToken of Reseller';
  if (state.installations.find(({ authCode }) => authCode === value)) return 'an authCode';
  if (state.apps.find(({ manifest }) => manifest.app_secret === value)) return 'the app_secret, which signs requests';
  if (state.resellers.find(({ password }) => password === value)) return 'the password of a reseller';
  const isId = [...state.apps.all(), ...state.websites.all(), ...state.providers.all()].some(
    ({ id }) => String(id) === value,
  );
  return isId ? 'an id' : undefined;
}

/** A value without what clients put around it by mistake, and what that was: encoded in base64, percent-encoded. */
export function unwrapped(value: string): readonly (readonly [how: string, value: string])[] {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const forms = [
    ['in base64', text],
    ['in base64, behind a user name', text.replace(/^[^:]*:/, '')],
    ['percent-encoded', percentDecoded(value)],
  ] as const;
  return forms.filter(([, inner]) => inner !== value);
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value).trim();
  } catch {
    return '';
  }
}
