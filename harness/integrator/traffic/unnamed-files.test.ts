import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fetched } from '../fetch/fetcher.ts';
import { searchUnnamedFiles, unnamedFilesOf } from './unnamed-files.ts';

const PAGE = 'https://app.example/shop/install.php?a=1';

/** Searches a host that serves some files; returns what was asked for, and what was searched. */
async function searched(files: Readonly<Record<string, string>>, manifest = 'manifest.json') {
  const asked: string[] = [];
  const looked: [where: string, text: string][] = [];
  const fetcher = {
    fetch: async (url: string) => {
      asked.push(url);
      const bytes = Buffer.from(files[url] ?? 'not there');
      return { status: url in files ? 200 : 404, bytes, exchange: 7 } as unknown as Fetched;
    },
    close: async () => undefined,
  };
  const watch = { snapshot: (where: string, text: string) => void looked.push([where, text]) };
  await searchUnnamedFiles({ fetcher, watch } as unknown as Parameters<typeof searchUnnamedFiles>[0], [PAGE], manifest);
  return { asked, looked };
}

test('only the host of the page is asked, beside the page and at its root, each file once', () => {
  const files = unnamedFilesOf([PAGE, 'https://app.example/shop/settings']);
  assert.equal(new Set(files).size, files.length);
  assert.ok(files.every((file) => file.startsWith('https://app.example/') && !file.includes('?')));
  for (const path of ['/.env', '/shop/.env', '/shop/install.php.bak', '/shop/install.php~'])
    assert.ok(files.includes(`https://app.example${path}`), path);
  assert.ok(
    unnamedFilesOf(['https://app.example/wp-admin/admin.php?page=a']).includes(
      'https://app.example/wp-content/debug.log',
    ),
  );
  assert.ok(!unnamedFilesOf(['https://app.example/install']).some((file) => file.includes('/wp-')));
  assert.ok(!files.some((file) => file.includes('settings.bak')));
  assert.ok(files.length <= 75, String(files.length));
});

test('what is served is searched, whatever it is', async () => {
  const { looked } = await searched({ 'https://app.example/.env': 'KEY=1' });
  const served = looked.filter(([, text]) => text !== 'not there');
  assert.deepEqual(served, [['a file that no page names, /.env', 'KEY=1']]);
  assert.ok(looked.some(([where]) => where === 'a page with status 404'));
});

test('the files of a folder that is listed are searched, and its programs are not run', async () => {
  const names = ['keys.txt', 'db/', 'run.php', 'list?sort=name', '../up.txt', 'https://other.example/shop/x.txt'];
  const list = `<title>Index of /shop</title>${names.map((name) => `<a href="${name}">`).join('')}`;
  const folder = 'https://app.example/shop/';
  const { asked, looked } = await searched({ [folder]: list, [`${folder}keys.txt`]: 'KEY=1' });
  assert.ok(looked.some(([where, text]) => where.endsWith('/shop/keys.txt') && text === 'KEY=1'));
  assert.deepEqual(
    asked.filter((url) => /db\/|run\.php|sort|up\.txt|other/.test(url)),
    [],
  );
  const page = await searched({ [folder]: '<title>Our shop</title><a href="keys.txt">' });
  assert.ok(!page.asked.includes(`${folder}keys.txt`));
});

test('the manifest is not asked for, and addresses that cannot be read are left out', async () => {
  const manifest = 'https://app.example/config.json';
  assert.ok(!(await searched({}, manifest)).asked.includes(manifest));
  assert.deepEqual(unnamedFilesOf([]), []);
});
