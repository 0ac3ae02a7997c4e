/** What a client of Delivery does: it maintains two methods and their points, reads what it wrote, and deletes them. */
import { isJsonObject } from '../../contracts/json/object.ts';
import type { Answer, Json, RecordedClient } from './client.ts';

export interface Store {
  readonly key: string;
  /** An order whose custom fields the client reads. */
  readonly orderUuid: string | undefined;
  readonly languages: readonly string[];
}

const STORE = '/v1/store/';
/** A list that is longer is left. */
const MAX_PAGES = 20;

/** Calls with the key of one owner. */
class DeliveryCalls {
  readonly #client: RecordedClient;
  readonly #key: string;

  constructor(client: RecordedClient, key: string) {
    this.#client = client;
    this.#key = key;
  }

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#client.call(method, STORE + path, { authorization: `ApiKey ${this.#key}`, body });
  }

  read(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** All items of a list, by the links of its pages. */
  async list(path: string, name: string): Promise<Json[]> {
    const items: Json[] = [];
    let next: string | undefined = path;
    for (let page = 0; next !== undefined && page < MAX_PAGES; page += 1) {
      const { body } = await this.read(next);
      const own = body[name];
      if (Array.isArray(own)) items.push(...own.filter(isJsonObject));
      const link = body.next_page_uri;
      next = typeof link === 'string' && link !== '' ? link.replace(/^.*?\/store\//, '') : undefined;
    }
    return items;
  }

  methods(query = ''): Promise<Json[]> {
    return this.list(`delivery_methods/${query}`, 'delivery_methods');
  }

  points(handle: string, query = ''): Promise<Json[]> {
    return this.list(`delivery_method/${handle}/pickup_points/${query}`, 'pickup_points');
  }

  /** The handle of a new method: in the response, or the one that the list has more. */
  async create(fields: Json): Promise<string> {
    const before = new Set((await this.methods()).map(({ handle }) => handle));
    const { body } = await this.send('POST', 'delivery_method/', { delivery_method: fields });
    const own = isJsonObject(body.delivery_method) ? body.delivery_method : body;
    const after = await this.methods();
    return String(own.handle ?? after.find(({ handle }) => !before.has(handle))?.handle ?? 'none');
  }
}

/** The conversation with one owner's key. */
export async function useDelivery(client: RecordedClient, { key, orderUuid, languages }: Store): Promise<void> {
  const calls = new DeliveryCalls(client, key);
  const inEach = (text: string): Json =>
    Object.fromEntries(languages.map((language) => [language, `${text} ${language}`]));
  const first = await calls.create({
    ...{ title: inEach('Courier'), reference: 'ref-A1', print_label_url: 'https://labels.example/print?x=1&y=2' },
    ...{ available_countries_from: ['LV', 'EE'], available_countries_to: ['LV', 'DE', 'FR'] },
  });
  await calls.read(`delivery_method/${first}/`);
  const second = await calls.create({ title: inEach('Locker'), reference: '00012' });
  await calls.read(`delivery_method/${second}/`);
  for (const query of ['?page_size=2', '?desc=1', '?page_size=1&desc=1']) await calls.methods(query);
  await updateMethod(calls, first, inEach('Express'));
  await calls.read(`delivery_method/${second}/`);
  await calls.methods();
  await maintainPoints(calls, { first, second, inEach });
  await uploadPoints(calls, { first, second, inEach });
  if (orderUuid !== undefined) await calls.send('POST', 'delivery_provider_settings/', { order_uuid: orderUuid });
  await calls.send('DELETE', `delivery_method/${second}/`);
  await calls.read(`delivery_method/${second}/`);
  await calls.points(second);
  await calls.methods();
  await calls.send('DELETE', `delivery_method/${first}/`);
  await calls.methods();
}

async function updateMethod(calls: DeliveryCalls, handle: string, title: Json): Promise<void> {
  const [language = 'en'] = Object.keys(title);
  for (const fields of [
    { reference: 'ref-A2' },
    { title },
    { available_countries_to: ['LT'] },
    { available_countries_from: [] },
    { print_label_url: null },
    { print_label_url: 'https://labels.example/2' },
    { title: { [language]: 'Only one' } },
    { reference: 'Abcdefghij klmnopqrst uvwxyz 0123456789-ABCDEFGHIJ-KLMNOPQRS' },
    { available_countries_to: ['LV', 'LT', 'EE'], reference: 'č & R"q\'s' },
  ]) {
    await calls.send('PUT', `delivery_method/${handle}/`, { delivery_method: fields });
    await calls.read(`delivery_method/${handle}/`);
  }
}

interface Methods {
  readonly first: string;
  readonly second: string;
  readonly inEach: (text: string) => Json;
}

const ATTRIBUTES = { code: 'c1', n: 7, f: 1.5, nested: { a: [1, null, true] }, e: {}, l: [] };

const pointOf = (inEach: Methods['inEach'], number: number, country = 'LV'): Json => ({
  ...{ id: `P${number}`, title: inEach(`Point ${number}`), address: `Street ${number} & Co <1>`, city: 'Rīga' },
  ...{ zip: `0100${number % 10}`, country, attributes: number % 3 === 0 ? '' : ATTRIBUTES },
});

/** Adds, changes and deletes points one by one, also of both methods at once. */
async function maintainPoints(calls: DeliveryCalls, { first, second, inEach }: Methods): Promise<void> {
  const of = (handle: string): string => `delivery_method/${handle}/pickup_point/`;
  const both = `${first},${second}`;
  const change = (handle: string, id: string, fields: Json): Promise<Answer> =>
    calls.send('PUT', `${of(handle)}${id}/`, { pickup_point: fields });
  await calls.points(first);
  for (const number of [1, 2, 3, 4]) {
    await calls.send('POST', of(first), { pickup_point: pointOf(inEach, number) });
    await calls.read(`${of(first)}P${number}/`);
  }
  await calls.send('POST', of(both), { pickup_point: pointOf(inEach, 9, 'EE') });
  for (const handle of [first, second]) {
    await calls.read(`${of(handle)}P9/`);
    await calls.points(handle);
  }
  for (const fields of [
    { city: 'Jelgava' },
    { title: inEach('New') },
    { attributes: { z: 'y' } },
    { attributes: '' },
    { country: 'LT' },
    { zip: '000', address: '' },
  ]) {
    await change(first, 'P2', fields);
    await calls.read(`${of(first)}P2/`);
  }
  await change(both, 'P9', { city: 'Tartu' });
  for (const handle of [first, second]) await calls.read(`${of(handle)}P9/`);
  for (const query of ['?page_size=2', '?page_size=2', '?desc=1&page_size=3']) await calls.points(first, query);
  await calls.send('DELETE', `${of(both)}P9/`);
  for (const handle of [first, second]) {
    await calls.read(`${of(handle)}P9/`);
    await calls.points(handle);
  }
  await calls.send('DELETE', `${of(first)}P1/`);
  await calls.points(first);
}

/** Replaces lists: whole ones, those of a country, and one of three portions for both methods. */
async function uploadPoints(calls: DeliveryCalls, { first, second, inEach }: Methods): Promise<void> {
  const upload = (handle: string, numbers: readonly number[], rest: Json = {}, country?: string): Promise<Answer> =>
    calls.send('POST', `delivery_method/${handle}/pickup_points/batch_replace/`, {
      pickup_points: numbers.map((number) => pointOf(inEach, number, country)),
      ...rest,
    });
  await upload(first, [5, 6, 7, 8]);
  await calls.points(first);
  await calls.read(`delivery_method/${first}/pickup_point/P6/`);
  for (const numbers of [[11, 12], [13]]) {
    await upload(first, numbers, { country: 'EE' }, 'EE');
    await calls.points(first);
  }
  await upload(first, [], { country: 'LV' });
  await calls.points(first);
  const both = `${first},${second}`;
  const many = Array.from({ length: 230 }, (_, at) => 100 + at);
  await upload(both, many.slice(0, 100), { is_initialization: true, is_finalization: false });
  await calls.points(first, '?page_size=50');
  await upload(both, many.slice(100, 200), { is_initialization: false, is_finalization: false });
  await upload(both, many.slice(200), { is_initialization: false, is_finalization: true });
  for (const handle of [first, second]) {
    await calls.points(handle, '?page_size=100');
    for (const id of ['P150', 'P325']) await calls.read(`delivery_method/${handle}/pickup_point/${id}/`);
  }
  await calls.points(first, '?page_size=100&desc=1');
}
