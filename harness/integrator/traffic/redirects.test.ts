import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fetched, Fetcher } from '../fetch/fetcher.ts';
import type { BrowserWatch } from '../page/browser-watch.ts';
import { searchRedirects } from './redirects.ts';

const HOST = 'http://127.0.0.1:8080';

/** An app whose redirects are these; notes which cookies come to each path. */
function appOf(redirects: Readonly<Record<string, { to: string; cookies: readonly string[] }>>) {
  const received: Record<string, string> = {};
  const fetcher: Fetcher = {
    fetch: async (url, options = {}) => {
      const { pathname } = new URL(url);
      received[pathname] = (options.headers ?? []).find(([name]) => name === 'Cookie')?.[1] ?? '';
      const { to, cookies } = redirects[pathname] ?? { to: undefined, cookies: [] };
      const headers: [string, string][] = [
        ...cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]),
        ...(to === undefined ? [] : [['Location', to] as [string, string]]),
      ];
      const header = (name: string) => headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
      const response: Fetched = {
        url,
        status: to === undefined ? 200 : 302,
        headers,
        header,
        bytes: new Uint8Array(),
        durationMs: 1,
        exchange: 0,
      };
      options.seen?.(response);
      return response;
    },
    close: async () => {},
  };
  const watch = { redirecting: new Set(Object.keys(redirects)), settle: async () => {} } as unknown as BrowserWatch;
  return { received, open: (path: string) => searchRedirects({ fetcher, watch }, [`${HOST}${path}`]) };
}

test('cookies go where a browser sends them', async () => {
  const { received, open } = appOf({
    '/install': {
      to: '/panel/enter',
      cookies: [
        'everywhere=1; Path=/; HttpOnly',
        'panel=2; Path=/panel',
        'elsewhere=3; Path=/admin',
        'encrypted=4; Path=/; Secure',
        'old=5; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
        'foreign=6; Domain=example.com',
      ],
    },
    '/panel/enter': { to: '/done', cookies: ['everywhere=; Path=/; Max-Age=0'] },
  });
  await open('/install');
  assert.deepEqual(received, {
    '/install': '',
    '/panel/enter': 'panel=2; everywhere=1; encrypted=4',
    '/done': 'encrypted=4',
  });
});

test('another host is not followed', async () => {
  const { received, open } = appOf({ '/install': { to: 'https://elsewhere.example/', cookies: ['a=b'] } });
  await open('/install');
  assert.deepEqual(Object.keys(received), ['/install']);
});
