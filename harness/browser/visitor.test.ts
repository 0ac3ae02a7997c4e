import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutgoingRequest } from '../target/client/types.ts';
import { responseOf } from '../target/response/response.ts';
import { Visitor } from './visitor.ts';

type Page = readonly [status: number, headers: Readonly<Record<string, string | readonly string[]>>, body?: string];

/** Pages by their address, and what was asked of them. */
function site(pages: Readonly<Record<string, Page>>) {
  const asked: { url: string; cookie: string | undefined }[] = [];
  const send = async (request: OutgoingRequest) => {
    const cookie = request.headers?.find(([name]) => name === 'Cookie')?.[1];
    asked.push({ url: request.url, cookie: cookie === undefined ? undefined : String(cookie) });
    const [status, headers, body = ''] = pages[request.url] ?? [404, {}];
    return responseOf({
      status,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, one] as [string, string]),
      ),
      bytes: Buffer.from(body),
      durationMs: 0,
      exchange: 0,
      request,
    });
  };
  return { send, asked };
}

test('follows redirects, also relative ones, and sends the cookies that it received', async () => {
  const { send, asked } = site({
    'https://a.test/enter': [303, { location: '/in/', 'set-cookie': ['s=1; HttpOnly; Path=/', 'x=2; Path=/other'] }],
    'https://a.test/in/': [200, { 'content-type': 'text/html' }, 'Welcome'],
  });
  const visit = await new Visitor(send).open('https://a.test/enter');
  assert.deepEqual([visit.response.text, visit.url, visit.hops], ['Welcome', 'https://a.test/in/', 2]);
  assert.deepEqual(visit.cookies, ['s', 'x']);
  assert.equal(asked[1]!.cookie, 's=1');
});

test('a cookie of one host is not shown to another, one of a domain is shown below it', async () => {
  const { send, asked } = site({
    'https://shop.test/': [
      302,
      { location: 'https://editor.shop.test/', 'set-cookie': ['own=1', 'all=2; Domain=.shop.test'] },
    ],
    'https://editor.shop.test/': [200, {}],
  });
  await new Visitor(send).open('https://shop.test/');
  assert.equal(asked[1]!.cookie, 'all=2');
});

test('a cookie that is taken back is gone', async () => {
  const { send } = site({
    'https://a.test/1': [302, { location: '/2', 'set-cookie': ['s=1; Path=/', 't=1; Path=/'] }],
    'https://a.test/2': [
      200,
      { 'set-cookie': ['s=; Path=/; Max-Age=0', 't=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'] },
    ],
  });
  assert.deepEqual((await new Visitor(send).open('https://a.test/1')).cookies, []);
});

test('a page that redirects by script is followed, and one that is meant to be read is not', async () => {
  const meta = (seconds: number) => `<META content='${seconds}; URL=/in/?a=1&amp;b=2' http-equiv=refresh>`;
  const { send } = site({
    'https://a.test/now': [200, { 'content-type': 'text/html' }, meta(0)],
    'https://a.test/later': [200, { 'content-type': 'text/html' }, meta(30)],
    'https://a.test/in/?a=1&b=2': [200, {}, 'Welcome'],
  });
  assert.equal((await new Visitor(send).open('https://a.test/now')).response.text, 'Welcome');
  assert.equal((await new Visitor(send).open('https://a.test/later')).url, 'https://a.test/later');
});

test('does not visit a host that it may not, and does not follow redirect loops', async () => {
  const { send } = site({
    'https://a.test/away': [302, { location: 'https://b.test/' }],
    'https://a.test/circle': [302, { location: '/circle' }],
  });
  const mayVisit = (url: URL) => url.hostname === 'a.test';
  const away = await new Visitor(send, { mayVisit }).open('https://a.test/away');
  assert.deepEqual([away.url, away.leadsTo], ['https://a.test/away', 'https://b.test/']);
  const circle = await new Visitor(send, { mayVisit }).open('https://a.test/circle');
  assert.equal(circle.leadsTo, 'https://a.test/circle');
});

test('a header to refresh of nothing but digits, blanks or quotes is read in a moment', async () => {
  for (const refresh of [
    '9'.repeat(200_000),
    `0${' '.repeat(200_000)}`,
    `0;${' '.repeat(200_000)}`,
    `0;url${' '.repeat(200_000)}`,
  ]) {
    const { send } = site({ 'https://a.test/': [200, { refresh }] });
    const started = process.cpuUsage();
    await new Visitor(send).open('https://a.test/');
    const { user, system } = process.cpuUsage(started);
    assert.ok((user + system) / 1000 < 1_000, `${(user + system) / 1000} ms`);
  }
});

test('a cookie for a domain of another host is not taken', async () => {
  const { send, asked } = site({
    'https://a.test/': [302, { location: 'https://b.test/', 'set-cookie': ['planted=1; Domain=b.test', 'own=1'] }],
    'https://b.test/': [200, {}],
  });
  const { cookies } = await new Visitor(send).open('https://a.test/');
  assert.deepEqual(cookies, ['own']);
  assert.equal(asked[1]!.cookie, undefined);
});

test('a cookie of a secure page is kept on this machine, too', async () => {
  const { send, asked } = site({
    'http://127.0.0.1:8080/in': [302, { location: '/', 'set-cookie': 's=1; Path=/; Secure; HttpOnly; SameSite=Lax' }],
    'http://127.0.0.1:8080/': [200, {}],
  });
  await new Visitor(send).open('http://127.0.0.1:8080/in');
  assert.equal(asked[1]!.cookie, 's=1');
});

test('opens an address with a user name as a browser does that is not asked for it', async () => {
  const { send, asked } = site({ 'https://a.test/enter': [200, {}, 'Welcome'] });
  const visit = await new Visitor(send).open('https://visitor:one-time@a.test/enter');
  assert.deepEqual([visit.response.status, asked.map(({ url }) => url)], [200, ['https://a.test/enter']]);
});
