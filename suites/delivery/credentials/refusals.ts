/** The key of a Delivery call: a valid one is accepted; a missing or wrong one is refused (spec: Authentication, A). */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { type Probe, summary } from '../../../harness/check/expect.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Delivery } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../harness/target/secrets/secret.ts';
import { credentialsOfApps, NULL_KEYS, nearMissKeys, WITHOUT_KEY, wrongKey } from '../steps/owners/keys.ts';

const READS = { needs: ['delivery.private.apiKey'], effects: 'read', part: 'delivery' } as const;

/** Whether a response is a list of methods, not just any success. */
const isList = (response: ServiceResponse): boolean =>
  isServed(response) && isJsonObject(response.json) && Array.isArray(response.json.delivery_methods);

/** The keys of the profile, each with a call that it may make: the keys of providers and stores may be looked up in different places. */
function ownersOf({ delivery, profile }: Context): Delivery[] {
  const key = profile.delivery?.public?.apiKey;
  return key === undefined ? [delivery] : [delivery, new Delivery('public', key)];
}

/** Asserts that listing the methods is refused with each of the altered headers, while the right key lists them. */
async function refusesToList(context: Context, probesOf: (key: Secret) => readonly Probe[]): Promise<void> {
  for (const owner of ownersOf(context)) {
    await context.expect.refusesEach(owner.listMethods(), probesOf(owner.key), {
      clause: `delivery.credentials.${owner.owner === 'public' ? 'public' : 'private'}-key-accepted`,
      accepted: isList,
      control: 'beside',
    });
  }
}

/** Asserts that a key returns the list of its methods. */
async function servesList({ expect, given, send }: Context, owner: Delivery): Promise<void> {
  const response = await send(owner.listMethods(), 'list');
  expect.served(response, 'must serve a call with a valid key');
  given.holds(
    isList(response),
    'delivery.method.list-contains-own',
    `no list of methods was returned: ${summary(response)}`,
  );
}

export const checks: readonly Check[] = [
  check(
    'delivery.credentials.private-key-accepted',
    'MUST accept the private key of a store',
    { ...READS, part: 'delivery.private', clauses: ['delivery.credentials.private-key-accepted'] },
    async (context) => servesList(context, context.delivery),
  ),

  check(
    'delivery.credentials.public-key-accepted',
    'MUST accept the global key of a delivery provider',
    {
      needs: ['delivery.public.apiKey'],
      effects: 'read',
      part: 'delivery.public',
      clauses: ['delivery.credentials.public-key-accepted'],
    },
    async (context) => servesList(context, context.provider),
  ),

  check(
    'delivery.credentials.missing-key-refused',
    'MUST refuse a request without a key',
    { ...READS, clauses: ['delivery.credentials.missing-key-refused'] },
    async (context) => refusesToList(context, () => WITHOUT_KEY),
  ),

  check(
    'delivery.credentials.wrong-key-refused',
    'MUST refuse a request with a key that was never issued',
    { ...READS, clauses: ['delivery.credentials.wrong-key-refused'] },
    async (context) =>
      refusesToList(context, (key) => [wrongKey(context, key), ...NULL_KEYS, ...credentialsOfApps(context, key)]),
  ),

  check(
    'delivery.credentials.near-miss-key-refused',
    'MUST refuse a key that differs from the correct one by one character',
    { ...READS, clauses: ['delivery.credentials.near-miss-key-refused'] },
    async (context) => refusesToList(context, (key) => nearMissKeys(context, key)),
  ),

  check(
    'delivery.credentials.code-401',
    'SHOULD refuse a missing or wrong key with error code 401',
    { ...READS, clauses: ['delivery.credentials.code-401'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const control = await given.promised(
        send(delivery.listMethods(), 'control'),
        'delivery.credentials.private-key-accepted',
      );
      given.holds(isList(control), 'delivery.method.list-contains-own', 'no list of methods was returned');
      for (const { change, mutate } of [WITHOUT_KEY[0]!, wrongKey(context, delivery.key)]) {
        const response = await send(mutate(delivery.listMethods()), 'probe');
        given.holds(
          !isServed(response),
          'delivery.credentials.wrong-key-refused',
          `a call with ${change} was served: ${summary(response)}`,
        );
        const code = isJsonObject(response.json) ? response.json.error_code : undefined;
        expect.that(
          response.status === 401 || code === 401,
          `should refuse a call with ${change} with error code 401`,
          {
            expected: 401,
            actual: { status: response.status, error_code: code ?? null },
            response,
          },
        );
      }
    },
  ),
];
