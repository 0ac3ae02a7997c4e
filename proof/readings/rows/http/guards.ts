/** Silences about how a service protects itself: against wrong credentials, repeated values and large requests. */
import { intercepts, memory, refused as refusedByDelivery } from '../../../../mock/faults/interception.ts';
import { parametersOf, refused } from '../../../../mock/faults/reseller/interception.ts';
import type { MockService } from '../../../../mock/types/service.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { API } from '../demands.ts';

const AUTH = 'Authentication';
const LIMITS = 'Limits';
const INTERFACE = /^\/(v1|api)\//;

const byInterface = (request: Request, status: number, message: string): Response =>
  new URL(request.url).pathname.startsWith('/api/') ? refused(status, message) : refusedByDelivery(status, message);

const badCredentials = (status: number, code: number): ReadingAnswer => ({
  id: `status-${status}`,
  about: `Bad credentials are refused with the status ${status} and the code ${code}.`,
  rules: (correct) => ({
    errorStatus: (kind) => (kind === 'unauthorized' ? status : correct.errorStatus(kind)),
    errorCode: (kind, usual) => (kind === 'unauthorized' ? code : correct.errorCode(kind, usual)),
  }),
});

/** Recent calls with bad credentials. */
const failures = memory(() => ({ count: 0, locked: 0 }));

/** Refuses the next calls after several with bad credentials. */
const lock = (
  id: string,
  about: string,
  { most, calls, status, path }: { most: number; calls: number; status: number; path: RegExp },
): ReadingAnswer => ({
  id,
  // Every refusal would count as one of bad credentials.
  without: ['refusals.status/always-401'],
  about,
  http: async (request, next, service) => {
    if (!path.test(new URL(request.url).pathname)) return next(request);
    const state = failures(service);
    if (state.locked > 0) {
      state.locked -= 1;
      const response = byInterface(request, status, 'Locked for a while.');
      if (status === 429) response.headers.set('retry-after', '1');
      return response;
    }
    const response = await next(request);
    if (response.status === 401) state.count += 1;
    if (state.count >= most) Object.assign(state, { count: 0, locked: calls });
    return response;
  },
});

const passwords = memory(() => [] as string[]);

function withHistory(service: MockService): string[] {
  const known = passwords(service);
  if (known.length === 0) known.push(...service.state.resellers.all().map(({ password }) => password));
  return known;
}

export const guardReadings: readonly Reading[] = [
  {
    id: 'credentials.refusal',
    section: 'Errors',
    silence: 'Which status and code say that credentials are bad: 401 is an example.',
    answers: [
      badCredentials(403, 403),
      badCredentials(400, 1001),
      badCredentials(404, 404),
      badCredentials(419, 419),
      badCredentials(500, 0),
      badCredentials(401, 7),
    ],
  },
  {
    id: 'credentials.locks',
    section: AUTH,
    silence: 'Whether calls are refused for a while after bad credentials.',
    answers: [
      lock('logins', 'After three failed logins the next two are refused with 403.', {
        most: 3,
        calls: 2,
        status: 403,
        path: API.authorize,
      }),
      lock('keys', 'After ten wrong keys or tokens the next two calls are asked to wait.', {
        most: 10,
        calls: 2,
        status: 429,
        path: INTERFACE,
      }),
      {
        id: 'slowed-down',
        // A token that has ended, also by the next login, or that is not read in its place, is refused as a wrong one is: for ever, by every
        // call.
        without: [
          'tokens.life',
          'tokens.number',
          'reseller.parameter-places/form-only-by-any-method',
          'reseller.parameter-places/query-only',
        ],
        about: 'After eight calls with bad credentials all others with bad ones are answered 429.',
        http: async (request, next, service) => {
          const response = await next(request);
          if (response.status !== 401 || !INTERFACE.test(new URL(request.url).pathname)) return response;
          const state = failures(service);
          state.count += 1;
          if (state.count <= 8) return response;
          const slowed = byInterface(request, 429, 'Slow down.');
          slowed.headers.set('retry-after', '60');
          return slowed;
        },
      },
      lock('keys-forbidden', 'After twenty wrong keys or tokens the next call is refused with 403.', {
        most: 20,
        calls: 1,
        status: 403,
        path: INTERFACE,
      }),
    ],
  },
  {
    id: 'passwords.repeated',
    section: 'Endpoints, C. Reseller endpoints',
    silence: 'Whether a password can be used again.',
    answers: [
      {
        id: 'not-the-present-one',
        about: 'The present one is refused.',
        http: intercepts('*', API.password, async (met) => {
          const parameters = await parametersOf(met);
          const { resellers, tokens } = met.service.state;
          const caller = tokens.get(parameters.get('apiToken') ?? '')?.resellerId;
          const isPresent = resellers
            .all()
            .some(({ id, password }) => id === caller && password === parameters.get('password'));
          return isPresent ? refused(422, 'This is the password already.') : met.pass();
        }),
      },
      {
        id: 'none-of-before',
        about: 'No password that the account ever had.',
        http: intercepts('*', API.password, async (met) => {
          const sent = (await parametersOf(met)).get('password') ?? '';
          const known = withHistory(met.service);
          if (known.includes(sent)) return refused(422, 'This password was used before.');
          const response = await met.pass();
          if (response.status === 200) known.push(sent);
          return response;
        }),
      },
      {
        id: 'one-change',
        about: 'It is changed once a day.',
        http: async (request, next, service) => {
          if (!API.password.test(new URL(request.url).pathname)) return next(request);
          const known = withHistory(service);
          if (known.length > 2) return refused(409, 'The password was changed today.');
          const response = await next(request);
          if (response.status === 200) known.push('changed');
          return response;
        },
      },
    ],
  },
  {
    id: 'requests.size',
    section: LIMITS,
    silence: 'How large a request may be.',
    answers: [20, 60].map((kilobytes) => ({
      id: `${kilobytes}-kB`,
      about: `A body has at most ${kilobytes} kB.`,
      http: async (request: Request, next: (request: Request) => Promise<Response>) => {
        if (request.body === null || !INTERFACE.test(new URL(request.url).pathname)) return next(request);
        const { length } = await request.clone().text();
        return length > kilobytes * 1000 ? byInterface(request, 413, 'This is too large.') : next(request);
      },
    })),
  },
  {
    id: 'requests.address',
    section: LIMITS,
    silence: 'How long an address may be.',
    answers: [
      {
        id: '400',
        // Two of those handles would not fit into an address, and each call may name two.
        without: ['methods.handle-form/long'],
        about: 'At most 400 characters.',
        http: async (request, next) =>
          request.url.length > 400 && INTERFACE.test(new URL(request.url).pathname)
            ? byInterface(request, 414, 'This address is too long.')
            : next(request),
      },
    ],
  },
  {
    id: 'requests.media-type',
    section: 'Resources and their fields',
    silence: 'Which media types of a body are read.',
    answers: [
      {
        id: 'exact',
        about: 'application/json without a charset for A and B, the urlencoded form for C.',
        http: async (request, next) => {
          const { pathname } = new URL(request.url);
          if (request.body === null || !INTERFACE.test(pathname)) return next(request);
          const wanted = pathname.startsWith('/api/') ? 'application/x-www-form-urlencoded' : 'application/json';
          return request.headers.get('content-type') === wanted
            ? next(request)
            : byInterface(request, 415, `Send ${wanted}.`);
        },
      },
    ],
  },
];
