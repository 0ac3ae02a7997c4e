// What single checks do not look at: each deviation shows only in one order, place, owner or value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeviationRow, findsEach, type Http, judged, USUAL_RUNS } from '../../steps/whole-state.fixture.ts';

const ID = 'properties.delivery.whole-state';
/** Sequences that find each deviation. */
const RUNS = 40;

const jsonOf = async (request: Request): Promise<Record<string, unknown>> =>
  JSON.parse((await request.clone().text()) || '{}') as Record<string, unknown>;
const rewritten = (request: Request, body: unknown): Request =>
  new Request(request.url, { method: request.method, headers: request.headers, body: JSON.stringify(body) });

/** Answers to `desc=1` as they were when a list was first asked for so. */
const staleDescending = (): Http => {
  const kept = new Map<string, string>();
  return async (request, next) => {
    if (request.method !== 'GET' || !/pickup_points\/\?desc=1$/.test(request.url)) return next(request);
    const response = await next(request);
    // Each store has its own, so that nothing is shown to another.
    const key = `${request.url} ${request.headers.get('authorization')}`;
    const text = kept.get(key) ?? (await response.text());
    kept.set(key, text);
    return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
  };
};

const DEVIATIONS: readonly DeviationRow[] = [
  ['a list with desc=1 is stale after a change', staleDescending, /^delivery\.lists\./],
  [
    'the sixth handle of a delete is not reached',
    () => (request, next) => {
      const handles = /delivery_method\/([^/]+)\/pickup_point\//.exec(request.url)?.[1]?.split(',') ?? [];
      if (request.method !== 'DELETE' || handles.length < 6) return next(request);
      return next(new Request(request.url.replace(`,${handles[5]}`, ''), request));
    },
    /^delivery\.handles\.delete-from-each$/,
  ],
  [
    'a city of digits loses its leading zeros when it comes in a batch',
    () => async (request, next) => {
      if (!request.url.includes('batch_replace')) return next(request);
      const body = await jsonOf(request).catch(() => ({}));
      const points = (body as { pickup_points?: unknown }).pickup_points;
      if (!Array.isArray(points)) return next(request);
      const trimmed = points.map((point: { city?: string }) => ({
        ...point,
        ...(/^0\d/.test(point.city ?? '') ? { city: point.city?.replace(/^0+/, '') } : {}),
      }));
      return next(rewritten(request, { ...body, pickup_points: trimmed }));
    },
    /^delivery\.batch\./,
  ],
  [
    'a reference of digits loses its leading zeros',
    () => async (request, next) => {
      const { delivery_method: method } = (await jsonOf(request).catch(() => ({}))) as {
        delivery_method?: { reference?: unknown };
      };
      if (typeof method?.reference !== 'string') return next(request);
      const reference = method.reference.replace(/^0+(?=\d+$)/, '');
      return next(rewritten(request, { delivery_method: { ...method, reference } }));
    },
    /^delivery\.method\./,
  ],
  [
    'an update that is sent twice empties the city',
    () => {
      let last = '';
      return async (request, next) => {
        if (request.method === 'GET') return next(request);
        const text = `${request.method} ${request.url} ${await request.clone().text()}`;
        const isAgain = request.method === 'PUT' && text === last && text.includes('pickup_point');
        last = text;
        if (!isAgain) return next(request);
        const body = (await jsonOf(request)) as { pickup_point: object };
        return next(rewritten(request, { pickup_point: { ...body.pickup_point, city: 'Emptied' } }));
      };
    },
    /^delivery\./,
  ],
];

findsEach(ID, DEVIATIONS, RUNS);

test('a service that refuses every text beyond letters, digits and a few signs, and long lists, is not blamed', async () => {
  const refusal = () =>
    Response.json({ error: true, error_code: 422, error_message: 'Not taken here.' }, { status: 422 });
  let refused = 0;
  const result = await judged(
    ID,
    async (request, next) => {
      const text = ['POST', 'PUT'].includes(request.method) ? await request.clone().text() : '';
      const values = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
      if (values.every((value) => /^"[\w .:/?=&%,()-]{0,60}"$/.test(value))) return next(request);
      refused += 1;
      return refusal();
    },
    USUAL_RUNS,
  );
  assert.ok(refused > 10, `${refused} calls were refused`);
  assert.equal(result.verdict, 'pass', result.reason);
});
