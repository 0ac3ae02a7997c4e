import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, newMethod, pick, pointIds, points, profile, refused, secrets, send, store, walk } from '../testing.ts';

test('a method is made, read, changed in one field, and deleted', async () => {
  const sent = {
    reference: 'Ā & "1"',
    available_countries_from: ['LV', 'ee'],
    print_label_url: 'https://a.example/l?x=1',
  };
  const handle = await newMethod({ title: { lv: 'Viens', en: 'One', zz: 'never' }, ...sent });
  const read = (await store('GET', `${at(handle)}/`)).body.delivery_method;
  assert.deepEqual({ ...sent, title: { lv: 'Viens', en: 'One' } }, { ...pick(read, sent), title: read.title });
  assert.deepEqual(read.available_countries_to, []);
  await store('PUT', `${at(handle)}/`, { delivery_method: { title: 'Divi', name: 'mine', print_label_url: null } });
  const changed = (await store('GET', `${at(handle)}/`)).body.delivery_method;
  assert.deepEqual(
    [changed.title, changed.name, changed.reference],
    [{ lv: 'Divi', en: 'One' }, read.name, sent.reference],
  );
  assert.ok(!('print_label_url' in changed));
  assert.deepEqual((await store('DELETE', `${at(handle)}/`)).body, { error: false });
  refused(await store('GET', `${at(handle)}/`), 404);
});

test('a refused change changes nothing, not even its valid fields', async () => {
  const handle = await newMethod({ reference: 'before' });
  refused(
    await store('PUT', `${at(handle)}/`, { delivery_method: { reference: 'after', available_countries_to: ['XYZ'] } }),
  );
  assert.equal((await store('GET', `${at(handle)}/`)).body.delivery_method.reference, 'before');
});

test('a walk returns every item once in a stable order, and desc=1 reverses it', async () => {
  const handle = await newMethod();
  await store('POST', `${at(handle)}/pickup_points/batch_replace/`, { pickup_points: points(0, 13) });
  const all = await pointIds(handle);
  assert.deepEqual(
    all,
    points(0, 13)
      .map((point) => point.id)
      .reverse(),
  );
  for (const size of ['', '&page_size=1', '&page_size=2', '&page_size=7', '&page_size=1000']) {
    const path = `/store/${at(handle)}/pickup_points/`;
    const forward = await walk(`${path}?x=1${size}`, 'pickup_points');
    const backward = await walk(`${path}?desc=1${size}`, 'pickup_points');
    assert.deepEqual(
      forward.map((point) => point.id),
      all,
    );
    assert.deepEqual(
      backward.map((point) => point.id),
      all.toReversed(),
    );
  }
  const first = (await store('GET', `${at(handle)}/pickup_points/?page_size=100`)).body;
  assert.equal(first.pickup_points.length, 5);
  for (const bad of ['page_size=0', 'page_size=-1', 'page_size=x', 'after=x']) {
    refused(await store('GET', `${at(handle)}/pickup_points/?${bad}`), 422);
  }
});

test('points: several methods at once, unknown methods skipped, ids that need encoding, unique ids', async () => {
  const [one, two] = [await newMethod(), await newMethod()];
  const id = 'a/b?c#d %2F+ā,;';
  const both = encodeURIComponent(`${one},${two}`);
  const attributes = { deep: [{ a: null }], __proto: 1, ķ: '' };
  const added = await store('POST', `delivery_method/${both},nobody/pickup_point/`, {
    pickup_point: { id, attributes },
  });
  assert.deepEqual([added.status, added.body], [200, { error: false, skipped: ['nobody'] }]);
  const path = `pickup_point/${encodeURIComponent(id)}/`;
  await store('PUT', `delivery_method/${one},${two}/${path}`, { pickup_point: { city: 'Rīga' } });
  for (const handle of [one, two]) {
    const read = (await store('GET', `${at(handle)}/${path}`)).body;
    assert.deepEqual([read.id, read.city, read.attributes, read.title], [id, 'Rīga', attributes, '']);
  }
  await store('POST', `${at(one)}/pickup_point/`, { pickup_point: { id, city: 'again' } });
  assert.deepEqual(await pointIds(one), [id]);
  assert.deepEqual((await store('DELETE', `delivery_method/${both}/${path}`)).body, { error: false });
  refused(await store('GET', `${at(two)}/${path}`), 404);
  refused(await store('PUT', `delivery_method/nobody/${path}`, { pickup_point: {} }), 404);
  for (const bad of ['', '.', '..', 7, null, '\ud800']) {
    refused(await store('POST', `${at(one)}/pickup_point/`, { pickup_point: { id: bad } }), 422);
  }
  assert.deepEqual(await pointIds(one), []);
});

test('batch: at most 100, portions hidden until the final one, countries separate', async () => {
  const [one, two] = [await newMethod(), await newMethod()];
  const batch = (handles: string, body: object) =>
    store('POST', `delivery_method/${handles}/pickup_points/batch_replace/`, body);
  const both = encodeURIComponent(`${one},${two}`);
  await batch(both, { pickup_points: points(0, 2) });
  refused(await batch(both, { pickup_points: points(0, 101) }), 422);
  refused(await batch(both, { pickup_points: [], is_initialization: false }), 409);
  await batch(both, { pickup_points: points(900, 1), is_finalization: false });
  await batch(both, { pickup_points: points(10, 100), is_finalization: false });
  await batch(both, { pickup_points: points(110, 3), is_initialization: false, is_finalization: false });
  assert.deepEqual(await pointIds(one), ['p1', 'p0']);
  refused(await batch(both, { pickup_points: [{ id: 'x' }, 7], is_initialization: false }), 422);
  assert.equal((await batch(both, { pickup_points: points(0, 1), is_initialization: false })).status, 200);
  for (const handle of [one, two]) assert.equal(new Set(await pointIds(handle)).size, 104);
  refused(await batch(one, { pickup_points: [], is_initialization: false }), 409);

  await batch(one, { pickup_points: [...points(0, 2, 'LV'), ...points(5, 2, 'EE')] });
  await batch(one, { pickup_points: points(8, 1, 'ee'), country: 'EE' });
  assert.deepEqual((await pointIds(one)).sort(), ['p0', 'p1', 'p8']);
  refused(await batch(one, { pickup_points: points(1, 1, 'EE'), country: 'EE' }), 409);
  await batch(one, { pickup_points: [], country: 'LV' });
  assert.deepEqual(await pointIds(one), ['p8']);
  await batch(one, {
    pickup_points: [
      { id: 'd', city: 'a' },
      { id: 'd', city: 'b' },
    ],
  });
  assert.deepEqual(await pointIds(one), ['d']);
});

test('the points of another owner are not accessible, alone or together with own methods', async () => {
  const own = await newMethod();
  const foreign = await newMethod({ title: 'Võõras' }, secrets.OTHER_STORE_KEY!);
  const pickup_point = { id: 'x' };
  refused(await store('POST', `delivery_method/${foreign}/pickup_point/`, { pickup_point }), 404);
  const mixed = await store('POST', `delivery_method/${foreign},${own}/pickup_points/batch_replace/`, {
    pickup_points: [pickup_point],
  });
  assert.deepEqual(mixed.body, { error: false, skipped: [foreign] });
  assert.deepEqual(await pointIds(own), ['x']);
  const path = `/store/delivery_method/${encodeURIComponent(foreign)}/pickup_points/`;
  assert.deepEqual(await walk(path, 'pickup_points', secrets.OTHER_STORE_KEY!), []);
});

test('custom fields: only for orders of the provider', async () => {
  const { orderUuid, foreignOrderUuid, expectedFields } = profile.delivery.public;
  const ask = (key: string, order_uuid: unknown) =>
    send('POST', '/v1/store/delivery_provider_settings/', key, { order_uuid });
  const provider = secrets.PROVIDER_KEY!;
  assert.deepEqual((await ask(provider, orderUuid)).body, { error: false, fields: expectedFields });
  for (const bad of [foreignOrderUuid, 'nothing', undefined, 7]) refused(await ask(provider, bad));
  refused(await ask(secrets.STORE_KEY!, orderUuid), 403);
});
