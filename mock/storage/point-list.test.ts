import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ids, inProcess, keyedClient, memoryService, newMethod, points } from '../client.fixture.ts';
import type { Point } from '../types/point.ts';
import { type PointList, PointLists } from './point-list.ts';
import { Journal } from './table.ts';

const point = (id: string, country: string | null = null): Point => ({
  id,
  country,
  title: null,
  address: null,
  city: null,
  zip: null,
  attributes: undefined,
});

/** A simple reference list: an array that is copied at every step. */
class Plain {
  list: Point[] = [];
  upload: { country: string | null; points: Point[] } | null = null;

  publish(): void {
    const { country, points: staged } = this.upload!;
    const kept =
      country === null ? [] : this.list.filter((one) => one.country?.toLowerCase() !== country.toLowerCase());
    this.list = [...kept, ...staged];
    this.upload = null;
  }
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const country = fc.constantFrom('LV', 'lv', 'EE', null);
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), id, country }),
  fc.record({ do: fc.constant('replace' as const), id, country }),
  fc.record({ do: fc.constant('remove' as const), id, country }),
  fc.record({ do: fc.constant('begin' as const), id, country }),
  fc.record({ do: fc.constant('stage' as const), id, country }),
  fc.record({ do: fc.constant('publish' as const), id, country }),
);
type Step = { do: 'add' | 'replace' | 'remove' | 'begin' | 'stage' | 'publish'; id: string; country: string | null };

/** Applies a step to both lists if it is possible; returns whether it was. */
function take(wanted: Step, list: PointList, plain: Plain): boolean {
  const one = point(wanted.id, wanted.country);
  const at = plain.list.findIndex((other) => other.id === wanted.id);
  switch (wanted.do) {
    case 'add':
      if (at >= 0) return false;
      list.add(one);
      plain.list = [...plain.list, one];
      return true;
    case 'replace':
      if (at < 0) return false;
      list.replace(one);
      plain.list = plain.list.with(at, one);
      return true;
    case 'remove':
      assert.equal(list.remove(wanted.id), at >= 0);
      plain.list = plain.list.filter((other) => other.id !== wanted.id);
      return true;
    case 'begin':
      list.begin(wanted.country);
      plain.upload = { country: wanted.country, points: [] };
      return true;
    case 'stage': {
      if (!plain.upload) return false;
      const stays =
        at >= 0 &&
        plain.upload.country !== null &&
        plain.list[at]!.country?.toLowerCase() !== plain.upload.country.toLowerCase();
      assert.equal(list.keepsPublished(wanted.id), stays);
      if (stays || plain.upload.points.some((other) => other.id === wanted.id)) return false;
      const staged = { ...one, country: plain.upload.country ?? wanted.country };
      list.stage([staged]);
      plain.upload.points.push(staged);
      return true;
    }
    case 'publish': {
      if (!plain.upload) return false;
      const clash = plain.upload.points.some((staged) => list.keepsPublished(staged.id));
      if (clash) return false;
      list.publish();
      plain.publish();
      return true;
    }
  }
}

function agrees(list: PointList, plain: Plain): void {
  assert.deepEqual(list.all(), plain.list);
  assert.equal(list.size, plain.list.length);
  assert.deepEqual(list.staged(), plain.upload?.points ?? []);
  for (const backwards of [false, true]) {
    const walked: Point[] = [];
    for (let after: string | null = null; ; ) {
      const page = list.slice(after, 2, backwards);
      walked.push(...page.map(({ item }) => item));
      after = page.at(-1)?.position ?? null;
      if (after === null) break;
    }
    assert.deepEqual(walked, backwards ? plain.list.toReversed() : plain.list);
  }
  for (const name of 'abcdefg')
    assert.deepEqual(
      list.get(name),
      plain.list.find((other) => other.id === name),
    );
}

describe('a list of points', () => {
  test('behaves like a plain array', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const journal = new Journal();
        const list = new PointLists(journal).of('m');
        const plain = new Plain();
        for (const wanted of steps) {
          journal.change(() => take(wanted, list, plain));
          agrees(list, plain);
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test('is restored when a change is rolled back', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30, size: 'max' }),
        fc.array(step, { minLength: 1, maxLength: 12, size: 'max' }),
        (before, undone) => {
          const journal = new Journal();
          const list = new PointLists(journal).of('m');
          const plain = new Plain();
          for (const wanted of before) journal.change(() => take(wanted, list, plain));
          const scratch = new Plain();
          scratch.list = [...plain.list];
          scratch.upload = plain.upload && { ...plain.upload, points: [...plain.upload.points] };
          assert.throws(() =>
            journal.change(() => {
              for (const wanted of undone) take(wanted, list, scratch);
              throw new Error('taken back');
            }),
          );
          agrees(list, plain);
          for (const wanted of undone) journal.change(() => take(wanted, list, plain));
          agrees(list, plain);
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });

  test('100,000 points in portions: the cost of a portion and of a page depends only on its own points', async () => {
    const service = memoryService();
    const api = keyedClient(inProcess(service), service.state.websites.get('55001')!.apiKey);
    const handle = await newMethod(api);
    const { numbers } = service.state.points;
    const costs = new Set<number>();
    const upload = async (more: Record<string, unknown>, from: number, portions: number) => {
      for (let at = 0; at < portions; at += 1) {
        const before = numbers.touched;
        const reply = await api.post(`/store/delivery_method/${handle}/pickup_points/batch_replace/`, {
          pickup_points: points(100, from + at * 100, more),
          is_initialization: at === 0,
          is_finalization: at === portions - 1,
        });
        assert.equal(reply.status, 200);
        costs.add(numbers.touched - before);
      }
    };
    await upload({ country: 'LV' }, 0, 1_000);
    assert.equal(service.state.points.of(handle).size, 100_000);
    await upload({ country: 'LV' }, 0, 1_000);
    assert.deepEqual([...costs], [100]);

    const list = service.state.points.of(handle);
    let before = numbers.touched;
    await api.get(
      `/store/delivery_method/${handle}/pickup_points/?page_size=50&page_start=${list.slice(null, 50_000, false).at(-1)!.position}`,
    );
    assert.equal(numbers.touched - before - 50_000, 51);

    before = numbers.touched;
    const reply = await api.post(`/store/delivery_method/${handle}/pickup_points/batch_replace/`, {
      pickup_points: points(3, 500_000, { country: 'EE' }),
      country: 'EE',
    });
    assert.equal(reply.status, 200);
    assert.equal(numbers.touched - before, 3);
    const last = (await api.get(`/store/delivery_method/${handle}/pickup_points/?desc=1&page_size=4`)).body
      .pickup_points;
    assert.deepEqual(ids(last), ['P-500002', 'P-500001', 'P-500000', 'P-99999']);
  });
});
