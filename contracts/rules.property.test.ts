// Laws of signatures and hashes for any fields, any order, any text and any secret, and other languages' word on the same
// random values: the vectors fix what is known to matter, these find what was not listed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodings, installHash, verifyInstallHash } from './install-hash/index.ts';
import { type Fields, isAuthentic, sign, signedMessage, withSignature } from './signing/index.ts';

// The same each time; for the night: PROOFMARK_SEED=random.
if (process.env.PROOFMARK_SEED !== 'random') fc.configureGlobal({ seed: 20_260_301 });

const text = fc.string({ unit: 'binary', maxLength: 12 });
/** Also longer than a block of the digest, which is then hashed first. */
const secret = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 60, maxLength: 90 }) },
);
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

test('a signature verifies with any secret, and for another order only if the message is the same', () => {
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

test('a hash verifies with any secret, and only for exactly the parameters that it was made for', () => {
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
      // One a run: the explanation of a wrong hash takes long.
      const changed = changes[which % changes.length]!;
      assert.equal(isHashOf(changed), JSON.stringify(changed) === JSON.stringify(list), JSON.stringify(changed));
    }),
    { numRuns: 30 },
  );
});

/** Pairs that look alike, or that a careless path makes alike: other bytes, another signature. */
const LOOKALIKES = [
  ['é', 'e\u0301'],
  ['\u2126', '\u03a9'],
  ['a\r\nb', 'a\nb'],
  ['a\u0000b', 'ab'],
  ['a\u0000', 'a'],
  ['\ufeffa', 'a'],
  ['👩‍💻', '👩💻'],
  ['🚚', '🚚\ufe0f'],
  [' a', 'a'],
  ['A', 'a'],
  ['\u0430', 'a'],
  ['١', '1'],
  ['&amp;', '&'],
  ['%41', 'A'],
  ['+', ' '],
  ['007', '7'],
  ['1.0', '1'],
] as const;

test('what only looks alike is signed and hashed apart, as value and as secret', () => {
  for (const [one, other] of LOOKALIKES) {
    fc.assert(
      fc.property(parameters, secret, fc.nat(), (list, key, place) => {
        const at = place % (list.length + 1);
        const withValue = (value: string): Fields => list.toSpliced(at, 0, ['n', value]);
        assert.notEqual(sign(withValue(one), key), sign(withValue(other), key));
        assert.notEqual(
          installHash(encodings.php(withValue(one)), key),
          installHash(encodings.php(withValue(other)), key),
        );
        // A secret that ends with a NUL is to HMAC the same as one without: what is shorter than a block is filled with them.
        if (one.replaceAll('\u0000', '') === other) return;
        const first = withSignature(list, `${key}${one}`);
        assert.equal(isAuthentic(first, `${key}${other}`), false);
      }),
      { numRuns: 10 },
    );
  }
});

test('half a surrogate pair can not be sent: it is signed as its replacement character', () => {
  for (const half of ['\ud83d', '\ude9a', 'a\ud800b']) {
    const sent = half.toWellFormed();
    assert.notEqual(sent, half);
    assert.equal(sign([['a', half]], 'key'), sign([['a', sent]], 'key'));
    assert.ok(isAuthentic(withSignature([['a', half]], 'key'), 'key'));
    assert.equal(typeof verifyInstallHash(`https://app.example/?a=${half}&hash=00`, 'key').authentic, 'boolean');
  }
});

test('empty and long secrets sign, and only they verify', () => {
  for (const key of ['', ' ', 'k', 'k'.repeat(63), 'k'.repeat(64), 'k'.repeat(65), 'ķ'.repeat(1_000)]) {
    const fields = withSignature([['a', '1']], key);
    assert.ok(isAuthentic(fields, key));
    assert.equal(isAuthentic(fields, `${key}x`), false);
    const address = `https://app.example/?a=1&hash=${installHash('a=1', key)}`;
    assert.ok(verifyInstallHash(address, key).authentic);
    assert.equal(verifyInstallHash(address, `${key}x`).authentic, false);
  }
});

test('bytes that move over a boundary keep the signature, and never the hash', () => {
  const nonEmpty = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(nonEmpty, nonEmpty, secret, (left, right, key) => {
      const units = [...left];
      const moved: Fields = [
        ['a', units.slice(0, -1).join('')],
        ['b', units.at(-1) + right],
      ];
      const fields: Fields = [
        ['a', left],
        ['b', right],
      ];
      assert.equal(sign(moved, key), sign(fields, key));
      assert.notEqual(installHash(encodings.php(moved), key), installHash(encodings.php(fields), key));
    }),
    { numRuns: 100 },
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
