import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { type Second, startSecond } from './service.ts';

let second: Second;
let secrets: Record<string, string>;

before(async () => {
  second = await startSecond();
  secrets = Object.fromEntries(Object.entries(second.env).map(([name, value]) => [name.replace('SECOND_', ''), value]));
});
after(() => second.close());

type Reply = { status: number; body: any; type: string };

async function send(method: string, path: string, key: string | null, body?: unknown): Promise<Reply> {
  const response = await fetch(`${second.origin}${path}`, {
    method,
    headers: { ...(key === null ? {} : { authorization: `ApiKey ${key}` }), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, body: type.startsWith('application/json') && text ? JSON.parse(text) : text, type };
}

const store = (method: string, path: string, body?: unknown) =>
  send(method, `/v1/store/${path}`, secrets.STORE_KEY!, body);

/** Follows the links of a list to its end. */
async function walk(path: string, name: string, key = secrets.STORE_KEY!): Promise<any[]> {
  const items: any[] = [];
  for (let next: string | undefined = path; next; ) {
    const { status, body }: Reply = await send('GET', `/v1${next}`, key);
    assert.equal(status, 200);
    items.push(...body[name]);
    next = body.next_page_uri;
  }
  return items;
}

async function newMethod(fields: object = {}, key = secrets.STORE_KEY!): Promise<string> {
  const known = new Set((await walk('/store/delivery_methods/', 'delivery_methods', key)).map((entry) => entry.handle));
  const delivery_method = { title: 'Test', ...fields };
  const { status, body } = await send('POST', '/v1/store/delivery_method/', key, { delivery_method });
  assert.deepEqual([status, body], [200, { error: false }]);
  const fresh = (await walk('/store/delivery_methods/', 'delivery_methods', key)).filter((m) => !known.has(m.handle));
  assert.equal(fresh.length, 1);
  return fresh[0].handle;
}

const at = (handle: string) => `delivery_method/${encodeURIComponent(handle)}`;
const pointIds = async (handle: string) =>
  (await walk(`/store/${at(handle)}/pickup_points/?page_size=5`, 'pickup_points')).map((point) => point.id);
const points = (from: number, count: number, country = 'LV') =>
  Array.from({ length: count }, (_, index) => ({ id: `p${from + index}`, title: 'Rīga', country }));

function refused({ status, body, type }: Reply, expected?: number): void {
  assert.ok(status >= 400 && status < 500, `status ${status}`);
  if (expected) assert.equal(status, expected);
  assert.equal(type, 'application/json; charset=UTF-8');
  assert.equal(body.error, true);
  assert.equal(typeof body.error_code, 'number');
  assert.equal(typeof body.error_message, 'string');
}

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

const pick = (record: any, like: object) => Object.fromEntries(Object.keys(like).map((name) => [name, record[name]]));

test('a refused change changes nothing, also not its right fields', async () => {
  const handle = await newMethod({ reference: 'before' });
  refused(
    await store('PUT', `${at(handle)}/`, { delivery_method: { reference: 'after', available_countries_to: ['XYZ'] } }),
  );
  assert.equal((await store('GET', `${at(handle)}/`)).body.delivery_method.reference, 'before');
});

test('walks meet every item once, in one order, and desc=1 is its reverse', async () => {
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

test('points: several methods at once, unknown ones left out, ids that need encoding, unique ids', async () => {
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

test('batch: 100 at most, portions unseen until the final one, countries apart', async () => {
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

test('keys: missing, wrong, near miss and foreign ones are not served', async () => {
  const handle = await newMethod();
  const key = secrets.STORE_KEY!;
  refused(await send('GET', '/v1/store/delivery_methods/', null), 401);
  for (const wrong of [`${key}=`, key.slice(0, -1), key.toLowerCase(), secrets.APP_KEY!]) {
    refused(await send('GET', '/v1/store/delivery_methods/', wrong), 403);
  }
  const other = secrets.OTHER_STORE_KEY!;
  for (const verb of ['GET', 'PUT', 'DELETE']) {
    refused(
      await send(verb, `/v1/store/${at(handle)}/`, other, verb === 'PUT' ? { delivery_method: {} } : undefined),
      404,
    );
  }
  const listed = await walk('/store/delivery_methods/', 'delivery_methods', other);
  assert.ok(!listed.some((method) => method.handle === handle));
  assert.equal((await store('GET', `${at(handle)}/`)).status, 200);
});

test('custom fields: of the order of the company, and of no other', async () => {
  const { orderUuid, foreignOrderUuid, expectedFields } = (second.profile as any).delivery.public;
  const ask = (key: string, order_uuid: unknown) =>
    send('POST', '/v1/store/delivery_provider_settings/', key, { order_uuid });
  const company = secrets.COMPANY_KEY!;
  assert.deepEqual((await ask(company, orderUuid)).body, { error: false, fields: expectedFields });
  for (const bad of [foreignOrderUuid, 'nothing', undefined, 7]) refused(await ask(company, bad));
  refused(await ask(secrets.STORE_KEY!, orderUuid), 403);
});

test('bad input of any kind gets the envelope of its interface', async () => {
  const cases: [string, string, string?][] = [
    ['POST', 'delivery_method/', '{"delivery_method":'],
    ['POST', 'delivery_method/', '[]'],
    ['POST', 'delivery_method/', '{}'],
    ['POST', 'delivery_method/', `{"delivery_method":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['POST', 'delivery_method/', '{"delivery_method":{"title":7}}'],
    ['POST', 'delivery_method/', `{"delivery_method":{"title":"${'x'.repeat(2_100_000)}"}}`],
    ['GET', 'nothing/'],
    ['GET', '/delivery_methods/'],
    ['GET', 'delivery_method/%zz/'],
    ['PATCH', 'delivery_methods/'],
  ];
  for (const [method, path, body] of cases) refused(await store(method, path, body));
  const { status, body } = await send('GET', '/api/website/1/enable_premium/', null);
  assert.deepEqual([status, body.error, typeof body.errorCode, typeof body.errorMsg], [404, true, 'number', 'string']);
  assert.match(await raw('NONSENSE\r\n\r\n'), /"error_code":1010.*"errorCode":1010/);
  assert.match(await raw(`GET /v1/ HTTP/1.1\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`), /^HTTP\/1.1 431[^]*"error":true/);
});

function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(second.origin).port), '127.0.0.1', () => socket.write(bytes));
    let seen = '';
    socket.on('data', (chunk) => {
      seen += chunk;
    });
    socket.on('close', () => resolve(seen));
    socket.on('error', reject);
  });
}

const app = (
  method: string,
  path: string,
  body?: unknown,
  code = secrets.AUTH_CODE!,
  key: string | null = secrets.APP_KEY!,
) => send(method, `/v1/apps/${path}?authCode=${encodeURIComponent(code)}`, key, body);

test('apps: snippets on pages, data as sent, installations apart, both credentials needed', async () => {
  const pages = (second.profile as any).website.pages;
  const show = async (language: string) => (await (await fetch(pages[language])).text()).split('<body>')[1]!;
  const everywhere = '<!-- "a"\r\n\t\u{1F600} & &amp; --><b>visur';
  assert.deepEqual((await app('POST', 'set_snippet/', { snippet: everywhere, language: null })).body, { error: false });
  await app('POST', 'set_snippet/', { snippet: '<i>tikai', language: 'lv' });
  refused(await app('POST', 'set_snippet/', { snippet: 'x', language: 'zz' }));
  assert.equal((await app('GET', 'get_snippet/')).body.snippet, everywhere);
  assert.equal((await app('GET', 'get_snippet/lv/')).body.snippet, '<i>tikai');
  assert.equal((await app('GET', 'get_snippet/en/')).body.snippet, '');
  assert.ok((await show('en')).includes(everywhere) && (await show('lv')).includes(everywhere));
  assert.ok((await show('lv')).includes('<i>tikai') && !(await show('en')).includes('<i>tikai'));
  for (const data of [{ a: [1, { b: null }], __proto__x: 'ā' }, 'text', [], {}]) {
    assert.deepEqual((await app('POST', 'set_data/', { data })).body, { error: false });
    assert.deepEqual((await app('GET', 'get_data/')).body.data, data);
  }
  for (const data of [7, null, undefined, true, [1]]) refused(await app('POST', 'set_data/', { data }), 422);
  assert.equal((await app('GET', 'get_data/', undefined, secrets.OTHER_AUTH_CODE!)).body.data, '');
  assert.deepEqual((await app('POST', 'installed/', '')).body, { error: false });
  assert.equal((await app('GET', 'user/')).body.user.email_confirmed, true);
  assert.deepEqual(new Set((await app('GET', 'languages/')).body.languages), new Set(['lv', 'ru', 'en']));
  assert.equal((await app('GET', 'website/')).body.website.url, pages.lv);
  const spelled = await send(
    'GET',
    `/v1/apps/user/?authcode=${encodeURIComponent(secrets.AUTH_CODE!)}`,
    secrets.APP_KEY!,
  );
  assert.equal(spelled.status, 200);
  refused(await app('GET', 'user/', undefined, `${secrets.AUTH_CODE}x`), 403);
  refused(await app('GET', 'user/', undefined, ''), 401);
  refused(await app('GET', 'user/', undefined, secrets.AUTH_CODE!, null), 401);
  refused(await app('GET', 'user/', undefined, secrets.AUTH_CODE!, secrets.STORE_KEY!), 403);
});

test('the install sequence: hashed addresses, a code after the permission, uninstalling clears', async () => {
  const hop = (path: string, body?: object) =>
    fetch(new URL(path, second.origin), {
      redirect: 'manual',
      ...(body ? { method: 'POST', body: new URLSearchParams({ ...body }) } : {}),
    });
  const checked = (response: Response): URLSearchParams => {
    const address = response.headers.get('location')!;
    const [, hash, rest] = /\?hash=([0-9a-f]{64})&(.*)$/.exec(address)!;
    assert.equal(createHmac('sha256', secrets.APP_SECRET!).update(rest!).digest('hex'), hash);
    assert.equal(String(new URLSearchParams(rest)), rest, 'all encoders agree on it');
    return new URLSearchParams(rest);
  };
  const { appId } = (second.profile as any).apps;
  await hop('/developer/', {
    app: appId,
    installUrl: 'https://a.example/i?own=1',
    settingsUrl: 'https://a.example/s',
    tabMode: 'blank',
  });
  const first = checked(await hop('/catalog/', { app: appId }));
  assert.deepEqual([first.has('authCode'), first.get('own'), first.get('appId')], [false, '1', appId]);
  const callback = first.get('callback')!;
  assert.ok(!callback.includes('?'));
  first.delete('callback');
  assert.equal((await hop(callback)).status, 400);
  const asked = await (await hop(`${callback}?${first}`)).text();
  const allow = /action="(\/permissions\/[^"]+)"/.exec(asked)![1]!;
  const code = checked(await hop(allow, {})).get('authCode')!;
  await app('POST', 'set_snippet/', { snippet: '<u>uz laiku' }, code);
  assert.deepEqual((await app('POST', 'installed/', undefined, code)).body, { error: false });
  const page = () => fetch((second.profile as any).website.pages.ru).then((response) => response.text());
  assert.ok((await page()).includes('<u>uz laiku'));
  assert.deepEqual((await app('POST', 'delete/', undefined, code)).body, { error: false });
  refused(await app('GET', 'get_data/', undefined, code), 403);
  assert.ok(!(await page()).includes('<u>uz laiku'));
});

test('labels: signed fields, a new id at each press, callbacks only with the right signature', async () => {
  const handle = await newMethod({ print_label_url: 'https://a.example/label', reference: 'x\ny' });
  const placed = await fetch(`${second.origin}/admin/orders/new`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ handle, elsewhere: '1' }),
  });
  const order = placed.headers.get('location')!;
  const press = async () => {
    const source = await (await fetch(`${second.origin}${order}label`, { method: 'POST' })).text();
    const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    return [...source.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map((m): [string, string] => [
      m[1]!,
      unescaped(m[2]!),
    ]);
  };
  const sign = (values: string[]) => createHmac('sha256', secrets.STORE_KEY!).update(values.join('')).digest('base64');
  const fields = await press();
  const field = new Map(fields);
  assert.equal(field.get('delivery_method_reference'), 'x\r\ny');
  assert.equal(sign(fields.filter(([name]) => name !== 'signature').map(([, value]) => value)), field.get('signature'));
  assert.notEqual(new Map(await press()).get('label_request_id'), field.get('label_request_id'));
  assert.match(field.get('shipping_country_code')!, /^[a-z]{2}$/);
  assert.ok(field.has('buyer_street') && JSON.parse(field.get('cart')!));
  const report = (pairs: [string, string][]) => fetch(`${field.get('callback_url')}?${new URLSearchParams(pairs)}`);
  const label: [string, string][] = [
    ['label_request_id', field.get('label_request_id')!],
    ['label_url', 'https://a.example/Ā &+%.pdf'],
    ['tracking_code', 'T-1'],
  ];
  const signature: [string, string] = ['signature', sign(label.map(([, value]) => value))];
  const shown = async () => (await fetch(`${second.origin}${order}`)).text();
  for (const refusedPairs of [
    label,
    [...label.slice(0, 2), ['tracking_code', 'T-2'], signature],
    [...label, ['signature', signature[1].toLowerCase()]],
    [...label, ['tracking_url', 'x'], signature],
    [...label, signature, signature],
  ] as [string, string][][]) {
    assert.ok((await report(refusedPairs)).status >= 400);
    assert.ok(!(await shown()).includes('Ā'));
  }
  const accepted = await report([...label, signature]);
  assert.deepEqual([accepted.status, accepted.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.ok((await shown()).includes('https://a.example/Ā &#38;+%.pdf'));
  assert.equal((await report([label[0]!, ['error_msg', 'Par smagu']])).status, 200);
  assert.ok((await shown()).includes('Par smagu'));
});

test('reseller: sessions, websites, premium, login links, domains, settings, balance, password', async () => {
  const [email, password] = [secrets.RESELLER_EMAIL!, secrets.RESELLER_PASSWORD!];
  const post = async (path: string, fields: Record<string, string>, query = ''): Promise<Reply> => {
    const response = await fetch(`${second.origin}/api${path}${query}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    return { status: response.status, body: await response.json(), type: '' };
  };
  const first = (await post('/authorize/', { email, password })).body.apiToken;
  let apiToken = (await send('GET', `/api/authorize/?${new URLSearchParams({ email, password })}`, null)).body.apiToken;
  assert.equal((await post('/websites/', { apiToken: first })).status, 401);
  assert.equal((await post('/authorize/', { email, password: `${password}x` })).status, 401);
  const call = (path: string, fields: Record<string, string> = {}) =>
    post(path, fields, `?${new URLSearchParams({ apiToken })}`);
  const site = '/website/70412';
  const record = async () => (await call('/websites/')).body.websites.find((entry: any) => entry.websiteID === 70412);
  const before = await record();
  for (const step of ['/disable/', '/enable/', '/enable/'])
    assert.equal((await call(`${site}${step}`)).body.error, false);
  assert.equal((await record()).websiteStatus, before.websiteStatus);
  await call(`${site}/enable_premium/premiumplus/`);
  assert.equal((await record()).websiteIsPremium, true);
  assert.equal((await call('/balance/')).body.premiumWebsites, 2);
  await call(`${site}/disable_premium/`);
  assert.equal((await record()).websiteIsPremium, false);
  assert.ok((await call(`${site}/enable_premium/`)).status >= 400);
  assert.equal((await call('/website/80001/disable/')).status, 404);

  const link = (await call(`${site}/login/`)).body.loginUrl;
  const entered = await fetch(link, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const editor = new URL(entered.headers.get('location')!, link);
  assert.equal((await fetch(editor, { headers: { cookie } })).status, 200);
  assert.equal((await fetch(editor)).status, 403);
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 410);

  const { domainID } = (await call(`${site}/domain/add/`, { domain: 'pārbaude.example' })).body;
  assert.equal((await call('/website/70411/domain/add/', { domain: 'PĀRBAUDE.example' })).status, 409);
  assert.equal((await call(`/website/70411/domain/${domainID}/remove/`)).status, 404);
  const names = async () => (await call(`${site}/domains/`)).body.domains.map((entry: any) => entry.domain);
  assert.ok((await names()).includes('pārbaude.example'));
  assert.equal((await call(`${site}/domain/${domainID}/remove/`)).status, 200);
  assert.ok(!(await names()).includes('pārbaude.example'));

  const { settings } = (await call('/settings/')).body;
  assert.equal((await call('/settings/set/', { company: 'x' })).status, 422);
  const mixed = (await call('/settings/set/', { contactName: 'Jauns & <b>', company: 'x' })).body;
  assert.deepEqual(mixed, { error: false, ignored: ['company'] });
  assert.deepEqual((await call('/settings/')).body.settings, { ...settings, contactName: 'Jauns & <b>' });

  const next = 'jauna parole +&=ā';
  assert.equal((await call('/password/', { password: next })).body.error, false);
  assert.equal((await call('/websites/')).status, 401);
  assert.equal((await post('/authorize/', { email, password })).status, 401);
  apiToken = (await post('/authorize/', { email, password: next })).body.apiToken;
  assert.equal((await call('/password/', { password })).body.error, false);
  apiToken = (await post('/authorize/', { email, password })).body.apiToken;
  assert.equal((await call('/authorize/logout/')).body.error, false);
  assert.equal((await call('/websites/')).status, 401);
});
