/** Silences about transport: rates, delays, connections, required headers and unknown paths. */
import { json, memory } from '../../../../mock/faults/interception.ts';
import { API } from '../../../../mock/faults/reseller/interception.ts';
import type { MockService } from '../../../../mock/types/service.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

type Http = NonNullable<ReadingAnswer['http']>;

const INTERFACE = /^\/(v1|api)\//;

const counted = (act: (count: number, request: Request, next: () => Promise<Response>) => Promise<Response>): Http => {
  const counts = memory(() => ({ count: 0 }));
  return (request, next, service: MockService) => {
    if (!INTERFACE.test(new URL(request.url).pathname)) return next(request);
    const state = counts(service);
    state.count += 1;
    return act(state.count, request, () => next(request));
  };
};

/** Calls of Reseller that change something may come by GET; without an answer it can't be known whether they did. */
const isRead = ({ method, url }: Request): boolean => {
  const { pathname } = new URL(url);
  const reads = [API.websites, API.domains, API.settings, API.balance];
  return method === 'GET' && (!API.any.test(pathname) || reads.some((path) => path.test(pathname)));
};

const bothEnvelopes = (status: number, message: string): object => ({
  error: true,
  error_code: status,
  error_message: message,
  errorCode: status,
  errorMsg: message,
});

const throttled = (every: number, status: number): ReadingAnswer => ({
  id: `${status}-every-${every}`,
  about: `Every ${every}th call is answered ${status} with Retry-After, and not carried out.`,
  http: counted(async (count, _request, next) => {
    if (count % every !== 0) return next();
    const response = json(bothEnvelopes(status, 'Slow down.'), status);
    response.headers.set('retry-after', '1');
    return response;
  }),
});

/** The same for every 40th call, with another kind of advice. */
const throttledUntil = (id: string, advice: string, retryAfter: () => string | undefined): ReadingAnswer => ({
  id,
  about: `Every 40th call is answered 429 ${advice}, and not carried out.`,
  http: counted(async (count, _request, next) => {
    if (count % 40 !== 0) return next();
    const response = json(bothEnvelopes(429, 'Slow down.'), 429);
    const after = retryAfter();
    if (after !== undefined) response.headers.set('retry-after', after);
    return response;
  }),
});

const SWITCH = [API.enable, API.disable];

const switchedAtMost = (most: number): Http => {
  const counts = memory(() => ({ count: 0 }));
  return async (request, next, service) => {
    const { pathname } = new URL(request.url);
    if (!SWITCH.some((path) => path.test(pathname))) return next(request);
    const state = counts(service);
    state.count += 1;
    return state.count > most ? json(bothEnvelopes(429, 'Not so often.'), 429) : next(request);
  };
};

const refusesWithout = (header: string): ReadingAnswer => ({
  id: header,
  about: `A request without the header ${header} is refused.`,
  http: (request, next) =>
    request.headers.has(header) || !INTERFACE.test(new URL(request.url).pathname)
      ? next(request)
      : Promise.resolve(json(bothEnvelopes(400, `${header} is missing.`), 400)),
});

/** The error that the network reports for a closed keep-alive connection. */
const closed = (): Error =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('closed'), { code: 'ECONNRESET' }) });

const badGateway = (): Response =>
  new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });

export const transportReadings: readonly Reading[] = [
  {
    id: 'limits.rate',
    section: 'Limits',
    silence: 'How many calls are served in a time, and how the limit is announced.',
    answers: [
      throttled(20, 429),
      throttled(150, 429),
      throttled(50, 503),
      throttledUntil('date', 'with the date after which to come again', () =>
        new Date(Date.now() + 1000).toUTCString(),
      ),
      throttledUntil('past-date', 'with a date that is over', () => 'Thu, 01 Jan 1970 00:00:00 GMT'),
      throttledUntil('no-advice', 'without saying when to come again', () => undefined),
    ],
  },
  {
    id: 'limits.operations',
    section: 'Limits',
    silence: 'How often a single operation is served.',
    answers: [
      {
        id: 'switches',
        about: 'Websites are enabled and disabled four times in all; after that such calls are answered 429.',
        undecides: [
          {
            checks: [
              'reseller.website.*',
              'reseller.account.*',
              'reseller.domain.kept-by-switch',
              'reseller.domain.stays-enabled',
              'reseller.premium.kept-when-disabled',
              'reseller.*.site-status*',
              'envelope.reseller.*',
            ],
            because: 'More than four switches are needed to judge all rules about them.',
          },
        ],
        http: switchedAtMost(4),
      },
    ],
  },
  {
    id: 'network.closed-connections',
    section: 'Limits',
    silence: 'When the service closes a connection.',
    answers: [
      {
        id: 'reads-now-and-then',
        about: 'Every 40th request finds its connection closed, if it is a GET that only reads.',
        http: counted(async (count, request, next) => {
          if (count % 40 === 0 && isRead(request)) throw closed();
          return next();
        }),
      },
      {
        id: 'any-now-and-then',
        about: 'Every 97th request finds its connection closed, and is not carried out.',
        http: counted(async (count, _request, next) => {
          if (count % 97 === 0) throw closed();
          return next();
        }),
      },
    ],
  },
  {
    id: 'network.gateway',
    section: 'Limits',
    silence: 'What a gateway answers while the service behind it is away for a moment.',
    answers: [
      {
        id: '503-for-reads',
        about: 'Every 90th GET that only reads is answered 503, and says nothing about when to come again.',
        http: counted(async (count, request, next) =>
          count % 90 === 0 && isRead(request) ? json(bothEnvelopes(503, 'Away.'), 503) : next(),
        ),
      },
      {
        id: '502-for-any',
        about: 'Every 97th call is answered 502 with a page of the gateway, and not carried out.',
        http: counted(async (count, _request, next) => (count % 97 === 0 ? badGateway() : next())),
      },
      {
        id: '502-while-it-restarts',
        about: 'Every 331st call and the eleven after it are answered 502 with a page of the gateway.',
        http: counted(async (count, _request, next) => (count > 331 && count % 331 < 12 ? badGateway() : next())),
      },
      {
        id: '504-after-all',
        about: 'Every 150th call is answered 504, although it was carried out.',
        http: counted(async (count, _request, next) => {
          const response = await next();
          return count % 150 === 0 ? json(bothEnvelopes(504, 'Too late.'), 504) : response;
        }),
      },
    ],
  },
  {
    id: 'network.latency',
    section: 'Limits',
    silence: 'How long an answer takes.',
    answers: [
      {
        id: 'uneven',
        about: 'Every 25th answer takes some milliseconds longer.',
        http: counted(async (count, _request, next) => {
          const response = await next();
          if (count % 25 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
          return response;
        }),
      },
    ],
  },
  {
    id: 'requests.headers',
    section: 'Endpoints, Common rules for A and B',
    silence: 'Which headers a request has to carry beside its credentials.',
    answers: [refusesWithout('user-agent'), refusesWithout('accept')],
  },
  {
    id: 'paths.unknown',
    section: 'Errors',
    silence: 'How a path is answered that the contract does not have.',
    answers: [
      {
        id: 'served',
        about: 'With a success that does nothing.',
        http: async (request, next) => {
          const response = await next(request);
          const { pathname } = new URL(request.url);
          const isKnown = KNOWN.some((path) => path.test(pathname));
          return INTERFACE.test(pathname) && !isKnown && response.status === 404 ? json({ error: false }) : response;
        },
      },
    ],
  },
  {
    id: 'credentials.spelling',
    section: 'Authentication, A. Delivery interface',
    silence: 'Whether the scheme word is taken in another case.',
    answers: [
      {
        id: 'exact',
        about: 'Only as written.',
        rules: (correct) => ({
          apiKeyOf: (header) => (/^ApiKey /.test(header ?? '') ? correct.apiKeyOf(header) : null),
        }),
      },
      {
        id: 'bearer-too',
        about: 'Bearer is taken too.',
        rules: (correct) => ({
          apiKeyOf: (header) => correct.apiKeyOf((header ?? '').replace(/^Bearer /i, 'ApiKey ')),
        }),
      },
    ],
  },
];

/** Paths that the contract has. */
const KNOWN: readonly RegExp[] = [
  /^\/v1\/store\/(delivery_methods|delivery_provider_settings)\/$/,
  /^\/v1\/store\/delivery_method\/([^/]+\/(pickup_points\/(batch_replace\/)?|pickup_point\/([^/]+\/)?)?)?$/,
  /^\/v1\/apps\/(installed|delete|set_snippet|get_snippet(\/[^/]+)?|set_data|get_data|user|website|languages)\/$/,
  /^\/api\/(authorize|authorize\/logout|websites|settings|settings\/set|balance|password)\/$/,
  /^\/api\/website\/[^/]+\/(enable|disable|enable_premium\/[^/]+|disable_premium|login|domains|domain\/add|domain\/[^/]+\/remove)\/$/,
];
