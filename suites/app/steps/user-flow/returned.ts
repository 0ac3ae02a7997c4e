/** What a user brings back through the callback: all parameters that the service sent but two, to the address that it named. */
import type { Pairs } from '../../../../contracts/install-hash/index.ts';
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import { isLoopbackHost } from '../../../../harness/target/profile/index.ts';

/** What does not come back. */
export const NOT_SENT_BACK: readonly string[] = ['hash', 'callback'];

/** What has to come back: every parameter that the service sent, except two. */
export const expectedBack = (sent: Pairs): Pairs => sent.filter(([name]) => !NOT_SENT_BACK.includes(name));

const isAmong = (pairs: Pairs, [name, value]: readonly [string, string]): boolean =>
  pairs.some((pair) => pair[0] === name && pair[1] === value);

/** Which of the sent parameters are missing or changed in what came back, each as the end of a sentence. */
export function missingFrom(received: Pairs, sent: Pairs): string[] {
  return expectedBack(sent)
    .filter((pair) => !isAmong(received, pair))
    .map(([name, value]) => {
      const other = received.find((pair) => pair[0] === name);
      return other === undefined
        ? `${name} is missing`
        : `${name} is ${JSON.stringify(other[1])} instead of ${JSON.stringify(value)}`;
    });
}

const named = (pairs: Pairs, name: string): number => pairs.filter(([other]) => other === name).length;

/** What came back and was not sent, or more often than it was; those that may not come back are judged elsewhere. */
export const addedTo = (received: Pairs, sent: Pairs): Pairs =>
  received.filter(
    ([name], at) => !NOT_SENT_BACK.includes(name) && named(received.slice(0, at + 1), name) > named(sent, name),
  );

export const ADDRESS_CHANGED =
  'the app must redirect to the address in callback as it is: another spelling of it may be another address to the service, or have none of its cookies';

/** Whether the user came to an address, letter by letter. A tunnel may write another host into the request. */
export function leadsTo({ path, headers }: Received, address: string): boolean {
  const { host, hostname, pathname } = new URL(address);
  const came = URL.parse(`http://${headers.host}`);
  const isNear = came !== null && isLoopbackHost(came.hostname) && isLoopbackHost(hostname);
  return path === pathname && (!isNear || came.host === host);
}
