import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { get } from 'node:https';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startIndependentService } from './service.ts';
import { at, newMethod, refused, second, secrets, send, store, walk } from './testing.ts';

test('missing, wrong, nearly right and foreign keys are refused', async () => {
  const handle = await newMethod();
  const key = secrets.STORE_KEY!;
  refused(await send('GET', '/v1/store/delivery_methods/', null), 401);
  for (const wrong of [`${key}=`, key.slice(0, -1), key.toLowerCase(), secrets.APP_KEY!]) {
    refused(await send('GET', '/v1/store/delivery_methods/', wrong), 403);
  }
  const other = secrets.OTHER_STORE_KEY!;
  for (const verb of ['GET', 'PUT', 'DELETE']) {
    refused(
      await send(verb, `/v1/store/${at(handle)}/`, other, verb === 'PUT' ? { delivery_method: {} } : undefined),
      404,
    );
  }
  const listed = await walk('/store/delivery_methods/', 'delivery_methods', other);
  assert.ok(!listed.some((method) => method.handle === handle));
  assert.equal((await store('GET', `${at(handle)}/`)).status, 200);
});

test('bad input of any kind gets the envelope of its interface', async () => {
  const cases: [string, string, string?][] = [
    ['POST', 'delivery_method/', '{"delivery_method":'],
    ['POST', 'delivery_method/', '[]'],
    ['POST', 'delivery_method/', '{}'],
    ['POST', 'delivery_method/', `{"delivery_method":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['POST', 'delivery_method/', '{"delivery_method":{"title":7}}'],
    ['GET', 'nothing/'],
    ['GET', '/delivery_methods/'],
    ['GET', 'delivery_method/%zz/'],
    ['PATCH', 'delivery_methods/'],
  ];
  for (const [method, path, body] of cases) refused(await store(method, path, body));
  refused(await store('POST', 'delivery_method/', { delivery_method: { title: 'x'.repeat(2_100_000) } }), 413);
  const { status, body } = await send('GET', '/api/website/1/enable_premium/', null);
  assert.deepEqual([status, body.error, typeof body.errorCode, typeof body.errorMsg], [404, true, 'number', 'string']);
  assert.match(await raw('NONSENSE\r\n\r\n'), /"error_code":1010.*"errorCode":1010/);
  assert.match(await raw(`GET /v1/ HTTP/1.1\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`), /^HTTP\/1.1 431[\s\S]*"error":true/);
});

function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(second.origin).port), '127.0.0.1', () => socket.write(bytes));
    let seen = '';
    socket.on('data', (chunk) => {
      seen += chunk;
    });
    socket.on('close', () => resolve(seen));
    socket.on('error', reject);
  });
}

test('over https the profile names the authority that the certificate can be checked with', async () => {
  const secure = await startIndependentService({ https: true });
  try {
    const ca = await readFile((secure.profile.tls as { ca: string }).ca);
    assert.equal(new X509Certificate(ca).checkIP('127.0.0.1'), '127.0.0.1');
    const status = await new Promise((resolve, reject) => {
      get(`${secure.origin}/v1/`, { ca, agent: false }, (response) => resolve(response.resume().statusCode)).on(
        'error',
        reject,
      );
    });
    assert.equal(status, 401);
  } finally {
    await secure.close();
  }
});
