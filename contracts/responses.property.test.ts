// Laws of what is answered: links in any style lead to the same page or nowhere else, envelopes exclude each other, portions
// in any order are judged by their flags alone, and texts read back whatever was there before. No rule throws on any JSON.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  ERROR_NAMES,
  isErrorEnvelope,
  isSuccessEnvelope,
  judgeError,
  judgeSuccess,
  resourceOf,
} from './envelopes/index.ts';
import {
  afterUpdate,
  type MultilanguageText,
  maySend,
  readsBack,
  type WebsiteLanguages,
} from './fields/multilanguage.ts';
import { isLastPage, isReverse, judgeWalk, resolveNext } from './lists/pagination.ts';
import { judgePortions, portionsOf } from './lists/portions.ts';

// The same each time; for the night: PROOFMARK_SEED=random.
if (process.env.PROOFMARK_SEED !== 'random') fc.configureGlobal({ seed: 20_260_301 });

const JSON_VALUE = fc.jsonValue({ maxDepth: 3 });

describe('links to a next page', () => {
  const host = fc.constantFrom('https://s.example', 'http://127.0.0.1:4010', 'https://s.example:8443');
  const prefix = fc.constantFrom('/v1/', '/staging/v1/');
  const path = fc.constantFrom('store/delivery_methods/', 'store/delivery_method/dm1/pickup_points/', 'store/x%2Fy/');
  const query = fc
    .uniqueArray(fc.tuple(fc.constantFrom('page_size', 'from', 'desc', 'cursor'), fc.string({ unit: 'grapheme' })), {
      selector: ([name]) => name,
      minLength: 1,
    })
    .map((pairs) => new URLSearchParams(pairs).toString());
  const page = fc.tuple(host, prefix, path, query);

  test('say the same in every style: in full, from the root of the host, from the base, and as a query', () => {
    fc.assert(
      fc.property(page, ([origin, root, at, asked]) => {
        const context = { base: `${origin}${root}`, current: `${origin}${root}${at}?page_size=1` };
        const target = `${origin}${root}${at}?${asked}`;
        const { host: name } = new URL(origin);
        const links = [
          target,
          `${root}${at}?${asked}`,
          `/${at}?${asked}`,
          `?${asked}`,
          `//${name}${root}${at}?${asked}`,
        ];
        for (const link of [...links, ` ${target} `]) {
          const found = resolveNext(link, context);
          assert.ok('url' in found, link);
          assert.ok([found.url, found.otherwise].includes(target), `${link}: ${JSON.stringify(found)}`);
        }
        // Followed from where it leads, a full link leads to itself.
        const again = resolveNext(target, { ...context, current: target });
        assert.ok('url' in again && again.url === target);
      }),
      { numRuns: 200 },
    );
  });

  test('never lead to another host, whatever they are', () => {
    const hostile = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.string({ unit: 'binary' }),
      fc
        .tuple(
          fc.constantFrom('//', '/\\', '\\\\', 'https:', 'http:/', 'https:///', '\t//', '@', '/@', '?@'),
          fc.domain(),
        )
        .map((parts) => parts.join('')),
      fc.constantFrom(
        'javascript:alert(1)',
        'file:///etc/passwd',
        'https://s.example@evil.example/',
        'https://s.example.evil.example/',
      ),
      JSON_VALUE,
    );
    const base = 'https://s.example/v1/';
    fc.assert(
      fc.property(hostile, (link) => {
        const found = resolveNext(link, { base, current: `${base}store/delivery_methods/` });
        const isFull = typeof link === 'string' && /^https?:\/\/[^/\\]/.test(link) && URL.canParse(link);
        const leads = isFull ? new URL(link) : undefined;
        if (leads !== undefined && leads.hostname !== 's.example') assert.ok('refused' in found, String(link));
        if ('refused' in found) {
          assert.equal(found.refused === 'no-link', isLastPage(link));
          return;
        }
        for (const url of [found.url, found.otherwise])
          if (url !== undefined) assert.equal(new URL(url).host, 's.example');
      }),
      { numRuns: 1_000 },
    );
  });

  test('of two walks over one list the page size shows nowhere', () => {
    const list = fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 25 });
    const sizes = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(list, sizes, sizes, fc.boolean(), (ids, one, other, emptyEnd) => {
        const walked = (size: number, items: readonly string[]) => {
          const count = Math.ceil(items.length / size) + (emptyEnd ? 1 : 0);
          const pages = Array.from({ length: count }, (_, n) => ({
            url: `/${n}`,
            ids: items.slice(n * size, (n + 1) * size),
          }));
          assert.deepEqual(judgeWalk(pages, { pageSize: size, known: ids, exactly: true }), []);
          return pages.flatMap((page) => page.ids);
        };
        assert.deepEqual(walked(one, ids), walked(other, ids));
        assert.ok(isReverse(walked(one, ids), walked(other, ids.toReversed())));
      }),
      { numRuns: 100 },
    );
  });
});

describe('envelopes', () => {
  const of = fc.constantFrom('v1' as const, 'api' as const);
  const status = fc.constantFrom(200, 201, 204, 302, 400, 401, 404, 422, 500, 503);
  const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/html', '', null);
  const near = fc.record(
    {
      error: fc.oneof(fc.boolean(), JSON_VALUE),
      error_code: fc.oneof(fc.integer(), JSON_VALUE),
      error_message: fc.oneof(fc.string(), JSON_VALUE),
      errorCode: fc.oneof(fc.integer(), JSON_VALUE),
      errorMsg: fc.oneof(fc.string(), JSON_VALUE),
      pickup_point: fc.oneof(fc.constant({ id: '1' }), JSON_VALUE),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(near, JSON_VALUE, fc.constant(undefined));

  test('no answer is a success and an error at once, and none throws', () => {
    fc.assert(
      fc.property(of, status, type, body, (which, code, contentType, json) => {
        const success = judgeSuccess(which, code, contentType, json);
        const error = judgeError(which, code, contentType, json);
        assert.ok(success.length > 0 || error.length > 0, 'both');
        const said = Object(json).error;
        if (said !== undefined && said !== false) assert.ok(success.length > 0, 'error is there and not false');
        assert.ok(!(isSuccessEnvelope(json) && isErrorEnvelope(which, json)));
        if (error.length === 0)
          assert.ok(isErrorEnvelope(which, json) && resourceOf(json, 'pickup_point') === undefined);
        for (const { message, rule } of [...success, ...error]) assert.ok(rule !== '' && /\.$/.test(message), message);
      }),
      { numRuns: 500 },
    );
  });

  test('a right one stays right with any field beside it, and is wrong for the other interface', () => {
    const others = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), JSON_VALUE, { noNullPrototype: true });
    fc.assert(
      fc.property(of, others, fc.integer(), fc.string(), (which, beside, code, message) => {
        const names = ERROR_NAMES[which];
        const envelope = { ...beside, error: true, [names.code]: code, [names.message]: message };
        assert.deepEqual(judgeError(which, 400, 'application/json', envelope), []);
        assert.notDeepEqual(judgeError(which === 'v1' ? 'api' : 'v1', 400, 'application/json', envelope), []);
        assert.deepEqual(judgeSuccess(which, 200, 'application/json', { ...beside, error: false }), []);
      }),
      { numRuns: 200 },
    );
  });

  test('a resource is found alike bare, beside the envelope and under its name', () => {
    const record = fc.dictionary(fc.stringMatching(/^[a-z]{2,6}$/), JSON_VALUE, { minKeys: 1, noNullPrototype: true });
    fc.assert(
      fc.property(
        record.filter((one) => !('error' in one) && !('thing' in one)),
        (resource) => {
          for (const response of [
            resource,
            { error: false, ...resource },
            { thing: resource },
            { error: false, thing: resource },
          ])
            assert.deepEqual(resourceOf(response, 'thing'), resource);
          assert.equal(resourceOf({ error: true, thing: resource }, 'thing'), undefined);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('portions', () => {
  const count = fc.integer({ min: 0, max: 300 });
  const size = fc.integer({ min: 1, max: 100 });
  const portions = (items: number, each: number) =>
    portionsOf(
      Array.from({ length: items }, (_, n) => ({ id: `p${n}` })),
      each,
    );

  test('any list in portions of any size, and any number of lists after one another, is right', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(count, size), { minLength: 1, maxLength: 3 }), (lists) => {
        assert.deepEqual(judgePortions(lists.flatMap(([items, each]) => portions(items, each))), []);
      }),
      { numRuns: 100 },
    );
  });

  test('one flag turned round, one item too many, or an id sent twice is noticed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 200 }), fc.nat(), fc.boolean(), (items, which, first) => {
        const right = portions(items, Math.ceil(items / 3));
        const at = which % right.length;
        const flag = first ? 'is_initialization' : 'is_finalization';
        const one = right[at]!;
        assert.notDeepEqual(judgePortions(right.with(at, { ...one, [flag]: !one[flag] })), []);
        const more = Array.from({ length: 101 }, (_, n) => ({ id: `m${n}` }));
        assert.notDeepEqual(judgePortions(right.with(at, { ...one, items: more })), []);
        const twice = [...one.items, right[(at + 1) % right.length]!.items[0]!];
        assert.notDeepEqual(judgePortions(right.with(at, { ...one, items: twice })), []);
      }),
      { numRuns: 100 },
    );
  });
});

describe('texts in several languages', () => {
  const site = fc
    .uniqueArray(fc.constantFrom('en', 'lv', 'ru', 'de', 'pt-BR', 'zh-Hans', 'a'), { minLength: 1, maxLength: 4 })
    .chain((languages) =>
      fc.record({ languages: fc.constant(languages), defaultLanguage: fc.constantFrom(...languages) }),
    );
  const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 5 });
  const objectFor = (languages: readonly string[], least = 1) =>
    fc
      .subarray([...languages], { minLength: least })
      .chain((named) => fc.tuple(...named.map((one) => words.map((text) => [one, text] as const))))
      .map((pairs): Record<string, string> => Object.fromEntries(pairs));
  const story = site.chain((website) =>
    fc.tuple(
      fc.constant(website),
      objectFor(website.languages, 0),
      fc.array(fc.oneof(words, objectFor(website.languages)), { minLength: 1, maxLength: 4 }),
    ),
  );

  /** Two services that keep the contract: one merges objects into what was there, the other puts them in its place. */
  const after = (
    before: Record<string, string>,
    sent: MultilanguageText,
    website: WebsiteLanguages & { readonly defaultLanguage: string },
    merges: boolean,
  ) =>
    typeof sent === 'string' ? { ...before, [website.defaultLanguage]: sent } : { ...(merges ? before : {}), ...sent };

  test('whatever was there and however it is changed, a service that does what was requested is not blamed, and each deviation is', () => {
    fc.assert(
      fc.property(story, fc.boolean(), ([website, start, updates], merges) => {
        let now = start;
        for (const sent of updates) {
          assert.ok(maySend(sent, website).allowed);
          const next: Record<string, string> = after(now, sent, website, merges);
          assert.deepEqual(readsBack(sent, next, website, now), []);
          const { mustRead, free } = afterUpdate(now, sent, website);
          assert.deepEqual([...Object.keys(mustRead), ...free].toSorted(), website.languages.toSorted());
          // A plain string keeps every other language, an object brings those that it names.
          const due = Object.keys(typeof sent === 'string' ? next : sent);
          assert.deepEqual(Object.keys(mustRead).toSorted(), due.toSorted());
          for (const [language, text] of Object.entries(mustRead)) {
            const { [language]: _, ...without } = next;
            for (const wrong of [without, { ...next, [language]: `${text}.` }])
              assert.notDeepEqual(readsBack(sent, wrong, website, now), [], language);
          }
          assert.notDeepEqual(
            readsBack(sent, { ...next, xx: 'a' }, website, now),
            [],
            'a language that it does not have',
          );
          for (const language of free)
            assert.deepEqual(readsBack(sent, { ...next, [language]: 'anything' }, website, now), [], language);
          now = next;
        }
      }),
      { numRuns: 200 },
    );
  });

  test('nothing that is read makes a rule throw', () => {
    fc.assert(
      fc.property(story, JSON_VALUE, ([website, , updates], read) => {
        for (const sent of updates) assert.ok(Array.isArray(readsBack(sent, read, website)));
        assert.equal(typeof maySend(read, website).allowed, 'boolean');
      }),
      { numRuns: 200 },
    );
  });
});
