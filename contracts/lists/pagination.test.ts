import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLastPage, isReverse, isSameOrder, judgeWalk, resolveNext } from './pagination.ts';

const context = { base: 'https://s.example/v1/', current: 'https://s.example/v1/store/delivery_methods/' };

test('whatever a link says, it is followed to the host and scheme of the base or not at all', () => {
  const piece = fc.constantFrom(
    'https:',
    'http:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '?',
    '#',
    '\t',
    ' ',
    '.',
    '..',
    's.example',
    'e.example',
    'v1',
    'store',
    '%2f',
    '8443',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 7 }).map((parts) => parts.join('')),
        fc.webUrl(),
      ),
      (link) => {
        const response = resolveNext(link, context);
        if ('refused' in response) return;
        for (const url of [response.url, response.otherwise ?? response.url]) {
          assert.equal(new URL(url).origin, 'https://s.example', `${link} -> ${url}`);
          assert.equal(new URL(url).username, '');
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a link from plain http leads up to https only at the default ports', () => {
  const from = (base: string, link: string) => resolveNext(link, { base, current: `${base}store/x/` });
  assert.deepEqual(from('http://s.example/v1/', 'https://s.example/v1/store/x/?p=2'), {
    url: 'https://s.example/v1/store/x/?p=2',
  });
  assert.deepEqual(from('http://s.example:8080/v1/', 'https://s.example:8080/v1/store/x/?p=2'), {
    url: 'http://s.example:8080/v1/store/x/?p=2',
  });
});

test('the end of a list in all its forms', () => {
  for (const end of [undefined, null, '', ' ', false, []]) assert.equal(isLastPage(end), true, JSON.stringify(end));
  for (const link of ['?p=2', 0, {}, ['?p=2'], true]) assert.equal(isLastPage(link), false, JSON.stringify(link));
});

test('a list cut into pages anywhere is a correct walk; any item lost or repeated is noticed', () => {
  const list = fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(list, fc.integer({ min: 1, max: 7 }), fc.nat(), (ids, size, at) => {
      const pagesOf = (items: readonly string[]) =>
        Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, i) => ({
          url: `/${i}`,
          ids: items.slice(i * size, (i + 1) * size),
        }));
      const options = { pageSize: size, known: ids, exactly: true };
      assert.deepEqual(judgeWalk(pagesOf(ids), options), []);
      const i = at % ids.length;
      const rules = (items: readonly string[]) => judgeWalk(pagesOf(items), options).map(({ rule }) => rule);
      assert.deepEqual(rules(ids.toSpliced(i, 1)), ['gap']);
      assert.deepEqual(rules(ids.toSpliced(i, 0, ids[i]!)), ['repeat']);
      assert.equal(isReverse(ids, ids.toReversed()), true);
      assert.equal(isReverse(ids, ids), ids.length === 1);
      assert.equal(isSameOrder(ids, ids), true);
    }),
    { numRuns: 200 },
  );
});

test('a fault of a walk names the page and the items', () => {
  const pages = [
    { url: '/a', ids: ['1', '2'] },
    { url: '/b', ids: ['2'] },
  ];
  const [fault] = judgeWalk(pages, { pageSize: 2 });
  assert.equal(fault?.message, 'The item "2" of page 2 was already on page 1.');
  assert.equal(fault?.page, 1);
  const many = Array.from({ length: 9 }, (_, i) => `k${i}`);
  assert.equal(
    judgeWalk([], { known: many })[0]?.message,
    'The items "k0", "k1", "k2", "k3", "k4" and 4 more are missing from every page.',
  );
});

test('100,000 items are judged', () => {
  const ids = Array.from({ length: 100_000 }, (_, i) => `p${i}`);
  assert.deepEqual(judgeWalk([{ url: '/', ids }], { known: ids, exactly: true }), []);
});
