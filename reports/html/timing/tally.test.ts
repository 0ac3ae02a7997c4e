import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleExchange } from '../../sample.fixture.ts';
import { operationOf, TallyWriter } from './tally.ts';

test('an operation is a path without base, query and names of objects', () => {
  const bases = ['https://x.example/v1/', 'https://x.example/'];
  assert.equal(operationOf('GET', 'https://x.example/v1/store/order/9f-1/?a=b', bases), 'GET /store/order/{…}/');
  const letters = 'https://x.example/v1/store/delivery_method/abc/?a=b';
  assert.equal(operationOf('GET', letters, bases), 'GET /store/delivery_method/{handle}/');
  assert.equal(operationOf('PATCH', letters, bases), 'PATCH /store/delivery_method/abc/');
  assert.equal(operationOf('GET', 'https://other.example/a/b,c/', bases), 'GET /a/{…}/');
});

test('latencies are those of responses; every request counts in its stretch of time', () => {
  const tally = new TallyWriter([]);
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  for (let n = 1; n <= 100; n += 1) tally.add(sampleExchange(n, 'a.b', { at: at(0), durationMs: n }));
  const { response: _, ...unanswered } = sampleExchange(101, 'a.b', { at: at(30) });
  tally.add(unanswered);
  tally.add(sampleExchange(102, 'a.b', { at: at(30), response: { status: 404, headers: [] }, durationMs: 7 }));
  tally.add(sampleExchange(103, 'a.b', { at: at(30), direction: 'received' }));
  const { latencies, stretches } = tally.done();
  assert.equal(latencies.length, 1);
  assert.deepEqual(
    { ...latencies[0], operation: '' },
    { operation: '', count: 101, medianMs: 50, p95Ms: 95, maxMs: 100 },
  );
  assert.deepEqual(stretches.at(0), { served: 100, refused: 0, failed: 0 });
  assert.deepEqual(stretches.at(-1), { served: 0, refused: 1, failed: 1 });
});
