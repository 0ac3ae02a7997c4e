import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addPoint, type ExchangeDescription, judged, OK, point, WHOLE } from '../traffic.fixture.ts';

const adviceIn = (described: readonly ExchangeDescription[]): string | undefined =>
  judged(described, WHOLE)('provider.calls.field-types')?.advice?.finding.pointer;
const list = (points: readonly object[]): ExchangeDescription => ({
  url: 'store/delivery_method/m-1/pickup_points/',
  response: { pickup_points: points },
});
const upload = (body: object): ExchangeDescription => ({
  ...{ method: 'POST', url: 'store/delivery_method/m-1/pickup_points/batch_replace/', body, response: OK },
});

describe('fields that the interface does not have', () => {
  test('are advised against, with their places', () => {
    assert.equal(adviceIn([addPoint({ pickup_point: point('a', { postcode: '1' }) })]), '/pickup_point/postcode');
    assert.equal(adviceIn([addPoint({ pickup_point: point('a'), coutry: 'LV' })]), '/coutry');
    const second = point('b', { lat: 1 });
    assert.equal(adviceIn([upload({ pickup_points: [point('a'), second] })]), '/pickup_points/1/lat');
    assert.equal(adviceIn([upload({ pickup_points: [], is_final: true })]), '/is_final');
  });

  test('are not, where a response shows them before or after', () => {
    const shown = list([point('a'), point('b', { postcode: '1' })]);
    const sent = addPoint({ pickup_point: point('c', { postcode: '1' }) });
    assert.equal(adviceIn([shown, sent]), undefined);
    assert.equal(adviceIn([sent, shown]), undefined);
    assert.equal(
      adviceIn([sent, { url: 'store/delivery_method/m-1/pickup_point/c/', response: { postcode: '1' } }]),
      undefined,
    );
  });

  test('are not, in a call that was refused', () =>
    assert.equal(adviceIn([addPoint({ pickup_point: point('a', { postcode: '1' }) }, 400)]), undefined));
});
