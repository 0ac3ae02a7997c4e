/** What answers announce about themselves in their headers: limits of requests, versions, and what comes to an end. */
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { noticesOf } from '../../harness/target/client/notices.ts';
import { OWN_METHODS } from '../delivery/steps/options.ts';

const READING = { ...OWN_METHODS, effects: 'read' } as const;

/** RateLimit and RateLimit-Policy, the older X-RateLimit-Limit and its kin, and Retry-After. */
const RATE_HEADERS = /rate-?limit|^retry-after$/i;
/** RFC 9745, RFC 8594, and the usual names of versions. */
const VERSION_HEADERS = /^(deprecation|sunset|warning|(x-)?api-(version|supported-versions|deprecated-versions))$/i;
/** Headers whose value says how much is left, and so differs from answer to answer. */
const CHANGING = /remaining|reset|retry-after|^ratelimit$/i;

const rateSeen = check(
  'envelope.headers.rate-limits',
  'OBSERVES whether a rate limit is announced and was reached',
  { clauses: [], observations: ['envelope.headers.rate-limits-seen'], ...READING },
  async (context) => {
    const announced = await headersSeen(context, RATE_HEADERS);
    const met = noticesOf(context.resources.client.hindrances).filter((notice) => notice.includes('429'));
    context.observe('envelope.headers.rate-limits-seen', { announced, met });
  },
);

const deprecationSeen = check(
  'envelope.headers.deprecation',
  'OBSERVES whether responses announce a version, a deprecation or an end of support',
  { clauses: [], observations: ['envelope.headers.deprecation-seen'], ...READING },
  async (context) => context.observe('envelope.headers.deprecation-seen', await headersSeen(context, VERSION_HEADERS)),
);

/** Headers of a served and of a refused response by name in lower case; values that change all the time are left out. */
async function headersSeen({ delivery, send, resources }: Context, names: RegExp): Promise<Record<string, string>> {
  const responses = [await send(delivery.listMethods()), await send(delivery.readMethod(resources.newMark()))];
  const headers = responses.flatMap((response) => response.headers).filter(([name]) => names.test(name));
  return Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), CHANGING.test(name) ? '(announced)' : value]),
  );
}

export const checks: readonly Check[] = [rateSeen, deprecationSeen];
