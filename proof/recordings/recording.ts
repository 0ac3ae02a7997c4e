/** One recorded conversation with the embedded service, and what `proofmark judge` says of it. */
import type { Exchange } from '../../contracts/run/events.ts';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { inStartOrder, TrafficFold } from '../../contracts/traffic/index.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import { seededBytes } from '../seeded-bytes.ts';
import { useApps } from './apps.ts';
import { RecordedClient } from './client.ts';
import { useDelivery } from './delivery.ts';
import { useReseller } from './reseller.ts';

const ORIGIN = 'http://127.0.0.1:4010';

export interface Recording {
  readonly exchanges: readonly Exchange[];
  readonly languages: readonly string[];
}

/** Records all conversations of a client with a service of these deviations. */
export async function record(deviations: readonly Deviation[]): Promise<Recording> {
  const service = createService({ origin: ORIGIN, deviations: [...deviations], random: seededBytes('recording') });
  const { state } = service;
  const client = new RecordedClient(service);
  const [store] = state.websites.all();
  const provider = state.providers.find(({ status }) => status === 'approved');
  const installation = state.installations.find(({ installed }) => installed);
  const app = installation && state.apps.get(installation.appId);
  const reseller = state.resellers.find(({ approved }) => approved);
  // As in the profile: other clients of a busy account use its other websites.
  const website = state.websites
    .all()
    .findLast(({ resellerId, premium, status }) => resellerId === reseller?.id && premium === null && status === 1);
  if (!store || !provider || !installation || !app || !reseller || !website)
    throw new Error('The fixtures of the embedded service have no store, provider, installation or reseller.');
  const { languages } = store;
  try {
    for (const { apiKey } of [store, provider]) await useDelivery(client, { key: apiKey, languages });
    const { authCode } = installation;
    await useApps(client, { key: app.apiKey, authCode, languages });
    await useReseller(client, { email: reseller.email, password: reseller.password, website: String(website.id) });
  } finally {
    service.close();
  }
  return { exchanges: client.exchanges, languages };
}

/** The clauses that a party breaks in a recording, each with the reason; `fail` for a MUST, `warn` for a SHOULD. */
export function brokenIn(
  { exchanges, languages }: Recording,
  party: 'service' | 'integrator',
  verdicts: readonly Verdict[] = ['fail'],
): string[] {
  const fold = new TrafficFold({ party, headersComplete: true, complete: true, languages });
  const order = inStartOrder((exchange) => fold.add(exchange));
  for (const exchange of exchanges) order.add(exchange);
  order.end();
  return [...fold.done().clauses.values()].flatMap(({ clause, verdict, reason, decisive }) =>
    verdicts.includes(verdict) ? [`${clause}: ${reason} (exchange ${decisive})`] : [],
  );
}

/** What differs from service to service, and from run to run, by chance. */
const BY_CHANCE =
  /\b[\da-f]{16,}\b|dm[\da-f]{16}|page_start=[^"&]*|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|"error_?[mM](?:essage|sg)":"[^"]*"/g;

/** Whether a client would see that a service responds differently from another one. */
export function differ(one: Recording, other: Recording): boolean {
  const shown = ({ exchanges }: Recording): string =>
    JSON.stringify(
      exchanges.map(({ request, response }) => [
        request.method,
        request.url.replace(BY_CHANCE, ''),
        response?.status,
        response?.headers.find(([name]) => name === 'content-type')?.[1],
        response?.body?.text?.replace(BY_CHANCE, ''),
      ]),
    );
  return shown(one) !== shown(other);
}
