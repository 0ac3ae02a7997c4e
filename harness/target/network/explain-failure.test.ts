import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoResponse } from '../client/no-response.ts';
import { explainFailure, GiveUpError, isLostConnection, lateResponse } from './explain-failure.ts';

const failure = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
const URL = 'https://staging.example:8443/v1/store/?apiToken=secret';

test('each failure of the network names the host, what to do, and who has to act', () => {
  const rows: [string, string, RegExp][] = [
    ['ECONNREFUSED', 'network', /Nothing listens at staging.example:8443.*start the service/],
    ['ENOTFOUND', 'configuration', /not known \(DNS\).*profile/],
    ['EAI_AGAIN', 'network', /no response from DNS/],
    ['EHOSTUNREACH', 'network', /is not reachable from here/],
    ['ENETUNREACH', 'network', /is not reachable from here/],
    ['UND_ERR_CONNECT_TIMEOUT', 'network', /did not accept a connection in time/],
    ['ETIMEDOUT', 'network', /did not accept/],
    ['CERT_HAS_EXPIRED', 'target', /has expired: renew/],
    ['CERT_NOT_YET_VALID', 'target', /not valid yet/],
    ['CERT_REVOKED', 'target', /revoked/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'configuration', /issued for another name/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'configuration', /"tls.ca"/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'configuration', /"tls.ca"/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'configuration', /whole chain/],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'configuration', /"tls.cert" and "tls.key"/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'configuration', /versions of TLS before 1\.2/],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'configuration', /versions of TLS before 1\.2/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'configuration', /"tls.key" .* ciphers/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'configuration', /http:\/\//],
    ['EPROTO', 'configuration', /does not speak TLS/],
    ['ECONNRESET', 'target', /closed the connection/],
    ['UND_ERR_SOCKET', 'target', /closed the connection/],
    ['HPE_INVALID_CONSTANT', 'target', /not an HTTP\/1.1 response/],
    ['UND_ERR_HEADERS_OVERFLOW', 'target', /headers .* larger than 64 KiB/],
  ];
  for (const [code, attribution, sentence] of rows) {
    const got = explainFailure(failure(code), URL, 'GET');
    assert.ok(got instanceof NoResponse, code);
    assert.equal(got.attribution, attribution, code);
    assert.match(got.message, sentence, code);
    assert.match(got.message, /staging.example:8443/, code);
    assert.doesNotMatch(got.message, /secret|apiToken/, code);
  }
});

test('of several attempts the first that is known gives the reason', () => {
  const attempts = ['ECONNREFUSED', 'ENETUNREACH'].map((code) => Object.assign(new Error('x'), { code }));
  assert.match(explainFailure(new AggregateError(attempts), URL, 'GET')?.message ?? '', /Nothing listens/);
});

test('what we gave up on ourselves is reported in our words', () => {
  const got = explainFailure(new GiveUpError('TIMEOUT', 'no complete response came within 1 s.'), URL, 'POST');
  assert.equal(got?.message, 'POST staging.example:8443: no complete response came within 1 s.');
});

test('a response that came too late for a very low limit is a matter of the profile', () => {
  for (const [timeoutMs, attribution, remedy] of [
    [1, 'configuration', /within 0\.001 s: limits\.timeoutMs in the profile is too low, raise it\.$/],
    [15_000, 'target', /within 15 s: check what delays the service, or raise limits\.timeoutMs/],
  ] as const) {
    const got = explainFailure(lateResponse(timeoutMs), URL, 'GET');
    assert.equal(got?.attribution, attribution);
    assert.match(got?.message ?? '', remedy);
  }
});

test('a bug of ours is not explained away', () => {
  assert.equal(explainFailure(new TypeError('x is not a function'), URL, 'GET'), undefined);
  assert.equal(explainFailure('text', URL, 'GET'), undefined);
  // A header of ours that can't be sent.
  assert.equal(explainFailure(failure('UND_ERR_INVALID_ARG'), URL, 'GET'), undefined);
});

test('only a connection that was lost before an answer began counts as lost', () => {
  assert.equal(isLostConnection(failure('ECONNRESET')), true);
  assert.equal(isLostConnection(failure('EPIPE')), true);
  assert.equal(isLostConnection(failure('ECONNREFUSED')), false);
  const upgrade = Object.assign(new Error('bad upgrade'), { code: 'UND_ERR_SOCKET' });
  assert.equal(isLostConnection(upgrade), false);
  assert.match(explainFailure(upgrade, URL, 'GET')?.message ?? '', /101 Switching Protocols/);
  assert.equal(isLostConnection(new GiveUpError('BROKEN_OFF', 'x')), false);
});

test('a proxy that cannot be reached is not taken for the target', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH']) {
    const got = explainFailure(failure(code), URL, 'GET', 'http://me:secret@proxy.example:3128/');
    assert.match(got?.message ?? '', /^The proxy of the profile, proxy\.example:3128, can't be reached/);
    assert.equal(got?.attribution, 'configuration');
  }
});
