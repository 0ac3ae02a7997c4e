/** Requests that a service answers before its own code: odd paths, long bodies, labels of JSON, and what a refused one holds. */
import { isObject } from '../../http/request.ts';
import type { Deviation } from '../../types/deviation.ts';
import { intercepts, json, memory, PATHS, page, refused, remembering } from '../interception.ts';
import { meetsBatch } from './batch/uploads.ts';

const ODD_PATH = 'envelope.delivery.undecodable-path';

export const oddRequestFaults: readonly Deviation[] = [
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
