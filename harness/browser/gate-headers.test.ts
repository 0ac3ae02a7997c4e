/** Headers of the profile in a real browser: at every hop they go to the target, and to no other host. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import { findBrowser } from '../../cli/common/browser.ts';
import { parseProfile } from '../target/profile/index.ts';
import { openBrowserContext } from './browser-context.ts';
import { headersFor } from './gate-headers.ts';
import { launchQuietly } from './launch.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;
const GATE = 'gate-secret-1';
const GATED = 'gated by the target';

interface Seen {
  readonly path: string;
  readonly method: string;
  readonly gate: string | undefined;
  readonly cookie: string | undefined;
  body: string;
}

const seen: { home: Seen[]; other: Seen[] } = { home: [], other: [] };
const at = (server: Server, host: string): string => `http://${host}:${(server.address() as AddressInfo).port}`;

function site(name: keyof typeof seen, respond: (url: URL, response: ServerResponse) => void): Server {
  return createServer(async (request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '/', 'http://site.example');
    const gate = request.headers['x-gate'] as string | undefined;
    const one: Seen = {
      path: url.pathname,
      method: request.method ?? '',
      gate,
      cookie: request.headers.cookie,
      body: '',
    };
    if (url.pathname !== '/favicon.ico') seen[name].push(one);
    for await (const chunk of request) one.body += chunk;
    if (name === 'home' && gate !== GATE) response.writeHead(403).end('the gate is closed');
    else respond(url, response);
  });
}

const html = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end(text);

describe('headers of the profile', { skip }, () => {
  let browser: Browser;
  let home = '';
  let other = '';
  const away = (path: string, status = 302): string => `/to?s=${status}&u=${encodeURIComponent(other + path)}`;
  const back = (path: string): string => `/to?u=${encodeURIComponent(home + path)}`;
  const servers: Server[] = [
    site('home', (url, response) => {
      const to = url.searchParams.get('u');
      if (to !== null) {
        const headers = { location: to, 'set-cookie': 'hop=1; Path=/' };
        response.writeHead(Number(url.searchParams.get('s') ?? 302), headers).end();
      } else if (url.pathname === '/page')
        html(
          response,
          `<script src="${away('/script')}"></script><img src="${away('/image')}"><iframe src="${away('/frame')}"></iframe>
<link rel="stylesheet" href="${away('/style')}"><script>fetch("${away('/fetch')}").catch(() => 0);;
</script><a id="same" target="_blank" href="/tab">1</a>
<a id="hops" target="_blank" href="${back('/tab-after-hop')}">2</a><a id="out" target="_blank" href="${away('/tab-away')}">3</a>
<form method="post" action="${away('/form', 307)}"><input name="q" value="1"><button>go</button></form>`,
        );
      else html(response, `<title>${GATED}</title>`);
    }),
    site('other', (url, response) => {
      const to = url.searchParams.get('u');
      if (to !== null) response.writeHead(302, { location: to }).end();
      else if (url.pathname === '/frames-home') html(response, `<iframe src="${home}/framed"></iframe>`);
      else response.writeHead(200, { 'access-control-allow-origin': '*' }).end('ok');
    }),
  ];

  before(async () => {
    for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    home = at(servers[0]!, '127.0.0.1');
    other = at(servers[1]!, 'localhost');
    browser = await launchQuietly(found!.path);
  });
  after(async () => {
    await browser?.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  beforeEach(() => {
    seen.home.length = 0;
    seen.other.length = 0;
  });

  const open = async () => {
    const text = JSON.stringify({ v1: `${home}/v1/`, headers: { 'X-Gate': ['$', '{', 'GATE', '}'].join('') } });
    const profile = parseProfile(text, { file: 'p.json', folder: '/', env: { GATE } });
    const context = await openBrowserContext(browser, profile);
    return { context, page: await context.newPage() };
  };
  const cameTo = async (where: Seen[], paths: readonly string[]): Promise<void> => {
    const ends = Date.now() + 15_000;
    const isThere = (path: string): boolean => where.some((one) => one.path === path);
    while (!paths.every(isThere) && Date.now() < ends) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(
      paths.filter((path) => !isThere(path)),
      [],
    );
  };
  const leaked = (): string[] =>
    seen.other.filter(({ gate, cookie }) => gate !== undefined || cookie !== undefined).map(({ path }) => path);

  test('stay with the target over redirects, in whatever way a page asks', async () => {
    const { context, page } = await open();
    for (const status of [301, 302, 303, 307, 308]) {
      await page.goto(home + away(`/by-${status}`, status));
      assert.equal(page.url(), `${other}/by-${status}`);
    }
    await page.goto(`${home}/page`);
    await cameTo(seen.other, ['/script', '/image', '/frame', '/style', '/fetch']);
    await page.locator('button').click();
    await page.waitForURL(`${other}/form`);
    const [form] = seen.other.filter(({ path }) => path === '/form');
    assert.deepEqual([form?.method, form?.body], ['POST', 'q=1']);
    assert.deepEqual(leaked(), []);
    await context.close();
  });

  test('go to the target again after a hop through another host, with the cookies', async () => {
    const { context, page } = await open();
    await page.goto(home + back('/after'));
    assert.equal(await page.title(), GATED);
    assert.equal(page.url(), `${home}/after`);
    await page.goto(home + away(`/x?u=${encodeURIComponent(`${home}/again`)}`));
    assert.equal(await page.title(), GATED);
    assert.deepEqual(leaked(), []);
    assert.ok(seen.home.every(({ gate }) => gate === GATE));
    assert.equal(seen.home.at(-1)?.cookie, 'hop=1');
    await context.close();
  });

  test('go with the first request of a new tab and of a frame in another host’s page', async () => {
    const { context, page } = await open();
    await page.goto(`${home}/page`);
    for (const [id, ends] of [
      ['same', `${home}/tab`],
      ['hops', `${home}/tab-after-hop`],
      ['out', `${other}/tab-away`],
    ] as const) {
      const opened = context.waitForEvent('page');
      await page.locator(`#${id}`).click();
      await (await opened).waitForURL(ends);
    }
    await page.goto(`${other}/frames-home`);
    await cameTo(seen.home, ['/framed']);
    assert.deepEqual(leaked(), []);
    assert.deepEqual(
      seen.home.filter(({ gate }) => gate !== GATE).map(({ path }) => path),
      [],
    );
    await context.close();
  });
});

test('a hop keeps its own headers, and the gate’s only where it leads to the target', () => {
  const gate = { origins: new Set(['https://shop.example']), headers: [['x-gate', GATE]] as const };
  const hop = { Accept: '*/*', 'X-GATE': GATE };
  assert.deepEqual(headersFor('https://shop.example/a', hop, gate), [
    { name: 'Accept', value: '*/*' },
    { name: 'x-gate', value: GATE },
  ]);
  for (const url of ['https://shop.example.evil/', 'http://shop.example/', 'https://shop.example:8443/', 'data:,x'])
    assert.deepEqual(headersFor(url, hop, gate), [{ name: 'Accept', value: '*/*' }], url);
});
