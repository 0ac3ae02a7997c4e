/** Operators on credentials and refusals: a call that must be refused is served, or is carried out although it is refused. */
import type { MockService } from '../../../mock/types/service.ts';
import { isReading, type Operation } from '../locations/operations.ts';
import { copyOfSent, isSuccess, type MutableRequest, paramOf, type Reply, setParam } from '../message.ts';
import type { World } from '../world.ts';
import type { Operator } from './operator.ts';
import { success } from './replies.ts';

/** One credential of a request, with the valid ones that could replace it. */
interface Presented {
  readonly value: string;
  readonly good: readonly string[];
  readonly replace: (copy: MutableRequest, value: string) => void;
}

const setHeader = (copy: MutableRequest, value: string): void => copy.headers.set('authorization', `ApiKey ${value}`);

const KEY = /^ApiKey /;

const setOrAdd = (copy: MutableRequest, name: string, value: string): void => {
  if (paramOf(copy, name) !== undefined) setParam(copy, name, value);
  else copy.query.push([name, value]);
};

const deliveryKeys = (
  { state }: MockService,
  { segments, operation }: MutableRequest,
  { credentials }: World,
): string[] => {
  const keys = [credentials.privateKey, credentials.otherKey, credentials.publicKey];
  const owner = state.methods.get((segments.handle ?? '').split(',')[0] ?? '')?.owner;
  if (operation.id === 'delivery.settings.read') return [credentials.publicKey];
  if (owner === undefined) return keys;
  const row = owner.startsWith('website:') ? state.websites.get(owner.slice(8)) : state.providers.get(owner.slice(9));
  return row === undefined ? keys : [row.apiKey];
};

/** The credentials of a request by name. */
function presentedIn(sent: MutableRequest, world: World): Readonly<Record<string, Presented>> {
  const { service, credentials } = world;
  const header = sent.headers.get('authorization') ?? '';
  const param = (name: string, good: readonly string[]): Presented => ({
    value: paramOf(sent, name) ?? '',
    good,
    replace: (copy, value) => setOrAdd(copy, name, value),
  });
  const key = (good: readonly string[]): Presented => ({
    value: KEY.test(header) ? header.slice(7) : '',
    good,
    replace: setHeader,
  });
  if (sent.operation.id === 'reseller.authorize') {
    const right = service.state.resellers.find(({ email }) => email === paramOf(sent, 'email'));
    return {
      password: param('password', right === undefined ? [] : [right.password]),
      email: param('email', ['partner@web-resellers.example']),
    };
  }
  if (sent.operation.iface === 'reseller') {
    return { token: param('apiToken', world.tokens.filter((one) => service.state.tokens.has(one)).reverse()) };
  }
  if (sent.operation.iface === 'apps') {
    return {
      key: key([credentials.appKey]),
      code: param('authCode', [credentials.authCode, credentials.otherAuthCode]),
    };
  }
  return { key: key(deliveryKeys(service, sent, world)) };
}

const differences = (a: string, b: string): number => [...a].filter((one, at) => one !== b[at]).length;

type Match = (value: string, good: string, world: World, sent: MutableRequest) => boolean;

const MATCHES: Readonly<Record<string, Match>> = {
  any: (value) => value !== '',
  // A header of another scheme is not missing.
  missing: (value, good, _world, sent) => value === '' && !(sent.headers.get('authorization') ?? '').includes(good),
  prefix: (value, good) => value.length >= 4 && value !== good && good.startsWith(value),
  longer: (value, good) => value !== good && value.startsWith(good),
  'letter-case': (value, good) => value !== good && value.toLowerCase() === good.toLowerCase(),
  'one-character-different': (value, good) => value.length === good.length && differences(value, good) === 1,
  'last-character-different': (value, good) =>
    value.length === good.length && value !== good && value.slice(0, -1) === good.slice(0, -1),
  'first-character-different': (value, good) =>
    value.length === good.length && value !== good && value.slice(1) === good.slice(1),
  'of-another-interface': (value, _good, { credentials }, { operation: { iface } }) =>
    iface === 'delivery'
      ? value === credentials.appKey
      : [credentials.privateKey, credentials.otherKey, credentials.publicKey].includes(value),
  'of-another-owner': (value, good, { credentials }) =>
    value !== good && [credentials.privateKey, credentials.otherKey, credentials.publicKey].includes(value),
  ended: (value, _good, { endedTokens }) => endedTokens.includes(value),
  'another-scheme': (value, good, _world, sent) =>
    value === '' && (sent.headers.get('authorization') ?? '').includes(good),
};

const CREDENTIALS = ['key', 'code', 'token', 'password', 'email'] as const;

function hasCredential({ id, iface }: Operation, name: (typeof CREDENTIALS)[number]): boolean {
  if (id === 'reseller.authorize') return name === 'password' || name === 'email';
  if (iface === 'reseller') return name === 'token';
  return name === 'key' || (name === 'code' && iface === 'apps');
}

/** Matches of every credential but an e-mail address. */
const NEARLY_RIGHT = [
  'any',
  'missing',
  'prefix',
  'longer',
  'letter-case',
  'one-character-different',
  'last-character-different',
] as const;
const FIRST = 'first-character-different';

const MATCH_OF: Readonly<Record<(typeof CREDENTIALS)[number], readonly string[]>> = {
  key: [...NEARLY_RIGHT, FIRST, 'of-another-interface', 'of-another-owner', 'another-scheme'],
  code: [...NEARLY_RIGHT, FIRST],
  token: [...NEARLY_RIGHT, FIRST, 'ended'],
  password: NEARLY_RIGHT,
  email: ['any', 'missing'],
};

/** The request with a valid credential, if the one in it matches. */
function corrected(sent: MutableRequest, world: World, name: string, match: Match): MutableRequest | undefined {
  const presented = presentedIn(sent, world)[name];
  if (presented === undefined || presented.good.includes(presented.value)) return undefined;
  const good = presented.good.find((one) => match(presented.value, one, world, sent));
  if (good === undefined) return undefined;
  const copy = copyOfSent(sent);
  presented.replace(copy, good);
  return copy;
}

type Served = (sent: MutableRequest, copy: MutableRequest, refusal: Reply, world: World) => Promise<Reply>;

const accepting = (
  id: string,
  group: string,
  about: string,
  name: (typeof CREDENTIALS)[number],
  match: Match,
  applies: (operation: Operation) => boolean,
  served: Served,
): Operator => ({
  id,
  group,
  about,
  applies: (operation, field) => field === undefined && hasCredential(operation, name) && applies(operation),
  when: ['GET and POST, body format', 'state after a refusal'],
  behave: () => ({
    mayDeviate: refused,
    serve: async (sent, world) => {
      const copy = corrected(sent, world, name, match);
      if (copy === undefined) return world.forward(sent);
      const refusal = await world.forward(sent);
      if (isSuccess(refusal)) return refusal;
      return served(sent, copy, refusal, world);
    },
  }),
});

const serve: Served = async (_sent, copy, _refusal, world) => {
  const reply = await world.forward(copy);
  if (isSuccess(reply)) world.fire();
  return reply;
};

const applyInSecret: Served = async (_sent, copy, refusal, world) => {
  if (isSuccess(await world.forward(copy))) world.fire();
  return refusal;
};

const claimSuccess: Served = async (_sent, _copy, _refusal, world) => {
  world.fire();
  return success();
};

const all = (): boolean => true;
const refused = (_sent: MutableRequest, reply: Reply): boolean => !isSuccess(reply);
const writes = (operation: Operation): boolean => !isReading(operation);

/** A call that is refused for a reason other than credentials: carried out anyway, in an acceptable form. */
const tooMany: Operator = {
  id: 'first-100-of-too-many',
  group: 'accept what must be refused',
  about: 'Of more than 100 points the first 100 are taken, and success is reported.',
  applies: ({ effect }, field) => field === undefined && effect === 'replace',
  behave: () => ({ mayDeviate: refused, serve: (sent, world) => cutTo100(sent, world, true) }),
};

const tooManyTaken: Operator = {
  ...tooMany,
  id: 'too-many-accepted',
  about: 'More than 100 points are taken, all of them.',
  behave: () => ({ mayDeviate: refused, serve: takeAll }),
};

const tooManyRefused: Operator = {
  ...tooMany,
  id: 'too-many-refused-and-applied',
  group: 'refuse and apply',
  about: 'More than 100 points are refused, and the first 100 are taken all the same.',
  behave: () => ({ mayDeviate: refused, serve: (sent, world) => cutTo100(sent, world, false) }),
};

async function cutTo100(sent: MutableRequest, world: World, isReported: boolean): Promise<Reply> {
  const points = sent.json?.pickup_points;
  if (!Array.isArray(points) || points.length <= 100) return world.forward(sent);
  const refusal = await world.forward(sent);
  const copy = copyOfSent(sent);
  copy.json!.pickup_points = points.slice(0, 100);
  const reply = await world.forward(copy);
  if (isSuccess(reply)) world.fire();
  return isReported ? reply : refusal;
}

/** As portions, which the correct service takes. */
async function takeAll(sent: MutableRequest, world: World): Promise<Reply> {
  const points = sent.json?.pickup_points;
  if (!Array.isArray(points) || points.length <= 100) return world.forward(sent);
  const { is_initialization: first = true, is_finalization: last = true } = sent.json!;
  const portion = (some: unknown[], flags: object): Promise<Reply> => {
    const copy = copyOfSent(sent);
    copy.json = { ...copy.json, pickup_points: some, ...flags };
    return world.forward(copy);
  };
  const begun = await portion(points.slice(0, 100), { is_initialization: first, is_finalization: false });
  if (!isSuccess(begun)) return begun;
  world.fire();
  return portion(points.slice(100), { is_initialization: false, is_finalization: last });
}

/** A refused batch or point is stored in part. */
const refusedLeaves: Operator = {
  id: 'refused-and-old-lost',
  group: 'refuse and apply',
  about: 'A refused call leaves the methods of its path without pickup points.',
  applies: ({ severalHandles }, field) => field === undefined && severalHandles,
  behave: () => ({
    mayDeviate: refused,
    serve: async (sent, world) => {
      const reply = await world.forward(sent);
      if (isSuccess(reply)) return reply;
      const { state } = world.service;
      world.service.change(() => {
        for (const handle of (sent.segments.handle ?? '').split(',')) {
          if (!state.methods.has(handle) || state.points.of(handle).size === 0) continue;
          state.points.of(handle).clear();
          world.fire();
        }
      });
      return reply;
    },
  }),
};

export const ACCESS_OPERATORS: readonly Operator[] = [
  ...CREDENTIALS.flatMap((name) => [
    ...MATCH_OF[name].map((match) =>
      accepting(
        `${name}-accepted-${match}`,
        'accept what must be refused',
        `A wrong ${name} is accepted: ${match.replaceAll('-', ' ')}.`,
        name,
        MATCHES[match]!,
        all,
        serve,
      ),
    ),
    ...['any', 'missing', 'of-another-owner']
      .filter((match) => MATCH_OF[name].includes(match))
      .map((match) =>
        accepting(
          `${name}-${match}-refused-and-applied`,
          'refuse and apply',
          `A call with a wrong ${name} (${match}) is refused, and applied all the same.`,
          name,
          MATCHES[match]!,
          writes,
          applyInSecret,
        ),
      ),
    ...['any', 'missing'].map((match) =>
      accepting(
        `${name}-${match}-answered-with-success`,
        'report success without doing anything',
        `A call with a wrong ${name} (${match}) is answered with success.`,
        name,
        MATCHES[match]!,
        writes,
        claimSuccess,
      ),
    ),
  ]),
  tooMany,
  tooManyTaken,
  tooManyRefused,
  refusedLeaves,
];
