/** One recorded conversation with the embedded service, and what `proofmark judge` says of it. */
import type { Exchange } from '../../contracts/run/events.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import { type BrokenOptions, brokenClauses } from '../broken-clauses.ts';
import type { EditableProfile } from '../readings/run-service.ts';
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
  const client = new RecordedClient(service);
  // Of its website other clients of a busy account change nothing.
  const { delivery, website, apps, reseller } = profileOf(service) as EditableProfile;
  const languages: readonly string[] = website.languages;
  try {
    for (const { apiKey } of [delivery.private, delivery.public]) await useDelivery(client, { key: apiKey, languages });
    await useApps(client, { key: apps.apiKey, authCode: apps.authCode, languages });
    await useReseller(client, reseller);
  } finally {
    service.close();
  }
  return { exchanges: client.exchanges, languages };
}

/** The clauses that a party breaks in a recording, each with the reason. */
export const brokenIn = (
  { exchanges, languages }: Recording,
  party: BrokenOptions['party'],
  verdicts?: BrokenOptions['verdicts'],
): string[] => brokenClauses(exchanges, { party, languages, ...(verdicts === undefined ? {} : { verdicts }) });

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
