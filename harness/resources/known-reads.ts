/** Reads that show whether the keys of a profile are accepted: the preflight sends them, and later they show whether the target is away. */
import type { ServiceRequest } from '../target/client/request.ts';
import type { OutgoingRequest } from '../target/client/types.ts';
import { Apps } from '../target/interfaces/apps.ts';
import { Delivery } from '../target/interfaces/delivery.ts';
import { requestOf } from '../target/network/wire.ts';
import type { Profile } from '../target/profile/types.ts';
import type { RunInfo } from './run-info.ts';

/** One read for each key and code of Delivery and Apps that the profile has, with the key of the profile that it tries. */
export function readsOfKeys({ delivery, apps }: Profile): (readonly [key: string, call: ServiceRequest])[] {
  const owners = [
    ['private', 'delivery.private.apiKey', delivery?.private?.apiKey],
    ['other', 'delivery.private.otherApiKey', delivery?.private?.otherApiKey],
    ['public', 'delivery.public.apiKey', delivery?.public?.apiKey],
  ] as const;
  const lists = owners.flatMap(([owner, key, secret]) =>
    secret === undefined ? [] : [[key, new Delivery(owner, secret).listMethods({ pageSize: 1 })] as const],
  );
  const { apiKey, authCode, otherAuthCode } = apps ?? {};
  if (apiKey === undefined || authCode === undefined) return lists;
  const codes = [
    ['apps.authCode', authCode],
    ['apps.otherAuthCode', otherAuthCode],
  ] as const;
  const languages = codes.flatMap(([key, code]) =>
    code === undefined ? [] : [[key, new Apps(apiKey, code).getLanguages()] as const],
  );
  return [...lists, ...languages];
}

/** The requests of the preflight with those credentials of the profile that can be used: a new process knows them as served. */
export function knownReads(profile: Profile, unusable: RunInfo['unusable']): OutgoingRequest[] {
  const { v1 } = profile;
  if (v1 === undefined || unusable.v1 !== undefined) return [];
  return readsOfKeys(profile).flatMap(([key, call]) => (unusable[key] === undefined ? [requestOf(call, v1)] : []));
}
