/** What new methods and points hold beside what they were given, and what a refused list and a deleted method leave behind. */
import { describe } from 'node:test';
import { type ExchangeDescription, refusal } from '../../../traffic.fixture.ts';
import { get, type Json, judgeAll, ok, send, sequencesOf } from '../sequences.fixture.ts';

const METHODS = 'store/delivery_methods/';
const METHOD = 'store/delivery_method/m/';
const POINTS = `${METHOD}pickup_points/`;
const POINT = `${METHOD}pickup_point/`;
const BATCH = `${POINTS}batch_replace/`;

const make = (fields: Json, handle = 'm'): ExchangeDescription =>
  send('POST', 'store/delivery_method/', { delivery_method: fields }, { ...ok, handle });
const update = (fields: Json): ExchangeDescription => send('PUT', METHOD, { delivery_method: fields });
const shown = (fields: Json, handle = 'm'): ExchangeDescription =>
  get(`store/delivery_method/${handle}/`, { handle, ...fields });
const add = (id: string, fields: Json, handle = 'm'): ExchangeDescription =>
  send('POST', `store/delivery_method/${handle}/pickup_point/`, { pickup_point: { id, ...fields } });
const remove = (id: string): ExchangeDescription => send('DELETE', `${POINT}${id}/`);
const point = (id: string, fields: Json): ExchangeDescription => get(`${POINT}${id}/`, { id, ...fields });
const listed = (...points: readonly Json[]): ExchangeDescription => get(POINTS, { pickup_points: points });
const batch = (points: readonly Json[], rest: Json = {}): ExchangeDescription =>
  send('POST', BATCH, { pickup_points: points, ...rest });
const refused = (call: ExchangeDescription, status = 400): ExchangeDescription => ({
  ...{ ...call, status, response: refusal(status) },
});

const listedFor = (handle: string): ExchangeDescription =>
  get(`store/delivery_method/${handle}/pickup_points/`, { pickup_points: [{ id: 'p', ...full }] });
/** Under a key that writes nothing. */
const byOtherKey = (call: ExchangeDescription): ExchangeDescription => ({
  ...call,
  headers: [['authorization', 'ApiKey key-that-only-reads']],
});

const [first, second] = [{ title: 'Courier', reference: 'route-17' }, { title: 'Parcel shop' }];
const address = 'https://example.com/label';
const words = { en: 'Old words', lv: 'Veci vārdi', de: 'Alte Worte' };
const full = {
  title: { en: 'Station' },
  address: 'Station Square 2',
  city: 'Tallinn',
  attributes: { terminal: 'T-17' },
};

describe('a new method', () => {
  judgeAll(
    sequencesOf([
      [
        'with the reference of the one before it',
        ...(['delivery.method.create-stores', make(first, 'l'), make(second)] as const),
        shown({ ...second, reference: 'route-17' }),
      ],
      [
        'with a reference of the service’s own',
        ...([undefined, make(first, 'l'), make(second), shown({ ...second, reference: 'Parcel shop' })] as const),
      ],
      [
        'with a label address that no client set',
        ...(['delivery.method.print-label-url-null-otherwise', make(second)] as const),
        shown({ ...second, print_label_url: address }),
      ],
      [
        'with the label address that was set since',
        ...([undefined, make(second), update({ print_label_url: address })] as const),
        shown({ ...second, print_label_url: address }),
      ],
      [
        'with a label address that was removed',
        ...(['delivery.method.print-label-url-null-otherwise', make({ ...second, print_label_url: address })] as const),
        ...[update({ print_label_url: null }), shown({ ...second, print_label_url: address })],
      ],
      [
        'with the name that was sent',
        ...(['delivery.method.name-read-only', make({ ...second, name: 'Rocket' })] as const),
        shown({ ...second, name: 'Rocket' }),
      ],
      [
        'with the name that its title gives',
        ...([undefined, make({ ...second, name: 'Parcel shop' }), shown({ ...second, name: 'Parcel shop' })] as const),
      ],
      ['with the handle of another one', 'delivery.method.handle-unique', make(first), make(second)],
      ['made twice by the same call', undefined, make(first), make(first)],
      [
        'with a point of an unfinished upload',
        ...(['delivery.batch.unlisted-until-final-portion', make(first)] as const),
        ...[batch([{ id: 'p', ...full }], { is_finalization: false }), listed({ id: 'p', ...full })],
      ],
      ['whose points are listed when it is deleted', 'delivery.method.delete-removes', ...deletedWith('p')],
      ['whose list is empty when it is deleted', undefined, ...deletedWith()],
      ['that an update makes again', undefined, ...deletedWith('p').toSpliced(3, 0, update(second))],
    ]),
  );
});

function deletedWith(...ids: readonly string[]): ExchangeDescription[] {
  const points = ids.map((id) => ({ id, ...full }));
  return [make(first), add('p', full), send('DELETE', METHOD), listed(...points)];
}

describe('a new method in a recording of all calls', () => {
  judgeAll(
    sequencesOf([
      [
        'with a point of another one',
        ...(['delivery.point.list-of-one-method', make(first, 'l'), add('p', full, 'l'), make(second)] as const),
        listed({ id: 'p', ...full }),
      ],
      [
        'under which a point of another one is read',
        ...(['delivery.point.unknown-read-refused', make(first, 'l'), add('p', full, 'l'), make(second)] as const),
        point('p', full),
      ],
      [
        'that another key of its owner reads, with a point that it was given as well',
        undefined,
        ...[byOtherKey(listed()), add('p', full, 'l,m'), byOtherKey(listedFor('l')), byOtherKey(listedFor('m'))],
      ],
    ]),
    { complete: true },
  );
});

describe('a new point', () => {
  const bare = { title: { en: 'New words' } };
  judgeAll(
    sequencesOf([
      [
        'with the attributes of a former one',
        ...(['delivery.point.create-stores', make(first), add('p', full), remove('p'), add('p', bare)] as const),
        point('p', { ...bare, attributes: full.attributes }),
      ],
      [
        'with a country of its own',
        ...([undefined, make(first), add('p', { ...full, country: 'EE' }), remove('p'), add('p', bare)] as const),
        point('p', { ...bare, country: 'EE' }),
      ],
      [
        'with words of a former one',
        ...(['delivery.point.create-stores', make(first), add('p', { title: words }), remove('p')] as const),
        ...[add('p', bare), point('p', { title: { ...words, ...bare.title } })],
      ],
      [
        'of a list with the attributes of an old one',
        ...(['delivery.batch.replaces-all', batch([{ id: 'p', ...full }]), batch([{ id: 'p', ...bare }])] as const),
        listed({ id: 'p', ...bare, attributes: full.attributes }),
      ],
      [
        'of a list with the address of the one before it',
        ...([
          'delivery.batch.replaces-all',
          batch([
            { id: 'o', ...full },
            { id: 'p', ...bare },
          ]),
        ] as const),
        listed({ id: 'o', ...full }, { id: 'p', ...bare, address: full.address }),
      ],
    ]),
  );
});

describe('a plain string for a text', () => {
  const old = [make({ title: words }), shown({ title: words }), update({ title: 'New words' })] as const;
  const lost = 'delivery.multilanguage.string-keeps-other-languages';
  judgeAll(
    sequencesOf([
      ['sets one language', undefined, ...old, shown({ title: { ...words, lv: 'New words' } })],
      ['sets two languages', lost, ...old, shown({ title: { ...words, en: 'New words', lv: 'New words' } })],
      ['removes another language', lost, ...old, shown({ title: { en: 'New words', lv: words.lv } })],
      ['removes all other languages', lost, ...old, shown({ title: 'New words' })],
      [
        'sets every language, after an object named one of them again',
        ...([
          lost,
          make({ title: words }),
          update({ title: { lv: 'Vārdi' } }),
          shown({ title: { ...words, lv: 'Vārdi' } }),
        ] as const),
        ...[update({ title: 'New words' }), shown({ title: { ...words, en: 'New words', lv: 'New words' } })],
      ],
      [
        'sets languages that the service had filled in',
        ...([undefined, make({ title: { en: 'Words' } }), shown({ title: { en: 'Words', lv: 'Words' } })] as const),
        ...[update({ title: 'New words' }), shown({ title: { en: 'New words', lv: 'New words' } })],
      ],
      [
        'sets languages that are gone since an object did not name them',
        ...([
          undefined,
          make({ title: words }),
          update({ title: { lv: 'Vārdi' } }),
          shown({ title: { lv: 'Vārdi' } }),
        ] as const),
        ...[update({ title: 'New words' }), shown({ title: { en: 'New words', lv: 'New words' } })],
      ],
      ['changes another language', lost, ...old, shown({ title: { ...words, en: 'New words', lv: 'Citi vārdi' } })],
    ]),
  );
});

describe('texts in several languages', () => {
  const pair = { en: 'Old words', lv: 'Veci vārdi' };
  const listedAs = (title: unknown): ExchangeDescription =>
    get(METHODS, { delivery_methods: [{ handle: 'm', title: title as string }] });
  judgeAll(
    sequencesOf([
      [
        'listed in one of them after they were read',
        ...(['delivery.method.list-agrees-with-read', shown({ title: pair }), listedAs('Old words')] as const),
      ],
      [
        'listed in one of them after they were sent',
        ...(['delivery.method.title-kept', make({ title: pair }), shown({ title: pair })] as const),
        listedAs('Old words'),
      ],
      ['listed in all of them', undefined, make({ title: pair }), shown({ title: pair }), listedAs(pair)],
      ['with the same words', undefined, make({ title: { en: 'A', lv: 'A' } }), shown({ title: 'A' }), listedAs('A')],
      ['of which the website has one', undefined, make({ title: pair }), shown({ title: 'Old words' })],
      [
        'read in one of them after an update',
        ...(['delivery.method.update-applies', make({ title: pair }), shown({ title: pair })] as const),
        ...[update({ title: { en: 'New', lv: 'Jauni' } }), shown({ title: 'New' })],
      ],
    ]),
  );
});

describe('a refused update', () => {
  const call = refused(send('PUT', `${POINT}p/`, { pickup_point: { city: 'Tartu' } }));
  const changed = 'envelope.delivery.refusal-changes-nothing';
  judgeAll(
    sequencesOf([
      ['that is read', changed, make(first), add('p', full), call, point('p', { ...full, city: 'Tartu' })],
      [
        'that is read as a third value',
        'delivery.point.city-kept',
        make(first),
        add('p', full),
        call,
        point('p', { ...full, city: 'Riga' }),
      ],
      ['that changes nothing', undefined, make(first), add('p', full), call, point('p', full)],
    ]),
  );
});

describe('a refused list', () => {
  const call = refused(batch([{ id: 'q', ...full }]));
  const changed = 'envelope.delivery.refusal-changes-nothing';
  const known = [make(first), add('p', full), listed({ id: 'p', ...full })] as const;
  judgeAll(
    sequencesOf([
      ['whose point is listed', changed, ...known, call, listed({ id: 'p', ...full }, { id: 'q', ...full })],
      ['that removes the points', changed, ...known, call, listed()],
      ['that leaves everything', undefined, ...known, call, listed({ id: 'p', ...full })],
      ['by a gateway', undefined, ...known, { ...call, status: 504 }, listed({ id: 'q', ...full })],
      [
        'for an unknown method as well',
        ...([changed, get(METHODS, { delivery_methods: [{ handle: 'm', ...first }] }), ...known] as const),
        ...[refused(send('DELETE', 'store/delivery_method/m,x/pickup_point/p/'), 404), listed()],
      ],
    ]),
  );
});
