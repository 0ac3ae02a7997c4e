import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openFetcher } from './fetcher.ts';
import { lostAddresses } from './lost-addresses.ts';

test('a server that makes one page at a time has reachable addresses', async (t) => {
  let busy = Promise.resolve();
  const server = createServer((request, response) => {
    const status = request.url === '/gone' ? 404 : request.url === '/for-people' ? 403 : 200;
    busy = busy.then(() => new Promise((go) => setTimeout(go, 100)));
    if (request.url !== '/silent') void busy.then(() => response.writeHead(status).end('a page'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fetcher = openFetcher({});
  t.after(async () => {
    await fetcher.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const visit = (...paths: string[]) =>
    lostAddresses(
      fetcher,
      paths.map((path) => origin + path),
      { role: 'address', timeoutMs: 350, aloneMs: 1_000 },
    );

  assert.deepEqual([...(await visit('/1', '/2', '/3', '/4', '/5', '/6', '/for-people'))], []);
  assert.deepEqual([...(await visit('/1', '/gone'))], [[`${origin}/gone`, 'it returns status 404']]);
  assert.match((await visit('/silent', '/1')).get(`${origin}/silent`) ?? '', /did not respond in time/);
});
