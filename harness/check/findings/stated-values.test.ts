import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ServiceRequest, withPair } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { Delivery } from '../../target/interfaces/delivery.ts';
import type { Profile } from '../../target/profile/types.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { otherThanStated } from './stated-values.ts';

const KEY = new Secret('APP_KEY', 'key-1');
const CODE = new Secret('AUTH_CODE', 'code-1');
const PROVIDER = new Secret('PROVIDER_KEY', 'key-2');
const apps = new Apps(KEY, CODE);
const provider = new Delivery('public', PROVIDER);

const PROFILE = {
  apps: { apiKey: KEY, authCode: CODE },
  website: { languages: ['lv', 'en'] },
  delivery: { public: { apiKey: PROVIDER, orderUuid: 'order-1', expectedFields: { depot: 'Rīga', floor: '3' } } },
} as unknown as Profile;

const broken = (call: ServiceRequest, json: unknown, profile = PROFILE, status = 200): string | undefined =>
  otherThanStated(profile, call, { status, json, exchange: 3 } as ServiceResponse)?.clause;

const LANGUAGES = 'apps.languages.exactly-website-languages';
const VALUES = 'delivery.settings.values-of-order';

test('a response with other values than the profile states breaks their clause', () => {
  const order = provider.readProviderSettings('order-1');
  const rows: readonly (readonly [ServiceRequest, unknown, string | undefined])[] = [
    [apps.getLanguages(), { languages: ['en', 'lv'] }, undefined],
    [apps.getLanguages(), { languages: ['lv'] }, LANGUAGES],
    [apps.getLanguages(), { languages: ['lv', 'en', 'en'] }, LANGUAGES],
    [apps.getLanguages(), { languages: [] }, LANGUAGES],
    [order, { fields: { depot: 'Rīga', floor: 3, more: 'x' } }, undefined],
    [order, { fields: { depot: 'Rīga' } }, VALUES],
    [order, { fields: { depot: 'Liepāja', floor: '3' } }, VALUES],
  ];
  for (const [call, json, clause] of rows) assert.equal(broken(call, json), clause, JSON.stringify(json));
});

test('nothing is compared for another caller, a refusal, or a form that other clauses are about', () => {
  const order = provider.readProviderSettings('order-1');
  const rows: readonly (readonly [string, ServiceRequest, unknown])[] = [
    ['another installation', new Apps(KEY, new Secret('OTHER', 'code-2')).getLanguages(), { languages: ['et'] }],
    ['an unusual call', withPair(apps.getLanguages(), 'query', 'lang', 'lv'), { languages: ['lv'] }],
    ['another operation', apps.getWebsite(), { languages: ['lv'] }],
    ['another order', provider.readProviderSettings('order-2'), { fields: { depot: 'Cēsis' } }],
    ['no list', apps.getLanguages(), { languages: { lv: 'Latvian' } }],
    ['a list of fields', order, { fields: [{ depot: 'x' }] }],
    ['an order that is not filled in', order, { fields: { depot: '', floor: null } }],
  ];
  for (const [what, call, json] of rows) assert.equal(broken(call, json), undefined, what);
  assert.equal(broken(apps.getLanguages(), { languages: [] }, PROFILE, 403), undefined);
  assert.equal(broken(apps.getLanguages(), { languages: [] }, { ...PROFILE, website: undefined }), undefined);
});
