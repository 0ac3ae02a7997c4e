import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { foldResults } from '../results/index.ts';
import { CLAUSES, cleanRun, sampleExchange, sampleFooter, sampleRun } from '../sample.fixture.ts';
import events from './events.schema.json' with { type: 'json' };
import results from './results.schema.json' with { type: 'json' };

/** The published schemas let readers ignore what they don't know; what we write ourselves they must know to the last member. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inside ? { ...inside, additionalProperties: false } : inside;
}
function validator(schema: object) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv.compile(closed(schema) as object);
}
const asWritten = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('every kind of line that a run writes fits the published schema, and no member is unknown to it', () => {
  const validate = validator(events);
  const repeated = {
    type: 'confirmation',
    id: 'a.b',
    verdict: 'pass',
    reason: 'x',
    actual: 1,
    exchanges: [2],
  } as const;
  const lines = [...sampleRun(), ...cleanRun(), repeated, sampleFooter({ interrupted: 'Ctrl-C' })];
  assert.deepEqual(
    [...new Set(lines.map((line) => line.type))].sort(),
    ['check', 'confirmation', 'exchange', 'footer', 'header', 'ledger', 'observation'].sort(),
  );
  for (const line of lines) assert.ok(validate(asWritten(line)), JSON.stringify([line, validate.errors]));
});

test('lines that are wrong in one place do not fit', () => {
  const validate = validator(events);
  const right = asWritten(sampleExchange(1, 'a.b')) as Record<string, unknown>;
  assert.ok(validate(right));
  for (const wrong of [
    { n: 0 },
    { n: '1' },
    { direction: 'up' },
    { at: 'yesterday' },
    { request: {} },
    { type: 'exchanged' },
    { new: 1 },
  ]) {
    assert.ok(!validate({ ...right, ...wrong }), JSON.stringify(wrong));
  }
});

test('results fit the published schema, and no member is unknown to it', () => {
  const validate = validator(results);
  const cut = sampleRun().slice(0, -1);
  for (const run of [sampleRun(), cleanRun(), cut, [...cut, sampleFooter({ interrupted: 'time' })]]) {
    const written = asWritten(foldResults(run, CLAUSES)) as Record<string, unknown>;
    assert.ok(validate(written), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...written, outcome: 'fine' }));
    assert.ok(!validate({ ...written, exitCode: 2 }));
  }
});
