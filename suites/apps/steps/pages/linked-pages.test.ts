import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areAlike, pageLinks, saysLanguage } from './linked-pages.ts';

const links = (html: string, address = 'https://shop.test/site/honey/'): string[] => pageLinks(html, address);

test('pages below the folder of a page are found once, without their fragments', () => {
  const html = `<a href="about/">About</a> <a class='x' href='/site/honey/contact/#top'>Contact</a><A HREF="about/#us">Us</A>
    <a href="https://shop.test/site/honey/news.html">News</a>`;
  assert.deepEqual(links(html), [
    'https://shop.test/site/honey/about/',
    'https://shop.test/site/honey/contact/',
    'https://shop.test/site/honey/news.html',
  ]);
});

test('links need no quotes', () => {
  assert.deepEqual(
    links('<a href=about/>About</a> <a class=x href = /site/honey/news/ title="x">News</a> <a href=>x</a>'),
    ['https://shop.test/site/honey/about/', 'https://shop.test/site/honey/news/'],
  );
});

test('pages that end as programs do are pages', () => {
  const names = ['about.php', 'terms.aspx', 'news.asp', 'help.jsp', 'team.xhtml'];
  assert.deepEqual(
    links(names.map((name) => `<a href="${name}">x</a>`).join('\n')),
    names.map((name) => `https://shop.test/site/honey/${name}`),
  );
  assert.deepEqual(links('<a href="logout.php">x</a><a href="cart.aspx">x</a><a href="list.phar">x</a>'), []);
});

test('what may be no page of the website, or may do something, is left out', () => {
  const others = [
    ...[
      '/checkout/honey/',
      'https://other.test/site/honey/about/',
      '../apple/',
      '?page=2',
      '',
      '../',
      'mailto:a@b.test',
    ],
    ...[
      'logout',
      'cart/',
      'list.pdf',
      'feed.xml',
      'admin/',
      'account',
      'products/add/7',
      'news?id=1',
      'http://[',
      '#top',
    ],
  ];
  assert.deepEqual(links(others.map((href) => `<a href="${href}">x</a>`).join('\n')), []);
});

test('a long page with unfinished tags is read in linear time', () => {
  assert.deepEqual(links('<a '.repeat(200_000)), []);
});

test('a page is in the language that it says, whatever the region', () => {
  assert.ok(saysLanguage('<!doctype html><html class="x" lang="lv-LV">', 'lv'));
  assert.ok(saysLanguage("<HTML LANG='PT'>", 'pt-br'));
  assert.ok(!saysLanguage('<html lang="en">', 'lv'));
});

test('a page that says no language does not show which language the pages behind it are in', () => {
  assert.ok(areAlike('<html><body>', '<html><body>'));
  assert.ok(!saysLanguage('<html><body>', 'lv'));
});
