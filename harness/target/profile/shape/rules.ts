/** Rules between values of a profile that hold for every target, so that a mistake is found before anything is sent. */

import type { Secret } from '../../secrets/secret.ts';
import type { ReportProblem } from './parts.ts';

/** What the rules compare, by key. */
export type ComparedSecrets = Readonly<Record<string, Secret | string | undefined>>;

interface Distinct {
  readonly key: string;
  /** The key whose value it must not repeat. */
  readonly other: string;
  /** What to write instead. */
  readonly instead: string;
}

const DISTINCT: readonly Distinct[] = [
  {
    key: 'apps.otherAuthCode',
    other: 'apps.authCode',
    instead: 'write the code of a second installation of the app',
  },
  {
    key: 'delivery.private.otherApiKey',
    other: 'delivery.private.apiKey',
    instead: 'write the key of a second store',
  },
  {
    key: 'delivery.public.apiKey',
    other: 'delivery.private.apiKey',
    instead: 'write the global key of the delivery provider',
  },
  {
    key: 'delivery.public.apiKey',
    other: 'delivery.private.otherApiKey',
    instead: 'write the global key of the delivery provider',
  },
  {
    key: 'delivery.public.foreignOrderUuid',
    other: 'delivery.public.orderUuid',
    instead: 'write the id of an order of another provider',
  },
];

/** Complains of two keys with one value where the second must belong to another owner. */
export function checkDistinct(values: ComparedSecrets, complain: ReportProblem): void {
  for (const { key, other, instead } of DISTINCT) {
    const [value, its] = [plain(values[key]), plain(values[other])];
    if (value === undefined || value !== its) continue;
    complain(key, `"${key}" has the same value as "${other}": ${instead}, or remove "${key}" from the profile.`);
  }
}

const plain = (value: Secret | string | undefined): string | undefined =>
  typeof value === 'object' ? value.reveal() : value;

/** Headers that the client makes from the address and the body of each request. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Complains of names that no request can carry, which would end the run in the client, and of the header in which Delivery and Apps
 * take their keys: a value of the profile would be replaced by the key, and be sent where a check leaves the key out. `carriesKeys`: the
 * target has these interfaces.
 */
export function checkHeaders(names: readonly string[], carriesKeys: boolean, complain: ReportProblem): void {
  for (const name of names) {
    const isName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
    if (!isName)
      complain(`headers.${name}`, `"${name}" can't be the name of a header: write letters, digits and - only.`);
    else if (OF_THE_CONNECTION.has(name.toLowerCase()))
      complain(`headers.${name}`, `"headers" can't set ${name}, which each request has by itself: remove it.`);
    else if (carriesKeys && name.toLowerCase() === 'authorization')
      complain(
        `headers.${name}`,
        `"headers" can't set ${name}, in which Delivery and Apps take their keys: let the gate in front of "v1" read another header, or remove "v1" to judge Reseller alone.`,
      );
  }
}

/** Complains of a language that is written twice. */
export function checkLanguages(languages: readonly string[], complain: ReportProblem): void {
  for (const [at, language] of languages.entries())
    if (languages.indexOf(language) < at)
      complain(`website.languages[${at}]`, `"website.languages" names "${language}" twice: remove one.`);
}
