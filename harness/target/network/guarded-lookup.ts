/** A lookup of names that gives no address to which a connection must not be made. */
import { type LookupAddress, type LookupOptions, lookup as lookupOfSystem } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { GiveUpError } from './explain-failure.ts';
import type { ConnectPolicy } from './reach.ts';

/** All addresses of a name. */
export type ResolveAll = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The address that is judged is the one that is connected to: a name that pointed elsewhere when it was judged before is asked
 * once, here. One address that must not be connected to refuses the whole name.
 */
export function guardedLookup(mayConnect: ConnectPolicy, resolve: ResolveAll = lookupOfSystem): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = error === null ? addresses.find(({ address }) => !mayConnect(address)) : undefined;
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '', 0);
      else if (refused !== undefined)
        callback(
          new GiveUpError(
            'NOT_FOLLOWED',
            `${hostname} now resolves to ${refused.address}, to which no request is sent.`,
          ),
          '',
          0,
        );
      else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
