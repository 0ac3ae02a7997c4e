/** Silences about lengths, alphabets and quantities. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import { intercepts, memory, PATHS, refused } from '../../../../mock/faults/interception.ts';
import { refuse } from '../../../../mock/http/refusal.ts';
import type { PointList } from '../../../../mock/storage/point-list.ts';
import type { MockService } from '../../../../mock/types/service.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { type Demand, inTurn, ofMethods, ofPoints, ofTexts, textsIn } from '../demands.ts';

const FIELDS = 'Resources and their fields';
const LIMITS = 'Limits';

const atMost = (count: number): ReadingAnswer => ({
  id: `at-most-${count}`,
  about: `A text has at most ${count} characters.`,
  http: ofTexts((text) => ([...text].length > count ? `Texts have at most ${count} characters.` : undefined)),
});

const only = (id: string, about: string, alphabet: RegExp): ReadingAnswer => ({
  id,
  about,
  http: ofTexts((text) => (alphabet.test(text) ? undefined : 'This text holds characters that are not allowed.')),
});

const ids = (id: string, about: string, isGood: (id: string) => boolean): ReadingAnswer => ({
  id,
  about,
  http: ofPoints((sent) => (typeof sent.id !== 'string' || isGood(sent.id) ? undefined : 'This id can not be used.')),
});

/** Ids that points had which were deleted, each with its handle. */
const usedIds = memory(() => new Set<string>());

const noteDeleted = intercepts('DELETE', PATHS.point, async ({ parts: [handles = '', id = ''], pass, service }) => {
  const answer = await pass();
  if (answer.status === 200) for (const handle of handles.split(',')) usedIds(service).add(`${handle} ${id}`);
  return answer;
});

const noteLeftOut = intercepts('POST', PATHS.batch, async ({ parts: [handles = ''], pass, service }) => {
  const { points } = service.state;
  const idsNow = () =>
    handles.split(',').flatMap((handle) =>
      points
        .of(handle)
        .all()
        .map(({ id }) => `${handle} ${id}`),
    );
  const before = idsNow();
  const answer = await pass();
  const left = new Set(idsNow());
  for (const id of before) if (!left.has(id)) usedIds(service).add(id);
  return answer;
});

const refuseUsed = intercepts('POST', PATHS.newPoint, async ({ parts: [handles = ''], body, pass, service }) => {
  const id = isJsonObject(body?.pickup_point) ? body.pickup_point.id : undefined;
  return handles.split(',').some((handle) => usedIds(service).has(`${handle} ${id}`))
    ? refused(409, 'This id was used before.')
    : pass();
});

const references = (id: string, about: string, form: RegExp): ReadingAnswer => ({
  id,
  about,
  http: ofMethods(({ reference }) =>
    typeof reference === 'string' && !form.test(reference) ? 'This reference can not be used.' : undefined,
  ),
});

const attributes = (id: string, about: string, why: (value: Record<string, unknown>) => boolean): ReadingAnswer => ({
  id,
  about,
  http: ofPoints((sent) =>
    isJsonObject(sent.attributes) && !why(sent.attributes) ? 'Such attributes are not taken.' : undefined,
  ),
});

const countries = (id: string, about: string, isGood: (codes: readonly string[]) => boolean): ReadingAnswer => {
  const demand: Demand = (sent) => {
    const lists = [sent.available_countries_from, sent.available_countries_to, sent.country];
    const bad = lists.find((list) => list !== undefined && list !== null && !isGood([list].flat().map(String)));
    return bad === undefined ? undefined : 'Such countries are not taken.';
  };
  const batch = intercepts('POST', PATHS.batch, async ({ body, pass }) =>
    typeof body?.country === 'string' && !isGood([body.country]) ? refused(422, 'No such country.') : pass(),
  );
  return { id, about, http: inTurn(ofMethods(demand), ofPoints(demand), batch) };
};

const label = (id: string, about: string, isGood: (address: URL, sent: string) => boolean): ReadingAnswer => ({
  id,
  about,
  http: ofMethods(({ print_label_url: url }) =>
    typeof url === 'string' && url !== '' && !(URL.canParse(url) && isGood(new URL(url), url))
      ? 'This address can not be used.'
      : undefined,
  ),
});

const methodQuota = (count: number, status = 403): ReadingAnswer => ({
  id: `${count}-more${status === 403 ? '' : `-${status}`}`,
  about: `An owner can have ${count} methods more than it has at first; others are answered ${status}.`,
  http: intercepts('POST', PATHS.newMethod, async ({ request, pass, service }) => {
    const owner = ownerOf(service, request);
    const has = service.state.methods.filter((method) => method.owner === owner).length;
    const had = methodsAtFirst(service);
    if (!had.has(owner)) had.set(owner, has);
    return has >= (had.get(owner) ?? 0) + count ? refused(status, 'There are too many methods.') : pass();
  }),
});

/** How many methods each owner had at its first create. */
const methodsAtFirst = memory(() => new Map<string, number>());

/** The owner whose key a request carries; the empty text for none. */
function ownerOf({ rules, state }: MockService, { headers }: Request): string {
  const key = rules.apiKeyOf(headers.get('authorization'));
  const isOf = (row: Parameters<typeof rules.deliveryKeyMatches>[1]) =>
    key !== null && rules.deliveryKeyMatches(key, row);
  const website = state.websites.find(isOf);
  if (website !== undefined) return `website:${website.id}`;
  const provider = state.providers.find(isOf);
  return provider === undefined ? '' : `provider:${provider.id}`;
}

const pointQuota = (count: number): ReadingAnswer => ({
  id: `${count}`,
  about: `A method can have ${count} points.`,
  http: inTurn(
    intercepts('POST', PATHS.newPoint, async ({ parts, pass, service }) =>
      (parts[0] ?? '').split(',').some((handle) => service.state.points.of(handle).size >= count)
        ? refused(403, 'There are too many points.')
        : pass(),
    ),
    intercepts('POST', PATHS.batch, async ({ parts, body, pass, service }) => {
      const more = Array.isArray(body?.pickup_points) ? body.pickup_points.length : 0;
      const staged = (handle: string): number =>
        body?.is_initialization === false ? service.state.points.of(handle).staged().length : 0;
      return (parts[0] ?? '').split(',').some((handle) => staged(handle) + more > count)
        ? refused(403, 'There are too many points.')
        : pass();
    }),
  ),
});

const handles = (count: number): ReadingAnswer => ({
  id: `${count}`,
  about: `A call takes at most ${count} handles.`,
  http: intercepts('*', /^\/v1\/store\/delivery_method\/([^/]+)\/pickup_point/, async ({ parts, pass }) =>
    (parts[0] ?? '').split(',').length > count ? refused(422, 'There are too many handles.') : pass(),
  ),
});

export const limitReadings: readonly Reading[] = [
  {
    id: 'texts.length',
    section: FIELDS,
    silence: 'How long a text may be.',
    answers: [20, 32, 40, 50, 64, 100, 128, 255, 1000].map(atMost),
  },
  {
    id: 'texts.alphabet',
    section: FIELDS,
    silence: 'Which characters a text may hold.',
    answers: [
      only('no-markup', 'No < > & or quotes.', /^[^<>&"'`]*$/),
      only('no-controls', 'No control characters, so no line breaks.', /^[^\p{Cc}]*$/u),
      only('basic-plane', 'No character of four bytes.', /^[\u0000-\uffff]*$/u),
      only('ascii', 'ASCII only.', /^[\x00-\x7f]*$/),
      only('words', 'Letters, digits, spaces and . , - ( ) only.', /^[\p{L}\p{M}\p{N} .,()-]*$/u),
      only('plain', 'ASCII letters, digits, spaces, hyphens and parentheses only.', /^[A-Za-z0-9 ()-]*$/),
      only('no-outer-space', 'No space at the beginning or the end.', /^(\S(.*\S)?)?$/s),
      only('no-addresses', 'Nothing that looks like an address or a placeholder.', /^(?!.*(:\/\/|[${}%@])).*$/s),
    ],
  },
  {
    id: 'points.id-form',
    section: 'Resources and their fields, Pickup point (A)',
    silence: 'Which ids a point may have.',
    answers: [
      ...[16, 20, 32, 40, 64, 100].map((count) =>
        ids(`at-most-${count}`, `At most ${count} characters.`, (id) => id.length <= count),
      ),
      ids('slug', 'ASCII letters, digits, hyphen and underscore only.', (id) => /^[\w-]+$/.test(id)),
      ids('ascii', 'Printable ASCII only.', (id) => /^[\x21-\x7e]+$/.test(id)),
      ids('no-slash', 'No slash, percent sign, question mark, hash or comma.', (id) => !/[/%?#,\\]/.test(id)),
      ids('one-word', 'No spaces.', (id) => !/\s/.test(id)),
      ids('begins-with-letter', 'Begins with a letter.', (id) => /^\p{L}/u.test(id)),
      ids('digits', 'Digits only, the first of them not 0.', (id) => /^[1-9]\d{0,9}$/.test(id)),
      ids('capitals', 'At most 12 capital letters and digits, a letter first.', (id) =>
        /^[A-Z][A-Z\d]{0,11}$/.test(id),
      ),
      ids('short-slug', 'At most 20 ASCII letters, digits and hyphens.', (id) => /^[A-Za-z0-9-]{1,20}$/.test(id)),
    ],
  },
  {
    id: 'points.used-ids',
    section: 'Resources and their fields, Pickup point (A)',
    silence: 'Whether the id of a deleted point can be given to a new one.',
    answers: [
      {
        id: 'taken-for-good',
        about: 'It can not: ids of deleted points stay taken, and so do those that a list leaves out.',
        http: inTurn(noteDeleted, noteLeftOut, refuseUsed),
      },
    ],
  },
  {
    id: 'methods.reference-form',
    section: 'Resources and their fields, Delivery method (A)',
    silence: 'Which references a method may have.',
    answers: [
      references('digits', 'At most 10 digits.', /^\d{0,10}$/),
      references('small-slug', 'Small letters, digits, hyphens and underscores.', /^[a-z0-9_-]*$/),
      references('short-capitals', 'At most 12 capital letters and digits.', /^[A-Z0-9]{0,12}$/),
      references('known-services', 'One of the services of a carrier, or none.', /^(courier-1|LOCKER|DOOR)?$/),
    ],
  },
  {
    id: 'points.address-form',
    section: 'Resources and their fields, Pickup point (A)',
    silence: 'What an address has to hold.',
    answers: [
      {
        id: 'with-number',
        about: 'The number of a house, if it holds anything.',
        http: ofPoints(({ address }) =>
          typeof address === 'string' && address !== '' && !/\d/.test(address) ? 'Which house?' : undefined,
        ),
      },
      {
        id: 'street-and-number',
        about: 'A street and the number of a house after it.',
        http: ofPoints(({ address }) =>
          typeof address === 'string' && !/^\p{L}[\p{L} .'-]* \d+/u.test(address) ? 'Not an address.' : undefined,
        ),
      },
    ],
  },
  {
    id: 'points.attributes-form',
    section: 'Resources and their fields, Pickup point (A)',
    silence: 'Which values attributes may hold under their keys, and how many.',
    answers: [
      attributes('texts-only', 'Texts only.', (value) => Object.values(value).every((one) => typeof one === 'string')),
      attributes('flat', 'No objects or lists.', (value) =>
        Object.values(value).every((one) => typeof one !== 'object' || one === null),
      ),
      attributes('few-keys', 'At most 5 keys.', (value) => Object.keys(value).length <= 5),
      attributes('plain-keys', 'Keys of ASCII letters, digits and underscores.', (value) =>
        Object.keys(value).every((key) => /^\w+$/.test(key)),
      ),
      attributes('short', 'At most 200 characters in all.', (value) => JSON.stringify(value).length <= 200),
      attributes('not-empty', 'At least one key.', (value) => Object.keys(value).length > 0),
      attributes('no-nulls', 'No null.', (value) => !JSON.stringify(value).includes('null')),
      attributes('ascii', 'ASCII only.', (value) => textsIn(value).every((text) => /^[\x20-\x7e]*$/.test(text))),
    ],
  },
  {
    id: 'countries.form',
    section: FIELDS,
    silence: 'Which country codes are taken, in which case, and how many.',
    answers: [
      countries('lower-case', 'In lower case only.', (codes) => codes.every((code) => /^[a-z]{2}$/.test(code))),
      countries('capitals', 'In capital letters only.', (codes) => codes.every((code) => /^[A-Z]{2}$/.test(code))),
      countries('one', 'One country a list at most.', (codes) => codes.length <= 1),
      countries('baltic', 'LV, LT and EE only, in any case.', (codes) =>
        codes.every((code) => /^(LV|LT|EE)$/i.test(code)),
      ),
      countries('own-only', 'The country of the store only.', (codes) => codes.every((code) => /^LV$/i.test(code))),
      {
        ...countries('own-only-elsewhere', 'The country of the store only, far from here.', (codes) =>
          codes.every((code) => /^US$/i.test(code)),
        ),
        without: ['points.without-country'],
        fixtures: (correct) => ({
          ...correct,
          websites: correct.websites.map((website) => ({ ...website, country: 'US' })),
        }),
      },
      {
        id: 'any-text',
        about: 'Any text, which is stored as it was sent.',
        rules: () => ({ acceptsCountry: () => true }),
      },
      countries(
        'no-repeats',
        'No country twice in a list.',
        (codes) => new Set(codes.map((code) => code.toLowerCase())).size === codes.length,
      ),
    ],
  },
  {
    id: 'methods.label-address',
    section: 'Resources and their fields, Delivery method (A)',
    silence: 'Which addresses of label pages are taken.',
    answers: [
      label('https', 'https only.', ({ protocol }) => protocol === 'https:'),
      label('no-query', 'Without a query.', ({ search }) => search === ''),
      label('no-port', 'On the usual port.', ({ port }) => port === ''),
      label('short', 'At most 60 characters.', ({ href }) => href.length <= 60),
      label('ascii', 'Without letters beyond ASCII.', (_, sent) => /^[\0-\x7f]*$/.test(sent)),
      label('none', 'None: labels are printed in another way.', () => false),
      label(
        'real-domain',
        'Not on a name that is kept for examples and tests.',
        ({ hostname }) => !/\.(example|test|invalid|localhost)$/.test(hostname),
      ),
    ],
  },
  {
    id: 'methods.quota',
    section: LIMITS,
    silence: 'How many methods an owner can have.',
    answers: [...[1, 2, 3, 6, 10].map((count) => methodQuota(count)), methodQuota(3, 429), methodQuota(10, 429)],
  },
  {
    id: 'points.quota',
    section: LIMITS,
    silence: 'How many points a method can have; a call can carry 100.',
    answers: [100, 120, 150, 200, 250].map(pointQuota),
  },
  {
    id: 'handles.quota',
    section: LIMITS,
    silence: 'How many handles a call can name.',
    answers: [2, 3, 5].map(handles),
  },
  {
    id: 'uploads.demands',
    section: 'Endpoints, A. Delivery endpoints, Batch replace parameters',
    silence: 'What a list of points has to hold.',
    answers: [
      {
        id: 'not-empty',
        about: 'A list without points is refused.',
        http: intercepts('POST', PATHS.batch, async ({ body, pass }) =>
          Array.isArray(body?.pickup_points) && body.pickup_points.length === 0 ? refused(422, 'Send points.') : pass(),
        ),
      },
      {
        id: 'countries-named',
        about: 'Under a country, points have to name it.',
        http: intercepts('POST', PATHS.batch, async ({ body, pass }) => {
          const points = Array.isArray(body?.pickup_points) ? body.pickup_points : [];
          const isNamed = (point: unknown): boolean => isJsonObject(point) && typeof point.country === 'string';
          return body?.country && !points.every(isNamed) ? refused(422, 'Name the country.') : pass();
        }),
      },
      {
        id: 'full-portions',
        about: 'Portions but the last have to hold 10 points or more.',
        http: intercepts('POST', PATHS.batch, async ({ body, pass }) =>
          body?.is_finalization === false && Array.isArray(body.pickup_points) && body.pickup_points.length < 10
            ? refused(422, 'Portions are larger.')
            : pass(),
        ),
      },
      {
        id: 'published-first',
        about: 'A list is not begun before the one of this method that is under way is published.',
        undecides: [
          {
            checks: ['delivery.batch.without-initialization-flag', 'delivery.batch.initialization-discards-unfinished'],
            because: 'Only an open upload distinguishes the start of a list from its continuation.',
          },
        ],
        rules: (correct) => ({
          beginUpload: (list, country) => {
            if (list.upload) return refuse('conflict', 'This list is being uploaded.');
            correct.beginUpload(list, country);
          },
        }),
      },
      {
        id: 'one-at-a-time',
        about: 'A list of another method is not begun before the one under way is published.',
        undecides: [
          {
            checks: ['delivery.batch.uploads-of-two-methods-separate', 'delivery.batch.several-handles-in-portions'],
            because: 'Only one upload is possible at a time.',
          },
        ],
        rules: (correct) => {
          let open: PointList | undefined;
          return {
            beginUpload: (list, country) => {
              if (open !== list && open?.upload) return refuse('conflict', 'Another list is being uploaded.');
              open = list;
              correct.beginUpload(list, country);
            },
          };
        },
      },
    ],
  },
];
