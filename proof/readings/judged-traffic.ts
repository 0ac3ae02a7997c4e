/** What `proofmark judge` says of the traffic of a run on a conformant service: it may blame the service for nothing. */
import type { Exchange } from '../../contracts/run/events.ts';
import { brokenClauses } from '../broken-clauses.ts';
import type { Choice } from './reading.ts';
import { runOnService, type ServiceRunOptions } from './run-service.ts';

/** The clauses that the traffic of the checks breaks, each with its reason. */
export async function judgedTraffic(choice: Choice, options: ServiceRunOptions = {}): Promise<string[]> {
  const exchanges: Exchange[] = [];
  await runOnService(choice, { ...options, onExchange: (exchange) => void exchanges.push(exchange) });
  exchanges.sort((a, b) => a.n - b.n);
  return brokenClauses(exchanges, { party: 'service' });
}
