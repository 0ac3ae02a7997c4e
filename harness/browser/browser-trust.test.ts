/** Which certificates the browser takes, against servers whose certificates no authority has signed. */
import assert from 'node:assert/strict';
import { createServer as createHttp } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedaction } from '../evidence/redaction/index.ts';
import type { Counterpart } from '../integrator/counterpart.ts';
import { openFetcher } from '../integrator/fetch/fetcher.ts';
import { IntegratorSession } from '../integrator/session.ts';
import { guardedDriver } from '../target/driver/guard.ts';
import { listenerCertificate } from '../target/listener/index.ts';
import { parseProfile } from '../target/profile/index.ts';
import { openBrowserContext } from './browser-context.ts';
import { areLocalAddresses, explainCertificateError } from './browser-trust.ts';
import { launchQuietly } from './launch.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;

interface Test {
  after(end: () => unknown): void;
}

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

/** A server of this machine with a certificate of its own making. */
async function selfSigned(t: Test) {
  const certificate = await listenerCertificate();
  const server = createServer(certificate, (_request, response) => response.end('<title>reached</title>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { certificate, port: portOf(server) };
}

/** A proxy that leads every host to one port of this machine: so a host that is not this machine is reached. */
async function proxyTo(t: Test, port: number): Promise<string> {
  const proxy = createHttp((_request, response) => response.end());
  proxy.on('connect', (_request, socket) => {
    const inner = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      inner.pipe(socket).pipe(inner);
    });
    for (const end of [inner, socket]) end.on('error', () => void [inner.destroy(), socket.destroy()]);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${portOf(proxy)}`;
}

const profileOf = (fields: object) => parseProfile(JSON.stringify(fields), { file: 'p.json', folder: '/', env: {} });

test('a target elsewhere needs a certificate that can be verified; the run’s own listener does not', {
  skip,
}, async (t) => {
  const target = await selfSigned(t);
  const listener = await selfSigned(t);
  const browser = await launchQuietly(found!.path, { trusted: [listener.certificate.cert] });
  t.after(() => browser.close());
  const proxy = await proxyTo(t, target.port);
  const far = await openBrowserContext(browser, profileOf({ v1: 'https://shop.example/v1/', proxy }));
  const page = await far.newPage();
  const driver = guardedDriver({ hasPrintLabel: () => page.goto('/admin') }, ['hasPrintLabel'], 'driver.mjs');
  await assert.rejects(driver.hasPrintLabel!(page), /does not accept the certificate.*ERR_CERT.*tls\.ca.*own store/);
  const loopback = await far.newPage();
  await loopback.goto(`https://127.0.0.1:${listener.port}/`);
  assert.equal(await loopback.title(), 'reached');
  await assert.rejects(loopback.goto(`https://127.0.0.1:${target.port}/`), /ERR_CERT/);

  const near = await openBrowserContext(browser, profileOf({ v1: `https://127.0.0.1:${target.port}/v1/` }));
  const own = await near.newPage();
  await own.goto('/');
  assert.equal(await own.title(), 'reached');
});

test('a precheck verifies the certificates of pages that are not on this machine', { skip }, async (t) => {
  const pages = await selfSigned(t);
  const address = `https://localhost:${pages.port}/install`;
  const redaction = createRedaction();
  const recorder = createRecorder({ check: () => 'test', spool: () => undefined, redaction });
  for (const [addresses, isUsable] of [
    [[address], true],
    [[address, 'https://settings.example/'], false],
  ] as const) {
    const pagesOrigin = 'http://127.0.0.1:1';
    const session = new IntegratorSession({
      counterpart: {
        origin: pagesOrigin,
        pagesOrigin,
        pageCookie: { name: 'run', value: 'x', url: pagesOrigin },
      } as Counterpart,
      redaction,
      recorder,
      fetcher: openFetcher({}),
      launchBrowser: () => launchQuietly(found!.path),
      secrets: [],
      addresses,
    });
    t.after(() => session.close());
    await session.checkTrust(address);
    assert.equal(session.unusable.has('browser'), !isUsable);
    if (!isUsable)
      assert.match(session.unusable.get('browser')?.reason ?? '', /--ca apply to Proofmark's own requests/);
    const context = await session.browserContext();
    const opened = (await context.newPage()).goto(address);
    if (isUsable) assert.equal((await opened)?.status(), 200);
    else await assert.rejects(opened, /ERR_CERT/);
  }
});

test('addresses of this machine, and messages about certificates', () => {
  assert.ok(areLocalAddresses(['https://127.0.0.1:1/', 'http://localhost/']));
  assert.ok(!areLocalAddresses([]));
  assert.ok(!areLocalAddresses(['https://127.0.0.1/', 'https://shop.example/']));
  assert.ok(!areLocalAddresses(['https://127.0.0.1.shop.example/']));
  assert.equal(explainCertificateError(new Error('page.goto: net::ERR_CONNECTION_REFUSED')), undefined);
  assert.match(
    explainCertificateError(new Error('page.goto: net::ERR_CERT_DATE_INVALID')) ?? '',
    /ERR_CERT_DATE_INVALID/,
  );
});
