import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Apps } from '../../target/interfaces/apps.ts';
import { Delivery } from '../../target/interfaces/delivery.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { ServedUpdates } from './served-updates.ts';

const store = new Delivery('private', new Secret('STORE_KEY', 'key-1'));
const provider = new Delivery('public', new Secret('PROVIDER_KEY', 'key-2'));
const apps = new Apps(new Secret('APP_KEY', 'key-3'), new Secret('AUTH_CODE', 'code-1'));

const POINT = 'delivery.point.update-applies';
const METHOD = 'delivery.method.update-applies';

/** What is known after these calls were served. */
function after(...served: readonly Parameters<ServedUpdates['note']>[0][]): ServedUpdates {
  const updates = new ServedUpdates();
  for (const call of served) updates.note(call);
  return updates;
}

const changed = (handle: string, id: string, fields: Record<string, unknown>) => store.changePoint(handle, id, fields);

describe('the refusal of an update', () => {
  test('is explained by what is there if calls with each of its parts were served', () => {
    const known = after(changed('a', 'p1', { city: 'Riga' }), changed('b', 'p2', { address: 'Elm 5', city: 'Tartu' }));
    assert.equal(known.brokenBy(changed('c', 'p3', { city: 'Paide' })), POINT);
    assert.equal(known.brokenBy(changed('c', 'p3', { address: 'Oak 7', city: 'Paide' })), POINT);
  });

  test('may be about a field, a value, or a caller of which nothing was served', () => {
    const known = after(changed('a', 'p1', { city: 'Riga' }));
    assert.equal(known.brokenBy(changed('c', 'p3', { city: "L'Aquila" })), undefined);
    assert.equal(known.brokenBy(changed('c', 'p3', { address: 'Oak 7' })), undefined);
    assert.equal(known.brokenBy(provider.changePoint('c', 'p3', { city: 'Paide' })), undefined);
    assert.equal(known.brokenBy(store.changePoint(['c', 'd'], 'p3', { city: 'Paide' })), undefined);
  });

  test('may be about other objects where it names a country, a title or an id', () => {
    const fields = { city: 'Riga', country: 'LV', title: 'Locker' };
    assert.equal(after(changed('a', 'p1', fields)).brokenBy(changed('c', 'p3', fields)), undefined);
  });

  test('may be due to a limit on the number of updates, until one is served again', () => {
    const update = (n: number) => changed('a', `p${n}`, { city: 'Riga' });
    const known = after(update(1), update(2), update(3), update(4));
    assert.equal(known.brokenBy(update(5)), undefined);
    assert.equal(known.brokenBy(update(6)), undefined);
    known.note(update(7));
    assert.equal(known.brokenBy(update(5)), POINT);
  });

  test('may be due to an upload that is under way', () => {
    const begun = store.batchReplace('c', { pickup_points: [{ id: 'p9' }], is_finalization: false });
    const known = after(changed('a', 'p1', { city: 'Riga' }), begun);
    assert.equal(known.brokenBy(changed('c', 'p3', { city: 'Paide' })), undefined);
    assert.equal(known.brokenBy(changed('d', 'p3', { city: 'Paide' })), POINT);
  });

  test('may be due to values that are there already', () => {
    const update = changed('a', 'p1', { city: 'Riga' });
    const elsewhere = changed('b', 'p1', { city: 'Riga' });
    assert.equal(after(update).brokenBy(update), undefined);
    assert.equal(after(elsewhere, store.addPoint('a', { id: 'p1', city: 'Riga' })).brokenBy(update), undefined);
    const list = store.batchReplace('a', { pickup_points: [{ id: 'p1', city: 'Riga' }] });
    assert.equal(after(elsewhere, list).brokenBy(update), undefined);
    assert.equal(after(elsewhere, list, store.deleteMethod('a')).brokenBy(update), POINT);
  });
});

test('titles and references of methods are compared where no other method can have them', () => {
  const titled = (handle: string, title: unknown) => store.changeMethod(handle, { title });
  const [one, other] = ['pm-20260101-1a1b2c3d4e changed', 'pm-20260101-2f2a3b4c5d changed'];
  assert.equal(after(titled('a', one)).brokenBy(titled('b', other)), METHOD);
  assert.equal(after(titled('a', { en: 'Pabcdefghi' })).brokenBy(titled('b', { en: 'Pihgfedcba' })), METHOD);
  const created = store.addMethod({ title: other, reference: 'r-1' });
  assert.equal(after(titled('a', one), created).brokenBy(titled('b', other)), undefined);
  assert.equal(after(titled('a', 'Courier')).brokenBy(titled('b', 'Courier')), undefined);
  const countries = store.changeMethod('b', { title: one, available_countries_to: ['LV'] });
  assert.equal(after(countries).brokenBy(countries), undefined);
});

test('a snippet or data of an app that can not be set again is not replaced', () => {
  const [one, other] = ['<p>pm-20260101-1a1b2c3d4e</p>', '<p>pm-20260101-2f2a3b4c5d</p>'];
  const known = after(apps.setSnippet(one), apps.setData(one));
  assert.equal(known.brokenBy(apps.setSnippet(other)), 'apps.snippet.replaced');
  assert.equal(known.brokenBy(apps.setData(other)), 'apps.data.replaced-entirely');
  assert.equal(known.brokenBy(apps.setSnippet(one)), undefined);
  assert.equal(known.brokenBy(apps.setSnippet(other, 'lv')), undefined);
  assert.equal(known.brokenBy(apps.setData({ one })), undefined);
});
