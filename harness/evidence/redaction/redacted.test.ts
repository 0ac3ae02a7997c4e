import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SpooledEvent } from '../events/spool.ts';
import { createRedaction } from './index.ts';
import { type Redacted, redactEvent } from './redacted.ts';

const note: SpooledEvent = { type: 'observation', id: 'installed', question: '', seen: '', check: 'a', exchanges: [1] };

test('an event whose secrets were not removed cannot be written, by its type', () => {
  const written: Redacted<SpooledEvent>[] = [];
  // @ts-expect-error: it may hold secrets
  written.push(note);
  written.push(redactEvent(note, (value) => value));
  assert.equal(written.length, 2);
});

test('texts lose their secrets, and the words of our own code stay', () => {
  const redaction = createRedaction();
  redaction.add({ name: 'KEY', value: 'installed' });
  const event = redactEvent({ ...note, seen: { text: 'it was installed' } }, (value) => redaction.value(value));
  assert.deepEqual(event, { ...note, seen: { text: 'it was $KEY' } });
});
