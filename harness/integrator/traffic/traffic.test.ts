import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgeTraffic, type TrafficVerdicts } from '../../../contracts/traffic/index.ts';
import { AssertionFailure, Skipped } from '../../check/failures.ts';
import { IntegratorContext } from '../context.ts';
import type { IntegratorSession } from '../session.ts';
import { warnOfLeniency } from './traffic.ts';

const CLAUSES = [
  'envelope.v1.request-bodies-are-json',
  'provider.calls.known-operations',
  'provider.calls.authorization-header',
];

const contextOf = () =>
  new IntegratorContext({ id: 'a.b', title: 'SHOULD a', level: 'SHOULD', clauses: CLAUSES }, {} as IntegratorSession);

/** A list that is read by this path, under this word of the scheme. */
const listed = (path: string, word = 'ApiKey'): TrafficVerdicts =>
  judgeTraffic(
    [
      {
        type: 'exchange',
        n: 1,
        check: '',
        role: '',
        direction: 'received',
        at: '2026-01-01T00:00:00.000Z',
        durationMs: 1,
        request: {
          method: 'GET',
          url: `https://service.example/v1/${path}`,
          headers: [['authorization', `${word} key`]],
        },
        response: {
          status: 200,
          headers: [['content-type', 'application/json']],
          body: { text: '{"delivery_methods":[]}' },
        },
      },
    ],
    { party: 'integrator', keys: {}, bases: ['https://service.example/v1/'], headersComplete: true, complete: true },
  );

/** The clauses that are warned of. */
function warned(traffic: TrafficVerdicts): readonly string[] {
  try {
    warnOfLeniency(contextOf(), traffic, CLAUSES);
    return [];
  } catch (error) {
    assert.ok(error instanceof AssertionFailure);
    return error.evidence.clauses ?? [];
  }
}

describe('what works only because the service is lenient', () => {
  test('is held against its own clause and no other', () => {
    assert.deepEqual(warned(listed('store/delivery_methods')), ['provider.calls.known-operations']);
    assert.deepEqual(warned(listed('store/delivery_methods/', 'apikey')), ['provider.calls.authorization-header']);
  });

  test('is missing if nothing is wrong, and says nothing about clauses without a call', () => {
    const context = contextOf();
    warnOfLeniency(context, listed('store/delivery_methods/'), CLAUSES);
    assert.deepEqual(context.decided, ['provider.calls.known-operations', 'provider.calls.authorization-header']);
    assert.throws(
      () => warnOfLeniency(context, listed('store/delivery_methods/'), ['envelope.v1.request-bodies-are-json']),
      Skipped,
    );
  });
});
