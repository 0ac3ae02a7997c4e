/** Silences about what frameworks and gateways add to each response: headers, and members beside those of the contract. */
import { json } from '../../../../mock/faults/interception.ts';
import { API } from '../../../../mock/faults/reseller/interception.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

type Http = NonNullable<ReadingAnswer['http']>;

const INTERFACE = /^\/(v1|api)\//;

/** Changes the headers of each response of the interfaces. */
const withHeaders =
  (change: (headers: Headers, status: number) => void): Http =>
  async (request, next) => {
    const response = await next(request);
    if (!INTERFACE.test(new URL(request.url).pathname)) return response;
    const { status } = response;
    const headers = new Headers(response.headers);
    change(headers, status);
    return new Response(response.body, { status, headers });
  };

/** Written as text, because a literal with such a member would set a prototype. */
const MEMBERS_LIKE_METHODS = '"__proto__":{"a":1},"constructor":7,"length":3,"then":"x","toString":null';

const likeMethods: Http = async (request, next) => {
  const response = await next(request);
  const { status, headers } = response;
  const text = await response.text();
  const isFilled = INTERFACE.test(new URL(request.url).pathname) && /^\{./.test(text) && text !== '{}';
  return new Response(isFilled ? `{${MEMBERS_LIKE_METHODS},${text.slice(1)}` : text, { status, headers });
};

export const memberReadings: readonly Reading[] = [
  {
    id: 'responses.security-headers',
    section: 'Versioning',
    silence: 'What else headers say to a browser.',
    answers: [
      {
        id: 'strict',
        about:
          'Only HTTPS, no frames, no scripts; two cookies; a clock that is years ahead, and a page that may be kept.',
        http: withHeaders((headers) => {
          headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains; preload');
          headers.set('content-security-policy', "default-src 'none'");
          headers.set('x-frame-options', 'DENY');
          headers.set('date', 'Thu, 01 Jan 2032 00:00:00 GMT');
          headers.set('last-modified', 'Thu, 01 Jan 2032 00:00:00 GMT');
          headers.set('etag', 'W/"1"');
          headers.set('cache-control', 'public, max-age=600');
          headers.set('vary', '*');
          headers.append('set-cookie', 'session=abc; Path=/; Secure; SameSite=None');
          headers.append('set-cookie', 'flash=; Max-Age=0');
        }),
      },
      {
        id: 'challenge',
        about: 'A 401 carries challenges.',
        http: withHeaders((headers, status) => {
          if (status === 401) headers.set('www-authenticate', 'ApiKey realm="store", Basic realm="store"');
        }),
      },
    ],
  },
  {
    id: 'responses.scripting-members',
    section: 'Resources and their fields',
    silence: 'How additional members are called.',
    answers: [
      { id: 'like-methods', about: 'As the members that each object of a program has.', http: likeMethods },
      {
        id: 'words-of-status',
        about: 'status, code and success, with a list of errors that is empty.',
        rules: (correct) => ({
          successEnvelope: (iface) => ({
            ...{ status: 'success', code: 200, success: true, errors: [], data: {} },
            ...correct.successEnvelope(iface),
          }),
          errorEnvelope: (iface, number, message) => ({
            ...{ status: 'error', success: false, data: null, result: [], errors: [{ message }] },
            ...correct.errorEnvelope(iface, number, message),
          }),
        }),
      },
      {
        id: 'of-authorize',
        about: 'A login returns who logged in, and for how long.',
        http: async (request, next) => {
          const response = await next(request);
          if (!API.authorize.test(new URL(request.url).pathname) || response.status !== 200) return response;
          const body = (await response.json()) as object;
          return json({
            ...body,
            expiresIn: 3600,
            tokenType: 'bearer',
            reseller: { id: 7, email: 'a@reseller.example' },
          });
        },
      },
    ],
  },
];
