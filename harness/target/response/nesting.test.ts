import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nestingOf } from './nesting.ts';

test('levels are counted outside of texts only', () => {
  const rows: [string, number][] = [
    ['', 0],
    ['"[[["', 0],
    ['{"a":[[1]],"b":"[[[["}', 3],
    ['["\\"[[[", {"\\\\":[]}]', 3],
    ['[[],[],[]]', 2],
    ['['.repeat(10_000), 10_000],
    [' \n\ufeff[[', 0],
    ['\ufeff \n[[', 2],
    ['%PDF-1.7 [[[[', 0],
    ['"never closed [[[[', 0],
  ];
  for (const [text, levels] of rows) assert.equal(nestingOf(Buffer.from(text)), levels, text.slice(0, 40));
});
