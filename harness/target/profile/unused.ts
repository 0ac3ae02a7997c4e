/** Values of a profile that no check uses, because the profile declares their part absent. */
import { isAbsent } from './index.ts';
import type { Part } from './shape/index.ts';
import type { Profile } from './types.ts';

/** A sentence for each part that is declared absent although the profile has its credentials: one of the two may be a mistake. */
export function unusedCredentials(profile: Pick<Profile, 'absent' | 'delivery' | 'apps' | 'reseller'>): string[] {
  const { delivery, apps, reseller } = profile;
  const credentials: readonly (readonly [part: Part, keys: Readonly<Record<string, unknown>>])[] = [
    ['delivery.private', { 'delivery.private.apiKey': delivery?.private?.apiKey }],
    ['delivery.public', { 'delivery.public.apiKey': delivery?.public?.apiKey }],
    ['apps', { 'apps.apiKey': apps?.apiKey, 'apps.authCode': apps?.authCode }],
    ['reseller', { 'reseller.email': reseller?.email, 'reseller.password': reseller?.password }],
  ];
  return credentials.flatMap(([part, keys]) => {
    const given = Object.keys(keys).filter((key) => keys[key] !== undefined);
    if (given.length === 0 || !isAbsent(profile, part)) return [];
    const declared = profile.absent.has(part) ? part : part.split('.')[0];
    const names = given.map((key) => `"${key}"`).join(' and ');
    return [
      `${names} of the profile ${given.length === 1 ? 'is' : 'are'} not used, because "absent" contains "${declared}": remove the one or the other.`,
    ];
  });
}
