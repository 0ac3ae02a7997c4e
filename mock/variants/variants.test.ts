import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ids, inProcess, keyedClient, newMethod, ORIGIN, points, type Reply } from '../client.fixture.ts';
import { deviationsById, deviationsOf, faults, variants } from '../deviations.ts';
import { createRules } from '../rules/index.ts';
import { createService } from '../service.ts';
import type { MockService } from '../types/service.ts';

/** A short sequence of calls, and everything that is visible from outside. */
async function lifeOf(service: MockService): Promise<{ seen: string; listed: unknown[] }> {
  let pages = 0;
  const seen: unknown[] = [];
  const send = inProcess(service);
  const api = keyedClient(send, service.state.websites.get('55001')!.apiKey);
  const note = async (call: ReturnType<typeof api.get>): Promise<unknown> => {
    let reply = await call;
    // The client retries after Retry-After; the mock does not make it wait.
    if (reply.status === 429) reply = { ...reply, body: 'again' };
    seen.push([reply.status, reply.headers.get('content-type'), reply.headers.get('x-gateway'), reply.text]);
    return reply.body;
  };
  const lists = { available_countries_from: [], available_countries_to: [] };
  await note(api.post('/store/delivery_method/', { delivery_method: { title: { en: 'a' }, ...lists } }));
  const handle = service.state.methods.all().at(-1)!.handle;
  const path = `/store/delivery_method/${handle}`;
  await note(api.put(`${path}/`, { delivery_method: { title: 'b', reference: 'r', available_countries_to: ['LV'] } }));
  await note(api.put(`${path}/`, { delivery_method: { title: { lv: 'l' } } }));
  await note(api.put(`${path}/`, { delivery_method: { title: { en: 'c' } } }));
  await note(api.get(`${path}/`));
  await note(api.post(`${path}/pickup_points/batch_replace/`, { pickup_points: points(5, 1, { country: 'LV' }) }));
  await note(api.post(`${path}/pickup_point/`, { pickup_point: { id: 'P-1', city: 'new' } }));
  await note(api.post(`${path},nope/pickup_point/`, { pickup_point: { id: 'P-6' } }));
  await note(api.get(`${path}/pickup_point/P-1/`));
  await note(api.get(`${path}/pickup_points/?page_size=60`));
  const listed: unknown[] = [];
  for (let next: string | null = `${path}/pickup_points/?page_size=2`; next; ) {
    const body = (await note(api.get(next))) as { pickup_points: Record<string, unknown>[]; next_page_uri?: string };
    listed.push(...ids(body.pickup_points));
    const link: string | undefined = body.next_page_uri;
    next = link ? link.replace(ORIGIN, '').replace(/^\/v1/, '') : null;
    pages += 1;
    if (pages > 50) throw new Error('The walk does not end.');
  }
  await note(api.post(`${path}/pickup_points/batch_replace/`, { pickup_points: [], is_finalization: false }));
  await note(api.get(`${path}/pickup_points/`));
  await note(api.get('/store/delivery_method/nope/'));
  await note(api.post('/store/delivery_method/', { delivery_method: 7 }));
  return { seen: JSON.stringify(seen), listed };
}

const counting = (): ((bytes: number) => Buffer) => {
  let count = 0;
  return (bytes) => {
    count += 1;
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(count, bytes - 6, 6);
    return buffer;
  };
};
const serviceWith = (id?: string): MockService =>
  createService({
    origin: ORIGIN,
    random: counting(),
    clock: () => new Date('2026-11-20T10:00:00Z'),
    ...(id === undefined ? {} : { deviations: deviationsById([id]) }),
  });

/** Variants whose difference does not show in the sequence above; the tests of their parts cover them. */
const ELSEWHERE =
  /^(labels|install|login|site|reseller|apps|throttle|headers)\.|^methods\.name-refused$|^points\.sent-id-ignored$|^points\.ids-case-insensitive$|^lists\.desc-true$/;

describe('variants', () => {
  test('ids are unique paths of meaning, and each says what it does', () => {
    const all = [...faults, ...variants];
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    for (const { id } of all) assert.match(id, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    for (const { id, about } of variants) assert.match(about, /^[A-Z].*\.$/, id);
    assert.ok(variants.length >= 20);
    for (const { id, clause, clauses } of variants) assert.ok(clause === undefined && clauses === undefined, id);
  });

  test('each one lists the same points in a walk, but differs from the usual service', async () => {
    const usual = await lifeOf(serviceWith());
    for (const { id } of variants) {
      const life = await lifeOf(serviceWith(id));
      const expected = id === 'lists.newest-first' ? usual.listed.toReversed() : usual.listed;
      const listed = id === 'handles.unknown-partial' ? life.listed.filter((point) => point !== 'P-6') : life.listed;
      assert.deepEqual(listed, expected, id);
      if (!ELSEWHERE.test(id)) assert.notEqual(life.seen, usual.seen, id);
    }
  });

  test('they can be combined, and a changed rule affects the rules that use it', async () => {
    const service = createService({
      origin: ORIGIN,
      deviations: deviationsById([
        'missing.empty-string',
        'resources.wrapped',
        'texts.as-objects',
        'links.rooted',
        'pages.at-most-3',
      ]),
    });
    const api = keyedClient(inProcess(service), service.state.websites.get('55001')!.apiKey);
    const handle = await newMethod(api, { title: 'x' });
    const { delivery_method: read } = (await api.get(`/store/delivery_method/${handle}/`)).body;
    assert.deepEqual([read.title, read.reference], [{ en: 'x' }, '']);
    const list = (await api.get('/store/delivery_methods/')).body;
    assert.deepEqual([list.delivery_methods.length, list.next_page_uri], [3, undefined]);
    assert.equal(
      createRules(deviationsById(['links.base-relative'])).nextLink('http://x/v1', '/a/', [['b', 'c']]),
      '/a/?b=c',
    );
  });

  test('a throttled call is refused with Retry-After and not carried out', async () => {
    const service = serviceWith('throttle.occasional');
    const api = keyedClient(inProcess(service), service.state.websites.get('55001')!.apiKey);
    const replies: Reply[] = [];
    for (let at = 0; at < 300; at += 1)
      replies.push(await api.post('/store/delivery_method/', { delivery_method: {} }));
    const refused = replies.filter(({ status }) => status === 429);
    assert.equal(refused.length, 2);
    assert.deepEqual([refused[0]!.headers.get('retry-after'), refused[0]!.body.error], ['1', true]);
    assert.equal(service.state.methods.filter(({ owner }) => owner === 'website:55001').length, 2 + 298);
  });

  test('an old list is hidden during an upload', async () => {
    const service = serviceWith('upload.old-list-hidden');
    const api = keyedClient(inProcess(service), service.state.websites.get('55001')!.apiKey);
    const path = '/store/delivery_method/honey-lockers';
    await api.post(`${path}/pickup_points/batch_replace/`, { pickup_points: points(1), is_finalization: false });
    assert.deepEqual((await api.get(`${path}/pickup_points/`)).body, { pickup_points: [] });
    assert.equal((await api.get(`${path}/pickup_point/RIX-01/`)).status, 404);
    await api.post(`${path}/pickup_points/batch_replace/`, { pickup_points: [], is_initialization: false });
    assert.deepEqual(ids((await api.get(`${path}/pickup_points/`)).body.pickup_points), ['P-1']);
  });

  test('an unknown id is refused with the nearest ones', () => {
    assert.throws(() => deviationsById(['links.root']), /no fault or variant "links.root". Did you mean links.rooted/);
    assert.throws(() => deviationsOf('fault', ['links.rooted']), /no fault "links.rooted"/);
  });
});
