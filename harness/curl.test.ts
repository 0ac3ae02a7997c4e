import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf, quote, scriptOf } from './curl.ts';
import { createRedaction } from './redaction.ts';
import type { Answer } from './target/client.ts';
import { Secret, sealed } from './target/secret.ts';

const BASE = 'https://s.example/v1/store/';
const KEY = new Secret('STORE_KEY', 'a-key-of-a-store');

function redaction() {
  const known = createRedaction();
  known.add({ name: KEY.name, value: KEY.reveal() });
  return known;
}

const answerTo = (method: string, path: string, json: unknown = {}, body?: string): Answer =>
  ({
    json,
    request: {
      method,
      url: `${BASE}${path}`,
      headers: [['Authorization', sealed`ApiKey ${KEY}`]],
      ...(body === undefined ? {} : { body }),
    },
  }) as unknown as Answer;

test('a request as a command: texts in single quotes, secrets as names that the shell fills in', () => {
  const { request } = answerTo('POST', 'delivery_method/', {}, '{"title":"it\'s $5"}');
  assert.equal(
    curlOf(request, redaction()),
    `curl -sS -i -X POST '${BASE}delivery_method/' -H 'Authorization: ApiKey '"$STORE_KEY" --data-binary '{"title":"it'\\''s $5"}'`,
  );
  assert.equal(quote(''), "''");
});

test('a sequence: what the target made up is a variable, with a line that says whose', () => {
  const lines = scriptOf(
    [
      answerTo('POST', 'delivery_method/', { error: false, handle: 'h1' }),
      answerTo('POST', 'delivery_method/', { error: false, handle: 'idle' }),
      answerTo('POST', 'delivery_method/', { error: false }),
      answerTo('DELETE', 'delivery_method/h2,h1/pickup_point/1/'),
      answerTo('GET', 'delivery_methods/'),
    ],
    redaction(),
  ).split('\n');
  assert.deepEqual(
    lines.map((line) => line.replace(/ -H .*/, '')),
    [
      `curl -sS -i -X POST '${BASE}delivery_method/'`,
      '# METHOD_2=… (the handle in this answer)',
      `curl -sS -i -X POST '${BASE}delivery_method/'`,
      '# METHOD_1=… (the handle of a method made above)',
      `curl -sS -i -X DELETE '${BASE}delivery_method/'"$METHOD_1"','"$METHOD_2"'/pickup_point/1/'`,
      `curl -sS -i -X GET '${BASE}delivery_methods/'`,
    ],
  );
});

test('a sequence that is too long is told by its beginning', () => {
  const lines = scriptOf(Array(100).fill(answerTo('GET', 'delivery_methods/')), redaction()).split('\n');
  assert.equal(lines.length, 61);
  assert.equal(lines.at(-1), '# and 40 more requests');
});
