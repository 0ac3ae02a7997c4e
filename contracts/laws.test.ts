// Laws of signatures and hashes for any fields, any order, any text and any secret, and other languages' word on the same
// random values: the vectors fix what is known to matter, these find what nobody listed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodings, installHash, verifyInstallHash } from './install-hash.ts';
import { type Fields, isAuthentic, sign, signedMessage, withSignature } from './signing.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const secret = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const named = (reserved: string) =>
  fc.array(
    fc.tuple(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter((name) => name !== reserved),
      text,
    ),
    { minLength: 1, maxLength: 6 },
  );
const fields = named('signature');
const parameters = named('hash');

test('a signature holds under any secret, and for another order only where the message is the same', () => {
  fc.assert(
    fc.property(
      fields.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      secret,
      ([list, other], key) => {
        const signature = sign(list, key);
        assert.equal(Buffer.from(signature, 'base64').length, 32);
        assert.ok(isAuthentic(withSignature(list, key), key));
        const reordered: Fields = [...other, ['signature', signature]];
        assert.equal(isAuthentic(reordered, key), signedMessage(other) === signedMessage(list));
      },
    ),
    { numRuns: 200 },
  );
});

test('a hash holds under any secret, and for no parameter more, less or other than those it was made for', () => {
  fc.assert(
    fc.property(parameters, secret, fc.nat(), text, fc.nat(), (list, key, place, added, which) => {
      const hash = installHash(encodings.php(list), key);
      const isHashOf = (some: Fields) =>
        verifyInstallHash(`https://app.example/?${encodings.php([...some, ['hash', hash]])}`, key).authentic;
      assert.ok(isHashOf(list));
      const at = place % list.length;
      const [name, value] = list[at]!;
      const changes: Fields[] = [
        list.toSpliced(at, 1),
        [...list, ['more', added]],
        list.with(at, [name, `${value}x`]),
        list.with(at, [`${name}x`, value]),
        list.with(at, [name, value.toUpperCase()]),
        list.toReversed(),
      ];
      // One a run: a hash that is wrong is explained at length.
      const changed = changes[which % changes.length]!;
      assert.equal(isHashOf(changed), JSON.stringify(changed) === JSON.stringify(list), JSON.stringify(changed));
    }),
    { numRuns: 30 },
  );
});

const PHP = `foreach (json_decode(stream_get_contents(STDIN), true) as $case) {
  $message = implode('', array_map(fn($f) => $f[1], $case['fields']));
  $query = implode('&', array_map(fn($p) => http_build_query([$p[0] => $p[1]]), $case['fields']));
  $all[] = [base64_encode(hash_hmac('sha256', $message, $case['key'], true)), hash_hmac('sha256', $query, $case['key'])];
}
echo json_encode($all);`;

const PYTHON = `import base64, hashlib, hmac, json, sys
from urllib.parse import urlencode
def mac(case, message):
    return hmac.new(case['key'].encode(), message.encode(), hashlib.sha256)
print(json.dumps([[
    base64.b64encode(mac(case, ''.join(value for _, value in case['fields'])).digest()).decode(),
    mac(case, urlencode([tuple(pair) for pair in case['fields']])).hexdigest(),
] for case in json.loads(sys.stdin.buffer.read())]))`;

/** Random values, the same each time; PHP makes numbers of keys that look like such, so names begin with a letter. */
const CASES = fc.sample(
  fc.record({
    key: secret,
    fields: fc.array(
      fc.tuple(
        fc.string({ unit: 'grapheme', maxLength: 5 }).map((name) => `n${name}`),
        text,
      ),
      {
        maxLength: 6,
      },
    ),
  }),
  { seed: 20_260_301, numRuns: 300 },
);

for (const [command, args, encoding] of [
  ['php', ['-r', PHP], 'php'],
  ['python3', ['-c', PYTHON], 'python'],
] as const) {
  test(`${command} signs and hashes random values alike`, (t) => {
    const done = spawnSync(command, args, {
      input: JSON.stringify(CASES),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (done.error) return t.skip(`${command} is not installed`);
    assert.equal(done.status, 0, done.stderr);
    const theirs = JSON.parse(done.stdout) as [string, string][];
    const ours = CASES.map((one) => {
      return [sign(one.fields, one.key), installHash(encodings[encoding](one.fields), one.key, encoding)];
    });
    for (const [at, one] of CASES.entries()) assert.deepEqual(theirs[at], ours[at], JSON.stringify(one));
  });
}
