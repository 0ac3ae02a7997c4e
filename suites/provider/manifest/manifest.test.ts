// Each fault of a provider manifest is reported by exactly one check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDeliveryManifest } from '../../../contracts/manifests/index.ts';
import { unreportedFaults } from './manifest.ts';

const VENDOR = { company_name: 'P', support_email: 'a@b.c', support_phone: '1', developer_email: 'd@b.c' };
const WHOLE = { app_type: 'DELIVERY_SERVICE', app_title: 'Parcels', app_vendor: VENDOR };
const field = (more: object) => ({
  ...WHOLE,
  delivery_api_data_fields: [{ id: 'a', title: 'A', type: 'text', ...more }],
});

const FAULTY: readonly unknown[] = [
  [],
  {},
  { ...WHOLE, app_type: 'APP' },
  { ...WHOLE, app_title: { en: 'x' } },
  { ...WHOLE, app_title: ' ' },
  { ...WHOLE, app_vendor: 'P' },
  { ...WHOLE, app_vendor: { ...VENDOR, developer_email: 'nobody', support_phone: 7 } },
  { ...WHOLE, delivery_api_data_fields: {} },
  { ...WHOLE, delivery_api_data_fields: ['a'] },
  field({ id: 7 }),
  field({ title: { english: 7 } }),
  field({ type: 'number' }),
  field({ required: 'yes' }),
  field({ id: 'weight' }),
  { ...WHOLE, delivery_service_info: 'x' },
  { ...WHOLE, delivery_service_info: { info_url: 7 } },
  { ...WHOLE, delivery_service_info: { info_url: { en: 'http://a.example/', lv: 'no address' } } },
];

for (const manifest of FAULTY) {
  test(`the faults of ${JSON.stringify(manifest).slice(0, 120)} have their checks`, () => {
    const faults = judgeDeliveryManifest(manifest);
    assert.notEqual(faults.length, 0);
    assert.deepEqual(unreportedFaults(faults), []);
  });
}
