import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ServiceRequest, withPair } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { Delivery } from '../../target/interfaces/delivery.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { servedWithoutCredentials } from './wrong-credentials.ts';

const KEY = new Secret('STORE_KEY', 'key-1');
const CODE = new Secret('AUTH_CODE', 'code-1');
const near = ({ name }: Secret, value: string): Secret => new Secret(`${name}_NEAR_MISS_2`, value);
const delivery = new Delivery('private', KEY);
const apps = new Apps(KEY, CODE);
const withoutKey = (call: ServiceRequest): ServiceRequest => withPair(call, 'headers', 'authorization', undefined);

const broken = (call: ServiceRequest, status = 200, json: unknown = { error: false }): string | undefined =>
  servedWithoutCredentials(call, { status, json, exchange: 3 } as ServiceResponse)?.clause;

test('a call that is served without its credentials breaks the clause about calls of its kind', () => {
  const rows: readonly (readonly [ServiceRequest, string | undefined])[] = [
    [delivery.listMethods(), undefined],
    [withoutKey(delivery.listMethods()), 'delivery.credentials.every-read'],
    [withoutKey(delivery.readProviderSettings('o')), 'delivery.credentials.every-read'],
    [withoutKey(delivery.deleteMethod('m')), 'delivery.credentials.every-write'],
    [new Delivery('private', near(KEY, 'key-2')).listMethods(), 'delivery.credentials.every-read'],
    [apps.getData(), undefined],
    [withPair(apps.getData(), 'query', 'authCode', undefined), 'apps.credentials.every-read'],
    [new Apps(KEY, near(CODE, 'code-2')).setData('x'), 'apps.credentials.every-write'],
    // The older spelling of the parameter is one that services may take.
    [withPair(withPair(apps.getData(), 'query', 'authCode', undefined), 'query', 'authcode', CODE), undefined],
    // No operation of the contract.
    [withoutKey(delivery.call('GET', 'store/orders/')), undefined],
  ];
  for (const [call, clause] of rows) assert.equal(broken(call), clause, `${call.method} ${call.path}`);
});

test('a refusal, and what is no JSON object, is nothing that was served', () => {
  const call = withoutKey(delivery.listMethods());
  assert.equal(broken(call, 401, { error: true }), undefined);
  assert.equal(broken(call, 200, { error: true }), undefined);
  assert.equal(broken(call, 200, ['a']), undefined);
});
