/** Silences about what values mean the same: lists as sets, empty texts as none, texts that a service completes or tidies. */

import { POINT } from '../../../../contracts/fields/catalogue/delivery.ts';
import { notOf, published, withoutIdsOf } from '../../../../mock/faults/delivery/batch/uploads.ts';
import { bodiesOf, intercepts, PATHS, refused, responses } from '../../../../mock/faults/interception.ts';
import { isObject } from '../../../../mock/http/request.ts';
import { textIn } from '../../../../mock/state/state.ts';
import type { PointList } from '../../../../mock/storage/point-list.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { ofPoints } from '../demands.ts';

const FIELDS = 'Resources and their fields';
const ENDPOINTS = 'Endpoints, A. Delivery endpoints';
const SNIPPET = /^\/v1\/apps\/set_snippet\/$/;

/** The country of the embedded service's stores, as lists for a country are kept. */
const HOME_COUNTRY = 'lv';

/** The city of the first samples of a point. */
const STORE_CITY = POINT.city.samples[0];

type MakesRules = NonNullable<ReadingAnswer['rules']>;

const isWithoutCountry = (point: unknown): boolean => isObject(point) && !point.country;

/** Gives another country to the points of a list for a country that name none. */
const placedBy = (country: string | null): NonNullable<ReadingAnswer['http']> =>
  intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
    const response = await pass();
    if (typeof body?.country !== 'string' || !Array.isArray(body.pickup_points) || response.status !== 200)
      return response;
    const ids = new Set(body.pickup_points.filter(isWithoutCountry).map(({ id }) => id));
    for (const handle of (parts[0] ?? '').split(',')) {
      const list = service.state.points.of(handle);
      const points = list.all().map((point) => (ids.has(point.id) ? { ...point, country } : point));
      if (ids.size > 0) service.change(() => list.rewrite(points));
    }
    return response;
  });

/** A list for a country leaves the points whose code has other letters, unless it brings their ids. */
function asWritten(): MakesRules {
  const written = new WeakMap<PointList, string | null>();
  return (correct) => ({
    beginUpload: (list, country) => {
      written.set(list, country);
      correct.beginUpload(list, country);
    },
    publish: (list) => {
      const country = written.get(list) ?? list.upload?.country ?? null;
      const uploaded = list.staged();
      const left =
        country === null ? [] : withoutIdsOf(list.all(), uploaded).filter((point) => point.country !== country);
      correct.publish(list);
      list.rewrite([...left, ...uploaded]);
    },
  });
}

/** Changes the lists of countries of a method as they are shown. */
const countryLists =
  (change: (codes: readonly string[]) => readonly string[]): MakesRules =>
  (correct) => ({
    renderMethod: (method, site) =>
      Object.fromEntries(
        Object.entries(correct.renderMethod(method, site)).map(([name, value]) => [
          name,
          Array.isArray(value) ? change(value.map(String)) : value,
        ]),
      ),
  });

/** Adds texts in the languages that were not named. */
const completed =
  (of: (text: string, language: string) => string): MakesRules =>
  () => ({
    renderText: (text, site) => {
      const given: Readonly<Record<string, string>> =
        typeof text === 'string' ? { [site.defaultLanguage]: text } : text;
      const usual = textIn(text, site.defaultLanguage, site);
      return Object.fromEntries(site.languages.map((code) => [code, given[code] ?? of(usual, code)]));
    },
  });

/** A language without a text, or with the empty one, shows the default language's, or else any other. */
const withFallback: MakesRules = () => ({
  renderText: (text, site) => {
    const given: Readonly<Record<string, string>> = typeof text === 'string' ? { [site.defaultLanguage]: text } : text;
    const usual = given[site.defaultLanguage] || (Object.values(given).find((words) => words !== '') ?? '');
    return Object.fromEntries(site.languages.map((code) => [code, given[code] || usual]));
  },
});

const ZIP_OF_COUNTRY: Readonly<Record<string, RegExp>> = {
  LV: /^LV-\d{4}$/,
  LT: /^(LT-)?\d{5}$/,
  EE: /^\d{5}$/,
  FI: /^\d{5}$/,
};

const zips = (id: string, about: string, isGood: (zip: string, country: string) => boolean): ReadingAnswer => ({
  id,
  about,
  http: ofPoints(({ zip, country }) =>
    typeof zip === 'string' && zip !== '' && !isGood(zip, typeof country === 'string' ? country.toUpperCase() : '')
      ? 'This is not a postal code.'
      : undefined,
  ),
});

const cities = (id: string, about: string, form: RegExp): ReadingAnswer => ({
  id,
  about,
  http: ofPoints(({ city }) => (typeof city === 'string' && !form.test(city) ? 'This is not a city.' : undefined)),
});

export const meaningReadings: readonly Reading[] = [
  {
    id: 'countries.list-order',
    section: FIELDS,
    silence: 'Whether the order of country codes, or a code that is there twice, means anything.',
    answers: [
      { id: 'sorted', about: 'They come back by their letters.', rules: countryLists((codes) => codes.toSorted()) },
      {
        id: 'no-repeats',
        about: 'Each comes back once.',
        rules: countryLists((codes) => [...new Set(codes)]),
      },
      { id: 'turned', about: 'The last comes first.', rules: countryLists((codes) => codes.toReversed()) },
    ],
  },
  {
    id: 'values.empty',
    section: FIELDS,
    silence: 'Whether an empty text is a value or none.',
    answers: [
      {
        id: 'null',
        about: 'It counts as missing: null is shown in its place.',
        rules: (correct) => ({
          mergePoint: (before, id, input, site) => withoutEmpty(correct.mergePoint(before, id, input, site)),
          mergeMethod: (before, input, site) => withoutEmpty(correct.mergeMethod(before, input, site)),
        }),
      },
      {
        id: 'omitted',
        about: 'It counts as missing, and the field is left out.',
        rules: (correct) => ({
          renderMissing: () => undefined,
          mergePoint: (before, id, input, site) => withoutEmpty(correct.mergePoint(before, id, input, site)),
          mergeMethod: (before, input, site) => withoutEmpty(correct.mergeMethod(before, input, site)),
        }),
      },
    ],
  },
  {
    id: 'texts.completed',
    section: 'Resources and their fields, Multilanguage text (A)',
    silence: 'What the languages of the website show that were given no text.',
    answers: [
      { id: 'translated', about: 'A translation.', rules: completed((text, code) => `${text} [${code}]`) },
      { id: 'other', about: 'The text of another language, also where it is empty.', rules: withFallback },
      { id: 'null', about: 'null.', rules: completed(() => null as unknown as string) },
    ],
  },
  {
    id: 'points.without-country',
    section: `${ENDPOINTS}, Batch`,
    silence: 'To which country a point belongs that names none.',
    answers: [
      {
        id: 'of-the-store',
        about: 'That of the store: a list for it replaces them. They are shown as they were sent.',
        rules: published((before, uploaded, country) =>
          country === null
            ? uploaded
            : [
                ...notOf(country, before).filter((point) => point.country !== null || country !== HOME_COUNTRY),
                ...uploaded,
              ],
        ),
      },
    ],
  },
  {
    id: 'points.country-of-call',
    section: `${ENDPOINTS}, Batch`,
    silence: 'To which country a point belongs that names none in a list for a country.',
    answers: [
      { id: 'none', about: 'To none: it is stored without a country.', http: placedBy(null) },
      { id: 'of-the-store', about: 'To that of the store.', http: placedBy(HOME_COUNTRY.toUpperCase()) },
      {
        id: 'left-out',
        about: 'It does not belong to the country, so that it is left out, like one of another country.',
        http: intercepts('POST', PATHS.batch, async ({ body, pass }) =>
          typeof body?.country === 'string' && Array.isArray(body.pickup_points)
            ? pass({ body: { ...body, pickup_points: body.pickup_points.filter((point) => !isWithoutCountry(point)) } })
            : pass(),
        ),
      },
    ],
  },
  {
    id: 'countries.letters-of-lists',
    section: `${ENDPOINTS}, Batch`,
    silence: 'Whether a list for `ee` is one for the points of `EE`.',
    answers: [
      {
        id: 'as-sent',
        about: 'It is not: a list replaces the points whose country is written as that of the list.',
        rules: asWritten(),
      },
    ],
  },
  {
    id: 'points.without-city',
    section: FIELDS,
    silence: 'What a point shows that names no city.',
    answers: [
      {
        id: 'of-the-store',
        about: 'The city of the store, in which checks put their points as well.',
        rules: (correct) => ({
          mergePoint: (before, id, input, site) => {
            const point = correct.mergePoint(before, id, input, site);
            return { ...point, city: point.city ?? STORE_CITY };
          },
        }),
      },
    ],
  },
  {
    id: 'points.zip-form',
    section: FIELDS,
    silence: 'Which postal codes are taken.',
    answers: [
      zips('of-country', 'Those of the country of the point.', (zip, country) =>
        (ZIP_OF_COUNTRY[country] ?? /^/).test(zip),
      ),
      zips('short', 'Those of at most 8 capitals, digits, spaces and hyphens.', (zip) => /^[A-Z0-9 -]{1,8}$/.test(zip)),
    ],
  },
  {
    id: 'points.city-form',
    section: FIELDS,
    silence: 'Which names of cities are taken.',
    answers: [
      cities('without-digits', 'Those without digits.', /^\D*$/),
      cities('letters', 'Those of letters, spaces, dots, hyphens and apostrophes.', /^[\p{L} .'-]*$/u),
    ],
  },
  {
    id: 'methods.write-responses',
    section: ENDPOINTS,
    silence: 'What of a method the answers to its create and update hold.',
    answers: [
      {
        id: 'before',
        about: 'The answer to an update holds the method as it was before.',
        http: intercepts('PUT', PATHS.method, async ({ parts, pass, service }) => {
          const method = service.state.methods.get(parts[0] ?? '');
          const site = { languages: ['en'], defaultLanguage: 'en' };
          const shown = method === undefined ? {} : service.rules.renderMethod(method, site);
          const response = await pass();
          return response.status === 200 ? Response.json(shown) : response;
        }),
      },
      {
        id: 'part',
        about: 'They hold the handle and the name.',
        rules: () => ({
          methodCreated: ({ handle, name }) => ({ handle, name }),
          methodUpdated: ({ handle, name }) => ({ handle, name }),
        }),
      },
      {
        id: 'under-result',
        about: 'They hold the method under result, in a list.',
        rules: () => ({
          methodCreated: (_method, record) => ({ error: false, result: [record], message: 'created' }),
          methodUpdated: (_method, record) => ({ error: false, result: [record] }),
        }),
      },
      {
        id: 'whole-list',
        about: 'They hold all methods of the owner.',
        http: async (request, next) => {
          const response = await next(request);
          const { pathname, origin } = new URL(request.url);
          const isWrite =
            (request.method === 'POST' && PATHS.newMethod.test(pathname)) ||
            (request.method === 'PUT' && PATHS.method.test(pathname));
          if (!isWrite || response.status !== 200) return response;
          const headers = { authorization: request.headers.get('authorization') ?? '' };
          return next(new Request(`${origin}/v1/store/delivery_methods/`, { headers }));
        },
      },
    ],
  },
  {
    id: 'methods.name-shown',
    section: 'Resources and their fields, Delivery method (A)',
    silence: 'Whether a method has a name at all.',
    answers: [
      {
        id: 'null',
        about: 'It is null.',
        rules: (correct) => ({
          renderMethod: (method, site) => ({ ...correct.renderMethod(method, site), name: null }),
        }),
      },
      {
        id: 'omitted',
        about: 'It is left out.',
        rules: (correct) => ({
          renderMethod: (method, site) => {
            const { name: _name, ...others } = correct.renderMethod(method, site);
            return others;
          },
        }),
      },
    ],
  },
  {
    id: 'settings.values',
    section: 'Resources and their fields, Custom field values (A)',
    silence: 'Which values the fields of the settings form have.',
    answers: [
      {
        id: 'of-every-type',
        about: 'Texts, numbers, booleans, null and lists, and fields that no form declares.',
        rules: responses(['readProviderSettings'], (response) =>
          // An unknown order has no values.
          Object.keys((response.body.fields as object | undefined) ?? {}).length > 0
            ? {
                ...response,
                body: { fields: { ...(response.body.fields as object), n: 7, on: true, none: null, all: [], o: {} } },
              }
            : response,
        ),
      },
      {
        id: 'beside-error',
        about: 'They come beside error: false and the order.',
        rules: responses(['readProviderSettings'], (response) =>
          response.status === 200
            ? { ...response, body: { error: false, order_uuid: 'x', ...response.body } }
            : response,
        ),
      },
    ],
  },
  {
    id: 'apps.emptied',
    section: 'Endpoints, B. Apps endpoints',
    silence: 'What reading gives after the empty snippet was set.',
    answers: [
      {
        id: 'null',
        about: 'null.',
        rules: bodiesOf('apps', ['getSnippet', 'getLanguageSnippet'], (body) =>
          body.snippet === '' ? { ...body, snippet: null } : body,
        ),
      },
      {
        id: 'omitted',
        about: 'Nothing.',
        rules: bodiesOf('apps', ['getSnippet', 'getLanguageSnippet'], ({ snippet, ...body }) =>
          snippet === '' ? body : { ...body, snippet },
        ),
      },
      {
        id: 'refused',
        about: 'A refusal, as where none was set.',
        http: intercepts('GET', /^\/v1\/apps\/get_snippet\//, async ({ pass }) => {
          const response = await pass();
          if (response.status !== 200) return response;
          const body = (await response.clone().json()) as Record<string, unknown>;
          return body.snippet === '' || body.snippet === null ? refused(404, 'There is none.') : response;
        }),
      },
    ],
  },
  {
    id: 'apps.language-of-snippet',
    section: 'Endpoints, B. Apps endpoints',
    silence: 'Whether language can be sent as null or as the empty string.',
    answers: [
      {
        id: 'null-refused',
        about: 'Both are refused.',
        http: intercepts('POST', SNIPPET, async ({ body, pass }) =>
          body !== undefined && 'language' in body && !body.language ? refused(422, 'Which language?') : pass(),
        ),
      },
    ],
  },
];

/** A record whose empty texts are none. */
const withoutEmpty = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === '' && name !== 'attributes' ? null : value]),
  ) as Row;
