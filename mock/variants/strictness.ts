/** Services that accept more or less than the usual one, where the contract is silent. */

import { findsUnderId } from '../faults/delivery/points/reach.ts';
import { intercepts, PATHS, refused } from '../faults/interception.ts';
import { API, refused as refusedByReseller } from '../faults/reseller/interception.ts';
import { refuse } from '../http/refusal.ts';
import { isObject } from '../http/request.ts';
import type { Deviation } from '../types/deviation.ts';

type Body = Record<string, unknown>;

/**
 * Looks into the JSON bodies of requests before they are served: hands on a changed body, or refuses with a sentence. Bodies
 * that are not JSON objects are handed on as they are.
 */
const inspectBody = (
  path: RegExp,
  method: string,
  look: (body: Body) => Body | string,
): NonNullable<Deviation['http']> =>
  intercepts(method, path, async ({ body, pass }) => {
    const seen = body === undefined ? undefined : look(body);
    if (typeof seen === 'string') return refused(422, seen);
    return pass(seen === undefined || seen === body ? {} : { body: seen });
  });

const inner = (body: Body, name: string): Body => {
  const value = body[name];
  return isObject(value) ? value : {};
};

/** Above all ids that the service assigns. */
const WWW_IDS_FROM = 9_000_000;

const METHOD = /\/store\/delivery_method\/(?:[^/]+\/)?$/;
const POINT = /\/pickup_point\/(?:[^/]+\/)?$/;
const BATCH = /\/batch_replace\/$/;

const isSpelling = (sent: string) => (id: string) => id.toLowerCase() === sent.toLowerCase();

const refusesSecondSpelling = intercepts('POST', PATHS.newPoint, async ({ parts, body, pass, service }) => {
  const id = String(inner(body ?? {}, 'pickup_point').id);
  const others = (parts[0] ?? '').split(',').flatMap((handle) => service.state.points.of(handle).all());
  const isTaken = others.some((point) => point.id !== id && isSpelling(id)(point.id));
  return isTaken ? refused(409, 'A point with this id exists already.') : pass();
});

const findsAnySpelling = findsUnderId((sent, ids) => ids.find(isSpelling(sent)) ?? sent);

export const strictnessVariants: readonly Deviation[] = [
  {
    id: 'methods.name-refused',
    about: 'A method with a name is refused, because the name is read-only.',
    http: inspectBody(METHOD, '*', (body) =>
      'name' in inner(body, 'delivery_method') ? 'The name can only be read.' : body,
    ),
  },
  {
    id: 'methods.empty-countries-as-null',
    about: 'An empty list of countries reads back as null.',
    rules: (correct) => ({
      renderMethod: (method, site) =>
        Object.fromEntries(
          Object.entries(correct.renderMethod(method, site)).map(([name, value]) => [
            name,
            Array.isArray(value) && value.length === 0 ? null : value,
          ]),
        ),
    }),
  },
  {
    id: 'methods.countries-required',
    about: 'A new method without its two lists of countries is refused; empty lists are accepted.',
    http: inspectBody(METHOD, 'POST', (body) => {
      const { available_countries_from: from, available_countries_to: to } = inner(body, 'delivery_method');
      return Array.isArray(from) && Array.isArray(to) ? body : 'A method needs both lists of countries.';
    }),
  },
  {
    id: 'points.title-required',
    about: 'A new pickup point without a title is refused.',
    http: inspectBody(POINT, 'POST', (body) => (inner(body, 'pickup_point').title ? body : 'A point needs a title.')),
  },
  {
    id: 'points.sent-id-ignored',
    about: 'An id in the update of a point is ignored; the other fields are applied.',
    http: inspectBody(POINT, 'PUT', (body) => {
      const { id: _id, ...others } = inner(body, 'pickup_point');
      return { ...body, pickup_point: others };
    }),
  },
  {
    id: 'points.ids-case-insensitive',
    about: 'Ids of points are case-insensitive: another spelling is refused as a duplicate, and finds the point.',
    http: (request, next, service) =>
      refusesSecondSpelling(request, (added) => findsAnySpelling(added, next, service), service),
  },
  {
    id: 'texts.default-language-required',
    about: 'A text that is sent as an object must contain the default language, also in an update.',
    rules: (correct) => ({
      mergeText: (before, sent, site) => {
        const isWhole = typeof sent !== 'object' || sent === null || (sent[site.defaultLanguage] ?? '') !== '';
        return isWhole ? correct.mergeText(before, sent, site) : refuse('invalid', 'The default language is missing.');
      },
    }),
  },
  {
    id: 'lists.desc-true',
    about: 'With desc=true a list is reversed like with desc=1.',
    http: intercepts('GET', PATHS.anyDelivery, async ({ request, pass }) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get('desc') !== 'true') return pass();
      searchParams.set('desc', '1');
      return pass({ search: `?${searchParams}` });
    }),
  },
  {
    id: 'upload.empty-list-refused',
    about: 'A list without points is refused, and the old one stays.',
    http: inspectBody(BATCH, 'POST', (body) =>
      Array.isArray(body.pickup_points) && body.pickup_points.length === 0 ? 'A list needs points.' : body,
    ),
  },
  {
    id: 'reseller.parameters-in-one-place',
    about: 'Parameters in the query of a POST are ignored.',
    http: intercepts('POST', API.any, ({ pass }) => pass({ search: '' })),
  },
  {
    id: 'reseller.website-id-by-leading-digits',
    about: 'A website id in a path is read up to the first character that is not a digit.',
    http: intercepts('*', /^\/api\/website\/(\d+)[^/\d][^/]*(\/.*)$/, async ({ parts, pass }) =>
      pass({ path: `/api/website/${parts[0]}${parts[1]}` }),
    ),
  },
  {
    id: 'reseller.repeated-enable-refused',
    about: 'Enabling a website that is enabled, or disabling one that is disabled, is refused.',
    http: async (request, next, service) => {
      const [, id, wanted] = /\/api\/website\/([^/]+)\/(enable|disable)\/$/.exec(new URL(request.url).pathname) ?? [];
      const website = id === undefined ? undefined : service.state.websites.get(id);
      if (website === undefined || service.rules.isEnabled(website) !== (wanted === 'enable')) return next(request);
      // A caller without a valid token must not learn the state: it gets the usual refusal.
      const usual = await next(request);
      if (usual.status !== 200) return usual;
      return refusedByReseller(409, 'The website is in this state already.');
    },
  },
  {
    id: 'reseller.domain-with-www',
    about: 'Each domain is listed together with its www name.',
    http: async (request, next) => {
      const response = await next(request);
      if (!/\/api\/website\/[^/]+\/domains\/$/.test(new URL(request.url).pathname) || !response.ok) return response;
      const body = (await response.json()) as { domains: { domainID: number; domain: string }[] };
      const domains = body.domains.flatMap((one) => [
        one,
        { ...one, domainID: one.domainID + WWW_IDS_FROM, domain: `www.${one.domain}` },
      ]);
      return Response.json({ ...body, domains });
    },
  },
  {
    id: 'headers.deprecation',
    about: 'Responses announce the end of this version.',
    http: async (request, next) => {
      const response = await next(request);
      const headers = new Headers(response.headers);
      headers.set('deprecation', 'true');
      headers.set('sunset', 'Fri, 31 Dec 2027 23:59:59 GMT');
      return new Response(response.body, { status: response.status, headers });
    },
  },
];
