/** One recorded conversation with the embedded service, and what `proofmark judge` says of it. */
import type { Exchange } from '../../contracts/run/events.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import { type BrokenOptions, brokenClauses } from '../broken-clauses.ts';
import type { EditableProfile } from '../readings/run-service.ts';
import { seededBytes } from '../seeded-bytes.ts';
import { useApps } from './apps.ts';
import { type ClientOptions, RecordedClient } from './client.ts';
import { useDelivery } from './delivery.ts';
import { useReseller } from './reseller.ts';

const ORIGIN = 'http://127.0.0.1:4010';

export interface Recording {
  readonly exchanges: readonly Exchange[];
  readonly languages: readonly string[];
  /** What an integrator would give to `judge`, by name. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Records all conversations of a client with a service of these deviations. */
export async function record(deviations: readonly Deviation[], options: ClientOptions = {}): Promise<Recording> {
  const service = createService({ origin: ORIGIN, deviations: [...deviations], random: seededBytes('recording') });
  const client = new RecordedClient(service, options);
  // Of its website other clients of a busy account change nothing.
  const { delivery, website, apps, reseller } = profileOf(service) as EditableProfile;
  const languages: readonly string[] = website.languages;
  try {
    for (const { apiKey, orderUuid } of [{ ...delivery.private, orderUuid: undefined }, delivery.public])
      await useDelivery(client, { key: apiKey, orderUuid, languages });
    await useApps(client, { key: apps.apiKey, authCode: apps.authCode, languages });
    await useReseller(client, reseller);
  } finally {
    service.close();
  }
  const keys = { STORE_KEY: delivery.private.apiKey, PROVIDER_KEY: delivery.public.apiKey, APP_KEY: apps.apiKey };
  return { exchanges: client.exchanges, languages, keys };
}

/** The clauses that a party breaks in a recording, each with the reason. */
export const brokenIn = (
  { exchanges, languages, keys }: Recording,
  party: BrokenOptions['party'],
  options: Pick<BrokenOptions, 'verdicts' | 'advice'> = {},
): string[] => brokenClauses(exchanges, { party, languages, ...(party === 'integrator' && { keys }), ...options });

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
