/** No file and no printed line of a run contains a secret in any encoding, also after failures and browser steps. */
import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock, writeProfile } from '../../cli/common/command.fixture.ts';
import { filesBelow, leaksIn, placesOf, tracesAmong } from './canary.ts';

/** Secrets with characters that each encoding writes differently. */
const KEYS = {
  CANARY_STORE_KEY: 'store~key+with/slash=and*star-7Q',
  CANARY_OTHER_KEY: 'other&key<with>"quotes"-9Zr4Tx',
  CANARY_GATE: 'gate header value %41 with spaces 3Kp',
};

/**
 * In `npm test`: what sends a secret, receives one or shows one on a page, in each interface, with requests that are refused; in
 * the soak every check.
 */
const CARRYING = [
  ...[
    'envelope.*',
    'delivery.credentials.*',
    'delivery.settings.*',
    'apps.credentials.*',
    'apps.installed.*',
    'apps.delete.*',
  ],
  ...['reseller.login.*', 'reseller.token.*', 'reseller.authorize.*', 'reseller.password.*', 'properties.apps.*'],
  ...['install.hash.*', 'labels.request.*', 'settings.request.*'],
];
const ONLY = process.env.PROOFMARK_SOAK === '1' ? [] : CARRYING.flatMap((glob) => ['--only', glob]);

const secretsIn = (value: unknown, key = ''): string[] => {
  if (typeof value === 'string')
    return /key|secret|authcode|password|token/i.test(key) && value.length >= 8 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => secretsIn(member, name));
};

test('after a run with failures and browser steps no secret is in a file or on the terminal', async (t) => {
  const folder = folderFor(t);
  const home = folderFor(t);
  const token = 'control-token-of-this-test';
  const mock = await startMock(t, folder, ['--port', '0'], { PROOFMARK_CONTROL_TOKEN: token });
  // A faulty service that repeats what it received in the headers of every response and in the bodies of refusals.
  const echo = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const { host: _host, ...headers } = incoming.headers;
      const onward = forward(
        `${mock.origin}${incoming.url}`,
        { method: incoming.method ?? 'GET', headers },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (chunk) => parts.push(chunk));
          response.on('end', () => {
            const seen = `${incoming.headers.authorization ?? ''} ${incoming.headers['x-gate'] ?? ''} ${incoming.url}`;
            const refused = (response.statusCode ?? 200) >= 400;
            const body = refused
              ? JSON.stringify({
                  error: 'yes',
                  error_message: `refused ${seen}`,
                  copy: Buffer.from(seen).toString('base64'),
                  sent: Buffer.concat(chunks).toString(),
                })
              : Buffer.concat(parts);
            const { 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = response.headers;
            outgoing.writeHead(response.statusCode ?? 502, { ...rest, 'x-echo': encodeURIComponent(seen) }).end(body);
          });
        },
      );
      onward.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  t.after(() => echo.close());
  const origin = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const json = JSON.parse(JSON.stringify(mock.json).replaceAll(mock.origin, origin));
  json.headers = { 'x-gate': '${CANARY_GATE}' };
  const known = [...secretsIn(json), ...Object.values(KEYS)];
  const profile = writeProfile(folder, 'canary.json', json);

  const ran = await proofmark(['run', '--target', profile, '--out', join(home, 'out'), ...ONLY], {
    cwd: home,
    env: { ...KEYS, TMPDIR: home, HOME: home },
  });
  const results = resultsIn(join(home, 'out'));
  assert.ok((results.counts.fail ?? 0) > 0, 'the echo breaks the envelope, so something failed');
  assert.equal(ran.code, 1);

  const state = await (
    await fetch(`${mock.origin}/_control/state`, { headers: { 'x-proofmark-control': token } })
  ).json();
  // Codes and links that the run received and that must stay secret.
  const secrets = [...new Set([...known, ...secretsIn(state).filter((value) => JSON.stringify(json).includes(value))])];
  assert.ok(secrets.length >= 9, `${secrets.length} secrets are looked for`);

  const files = filesBelow(home);
  assert.ok(tracesAmong(files).length > 0, 'a browser step failed, so a trace of it was kept');
  assert.ok(files.some((file) => file.endsWith('report.html')));
  const places = placesOf(files).set('the terminal', ran.stdout + ran.stderr);
  assert.deepEqual(leaksIn(places, secrets).slice(0, 10), []);
});
