/** Silences about refusals and successes: statuses, codes, words, further members, media types. */

import type { Rules } from '../../../../mock/types/rules.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

const ERRORS = 'Errors';

/** Another status for every refusal but those of credentials, for which a 401 is advised. */
const always = (status: number): ReadingAnswer => ({
  id: `always-${status}`,
  about: `Every refusal but those of credentials has the status ${status}.`,
  rules: (correct) => ({
    errorStatus: (kind) => (kind === 'unauthorized' || kind === 'too-often' ? correct.errorStatus(kind) : status),
  }),
});

const code = (id: string, about: string, of: (status: number) => number): ReadingAnswer => ({
  id,
  about,
  rules: (correct) => ({
    errorCode: (kind, status) => (kind === 'unauthorized' ? correct.errorCode(kind, status) : of(status)),
  }),
});

const words = (id: string, about: string, message: string): ReadingAnswer => ({
  id,
  about,
  rules: (correct) => ({ errorEnvelope: (iface, number) => correct.errorEnvelope(iface, number, message) }),
});

const refusalWith = (id: string, about: string, members: Record<string, unknown>): ReadingAnswer => ({
  id,
  about,
  rules: (correct) => ({
    errorEnvelope: (iface, number, message) => ({ ...members, ...correct.errorEnvelope(iface, number, message) }),
  }),
});

const labelled = (id: string, type: string): ReadingAnswer => ({
  id,
  about: `Answers are labelled ${type}.`,
  rules: (): Partial<Rules> => ({ contentType: () => type }),
});

const JSON_TYPE = /^application\/json/i;

/** The same values, written in another way. */
const written = (id: string, about: string, textOf: (value: unknown) => string): ReadingAnswer => ({
  id,
  about,
  http: async (request, next) => {
    const response = await next(request);
    if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) return response;
    const { status, headers } = response;
    return new Response(textOf(withAllDigits(await response.text())), { status, headers });
  },
});

/** The value of a JSON text, whose large integers are written again with all their digits. */
const withAllDigits = (text: string): unknown =>
  JSON.parse(text, ((_name: string, value: unknown, { source = '' }: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? rawJson(source) : value) as (
    name: string,
    value: unknown,
  ) => unknown);

/** `JSON.rawJSON`, of which the types do not know yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** As encoders do that take no risk in a page: the escapes are those of JSON. */
const escapedJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(
      /[<>&'\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    );

export const refusalReadings: readonly Reading[] = [
  {
    id: 'refusals.status',
    section: ERRORS,
    silence: 'Which of the 4XX and 5XX answers which failure.',
    answers: [
      ...[400, 401, 403, 404, 405, 406, 409, 410, 418, 422, 451, 499, 500, 501, 503, 521, 599].map(always),
      {
        id: 'by-kind',
        about: 'Unknown things are 410, bad input 422, conflicts 423.',
        rules: (correct) => ({
          errorStatus: (kind) =>
            ({ 'not-found': 410, invalid: 422, malformed: 422, conflict: 423, 'too-many': 413 })[kind as string] ??
            correct.errorStatus(kind),
        }),
      },
    ],
  },
  {
    id: 'refusals.code',
    section: ERRORS,
    silence: 'Which numbers the error codes are.',
    answers: [
      code('zero', 'Every code is 0.', () => 0),
      code('negative', 'Codes are below zero.', (status) => -status),
      code('large', 'Codes are numbers of the service.', (status) => 2_000_000_000 + status),
    ],
  },
  {
    id: 'refusals.message',
    section: ERRORS,
    silence: 'What the message of a refusal says.',
    answers: [
      words('empty', 'Messages are empty.', ''),
      words(
        'other-language',
        'Messages are in another language.',
        'Pieprasījums noraidīts – lūdzu, sazinieties ar mums.',
      ),
      words('markup', 'Messages hold markup and line breaks.', '<b>Error</b>\n"refused" & \\ logged'),
      words('long', 'Messages are long.', 'The request was refused. '.repeat(200)),
    ],
  },
  {
    id: 'refusals.further-members',
    section: ERRORS,
    silence: 'What else a refusal holds.',
    answers: [
      refusalWith('details', 'Details of what was wrong.', { errors: { title: ['required'] }, trace: 'a1' }),
      refusalWith('nulls', 'Members without a value.', { data: null, delivery_method: null, websites: null }),
      refusalWith('both-envelopes', 'The members of both envelopes.', {
        error_code: 1,
        error_message: '',
        errorCode: 1,
        errorMsg: '',
      }),
    ],
  },
  {
    id: 'successes.further-members',
    section: 'Endpoints, Common rules for A and B',
    silence: 'What else a success holds.',
    answers: [
      {
        id: 'data',
        about: 'Additional members.',
        rules: (correct) => ({
          successEnvelope: (iface) => ({ ...correct.successEnvelope(iface), message: 'OK', result: null, took: 0.2 }),
        }),
      },
      {
        id: 'empty-error-members',
        about: 'The members of a refusal, without a value.',
        rules: (correct) => ({
          successEnvelope: (iface) => ({
            ...correct.successEnvelope(iface),
            ...(iface === 'reseller' ? { errorCode: 0, errorMsg: '' } : { error_code: null, error_message: null }),
          }),
        }),
      },
    ],
  },
  {
    id: 'responses.media-type',
    section: 'Resources and their fields',
    silence: 'How the media type of JSON is written.',
    answers: [
      labelled('charset', 'application/json; charset=utf-8'),
      labelled('charset-quoted', 'application/json;charset="UTF-8"'),
      labelled('capitals', 'Application/JSON'),
      // JSON is UTF-8; the parameter has no meaning for it.
      labelled('charset-of-pages', 'application/json; charset=ISO-8859-1'),
    ],
  },
  {
    id: 'responses.json-form',
    section: 'Resources and their fields',
    silence: 'How JSON is written: which characters are escaped, and where spaces are.',
    answers: [
      written('escaped', 'Slashes, signs of HTML and all letters beyond ASCII are escaped.', escapedJson),
      written(
        'indented',
        'In lines, indented, with spaces around it.',
        (value) => `\r\n\t${JSON.stringify(value, undefined, 4).replaceAll('\n', '\r\n')} \r\n`,
      ),
    ],
  },
  {
    id: 'responses.headers',
    section: 'Versioning',
    silence: 'Which headers an answer carries.',
    answers: [
      {
        id: 'gateway',
        about: 'Headers of a gateway, a cookie, an announcement of the end of this version.',
        http: async (request, next) => {
          const response = await next(request);
          const headers = new Headers(response.headers);
          headers.set('deprecation', 'true');
          headers.set('sunset', 'Fri, 31 Dec 2027 23:59:59 GMT');
          headers.append('set-cookie', 'lb=7; Path=/; HttpOnly');
          headers.set('x-ratelimit-remaining', '3');
          return new Response(response.body, { status: response.status, headers });
        },
      },
    ],
  },
];
