/** What an integrator is judged by over several calls: the ids of points, and lists in portions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addPoint,
  broken,
  type ExchangeDescription,
  judged,
  OK,
  point,
  refusal,
  WHOLE,
} from '../../traffic.fixture.ts';

describe('points added twice', () => {
  const clause = ['provider.calls.point-ids-unique'];
  const add = (id: string, status = 200): ExchangeDescription => addPoint({ pickup_point: point(id) }, status);
  const remove = (id: string): ExchangeDescription => ({
    method: 'DELETE',
    url: `store/delivery_method/m-1/pickup_point/${id}/`,
    response: OK,
  });
  const batch = (ids: readonly string[], flags: object = {}, status = 200): ExchangeDescription => ({
    method: 'POST',
    url: 'store/delivery_method/m-1/pickup_points/batch_replace/',
    body: { pickup_points: ids.map((id) => point(id)), ...flags },
    status,
    response: status === 200 ? OK : refusal(status),
  });

  test('break the clause when the first one was served', () => {
    assert.deepEqual(broken([add('a'), add('a', 409)], WHOLE), clause);
    assert.deepEqual(broken([add('a', 500), add('a')], WHOLE), []);
    assert.deepEqual(broken([add('a'), remove('a'), add('a')], WHOLE), []);
    assert.deepEqual(broken([add('a'), add('b')], WHOLE), []);
  });

  test('are known from lists, where the service refuses the id', () => {
    const list: ExchangeDescription = {
      url: 'store/delivery_method/m-1/pickup_points/',
      response: { pickup_points: [point('a')] },
    };
    assert.deepEqual(broken([list, add('a', 409)], WHOLE), clause);
    for (const described of [
      [list, add('a')],
      [list, remove('a'), add('a', 409)],
      [list, batch(['b']), add('a', 409)],
      [list, add('b', 409)],
    ])
      assert.deepEqual(broken(described, WHOLE), []);
  });

  test('are not those that a path names in a twofold encoding, which is advice where they are refused', () => {
    const read = (segment: string, status: number): ExchangeDescription => ({
      url: `store/delivery_method/m-1/pickup_point/${segment}/`,
      status,
      response: status === 200 ? point('a') : refusal(status),
    });
    const adviceOn = (described: readonly ExchangeDescription[]): string | undefined =>
      judged(described, WHOLE)('provider.calls.known-operations')?.advice?.finding.message;
    assert.match(adviceOn([add('P/1 ž'), read('P%252F1%2520%25C5%25BE', 404)]) ?? '', /"P\/1 ž" encoded twice/);
    assert.match(adviceOn([batch(['a b']), read('a%2520b', 404)]) ?? '', /encoded twice/);
    for (const described of [
      [add('a b'), read('a%2520b', 200)],
      [add('a b'), read('a%20b', 404)],
      [add('a b'), add('a%20b'), read('a%2520b', 404)],
      [add('c'), read('a%2520b', 404)],
      [add('100%'), read('100%25', 404)],
    ])
      assert.equal(adviceOn(described), undefined);
  });

  test('may be points that are renamed', () => {
    const rename = (id: string, next: string): ExchangeDescription => ({
      ...remove(id),
      method: 'PUT',
      body: { pickup_point: { id: next } },
      status: 400,
      response: refusal(400),
    });
    assert.deepEqual(broken([add('a'), add('b'), rename('b', 'a')], WHOLE), clause);
    assert.deepEqual(broken([add('a'), add('b'), rename('b', 'b'), rename('b', 'c')], WHOLE), []);
  });

  test('are known from uploads, whole or in portions', () => {
    assert.deepEqual(broken([batch(['a']), add('a', 409)], WHOLE), clause);
    const portions = [batch(['a'], { is_finalization: false }), batch(['b'], { is_initialization: false })];
    assert.deepEqual(broken([...portions, add('a', 409)], WHOLE), clause);
    assert.deepEqual(broken([add('a'), batch(['b']), add('a')], WHOLE), []);
  });

  test('are found across the countries of a method', () => {
    const of = (country: string, ids: readonly string[], more: object = {}): ExchangeDescription => ({
      ...batch(ids),
      body: { pickup_points: ids.map((id) => point(id, { country })), country, ...more },
    });
    assert.deepEqual(broken([of('LV', ['a']), of('EE', ['a'])], WHOLE), clause);
    assert.deepEqual(broken([batch(['a']), of('EE', ['a'])], WHOLE), clause);
    assert.deepEqual(broken([of('LV', ['a']), of('EE', ['b']), of('LT', ['a'])], WHOLE), clause);
    const open = of('EE', ['b'], { is_finalization: false });
    assert.deepEqual(broken([of('LV', ['a']), open, of('EE', ['a'], { is_initialization: false })], WHOLE), clause);
    // One list after another of the same country, of all countries, or after the point has moved.
    assert.deepEqual(broken([of('LV', ['a']), of('lv', ['a']), of('EE', ['b']), batch(['a', 'b'])], WHOLE), []);
    assert.deepEqual(broken([of('LV', ['a']), of('LV', []), of('EE', ['a'])], WHOLE), []);
    assert.deepEqual(broken([of('LV', ['a']), remove('a'), of('EE', ['a'])], WHOLE), []);
    const move: ExchangeDescription = { ...remove('a'), method: 'PUT', body: { pickup_point: { country: 'EE' } } };
    assert.deepEqual(broken([of('LV', ['a']), move, of('EE', ['a'])], WHOLE), []);
    assert.deepEqual(broken([{ ...of('LV', ['a']), status: 500, response: refusal(500) }, of('EE', ['a'])], WHOLE), []);
  });
});

test('handles that are not separated by a comma alone are advised on, where they are refused', () => {
  const list: ExchangeDescription = {
    url: 'store/delivery_methods/',
    response: { delivery_methods: [{ handle: 'm-1' }, { handle: 'm-2' }] },
  };
  const at = (handles: string, status = 404): ExchangeDescription => ({
    method: 'POST',
    url: `store/delivery_method/${handles}/pickup_points/batch_replace/`,
    body: { pickup_points: [] },
    status,
    response: status === 200 ? OK : refusal(status),
  });
  const adviceOn = (described: readonly ExchangeDescription[]): string | undefined =>
    judged(described, WHOLE)('provider.calls.known-operations')?.advice?.finding.message;
  for (const handles of ['m-1;m-2', 'm-1,%20m-2', 'm-1,m-2,', 'm-1%7Cm-2', 'm-1+m-2'])
    assert.match(adviceOn([list, at(handles)]) ?? '', /separated by a comma and nothing else/, handles);
  assert.match(adviceOn([at('m-1', 200), at('m-2', 200), at('m-1;m-2')]) ?? '', /comma/);
  for (const described of [
    [at('m-1;m-2')],
    [list, at('m-1;m-3')],
    [list, at('m-1;m-2', 200)],
    [list, at('m-1,m-2', 500)],
    [list, at('m-3')],
  ])
    assert.equal(adviceOn(described), undefined);
});

describe('portions', () => {
  const at = (first: number, count: number): string[] => Array.from({ length: count }, (_, i) => `p${first + i}`);
  interface Sent {
    readonly ids: readonly string[];
    readonly init?: unknown;
    readonly final?: unknown;
    readonly status?: number;
    readonly startMs?: number;
    readonly more?: object;
  }
  const described = (portions: readonly Sent[]): ExchangeDescription[] =>
    portions.map(({ ids, init, final, status = 200, startMs, more = {} }) => ({
      method: 'POST',
      url: 'store/delivery_method/m-1,m-2/pickup_points/batch_replace/',
      body: {
        pickup_points: ids.map((id) => point(id)),
        ...(init === undefined ? {} : { is_initialization: init }),
        ...(final === undefined ? {} : { is_finalization: final }),
        ...more,
      },
      status,
      response: status === 200 ? OK : refusal(status),
      ...(startMs === undefined ? {} : { at: startMs, durationMs: 400 }),
    }));
  const B = 'provider.calls.';
  const three = [
    { ids: at(0, 100), init: true, final: false },
    { ids: at(100, 100), init: false, final: false },
    { ids: at(200, 7), init: false, final: true },
  ];

  const right: Record<string, readonly Sent[]> = {
    'a list in one call, flags left out': [{ ids: at(0, 3) }],
    'three portions': three,
    'three portions with the true flags left out': [
      { ids: at(0, 100), final: false },
      { ids: at(100, 100), init: false, final: false },
      { ids: at(200, 7), init: false },
    ],
    'an empty list': [{ ids: [] }],
    'a list again and again': [{ ids: at(0, 3) }, { ids: at(0, 3) }, ...three, ...three],
    'a portion that was refused and sent again': [
      three[0] as Sent,
      { ...(three[1] as Sent), status: 503 },
      three[1] as Sent,
      three[2] as Sent,
    ],
    'a list begun again after a refusal': [three[0] as Sent, { ...(three[1] as Sent), status: 500 }, ...three],
    'a list begun again without a word': [three[0] as Sent, ...three],
    'lists by country': [
      { ids: at(0, 100), more: { country: 'LV' } },
      { ids: at(100, 100), more: { country: 'EE' } },
    ],
    // The contract does not say that a list of one country ends that of another.
    'lists of two countries side by side': [
      { ids: at(0, 100), init: true, final: false, more: { country: 'LV' } },
      { ids: at(200, 100), init: true, final: false, more: { country: 'EE' } },
      { ids: at(100, 7), init: false, final: true, more: { country: 'LV' } },
      { ids: at(300, 7), init: false, final: true, more: { country: 'EE' } },
    ],
    'a list whose later portions name no country': [
      { ids: at(0, 100), init: true, final: false, more: { country: 'LV' } },
      { ids: at(100, 7), init: false, final: true },
    ],
  };
  for (const [what, portions] of Object.entries(right)) {
    test(`right: ${what}`, () => {
      assert.deepEqual(broken(described(portions), WHOLE), []);
      assert.equal(judged(described(portions), WHOLE)(`${B}earlier-portions-open`)?.advice, undefined);
    });
  }

  const wrong: ReadonlyArray<readonly [clause: string, what: string, portions: readonly Sent[]]> = [
    [
      'portion-size',
      '150 points, refused',
      [
        { ids: at(0, 150), init: true, final: false, status: 400 },
        { ids: at(150, 50), init: false, final: true },
      ],
    ],
    ['later-portions-continue', 'each begins the list', three.map((one) => ({ ...one, init: true }))],
    ['earlier-portions-open', 'each finishes the list', three.map((one) => ({ ...one, final: true }))],
    [
      'first-portion-initializes',
      'the first continues',
      three.map((one, i) => (i === 0 ? { ...one, init: false } : one)),
    ],
    ['last-portion-finalizes', 'the last does not finish', three.map((one) => ({ ...one, final: false }))],
    [
      'last-portion-finalizes',
      'the list of one of two countries is not finished',
      [
        { ids: at(0, 100), init: true, final: false, more: { country: 'LV' } },
        { ids: at(200, 100), init: true, final: false, more: { country: 'EE' } },
        { ids: at(100, 7), init: false, final: true, more: { country: 'LV' } },
      ],
    ],
    ['ids-unique', 'an id in two portions', [three[0] as Sent, { ids: ['p0'], init: false, final: true }]],
    ['ids-unique', 'an id twice in a call', [{ ids: ['a', 'a'] }]],
    ['last-portion-finalizes', 'a flag that is a word', [{ ids: ['a'], final: 'true' }]],
    [
      'earlier-portions-open',
      'a flag that is a number',
      [
        { ids: ['a'], init: true, final: 0 },
        { ids: ['b'], init: false, final: true },
      ],
    ],
  ];
  for (const [clause, what, portions] of wrong) {
    test(`${clause}: ${what}`, () => assert.deepEqual(broken(described(portions), WHOLE), [B + clause]));
  }

  test('list-sent: the list is an object', () => {
    const [call] = described([{ ids: [] }]) as [ExchangeDescription];
    assert.deepEqual(broken([{ ...call, body: { pickup_points: { LV: [] } } }], WHOLE), [`${B}list-sent`]);
  });

  test('list-sent: there is no list, or nothing else', () => {
    const [call] = described([{ ids: [] }]) as [ExchangeDescription];
    const messageOn = (body: unknown): string =>
      judged([{ ...call, body }], WHOLE)(`${B}list-sent`)?.finding?.message ?? '';
    assert.match(messageOn({ points: [] }), /sends no pickup_points$/);
    assert.match(messageOn([point('a')]), /sends a list instead of an object with pickup_points$/);
    assert.match(messageOn('"{}"'), /sends the text "\{\}" instead of an object/);
  });

  test('of a recording that begins or ends in the middle blame no party', () => {
    const options = { party: 'integrator', headersComplete: true } as const;
    assert.deepEqual(broken(described(three.slice(1, 2)), options), []);
    const outcomes = judged(described(three.slice(1, 2)), options);
    assert.equal(outcomes(`${B}first-portion-initializes`)?.verdict, 'inconclusive');
    assert.equal(outcomes(`${B}last-portion-finalizes`)?.verdict, 'inconclusive');
  });

  test('under way at the same time leave their order open', () => {
    const parallel = [2, 0, 1].map((i, place) => ({ ...(three[i] as Sent), startMs: 1_000 + place * 10 }));
    assert.deepEqual(broken(described(parallel), { ...WHOLE, complete: false }), []);
    assert.match(judged(described(parallel), WHOLE)(`${B}later-portions-continue`)?.reason ?? '', /at the same time/);
  });

  test('may be begun again before the first attempt was answered', () => {
    const first = three[0] as Sent;
    const again = [first, { ...first, startMs: 1_010 }, ...three.slice(1)].map((sent, place) => ({
      ...{ startMs: 1_000 + place * 10_000 },
      ...sent,
    }));
    assert.deepEqual(broken(described(again), WHOLE), []);
  });

  test('that are full lists of other points each are advised on', () => {
    const adviceOn = (lists: readonly Sent[]): string | undefined => {
      assert.deepEqual(broken(described(lists), WHOLE), []);
      return judged(described(lists), WHOLE)(`${B}earlier-portions-open`)?.advice?.finding.message;
    };
    assert.match(adviceOn([{ ids: at(0, 100) }, { ids: at(100, 7) }]) ?? '', /100 points, .* replaces all of them/);
    assert.match(adviceOn([{ ids: at(0, 50) }, { ids: at(50, 50) }, { ids: at(100, 7) }]) ?? '', /50 points/);
    assert.equal(adviceOn([{ ids: at(0, 50) }, { ids: at(50, 49) }]), undefined);
    assert.equal(adviceOn([{ ids: at(0, 1) }, { ids: at(1, 1) }]), undefined);
    const [first, last] = [
      { ids: at(0, 100), final: false },
      { ids: at(100, 100), init: false },
    ];
    assert.equal(adviceOn([first, last, first, last]), undefined);
  });

  describe('that were refused', () => {
    const portion = (ids: readonly string[], first: boolean, last: boolean, status = 200): ExchangeDescription => ({
      method: 'POST',
      url: 'store/delivery_method/m-1/pickup_points/batch_replace/',
      body: { pickup_points: ids.map((id) => point(id)), is_initialization: first, is_finalization: last },
      status,
      response: status === 200 ? OK : refusal(status),
    });
    const tally = (...sent: readonly ExchangeDescription[]) => judged(sent, WHOLE)(`${B}failed-portion-sent-again`);
    const [first, last] = [portion(['a'], true, false), portion(['d'], false, true)];
    const refused = portion(['b', 'c'], false, false, 400);
    const unavailable = portion(['b', 'c'], false, false, 503);

    test('and not sent again are missing in a list that is finished', () => {
      for (const sent of [
        [first, refused, last],
        [first, unavailable, last],
        [portion(['a', 'b'], true, false, 429), last],
      ]) {
        assert.match(tally(...sent)?.reason ?? '', /a portion of 2 points was refused and not sent again/);
        assert.deepEqual(broken(sent, WHOLE), [`${B}failed-portion-sent-again`]);
      }
    });

    test('and sent again at once, later, or without what was wrong in it are not missing', () => {
      const again = portion(['b', 'c'], false, false);
      for (const sent of [
        [first, refused, again, last],
        [first, unavailable, again, last],
        [first, unavailable, portion(['d'], false, false), portion(['b', 'c'], false, true)],
        [first, refused, portion(['e'], false, false), portion(['b'], false, true)],
      ]) {
        assert.equal(tally(...sent)?.verdict, 'pass');
        assert.deepEqual(broken(sent, WHOLE), []);
      }
    });

    test('and start a new list when they are sent again lose the portions before them', () => {
      const again = portion(['b', 'c'], true, false);
      const lost = [`${B}later-portions-continue`];
      for (const sent of [
        [first, unavailable, again, last],
        [first, refused, portion(['b', 'c'], true, false, 503), portion(['b'], true, false), last],
        [first, portion(['d'], false, true, 503), portion(['d'], true, true)],
      ])
        assert.deepEqual(broken(sent, WHOLE), lost);
      for (const sent of [
        [first, unavailable, again, portion(['a'], false, false), last],
        [first, unavailable, portion(['e'], true, false), last],
        [portion(['b', 'c'], true, false, 503), again, last],
      ])
        assert.deepEqual(broken(sent, WHOLE), []);
    });

    test('decide nothing where the list is begun again, is left open, or the portion may have been taken', () => {
      for (const sent of [
        [first, refused, first, last],
        [first, unavailable],
        [first, portion(['d'], false, true, 503)],
        [first, portion(['b'], false, false, 500), last],
      ]) {
        assert.equal(tally(...sent), undefined);
        assert.deepEqual(broken(sent, WHOLE), []);
      }
    });
  });
});
