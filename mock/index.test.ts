import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { startMock } from './index.ts';

const LIST = 'store/delivery_methods/';

test('an integrator’s test starts the service, calls it, reads the received requests, and stops it', async () => {
  let gone: string;
  {
    await using service = await startMock();
    gone = service.v1 + LIST;
    const authorization = `ApiKey ${service.profile.delivery.private.apiKey}`;
    const response = await fetch(gone, { headers: { authorization } });
    assert.equal(response.status, 200, await response.text());
    assert.equal((await service.control.arrived()).at(-1)?.target, `/v1/${LIST}`);
    assert.equal(service.api, `${service.origin}/api/`);
  }
  await assert.rejects(fetch(gone));
});

test('a deviation is active from the start; an unknown one is refused by name', async () => {
  await assert.rejects(startMock({ deviations: ['no.such-fault'] }), /no\.such-fault/);
});

test('over HTTPS there is a certificate to trust; closing twice is not an error', async () => {
  const service = await startMock({ https: true });
  assert.match(service.certificate ?? '', /BEGIN CERTIFICATE/);
  assert.match(service.origin, /^https:/);
  await Promise.all([service.close(), service.close()]);
});

test('over HTTPS a client of HTTP/1.0 is served, whatever protocol it offers', async () => {
  await using service = await startMock({ https: true });
  for (const ALPNProtocols of [['http/1.0'], ['h2', 'http/1.1'], []]) {
    const socket = connect({ port: Number(new URL(service.origin).port), ca: service.certificate, ALPNProtocols });
    socket.end(`GET /v1/${LIST} HTTP/1.0\r\n\r\n`);
    let response = '';
    for await (const chunk of socket) response += chunk;
    assert.match(response, /^HTTP\/1\.1 401 .*"error_code":401/s, ALPNProtocols.join());
  }
});
