/** A secret at a cut: whatever shortens what a target sent, nothing of it is left that says anything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultOf } from '../check/ending.ts';
import { summary } from '../check/expect.ts';
import { Findings } from '../check/findings/index.ts';
import { responseOf } from '../target/response/response.ts';
import { cutRedacted, READ_AHEAD_CHARS } from './cut.ts';
import { createRedaction } from './redaction/index.ts';

const KEY = 'Xk3yT0pS3cr3tOfAStoreW1thF0rtyL3tt3rs99';

function redaction() {
  const known = createRedaction();
  known.add({ name: 'STORE_KEY', value: KEY });
  return known;
}

/** Four characters of the key in a row are taken for a rest of it. */
function assertNothingLeft(text: string, where: string): void {
  for (let at = 0; at + 4 <= KEY.length; at += 1) {
    assert.ok(
      !text.includes(KEY.slice(at, at + 4)),
      `${where}: ${KEY.slice(at, at + 4)} of the key in ${text.slice(-80)}`,
    );
  }
}

test('wherever a cut falls in a key, nothing of it is left', () => {
  const { text } = redaction();
  for (let before = 60; before <= 102; before += 1) {
    for (const after of [0, 50, 3 * READ_AHEAD_CHARS]) {
      const cut = cutRedacted(`${'-'.repeat(before)}${KEY}${'+'.repeat(after)}`, 100, text);
      assert.ok(cut.length <= 101);
      assertNothingLeft(cut, `${before}`);
    }
  }
});

test('text beyond the searched part is never shown', () => {
  const secrets = `${KEY} `.repeat(2_000);
  const cut = cutRedacted(secrets, 20_000, redaction().text);
  assertNothingLeft(cut, 'many keys');
  assert.equal(
    cutRedacted('short', 5, (text) => text),
    'short',
  );
  assert.equal(
    cutRedacted('longer', 5, (text) => text),
    'longe…',
  );
});

test('the sentence about an answer, cut at any of its places', () => {
  const { text } = redaction();
  for (let before = 220; before <= 320; before += 5) {
    const bytes = Buffer.from(`${'-'.repeat(before)}${KEY}${'+'.repeat(9_000)}`);
    const request = { method: 'GET', url: 'http://s.test/' };
    assertNothingLeft(
      summary(responseOf({ status: 200, headers: [], bytes, durationMs: 0, exchange: 0, request, redact: text })),
      String(before),
    );
  }
});

class Context extends Findings {
  readonly expect = { asserted: 1 } as never;
}

test('reason, values, warnings and observations of a check, cut at any of their places', () => {
  const check = {
    id: 'a.b.c',
    title: 'OBSERVES nothing',
    level: 'OBSERVES',
    clauses: [],
  } as unknown as ConstructorParameters<typeof Findings>[0];
  for (const limit of [2_000, 4_000]) {
    for (let before = limit - KEY.length - 2; before <= limit + 2; before += 3) {
      const long = `${'-'.repeat(before)}${KEY}${'+'.repeat(90_000)}`;
      const context = new Context(check);
      context.warn(long);
      context.observe('delivery.method.create-response', { [long]: long });
      const evidence = { expected: [long], actual: { a: long }, pointer: long };
      const ending = { verdict: 'fail', reason: long, evidence } as const;
      const began = { at: new Date(), ms: 0 };
      const result = resultOf(check, 'suite', context, ending, began, redaction());
      assertNothingLeft(JSON.stringify([result, context.observations(redaction())]), `${limit}, ${before}`);
    }
  }
});
