/** Requests that a service answers before its own code: odd paths, long bodies, labels of JSON, and what a refused one holds. */
import { isObject } from '../../http/request.ts';
import type { Deviation } from '../../types/deviation.ts';
import { intercepts, json, memory, PATHS, page, refused, remembering, success } from '../interception.ts';
import { meetsBatch } from './batch/uploads.ts';

const ODD_PATH = 'envelope.delivery.undecodable-path';
const LABELLED = 'envelope.v1.labelled-without-body';

const POINT_MEMBERS: readonly string[] = ['id', 'title', 'address', 'city', 'zip', 'country', 'attributes'];
const TEXT_FIELDS = ['address', 'city', 'zip'] as const;

/** Under this id a point without one is kept. */
const NO_ID = 'no-id';

const isLabelled = ({ headers }: Request): boolean => (headers.get('content-type') ?? '').includes('json');

/** An update with a field of another type is refused, and the field is emptied. */
const clearsRefused = (path: RegExp, name: string, field: string): NonNullable<Deviation['http']> =>
  intercepts('PUT', path, async ({ body, pass }) => {
    const response = await pass();
    const sent = isObject(body?.[name]) ? body[name][field] : undefined;
    if (response.status === 400 && isObject(sent)) await pass({ body: { [name]: { [field]: null } } });
    return response;
  });

const skipsSentBefore = (path: RegExp): NonNullable<Deviation['http']> =>
  remembering(() => {
    const known = memory(() => new Set<string>());
    return intercepts('PUT', path, async ({ body, pass, request, service }) => {
      const call = `${request.url} ${JSON.stringify(body)}`;
      if (known(service).has(call)) return success();
      const response = await pass();
      if (response.status === 200) known(service).add(call);
      return response;
    });
  });

/** Members of the new point in their order; the member before the id is lost where the id comes last. */
const withoutMemberBeforeId = (point: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const names = Object.keys(point);
  const lost = names.at(-1) === 'id' ? names.at(-2) : undefined;
  return Object.fromEntries(Object.entries(point).filter(([name]) => name !== lost));
};

export const oddRequestFaults: readonly Deviation[] = [
  {
    id: 'envelopes.indented-body-refused',
    clause: 'delivery.batch.replaces-all',
    about: 'JSON that is written in several lines is refused.',
    http: intercepts('POST', PATHS.anyDelivery, async ({ pass, request }) =>
      /^\{\s/.test(await request.clone().text()) ? refused(400, 'The body is not JSON.') : pass(),
    ),
  },
  {
    id: 'points.add-loses-member-before-id',
    clause: 'delivery.point.create-stores',
    about: 'The parser of new points ends at the id: the value before one that comes last is not taken over.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, pass }) =>
      isObject(body?.pickup_point)
        ? pass({ body: { pickup_point: withoutMemberBeforeId(body.pickup_point) } })
        : pass(),
    ),
  },
  {
    id: 'batch.first-language-as-default',
    clause: 'delivery.batch.replaces-all',
    about: 'Of titles in several languages the one that is sent first is stored for the default language.',
    http: intercepts('POST', PATHS.batch, async ({ body, pass, service }) => {
      const [site] = service.state.websites.all();
      const points = body?.pickup_points;
      if (!Array.isArray(points) || site === undefined) return pass();
      const titled = (point: unknown): unknown => {
        const title = isObject(point) && isObject(point.title) ? point.title : {};
        const isTurned = Object.hasOwn(title, site.defaultLanguage);
        const first = Object.values(title)[0];
        return isTurned ? { ...Object(point), title: { ...title, [site.defaultLanguage]: first } } : point;
      };
      return pass({ body: { ...body, pickup_points: points.map(titled) } });
    }),
  },
  {
    id: 'batch.flags-before-points-ignored',
    clause: 'delivery.batch.finalization-publishes',
    about: 'The flags of a portion are taken over only where they come after its points.',
    http: intercepts('POST', PATHS.batch, async ({ body, pass }) =>
      body === undefined || Object.keys(body)[0] === 'pickup_points'
        ? pass()
        : pass({ body: { pickup_points: body.pickup_points, country: body.country } }),
    ),
  },
  {
    id: 'points.refused-update-comes-with-next',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'The valid texts of a refused update of a point are stored with its next update.',
    http: remembering(() => {
      const waiting = memory(() => new Map<string, Record<string, unknown>>());
      return intercepts('PUT', PATHS.point, async ({ body, pass, request, service }) => {
        const sent = isObject(body?.pickup_point) ? body.pickup_point : undefined;
        if (sent === undefined) return pass();
        const of = waiting(service);
        const left = of.get(request.url);
        const response = await pass(left === undefined ? undefined : { body: { pickup_point: { ...left, ...sent } } });
        const texts = Object.entries(sent).filter(([name, value]) => name !== 'title' && typeof value === 'string');
        if (response.status === 200) of.delete(request.url);
        else if (texts.length > 0) of.set(request.url, Object.fromEntries(texts));
        return response;
      });
    }),
  },
  {
    id: 'envelopes.path-without-last-slash-as-page',
    clause: ODD_PATH,
    about: 'A path without its last slash returns a page of the web framework.',
    http: async (request, next) =>
      new URL(request.url).pathname.endsWith('/') ? next(request) : page('Not Found', 404),
  },
  {
    id: 'envelopes.double-slash-as-page',
    clause: ODD_PATH,
    about: 'A path with a double slash returns a page of the web framework.',
    http: async (request, next) =>
      new URL(request.url).pathname.includes('//') ? page('Not Found', 404) : next(request),
  },
  {
    id: 'envelopes.truncated-point-by-gateway',
    clause: 'envelope.v1.error-true',
    about: 'A new point whose body breaks off ends the process of the service, and a gateway answers.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, pass, request }) => {
      const isBroken = body === undefined && (await request.clone().text()) !== '';
      return isBroken ? page('Bad Gateway', 502) : pass();
    }),
  },
  {
    id: 'envelopes.unknown-handle-by-gateway',
    clause: 'envelope.v1.error-true',
    about: 'A read of an unknown handle ends the process of the service, and a gateway answers.',
    http: intercepts('GET', PATHS.method, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? page('Bad Gateway', 502) : response;
    }),
  },
  {
    id: 'envelopes.null-point-as-page',
    clause: 'envelope.v1.malformed-input',
    about: 'A null in a list of points returns a page of the web framework; other bad points return the envelope.',
    http: meetsBatch(async (points, { pass }) => (points.includes(null) ? page('Bad Request', 400) : pass())),
  },
  {
    id: 'envelopes.charset-not-read',
    clause: 'envelope.delivery.charset-parameter',
    about: 'A body whose content type names a charset is not read.',
    http: async (request, next) =>
      /json;/.test(request.headers.get('content-type') ?? '') ? refused(400) : next(request),
  },
  {
    id: 'envelopes.labelled-read-refused',
    clause: LABELLED,
    about: 'A read that is labelled as JSON is refused for its missing body.',
    http: async (request, next) => (request.method === 'GET' && isLabelled(request) ? refused(400) : next(request)),
  },
  {
    id: 'envelopes.labelled-delete-refused',
    clause: LABELLED,
    about: 'A delete that is labelled as JSON is refused for its missing body.',
    http: async (request, next) => (request.method === 'DELETE' && isLabelled(request) ? refused(400) : next(request)),
  },
  {
    id: 'points.add-without-body-served',
    clause: 'delivery.point.create-stores',
    about: 'An add without a body returns success, and nothing is added.',
    http: intercepts('POST', PATHS.newPoint, async ({ request, pass }) =>
      (await request.clone().text()) === '' ? success() : pass(),
    ),
  },
  {
    id: 'points.add-without-id-served',
    clause: 'delivery.point.create-stores',
    about: 'An add of a point without an id returns success, and nothing is added.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, pass }) =>
      isObject(body?.pickup_point) && body.pickup_point.id === undefined ? success() : pass(),
    ),
  },
  {
    id: 'points.add-without-id-listed',
    clause: 'delivery.point.id-unique',
    about: 'A point that is added without an id is listed without one.',
    rules: (correct) => ({
      renderPoint: (point, site) => {
        const { id, ...fields } = correct.renderPoint(point, site);
        return id === NO_ID ? fields : { id, ...fields };
      },
    }),
    http: intercepts('POST', PATHS.newPoint, async ({ body, pass }) => {
      const point = body?.pickup_point;
      return isObject(point) && point.id === undefined
        ? pass({ body: { pickup_point: { ...point, id: NO_ID } } })
        : pass();
    }),
  },
  {
    id: 'points.add-with-null-lost',
    clause: 'delivery.point.create-stores',
    about: 'An add of a point with a field that is null returns success, and nothing is added.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, pass }) =>
      isObject(body?.pickup_point) && Object.values(body.pickup_point).includes(null) ? success() : pass(),
    ),
  },
  {
    id: 'points.add-with-more-lost',
    clause: 'delivery.point.create-stores',
    about: 'An add of a point with a member that points do not have returns success, and nothing is added.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, pass }) => {
      const point = body?.pickup_point;
      return isObject(point) && Object.keys(point).some((name) => !POINT_MEMBERS.includes(name)) ? success() : pass();
    }),
  },
  {
    id: 'points.null-becomes-word',
    clause: 'delivery.point.create-stores',
    about: 'A text field that is null in the add of a point is stored as the word "null".',
    http: intercepts('POST', PATHS.newPoint, async ({ body, pass }) => {
      const point = body?.pickup_point;
      if (!isObject(point)) return pass();
      const worded = TEXT_FIELDS.filter((name) => point[name] === null).map((name) => [name, 'null']);
      return pass({ body: { pickup_point: { ...point, ...Object.fromEntries(worded) } } });
    }),
  },
  {
    id: 'envelopes.long-body-refused',
    clause: 'envelope.delivery.long-list',
    about: 'A batch call is refused if its body is longer than 100 KB.',
    http: intercepts('POST', PATHS.batch, async ({ body, pass }) =>
      JSON.stringify(body ?? {}).length > 102_400 ? refused(413) : pass(),
    ),
  },
  {
    id: 'points.inherited-names-found',
    clause: 'delivery.point.unknown-read-refused',
    about: 'Reading an id that is the name of a property of every object returns a point without fields.',
    http: intercepts('GET', PATHS.point, async ({ parts, pass }) => {
      const response = await pass();
      return response.status === 404 && (parts[1] ?? '') in {} ? json({ id: parts[1], attributes: '' }) : response;
    }),
  },
  {
    id: 'methods.refused-update-clears-reference',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'An update is refused for a reference that is not a text, which has emptied it by then.',
    http: clearsRefused(PATHS.method, 'delivery_method', 'reference'),
  },
  {
    id: 'points.refused-update-clears-city',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'An update is refused for a city that is not a text, which has emptied it by then.',
    http: clearsRefused(PATHS.point, 'pickup_point', 'city'),
  },
  {
    id: 'methods.update-sent-before-skipped',
    clause: 'delivery.method.update-applies',
    about: 'An update that is equal to any earlier one of its method is taken for the same call, and does nothing.',
    http: skipsSentBefore(PATHS.method),
  },
  {
    id: 'points.update-sent-before-skipped',
    clause: 'delivery.point.update-applies',
    about: 'An update that is equal to any earlier one of its point is taken for the same call, and does nothing.',
    http: skipsSentBefore(PATHS.point),
  },
  {
    id: 'methods.refused-update-locks',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'A method whose update was refused for its fields refuses all further updates.',
    http: remembering(() => {
      const locked = memory(() => new Set<string>());
      return intercepts('PUT', PATHS.method, async ({ body, parts: [handle = ''], pass, service }) => {
        if (locked(service).has(handle)) return refused(423);
        const response = await pass();
        if (response.status === 400 && isObject(body)) locked(service).add(handle);
        return response;
      });
    }),
  },
];
