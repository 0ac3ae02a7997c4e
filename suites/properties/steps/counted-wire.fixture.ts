/** The wire of an embedded service, with the number of requests that went over it. */
import type { Wire } from '../../../harness/target/network/network.ts';
import type { MockService } from '../../../mock/types/service.ts';
import { wireToService } from '../../../proof/service-wire.ts';

export function countedWire(service: MockService): { readonly wire: Wire; requests(): number } {
  let sent = 0;
  const wire = wireToService(service);
  const exchange: Wire['exchange'] = (request) => {
    sent += 1;
    return wire.exchange(request);
  };
  return { wire: { ...wire, exchange }, requests: () => sent };
}
