// What single checks do not look at: each deviation shows only for one value, place, way of refusing or repeated call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import { type DeviationRow, findsEach, type Http, judged, USUAL_RUNS } from '../../steps/whole-state.fixture.ts';

const ID = 'properties.apps.whole-state';
/** Sequences that find each deviation. */
const RUNS = 60;

const isSet = (request: Request, kind: 'data' | 'snippet'): boolean => request.url.includes(`/apps/set_${kind}/`);
const bodyOf = async (request: Request): Promise<Record<string, unknown>> => {
  try {
    return JSON.parse(await request.clone().text()) as Record<string, unknown>;
  } catch {
    return {};
  }
};
const rewritten = (request: Request, body: unknown): Request =>
  new Request(request.url, { method: request.method, headers: request.headers, body: JSON.stringify(body) });
const refusal = () => Response.json({ error: true, error_code: 422, error_message: 'Not taken.' }, { status: 422 });

/** Sends the body through `change` before the service gets it. */
const changing =
  (kind: 'data' | 'snippet', change: (value: unknown, body: Record<string, unknown>) => unknown) =>
  (): Http =>
  async (request, next) => {
    if (!isSet(request, kind)) return next(request);
    const body = await bodyOf(request);
    return kind in body ? next(rewritten(request, { ...body, [kind]: change(body[kind], body) })) : next(request);
  };

const DEVIATIONS: readonly DeviationRow[] = [
  [
    'keys of data that differ in letter case are one',
    changing('data', (value) =>
      isJsonObject(value)
        ? Object.fromEntries(new Map(Object.entries(value).map(([key, one]) => [key.toLowerCase(), one])))
        : value,
    ),
    /^apps\.data\.object-kept$/,
  ],
  [
    'whole numbers of data are cut to 32 bits',
    changing('data', (value) =>
      isJsonObject(value)
        ? JSON.parse(JSON.stringify(value, (_, one) => (Number.isSafeInteger(one) ? one | 0 : one)))
        : value,
    ),
    /^apps\.data\.object-kept$/,
  ],
  [
    'an empty object within data becomes a list',
    changing('data', (value) =>
      isJsonObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, one]) => [
              key,
              isJsonObject(one) && Object.keys(one).length === 0 ? [] : one,
            ]),
          )
        : value,
    ),
    /^apps\.data\.object-kept$/,
  ],
  [
    'a text of data that is a number loses its zeros',
    changing('data', (value) => (typeof value === 'string' ? value.replace(/^0+(?=\d)/, '') : value)),
    /^apps\.data\.string-kept$/,
  ],
  [
    'a snippet that is the word null is taken for none',
    changing('snippet', (value) => (value === 'null' ? '' : value)),
    /^apps\.snippet\./,
  ],
  [
    'a snippet in a language is cut at 256 characters',
    changing('snippet', (value, { language }) =>
      typeof value === 'string' && typeof language === 'string' ? value.slice(0, 256) : value,
    ),
    /^apps\.snippet\.language-kept$/,
  ],
  [
    'data of a wrong type is refused and empties what is there',
    () => async (request, next) => {
      if (!isSet(request, 'data')) return next(request);
      const { data } = await bodyOf(request);
      if (typeof data !== 'number') return next(request);
      await next(rewritten(request, { data: '' }));
      return refusal();
    },
    /^envelope\.delivery\.refusal-changes-nothing$/,
  ],
  [
    'data is refused after the first call, and set nevertheless',
    () => {
      let calls = 0;
      return async (request, next) => {
        if (!isSet(request, 'data')) return next(request);
        calls += 1;
        const response = await next(request);
        return calls === 1 ? response : refusal();
      };
    },
    /^envelope\.delivery\.refusal-changes-nothing$/,
  ],
  [
    'what is set with the wrong code is refused and set nevertheless',
    () => async (request, next, service) => {
      const response = await next(request);
      if (isSet(request, 'data') && response.status === 401) {
        const [first] = service.state.installations.all();
        if (first !== undefined) service.change(() => service.state.installations.patch(first.authCode, { data: 'x' }));
      }
      return response;
    },
    /^apps\.credentials\.every-write$/,
  ],
  [
    'a refused read of the second installation empties its data',
    () => async (request, next, service) => {
      const response = await next(request);
      const code = new URL(request.url).searchParams.get('authCode') ?? '';
      const [, second] = service.state.installations.all();
      if (request.method === 'GET' && response.status === 401 && code === second?.authCode)
        service.change(() => service.state.installations.patch(code, { data: '' }));
      return response;
    },
    /^apps\.credentials\.every-write$/,
  ],
  [
    'a snippet that is set twice is gone',
    () => {
      let last = '';
      return async (request, next) => {
        if (!isSet(request, 'snippet')) return next(request);
        const text = `${request.url} ${await request.clone().text()}`;
        const isAgain = text === last;
        last = text;
        return next(isAgain ? rewritten(request, { ...(await bodyOf(request)), snippet: '' }) : request);
      };
    },
    /^apps\.snippet\./,
  ],
  [
    'the data of one installation is emptied when a snippet of the other is',
    () => async (request, next, service) => {
      const isEmpty = isSet(request, 'snippet') && (await bodyOf(request)).snippet === '';
      const response = await next(request);
      const all = service.state.installations.all();
      const code = new URL(request.url).searchParams.get('authCode');
      if (isEmpty)
        service.change(() => {
          for (const { authCode } of all)
            if (authCode !== code) service.state.installations.patch(authCode, { data: '' });
        });
      return response;
    },
    /^apps\.isolation\.data$/,
  ],
];

findsEach(ID, DEVIATIONS, RUNS);

test('a service that refuses every text beyond letters, digits and a few signs, and all but plain objects, is not blamed', async () => {
  let refused = 0;
  const result = await judged(
    ID,
    async (request, next) => {
      const sent = request.method === 'POST' ? await request.clone().text() : '';
      // Some bodies are written with escapes: the text counts.
      const text = sent.replaceAll('\\/', '/');
      const isPlain = /^\{"(?:data|snippet)":"[^"\\]{0,90}(?:\\"\\"[^"\\]{0,60})?"(?:,"language":"\w+")?\}$/.test(text);
      if (text === '' || isPlain || text === '{"data":{"a":1}}') return next(request);
      refused += 1;
      return refusal();
    },
    USUAL_RUNS,
  );
  assert.ok(refused > 10, `${refused} calls were refused`);
  assert.equal(result.verdict, 'pass', result.reason);
});
