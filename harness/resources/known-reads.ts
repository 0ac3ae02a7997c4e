/** Reads that the preflight has sent, so that a process which has sent nothing yet knows calls that the target serves. */
import type { OutgoingRequest } from '../target/client/types.ts';
import { Apps } from '../target/interfaces/apps.ts';
import { Delivery } from '../target/interfaces/delivery.ts';
import { requestOf } from '../target/network/wire.ts';
import type { Profile } from '../target/profile/types.ts';
import type { RunInfo } from './run-info.ts';

/** The requests of the preflight with those credentials of the profile that can be used. */
export function knownReads({ v1, delivery, apps }: Profile, unusable: RunInfo['unusable']): OutgoingRequest[] {
  if (v1 === undefined || unusable.v1 !== undefined) return [];
  const owners = [
    ['private', delivery?.private?.apiKey],
    ['public', delivery?.public?.apiKey],
  ] as const;
  const lists = owners.flatMap(([owner, key]) =>
    key === undefined || unusable[`delivery.${owner}.apiKey`] !== undefined
      ? []
      : [new Delivery(owner, key).listMethods({ pageSize: 1 })],
  );
  const languages =
    apps?.apiKey === undefined || apps.authCode === undefined || unusable['apps.authCode'] !== undefined
      ? []
      : [new Apps(apps.apiKey, apps.authCode).getLanguages()];
  return [...lists, ...languages].map((call) => requestOf(call, v1));
}
