import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reading, Spec } from './index.ts';
import { anomaliesOf, type ListClause } from './judge.ts';

const IDS = Array.from({ length: 15 }, (_, at) => `p${String.fromCharCode(97 + at)}`);
/** The default page size of the simple service below, in items. */
const DEFAULT_ITEMS = 4;

/** A page of a service: its items, and the position in its link (null: no link). */
type PageOf = (request: { start: number; size: number; desc: boolean; asked: Spec }) => {
  ids: string[];
  next: number | null;
};

const ordered = (desc: boolean) => (desc ? IDS.toReversed() : IDS);
const correct: PageOf = ({ start, size, desc }) => ({
  ids: ordered(desc).slice(start, start + size),
  next: start + size < IDS.length ? start + size : null,
});

/** Each page except the first begins with the last item of the previous page. */
const overlapping = ({ start, size, desc }: Parameters<PageOf>[0]) =>
  ordered(desc).slice(Math.max(0, start - 1), start === 0 ? size : start - 1 + size);

/** Walks the simple service as the harness does. */
function reading(pageOf: PageOf, spec: Spec): Reading {
  const pages: { ids: string[] }[] = [];
  const seen = new Set<number>();
  let start = 0;
  const done = (end: Reading['end'], endReason = ''): Reading => ({
    spec,
    pages,
    ids: pages.flatMap(({ ids }) => ids),
    end,
    endReason,
  });
  for (;;) {
    if (seen.has(start)) return done('loop', 'a link leads back');
    seen.add(start);
    const size = spec.pageSize ?? DEFAULT_ITEMS;
    const { ids, next } = pageOf({ start, size, desc: spec.desc === true, asked: spec });
    pages.push({ ids });
    if (next === null) return done('last-page');
    if (pages.length === spec.stopAfter) return done('stopped');
    if (pages.length > 3 * IDS.length + 5) return done('too-many-pages', 'the list goes on');
    start = next;
  }
}

const SIZES: Spec[] = [{ pageSize: 100 }, { pageSize: 1 }, { pageSize: 2 }, { pageSize: 7 }, {}];
const SPECS: Spec[] = [...SIZES, ...SIZES.map((spec) => ({ ...spec, desc: true }))];
const STOPPED: Spec[] = [{ pageSize: 100 }, ...[1, 2, 7].map((pageSize) => ({ pageSize, stopAfter: 3 }))];

const clausesOf = (pageOf: PageOf, specs = SPECS): ListClause[] => [
  ...new Set(
    anomaliesOf(
      specs.map((spec) => reading(pageOf, spec)),
      IDS,
    ).map(({ clause }) => clause),
  ),
];
const capped =
  (pageOf: PageOf, most: number): PageOf =>
  (request) =>
    pageOf({ ...request, size: Math.min(request.size, most) });

describe('a correct list has no anomaly', () => {
  const services: Record<string, PageOf> = {
    'as asked': correct,
    'capped at 3': capped(correct, 3),
    'one item a page': capped(correct, 1),
    'a last link to an empty page': ({ start, size, desc }) => {
      const ids = ordered(desc).slice(start, start + size);
      return { ids, next: ids.length === size ? start + size : null };
    },
    'pages that are smaller now and then': ({ start, size, desc }) => {
      const count = start % 2 === 0 ? Math.max(1, size - 1) : size;
      return { ids: ordered(desc).slice(start, start + count), next: start + count < 15 ? start + count : null };
    },
  };
  for (const [what, service] of Object.entries(services)) {
    test(what, () => {
      assert.deepEqual(clausesOf(service), []);
      assert.deepEqual(clausesOf(service, STOPPED), []);
    });
  }
  test('an empty list', () => {
    const empty: PageOf = () => ({ ids: [], next: null });
    const readings = SPECS.map((spec) => reading(empty, spec));
    assert.deepEqual(anomaliesOf(readings, []), []);
  });
});

describe('each fault is found under its own clause', () => {
  const faults: [string, PageOf, ListClause][] = [
    ['page_size ignored', (r) => correct({ ...r, size: DEFAULT_ITEMS }), 'delivery.lists.page-size-respected'],
    [
      'page_size forgotten by the link',
      (r) => correct({ ...r, size: r.start > 0 ? 10 : r.size }),
      'delivery.lists.page-size-respected',
    ],
    ['no link', (r) => ({ ...correct(r), next: null }), 'delivery.lists.next-link'],
    [
      'a link that leads to its own page',
      (r) => ({ ...correct(r), next: correct(r).next === null ? null : r.start }),
      'delivery.lists.next-link',
    ],
    [
      'no link on the last page but one',
      (r) => ({ ...correct(r), next: r.start + 2 * r.size >= 15 ? null : correct(r).next }),
      'delivery.lists.next-link',
    ],
    [
      'a last page that leads to the first',
      (r) => ({ ...correct(r), next: correct(r).next ?? 0 }),
      'delivery.lists.walk-ends',
    ],
    ['empty pages without end', (r) => ({ ...correct(r), next: r.start + r.size }), 'delivery.lists.walk-ends'],
    [
      'the last item of a page again on the next',
      (r) => ({ ids: overlapping(r), next: correct(r).next }),
      'delivery.lists.every-item-once',
    ],
    [
      'an item lost between two pages',
      (r) => ({ ids: correct(r).ids, next: r.start + r.size + 1 < 15 ? r.start + r.size + 1 : null }),
      'delivery.lists.every-item-once',
    ],
    [
      'another order for small pages',
      (r) => {
        const order = r.size < 5 ? [...IDS.slice(5), ...IDS.slice(0, 5)] : IDS;
        const items = r.desc ? order.toReversed() : order;
        return { ids: items.slice(r.start, r.start + r.size), next: correct(r).next };
      },
      'delivery.lists.stable-order',
    ],
    ['desc ignored', (r) => correct({ ...r, desc: false }), 'delivery.lists.desc-reverses-whole-list'],
    [
      'desc turns each page round alone',
      (r) => {
        const page = correct({ ...r, desc: false });
        return r.desc ? { ...page, ids: page.ids.toReversed() } : page;
      },
      'delivery.lists.desc-reverses-whole-list',
    ],
    [
      'desc forgotten by the link',
      (r) => correct({ ...r, desc: r.desc && r.start === 0 }),
      'delivery.lists.desc-kept-on-later-pages',
    ],
    [
      'an item again, under desc only',
      (r) => (r.desc ? { ids: overlapping(r), next: correct(r).next } : correct(r)),
      'delivery.lists.desc-kept-on-later-pages',
    ],
  ];
  for (const [what, service, clause] of faults) {
    test(what, () => assert.deepEqual(clausesOf(service), [clause]));
    test(`${what}, capped at 3`, () => {
      // With pages of 3 and no page_size a fault may not show at all; it must not show as another one.
      const found = clausesOf(capped(service, 3));
      assert.ok(found.length === 0 || (found.length === 1 && found[0] === clause), found.join());
    });
  }

  test('in walks that are left on purpose', () => {
    const lost = faults.find(([what]) => what.startsWith('an item lost'))![1];
    assert.deepEqual(clausesOf(lost, STOPPED), ['delivery.lists.every-item-once']);
    const small = faults.find(([what]) => what.startsWith('another order for small'))![1];
    assert.deepEqual(clausesOf(small, STOPPED), ['delivery.lists.stable-order']);
    assert.deepEqual(
      clausesOf((r) => ({ ...correct(r), next: null }), STOPPED),
      ['delivery.lists.next-link'],
    );
  });

  test('with the sentence, the expectation and what was seen', () => {
    const readings = [reading((r) => correct({ ...r, size: 4 }), { pageSize: 2 })];
    const [found] = anomaliesOf(readings, IDS);
    assert.equal(found?.message, 'with page_size=2, page 1 holds 4 items');
    assert.equal(found?.expected, 'at most 2');
    assert.equal(found?.actual, 4);
  });
});

test('a walk that is stopped after it restarted counts as endless, not as repeating items', () => {
  const again: PageOf = (request) => {
    const page = correct({ ...request, start: request.start % 100 });
    return { ...page, next: page.next === null ? 100 : page.next + Math.floor(request.start / 100) * 100 };
  };
  assert.deepEqual(clausesOf(again, [{ pageSize: 7, stopAfter: 5 }]), ['delivery.lists.walk-ends']);
});
