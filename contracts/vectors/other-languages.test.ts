/** Other languages and the encoders of JavaScript compute the same digests and queries as the vectors hold. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { encodings, pairsOf, queryOf } from '../install-hash/index.ts';
import type { Fields } from '../signing/index.ts';
import { type HashVector, read, type SigningVector } from './vectors.fixture.ts';

interface Digest {
  readonly key: string;
  readonly message: string;
}

const digests = (): { inputs: Digest[]; base64: string[] } => {
  const signed = (read('signing.json').accept as SigningVector[]).map(({ key, message, signature }) => ({
    key,
    message,
    base64: signature,
  }));
  const hashed = (read('install-hash.json').accept as HashVector[]).map(({ secret, query, hash }) => ({
    key: secret,
    message: query,
    base64: Buffer.from(hash, 'hex').toString('base64'),
  }));
  const all = [...signed, ...hashed];
  return { inputs: all.map(({ key, message }) => ({ key, message })), base64: all.map(({ base64 }) => base64) };
};

/** Runs a program of another language with JSON on its standard input; undefined where it is not installed. */
function other(command: string, args: readonly string[], input: string): string | undefined {
  const done = spawnSync(command, args, { input, encoding: 'utf8' });
  if (done.error) return undefined;
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

const PHP = `$in = json_decode(stream_get_contents(STDIN), true);
echo json_encode([
  'digests' => array_map(fn($d) => base64_encode(hash_hmac('sha256', $d['message'], $d['key'], true)), $in['digests']),
  'php' => array_map(fn($p) => implode('&', array_map(fn($x) => http_build_query([$x[0] => $x[1]]), $p)), $in['pairs']),
  'rfc3986' => array_map(fn($p) => implode('&', array_map(fn($x) => http_build_query([$x[0] => $x[1]], '', '&', PHP_QUERY_RFC3986), $p)), $in['pairs']),
]);`;

const PYTHON = `import base64, hmac, json, sys
from urllib.parse import quote, urlencode
data = json.loads(sys.stdin.buffer.read().decode('utf-8'))
pairs = [[tuple(x) for x in p] for p in data['pairs']]
print(json.dumps({
  'digests': [base64.b64encode(hmac.new(d['key'].encode(), d['message'].encode(), 'sha256').digest()).decode() for d in data['digests']],
  'python': [urlencode(p) for p in pairs],
  'rfc3986': [urlencode(p, quote_via=quote, safe='') for p in pairs],
}))`;

/** Every character that any encoding treats in its own way, and the queries of the vectors. */
const pairLists = () => [
  [['a', ' ~*!\'()-._/:?@&=+%"<>[]{}|\\^`\n,;$#']],
  [['ņ é', '📦 \u0000\u007f\u0080']],
  ...(read('install-hash.json').accept as HashVector[]).map(({ address }) => pairsOf(queryOf(address))),
];

for (const [command, args, styles] of [
  ['php', ['-r', PHP], ['php', 'rfc3986']],
  ['python3', ['-c', PYTHON], ['python', 'rfc3986']],
] as const) {
  test(`${command} computes the same digests and queries`, (t) => {
    const { inputs, base64 } = digests();
    const pairs = pairLists();
    const output = other(command, args, JSON.stringify({ digests: inputs, pairs }));
    if (output === undefined) return t.skip(`${command} is not installed`);
    const result = JSON.parse(output);
    assert.deepEqual(result.digests, base64);
    for (const style of styles) {
      const ours = pairs.map((list) => encodings[style](list as Fields));
      assert.deepEqual(result[style], ours, style);
    }
  });
}

test('openssl computes the same digests', (t) => {
  const { inputs, base64 } = digests();
  for (const [i, { key, message }] of inputs.entries()) {
    const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${Buffer.from(key).toString('hex')}`, '-r'];
    const output = other('openssl', args, message);
    if (output === undefined) return t.skip('openssl is not installed');
    assert.equal(Buffer.from(output.split(' ')[0]!, 'hex').toString('base64'), base64[i]);
  }
});

test('the encoders of JavaScript write the same queries', () => {
  for (const list of pairLists() as Fields[]) {
    assert.equal(encodings.javascript(list), new URLSearchParams(list.map(([n, v]) => [n, v])).toString());
    const component = list.map(([n, v]) => `${encodeURIComponent(n)}=${encodeURIComponent(v)}`).join('&');
    assert.equal(encodings.encodeURIComponent(list), component);
  }
});
