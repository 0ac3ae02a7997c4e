import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installHash, verifyInstallHash } from '../../../contracts/install-hash/index.ts';
import { Secret } from '../../../harness/target/secrets/secret.ts';
import {
  AFTER_HASHING,
  hashOf,
  hashUnder,
  inLaterVersions,
  parameterOf,
  parametersOf,
  withHash,
  withNewHash,
  withoutHash,
  withZeroInFront,
} from './address.ts';

const SECRET = new Secret('APP_SECRET', 'Secret-77aE01c9D4b2f8');
const QUERY =
  'authCode=c0de&appId=9001&language=en&callback=https%3A%2F%2Fs.example%2Fback%2F77&platformVersion=2.14.0';
const URL_SENT = `https://app.example/install?${QUERY}&hash=${installHash(QUERY, SECRET.reveal())}#top`;

const isAuthentic = (url: string): boolean => verifyInstallHash(url, SECRET.reveal()).authentic;

test('the address of these tests is authentic', () => assert.ok(isAuthentic(URL_SENT)));

test('every alteration after hashing changes the signed bytes and keeps the hash', () => {
  for (const { change, alter } of AFTER_HASHING) {
    const altered = alter(URL_SENT);
    assert.equal(hashOf(altered), hashOf(URL_SENT), change);
    assert.ok(!isAuthentic(altered), change);
  }
});

test('another hash changes nothing else; no hash leaves the other parameters in their order', () => {
  const other = withHash(URL_SENT, 'abc');
  assert.equal(hashOf(other), 'abc');
  assert.deepEqual(withoutHash(parametersOf(other)), withoutHash(parametersOf(URL_SENT)));
  const without = withHash(URL_SENT, undefined);
  assert.equal(without, `https://app.example/install?${QUERY}#top`);
});

test('hashed again an address is authentic, whatever its parameters, their order and the place of hash', () => {
  const pairs = withoutHash(parametersOf(URL_SENT));
  const more = [...pairs, ['q', "a b~*!'()&=+ü€😀"]] as const;
  for (const hashAt of [0, 2, more.length]) {
    const url = withNewHash(URL_SENT, more.toReversed(), SECRET, { hashAt });
    assert.ok(isAuthentic(url));
    assert.equal(parametersOf(url)[hashAt]?.[0], 'hash');
  }
});

test('the encoding that is hashed may be another one than is sent', () => {
  const pairs = [...withoutHash(parametersOf(URL_SENT)), ['q', 'a b']] as const;
  const url = withNewHash(URL_SENT, pairs, SECRET, { sent: 'php', hashed: 'rfc3986' });
  assert.match(url, /q=a\+b/);
  const response = verifyInstallHash(url, SECRET.reveal());
  assert.ok(response.authentic && response.encoding === 'rfc3986');
});

test('a hash under another secret is not authentic', () => {
  assert.ok(!isAuthentic(withHash(URL_SENT, hashUnder(URL_SENT, 'another', 'php'))));
  assert.ok(isAuthentic(withHash(URL_SENT, hashUnder(URL_SENT, SECRET.reveal(), 'php'))));
});

test('with one more parameter an address is authentic under a hash that begins with a zero', () => {
  const url = withZeroInFront(URL_SENT, SECRET, 'php');
  assert.ok(isAuthentic(url));
  assert.match(hashOf(url), /^0/);
  assert.deepEqual(withoutHash(parametersOf(url)).slice(0, -1), withoutHash(parametersOf(URL_SENT)));
});

test('the requests of an updated service are authentic, and differ in their versions only', () => {
  const ways = inLaterVersions({ app: { secret: SECRET }, dialect: 'php' });
  const versions = ways.map(({ alter }) => {
    const url = alter(URL_SENT);
    assert.ok(isAuthentic(url));
    const version = parameterOf(parametersOf(url), 'platformVersion') ?? '';
    assert.deepEqual(
      withoutHash(parametersOf(url)),
      parametersOf(URL_SENT.replace('2.14.0', version).replace(/&hash=[^#]*/, '')),
    );
    return version;
  });
  assert.deepEqual(versions, ['2.14.1', '12.14.0']);
});
