import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRequest } from '../../target/client/request.ts';
import { completed, readBefore, TitlesTaken } from './complete-update.ts';

const update = (path: string, body: ServiceRequest['body']): ServiceRequest => ({
  ...{ api: 'v1', method: 'PUT', path, query: [], headers: [] },
  ...(body === undefined ? {} : { body }),
});

const POINT = { title: 'Origo', address: 'Street 1', city: '', zip: 'LV-1050', country: 'LV', attributes: { a: 1 } };

test('an update gets the fields that it leaves out as they are shown, and keeps its own', () => {
  const call = update('store/delivery_method/m/pickup_point/p/', { json: { pickup_point: { city: 'Riga' } } });
  const wanted = { json: { pickup_point: { ...POINT, id: 'p', city: 'Riga' } } };
  assert.deepEqual(completed(call, { ...POINT, id: 'of another', sort: 3 }, { completion: 'all' }).body, wanted);
  assert.deepEqual(completed(call, { pickup_point: { ...POINT, id: 'p' } }, { completion: 'all' }).body, wanted);
  const withOwnMember = { ...POINT, id: 'p', pickup_point: { indoors: true } };
  assert.deepEqual(completed(call, withOwnMember, { completion: 'all' }).body, wanted);
  assert.deepEqual(completed(call, undefined, { completion: 'id' }).body, {
    json: { pickup_point: { id: 'p', city: 'Riga' } },
  });
});

test('a title gets the languages that were sent, and those that hold a text where none was', () => {
  const call = update('store/delivery_method/m/pickup_point/p/', { json: { pickup_point: { city: 'Riga' } } });
  const titleFor = (isSent?: (language: string) => boolean): unknown => {
    const shown = { ...POINT, title: { en: 'Origo', lv: 'Origo', de: null } };
    const { body } = completed(call, shown, { completion: 'all', ...(isSent === undefined ? {} : { isSent }) });
    return body !== undefined && 'json' in body
      ? (body.json as { pickup_point: typeof POINT }).pickup_point.title
      : body;
  };
  assert.deepEqual(
    titleFor((language) => language === 'en'),
    { en: 'Origo' },
  );
  assert.deepEqual(
    titleFor(() => false),
    { en: 'Origo', lv: 'Origo' },
  );
  assert.deepEqual(titleFor(), { en: 'Origo', lv: 'Origo' });
});

test('titles are in the languages that a served call names, a plain text in the default one', () => {
  const taken = new TitlesTaken();
  taken.note({ points: [], json: { delivery_method: { title: { lv: 'Kurjers' } } } }, 'en');
  taken.note({ points: [{ id: 'p', fields: { title: 'Origo' } }], json: {} }, 'en');
  taken.note({ points: [{ id: 'q', fields: { title: 'Origo' } }], json: {} }, undefined);
  const isIn = (['method', 'point'] as const).flatMap((kind) => ['en', 'lv'].map((code) => taken.areIn(kind, code)));
  assert.deepEqual(isIn, [false, true, true, false]);
});

test('a plain text is in the languages that show it where another store has another default language', () => {
  const taken = new TitlesTaken();
  taken.note({ points: [], json: { delivery_method: { title: 'Post' } } }, 'en');
  const isIn = (title: Record<string, unknown>) =>
    Object.keys(title).filter((code) => taken.areIn('method', code, title));
  assert.deepEqual(isIn({ et: 'Post', en: 'Post [en]' }), ['et']);
  assert.deepEqual(isIn({ en: 'Post', lv: 'Post' }), ['en']);
  assert.deepEqual(isIn({ en: 'Changed', lv: 'Changed' }), ['en']);
});

test('an id that is not encoded correctly is not added', () => {
  const call = update('store/delivery_method/m/pickup_point/%zz/', { json: { pickup_point: { city: 'Riga' } } });
  assert.deepEqual(completed(call, POINT, { completion: 'id' }).body, call.body);
});

test('what is shown nowhere is sent empty, and the label page as null', () => {
  const call = update('store/delivery_method/m/', { json: { delivery_method: { title: 'Courier' } } });
  const lists = { available_countries_from: [], available_countries_to: [] };
  assert.deepEqual(completed(call, undefined, { completion: 'all' }).body, {
    json: { delivery_method: { title: 'Courier', reference: '', ...lists, print_label_url: null } },
  });
});

test('a body that is written as a text is completed as well; one that is not JSON stays as it is', () => {
  const path = 'store/delivery_method/m/pickup_point/p/';
  const raw = (text: string) => update(path, { raw: text, contentType: 'application/json' });
  const { body } = completed(raw('{"pickup_point":{"city":"Riga"}}'), POINT, { completion: 'all' });
  assert.ok(body !== undefined && 'raw' in body);
  assert.deepEqual(JSON.parse(String(body.raw)), { pickup_point: { ...POINT, id: 'p', city: 'Riga' } });
  assert.equal(body.contentType, 'application/json');
  const broken = raw('{"pickup_point":');
  assert.equal(completed(broken, POINT, { completion: 'all' }), broken);
});

test('the first of several methods is read before an update', () => {
  const { method, path, body } = readBefore(update('store/delivery_method/a%2C1,b/pickup_point/p/', { json: {} }));
  assert.deepEqual([method, path, body], ['GET', 'store/delivery_method/a%2C1/pickup_point/p/', undefined]);
  assert.equal(readBefore(update('store/delivery_method/a/', { json: {} })).path, 'store/delivery_method/a/');
});
