import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { RunEvent } from '../../contracts/run/events.ts';
import { foldResults } from '../results/index.ts';
import { CLAUSES, cleanRun, sampleRun } from '../sample.fixture.ts';
import { renderCtrf } from './ctrf.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const closed = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const STATUS = { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] };
/** The rules of CTRF's published schema for the members that we write; it allows no others in these places. */
const SCHEMA = closed(['results', 'reportFormat', 'specVersion'], {
  reportFormat: { const: 'CTRF' },
  specVersion: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
  timestamp: text,
  generatedBy: text,
  results: closed(['tool', 'summary', 'tests'], {
    tool: closed(['name'], { name: { type: 'string', minLength: 1 }, version: text }),
    summary: closed(['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'], {
      tests: integer,
      passed: integer,
      failed: integer,
      skipped: integer,
      pending: integer,
      other: integer,
      suites: integer,
      start: integer,
      stop: integer,
      extra: { type: 'object' },
    }),
    tests: {
      type: 'array',
      items: closed(['name', 'status', 'duration'], {
        name: { type: 'string', minLength: 1 },
        status: STATUS,
        rawStatus: text,
        duration: integer,
        suite: { type: 'array', minItems: 1, items: text },
        message: text,
        snippet: text,
        filePath: text,
        line: integer,
        tags: { type: 'array', items: text },
        extra: { type: 'object' },
      }),
    },
    environment: closed([], { appName: text, extra: { type: 'object' } }),
  }),
});
const ajv = new Ajv2020({ strict: false });
const validate = (document: unknown): string => (ajv.validate(SCHEMA, document) ? '' : ajv.errorsText());

interface CtrfDocument {
  readonly results: {
    readonly summary: Readonly<Record<'tests' | Status, number>>;
    readonly tests: ReadonlyArray<{ readonly status: string }>;
  };
}
type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

test('ctrf.json fits the format, and its summary counts its tests', () => {
  for (const run of [sampleRun(), cleanRun(), cleanRun().slice(0, -1)]) {
    const document: CtrfDocument = JSON.parse(renderCtrf(foldResults(run, CLAUSES)));
    assert.equal(validate(document), '');
    const { summary, tests } = document.results;
    const total = summary.passed + summary.failed + summary.skipped + summary.pending + summary.other;
    assert.equal(total, tests.length);
    assert.equal(summary.tests, tests.length);
  }
});

test('what was not decided does not count as passed, and a known finding not as failed', () => {
  const run = sampleRun().map((event) =>
    event.type === 'header'
      ? {
          ...event,
          baseline: {
            file: 'b.json',
            findings: [{ check: 'delivery.method.add.*', reason: 'r', owner: 'o', expires: '2999-01-01' }],
          },
        }
      : event,
  );
  const statusesOf = (events: readonly RunEvent[]) =>
    (JSON.parse(renderCtrf(foldResults(events, CLAUSES))) as CtrfDocument).results.tests.map(({ status }) => status);
  const rest = ['passed', 'passed', 'other', 'other', 'other', 'skipped', 'passed'];
  assert.deepEqual(statusesOf(sampleRun()), ['failed', ...rest]);
  assert.deepEqual(statusesOf(run), ['skipped', ...rest]);
});
