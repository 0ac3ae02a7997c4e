/** Which requests to the addresses of the app are loads for a user. */
import { pairsOf } from '../../../contracts/install-hash/index.ts';
import type { Listener, Received } from '../../../harness/target/listener/index.ts';
import type { App } from './registration.ts';

const PARAMETERS: ReadonlySet<string> = new Set('hash authCode appId language callback platformVersion'.split(' '));

/** A service may ask first whether there is a page. */
const isFetch = ({ method }: Received): boolean => method !== 'HEAD' && method !== 'OPTIONS';

/** It may also look at the page itself, without a user and so without any parameter of the contract. */
export const isLoad = (received: Received): boolean =>
  isFetch(received) && pairsOf(received.query).some(([name]) => PARAMETERS.has(name));

/**
 * The first load at a path of the app from the `after`th request on. Where none came in time, a request without any
 * parameter is taken for it: then the service sends none.
 */
export async function loadAt(
  listener: Listener,
  { listensAs }: App,
  path: string,
  after: number,
  timeoutMs: number,
): Promise<Received | undefined> {
  const isThere = (received: Received): boolean => isFetch(received) && received.path.endsWith(path);
  const load = await listener.waitFor(listensAs, after, timeoutMs, (received) => isThere(received) && isLoad(received));
  return load ?? listener.received(listensAs).slice(after).find(isThere);
}
