/** What frameworks and stores do to values on their own: JSON readers, converters of keys, columns that hold several rows at once. */
import { setTimeout } from 'node:timers/promises';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isObject } from '../../http/request.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Method } from '../../types/method.ts';
import type { Point } from '../../types/point.ts';
import { intercepts, json, MOMENT_MS, PATHS, page, success } from '../interception.ts';
import { staged } from './batch/uploads.ts';

type MakesRules = NonNullable<Deviation['rules']>;
type Attributes = Point['attributes'];

/** Changes each value in attributes, innermost first. */
const deep = (value: Attributes, change: (value: unknown) => unknown): Attributes =>
  value === undefined ? value : JSON.parse(JSON.stringify(value), (_key, inner) => change(inner));

/** The attributes of every point that is added or updated. */
const attributes =
  (change: (sent: Attributes) => Attributes): MakesRules =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return { ...point, attributes: change(point.attributes) };
    },
  });

/** A field of every method that is created or updated. */
const methodField =
  <Field extends keyof Method>(field: Field, change: (kept: Method[Field]) => Method[Field]): MakesRules =>
  (correct) => ({
    mergeMethod: (before, input, site) => {
      const fields = correct.mergeMethod(before, input, site);
      return { ...fields, [field]: change((fields as Method)[field]) };
    },
  });

const wordAsBoolean = (value: unknown): unknown => (value === 'true' || value === 'false' ? value === 'true' : value);

const inHundredths = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 100) / 100 : value;

const inCamelCase = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key.replaceAll(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
          inner,
        ]),
      )
    : value;

const YOUNG: ReadonlySet<string> = new Set(['BL', 'BQ', 'CW', 'MF', 'SS', 'SX']);

const KEPT = 'delivery.point.attributes-object-kept';

/** A page of the framework refuses one kind of call for a method that does not exist. */
const unknownAsPage = (id: string, what: string, method: string, path: RegExp): Deviation => ({
  id,
  clause: 'envelope.v1.body-is-object',
  about: `${what} a method that does not exist is refused with a page; other refusals have the envelope.`,
  http: intercepts(method, path, async ({ pass }) => {
    const response = await pass();
    return response.status === 404 ? page('Not Found', 404) : response;
  }),
});

/** A page that ends between two such points is the last one. */
const endsBetween =
  (which: (last: string, next: string) => boolean): MakesRules =>
  (correct) => ({
    pageOf: (list, after, size, backwards) => {
      const page = correct.pageOf(list, after, size, backwards);
      const [last, next] = list.slice(after, size + 1, backwards).slice(-2);
      const idOf = (found: typeof last): string => (found?.item as { readonly id?: string } | undefined)?.id ?? '';
      return page.next !== null && which(idOf(last), idOf(next)) ? { ...page, next: null } : page;
    },
  });

export const frameworkFaults: readonly Deviation[] = [
  {
    id: 'points.attributes-keys-of-objects-dropped',
    clause: KEPT,
    about: 'The keys constructor and prototype are dropped from attributes, as by a guard against polluted prototypes.',
    rules: attributes((sent) => {
      if (!isObject(sent)) return sent;
      const { constructor: _dropped, prototype: _too, ...rest } = sent;
      return rest;
    }),
  },
  {
    id: 'points.attributes-proto-dropped',
    clause: KEPT,
    about: 'Attributes are copied member by member, so that the key __proto__ is lost.',
    rules: attributes((sent) => (isObject(sent) ? Object.assign({}, sent) : sent)),
  },
  {
    id: 'lists.link-missing-before-id-zero',
    clause: 'delivery.lists.next-link',
    about: 'Links name the first point of the next page; the id 0 counts as none, and the page before it is the last.',
    rules: endsBetween((_last, next) => next === '0'),
  },
  {
    id: 'lists.link-in-unencoded-base64',
    clause: 'delivery.lists.next-link',
    about:
      'Links name the last point of a page in base64; a plus sign in it is read as a space, and the list ends there.',
    rules: endsBetween((last) => Buffer.from(last).toString('base64').includes('+')),
  },
  {
    id: 'lists.link-missing-before-capitals',
    clause: 'delivery.lists.next-link',
    about: 'The next page is looked for by the bytes of ids: one in capitals after one in small letters is not found.',
    rules: endsBetween((last, next) => /^[a-z]/.test(last) && /^[A-Z]/.test(next)),
  },
  {
    id: 'points.attributes-words-as-booleans',
    clause: KEPT,
    about: 'The texts true and false within attributes become booleans.',
    rules: attributes((sent) => deep(sent, wordAsBoolean)),
  },
  {
    id: 'points.attributes-keys-in-camel-case',
    clause: KEPT,
    about: 'Keys of attributes with underscores are rewritten in camel case.',
    rules: attributes((sent) => deep(sent, inCamelCase)),
  },
  {
    id: 'points.attributes-moments-in-utc',
    clause: KEPT,
    about: 'Times with an offset within attributes are rewritten in UTC.',
    rules: attributes((sent) =>
      deep(sent, (value) =>
        typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}[+-]/.test(value)
          ? new Date(value).toISOString()
          : value,
      ),
    ),
  },
  {
    id: 'points.attributes-in-shared-default',
    clause: 'delivery.point.attributes-empty-string',
    about: 'All points without attributes share one object: what an update gives to one of them, all others get.',
    http: intercepts('PUT', PATHS.point, async ({ body, parts, pass, service }) => {
      const [handle = '', id = ''] = parts;
      const points = service.state.points.of(handle);
      const before = points.get(id);
      const response = await pass();
      const { attributes } = (body?.pickup_point ?? {}) as Pick<Point, 'attributes'>;
      if (response.status !== 200 || before === undefined || !isUnset(before.attributes) || isUnset(attributes))
        return response;
      const alike = points.all().filter((point) => point.id !== id && isUnset(point.attributes));
      service.change(() => {
        for (const point of alike) points.replace({ ...point, attributes });
      });
      return response;
    }),
  },
  {
    id: 'batch.attributes-words-as-booleans',
    clause: 'delivery.batch.fields-kept',
    about: 'The texts true and false within attributes become booleans in a batch call; a single add keeps them.',
    rules: staged((points) => points.map((point) => ({ ...point, attributes: deep(point.attributes, wordAsBoolean) }))),
  },
  {
    id: 'batch.attributes-decimals-rounded',
    clause: 'delivery.batch.fields-kept',
    about: 'Numbers within attributes have two decimals in a batch call; a single add keeps them.',
    rules: staged((points) => points.map((point) => ({ ...point, attributes: deep(point.attributes, inHundredths) }))),
  },
  {
    id: 'methods.label-url-slashes-merged',
    clause: 'delivery.method.print-label-url-kept',
    about: 'Double slashes in the path of the label address are merged.',
    rules: methodField('print_label_url', (kept) => kept?.replaceAll(/(?<!:)\/{2,}/g, '/') ?? null),
  },
  {
    id: 'methods.label-url-cut',
    clause: 'delivery.method.print-label-url-kept',
    about: 'The label address of a method is cut to 255 characters.',
    rules: methodField('print_label_url', (kept) => kept?.slice(0, 255) ?? null),
  },
  {
    id: 'methods.repeated-country-leaves-gap',
    clause: 'delivery.method.country-lists-are-codes',
    about: 'A destination country that is there twice is dropped, and the list becomes an object by position.',
    rules: (correct) => ({
      renderMethod: (method, site) => {
        const shown = correct.renderMethod(method, site);
        const codes = method.available_countries_to ?? [];
        if (new Set(codes).size === codes.length) return shown;
        return {
          ...shown,
          available_countries_to: Object.fromEntries([...new Set(codes)].map((code) => [codes.indexOf(code), code])),
        };
      },
    }),
  },
  {
    id: 'methods.countries-without-namibia',
    clause: 'delivery.method.countries-to-kept',
    about: 'The country NA is taken for no value.',
    rules: methodField('available_countries_to', (kept) => kept?.filter((code) => code !== 'NA') ?? null),
  },
  {
    id: 'methods.countries-of-an-old-table',
    clause: 'delivery.method.countries-from-kept',
    about: 'Codes that came into the standard since 2010 are dropped from the store countries.',
    rules: methodField('available_countries_from', (kept) => kept?.filter((code) => !YOUNG.has(code)) ?? null),
  },
  {
    id: 'points.country-of-an-old-table',
    clause: 'delivery.point.country-kept',
    about: 'A point in a country whose code came into the standard since 2010 is kept without it.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) => {
        const point = correct.mergePoint(before, id, input, site);
        return { ...point, country: YOUNG.has(point.country ?? '') ? null : point.country };
      },
    }),
  },
  unknownAsPage('envelopes.unknown-batch-as-page', 'A batch call for', 'POST', PATHS.batch),
  unknownAsPage('envelopes.unknown-delete-as-page', 'A deletion of', 'DELETE', PATHS.method),
  {
    id: 'envelopes.unknown-update-without-body',
    clause: 'envelope.v1.body-is-object',
    about: 'An update of a method that does not exist is refused with an empty body.',
    http: intercepts('PUT', PATHS.method, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? new Response(null, { status: 404 }) : response;
    }),
  },
  {
    id: 'envelopes.unknown-update-in-another-form',
    clause: 'envelope.v1.error-true',
    about: 'An update of a method that does not exist is refused with JSON that has no member of the error envelope.',
    http: intercepts('PUT', PATHS.method, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? json({ message: 'Not Found' }, 404) : response;
    }),
  },
  {
    id: 'envelopes.wrong-key-as-page-for-a-method',
    clause: 'envelope.v1.body-is-object',
    about: 'A method that is read without a valid key returns a page; other calls return the envelope.',
    http: intercepts('GET', PATHS.method, async ({ pass }) => {
      const response = await pass();
      return response.status === 401 ? page('Unauthorized', 401) : response;
    }),
  },
  {
    id: 'points.added-at-once-lost',
    clause: 'delivery.point.create-stores',
    about:
      'The points of a method are stored together: of those that are added at the same time only the last is kept.',
    http: intercepts('POST', PATHS.newPoint, async (met) => {
      const list = met.service.state.points.of(met.parts[0]!);
      const before = new Set(list.all().map(({ id }) => id));
      await setTimeout(MOMENT_MS);
      const response = await met.pass();
      const own = (met.body?.pickup_point as { readonly id?: unknown } | undefined)?.id;
      if (response.status === 200) {
        met.service.change(() => {
          for (const { id } of list.all()) if (!before.has(id) && id !== own) list.remove(id);
        });
      }
      return response;
    }),
  },
  {
    id: 'batch.lists-at-once-merged',
    clause: 'delivery.batch.replaces-all',
    about: 'Of two lists of one method that arrive together, both are stored: neither sees the points of the other.',
    http: intercepts('POST', PATHS.batch, async ({ parts, pass, service }) => {
      const list = service.state.points.of(parts[0]!);
      const before = new Set(list.all().map(({ id }) => id));
      await setTimeout(MOMENT_MS);
      const others = list.all().filter(({ id }) => !before.has(id));
      const response = await pass();
      const lost = others.filter(({ id }) => list.get(id) === undefined);
      if (response.status === 200 && lost.length > 0) service.change(() => list.rewrite([...list.all(), ...lost]));
      return response;
    }),
  },
  {
    id: 'methods.reference-of-digits-as-number',
    clause: 'delivery.method.update-applies',
    about: 'A reference of digits only loses the zeros at its beginning.',
    rules: methodField('reference', (kept) => (kept !== null && /^\d+$/.test(kept) ? String(Number(kept)) : kept)),
  },
  {
    id: 'methods.reference-shown-as-number',
    clause: 'delivery.method.update-applies',
    about: 'A reference that a number would be written as is shown as that number.',
    rules: (correct) => ({
      renderMethod: (method, site) => {
        const shown = correct.renderMethod(method, site);
        const asNumber = Number(method.reference);
        return asNumber > 0 && method.reference === String(asNumber) ? { ...shown, reference: asNumber } : shown;
      },
    }),
  },
  {
    id: 'methods.truncated-update-served',
    clause: 'envelope.v1.malformed-input',
    about: 'An update of a method whose body breaks off is taken for one without fields.',
    http: intercepts('PUT', PATHS.method, async ({ body, pass }) => (body === undefined ? success() : pass())),
  },
];
