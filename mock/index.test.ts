import assert from 'node:assert/strict';
import { test } from 'node:test';
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
