/** No key goes into an address, which servers write into their logs: also where a target takes calls by GET only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesAny } from '../contracts/run/glob.ts';
import { choiceOf } from './readings/reading.ts';
import { READINGS } from './readings/rows/index.ts';
import { runOnService } from './readings/run-service.ts';

/** Checks that send credentials in the place of others. */
const CHECKS = [
  'reseller.authorize.*',
  'reseller.calls.*',
  'reseller.token.*',
  'apps.credentials.*',
  'delivery.credentials.*',
];

for (const service of [
  'reseller.methods/all-get',
  'reseller.parameter-places/query-only',
  'reseller.methods/all-post',
]) {
  test(`no key in an address: ${service}`, async () => {
    const keys: string[] = [];
    const addresses: string[] = [];
    const { results } = await runOnService(choiceOf(READINGS, service), {
      wanted: (id) => matchesAny(id, CHECKS),
      edit: ({ apps, delivery }) => {
        keys.push(
          delivery.private.apiKey,
          delivery.private.otherApiKey,
          delivery.public.apiKey,
          apps.apiKey,
          apps.appSecret,
        );
      },
      onExchange: ({ request }) => addresses.push(decodeURIComponent(request.url)),
    });
    assert.ok(results.some(({ id, verdict }) => id === 'reseller.token.wrong-refused' && verdict === 'pass'));
    assert.ok(keys.length === 5 && keys.every((key) => key.length > 8));
    const [given] = addresses.filter((address) => keys.some((key) => address.includes(key)));
    assert.equal(given, undefined);
  });
}
