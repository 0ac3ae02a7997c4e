import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as scalars from './scalars.ts';

test('every second between the years 1 and 9999 is a timestamp, as the calendar of JavaScript has it', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
      (date) => {
        const text = date.toISOString().slice(0, 19).replace('T', ' ');
        assert.equal(scalars.isTimestamp(text), true, text);
      },
    ),
    { numRuns: 300 },
  );
});

test('a date is real exactly when the calendar of JavaScript keeps it', () => {
  const two = (n: number) => String(n).padStart(2, '0');
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 9999 }), fc.nat({ max: 13 }), fc.nat({ max: 32 }), (year, month, day) => {
      const text = `${year}-${two(month)}-${two(day)}`;
      const date = new Date(`${text}T00:00:00Z`);
      const real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
      assert.equal(scalars.isTimestamp(`${text} 00:00:00`), real, text);
    }),
    { numRuns: 1_000 },
  );
});

test('values of other types have no format', () => {
  for (const value of [undefined, null, 7, true, [], {}, ['lv']]) {
    for (const [name, judge] of Object.entries(scalars)) assert.equal(judge(value), false, name);
  }
});
