/** Operators on the effect of an operation: too much, too little, too late, or unreported. */
import { isReading, type Operation } from '../locations/operations.ts';
import {
  copyOfSent,
  isObject,
  isSuccess,
  type Json,
  type MutableRequest,
  objectOf,
  type Pair,
  type Reply,
  recordsIn,
} from '../message.ts';
import { keyOf, type World } from '../world.ts';
import type { Operator } from './operator.ts';
import { refusal, success } from './replies.ts';

const writes = (operation: Operation): boolean => !isReading(operation) && operation.id !== 'reseller.authorize';
const onWrites = (operation: Operation, field?: unknown): boolean => field === undefined && writes(operation);
const onAll = (_operation: Operation, field?: unknown): boolean => field === undefined;

type Serve = (sent: MutableRequest, world: World) => Promise<Reply>;

const action = (
  id: string,
  group: string,
  about: string,
  make: () => Serve,
  applies: Operator['applies'] = onWrites,
): Operator => ({
  id,
  group,
  about,
  applies,
  behave: ({ effect }) => {
    const serve = make();
    const isAny = effect === 'read' || effect === 'list';
    return {
      serve: async (sent, world) => (isAny || isServed(sent, world) ? serve(sent, world) : world.forward(sent)),
    };
  },
});

/** What a call acts on: its path and its owner. */
const targetOf = ({ operation, segments, json }: MutableRequest): string =>
  JSON.stringify([operation.id, segments, json?.language]);

const OPPOSITE: Readonly<Record<string, string>> = {
  'reseller.website.enable': 'disable',
  'reseller.website.disable': 'enable',
};

/** Only the first of several fields, points or settings is applied. */
function firstPart(sent: MutableRequest): MutableRequest {
  const copy = copyOfSent(sent);
  const { wrapper, effect } = sent.operation;
  if (effect === 'replace' && Array.isArray(copy.json?.pickup_points)) {
    copy.json.pickup_points = copy.json.pickup_points.slice(0, -1);
  } else if (effect === 'update' && wrapper !== undefined && isObject(copy.json?.[wrapper])) {
    copy.json[wrapper] = Object.fromEntries(Object.entries(copy.json[wrapper]).slice(0, 1));
  } else if (sent.operation.id === 'reseller.settings.set') {
    const first = (pairs: Pair[]): Pair[] => {
      const named = pairs.filter(([name]) => name !== 'apiToken');
      return pairs.filter((pair) => pair[0] === 'apiToken' || pair === named[0]);
    };
    copy.query = first(copy.query);
    if (copy.form !== undefined) copy.form = first(copy.form);
  }
  return copy;
}

const isSame = (a: MutableRequest, b: MutableRequest): boolean =>
  JSON.stringify([a.segments, a.query, a.json, a.form]) === JSON.stringify([b.segments, b.query, b.json, b.form]);

async function forwardChanged(world: World, sent: MutableRequest, changed: MutableRequest): Promise<Reply> {
  if (isSame(sent, changed)) return world.forward(sent);
  world.fire();
  return world.forward(changed);
}

/** Whether the service would serve the call: a mutant refuses what the service refuses. */
function isServed(sent: MutableRequest, { service: { state }, credentials, tokens }: World): boolean {
  const { operation, segments, json } = sent;
  const keys: readonly string[] = [credentials.privateKey, credentials.otherKey, credentials.publicKey];
  const codes: readonly string[] = [credentials.authCode, credentials.otherAuthCode];
  // A login carries no token; one that is refused anyway is refused all the same.
  if (operation.id === 'reseller.authorize') return true;
  if (operation.iface === 'reseller') {
    return tokens.includes(keyOf(sent)) && state.tokens.has(keyOf(sent)) && isKnownWebsite(segments.website, state);
  }
  if (operation.iface === 'apps') return codes.some((code) => keyOf(sent) === `${credentials.appKey} ${code}`);
  if (!keys.includes(keyOf(sent)) || sent.raw !== undefined) return false;
  const methods = segments.handle === undefined ? [] : segments.handle.split(',').map((one) => state.methods.get(one));
  const owner = ownerOf(keyOf(sent), state);
  if (methods.some((method) => method === undefined || method.owner !== owner)) return false;
  const points = json?.pickup_points;
  if (operation.effect === 'replace') return Array.isArray(points) && points.length <= 100;
  const id = segments.point;
  return id === undefined || methods.every((method) => state.points.of(method!.handle).get(id) !== undefined);
}

type State = World['service']['state'];

const isKnownWebsite = (id: string | undefined, state: State): boolean =>
  id === undefined || state.websites.get(id)?.resellerId === 9001;

function ownerOf(key: string, state: State): string | undefined {
  const website = state.websites.find(({ apiKey }) => apiKey === key);
  const provider = state.providers.find(({ apiKey }) => apiKey === key);
  return website === undefined ? provider && `provider:${provider.id}` : `website:${website.id}`;
}

const withHandles = (sent: MutableRequest, change: (handles: string[]) => string[]): MutableRequest => {
  const copy = copyOfSent(sent);
  copy.segments.handle = change((sent.segments.handle ?? '').split(',')).join(',');
  return copy;
};

const onHandles: Operator['applies'] = (operation, field) => field === undefined && operation.severalHandles;
const onBatch: Operator['applies'] = ({ effect }, field) => field === undefined && effect === 'replace';
const onUpdates: Operator['applies'] = (operation, field) =>
  field === undefined &&
  (operation.effect === 'replace' ||
    operation.id === 'reseller.settings.set' ||
    /^delivery\.\w+\.update$/.test(operation.id));

const batchWith = (id: string, group: string, about: string, change: (body: Json) => void): Operator =>
  action(
    id,
    group,
    about,
    () => async (sent, world) => {
      const copy = copyOfSent(sent);
      if (copy.json !== undefined) change(copy.json);
      return forwardChanged(world, sent, copy);
    },
    onBatch,
  );

/** A JSON parser that lacks some escapes. */
const escapesRead = (id: string, about: string, from: RegExp, to: string): Operator =>
  action(
    id,
    'escape or unescape',
    about,
    () => async (sent, world) => {
      const { written } = sent;
      const read = written?.replaceAll(from, to);
      if (read === undefined || read === written) return world.forward(sent);
      world.fire();
      return world.forward({ ...copyOfSent(sent), json: objectOf(read) });
    },
    (operation, field) => onWrites(operation, field) && operation.iface !== 'reseller' && operation.fields.length > 0,
  );

export const ACTION_OPERATORS: readonly Operator[] = [
  escapesRead(
    'escapes-kept',
    'Letters that are written as escapes in JSON are stored as escapes.',
    /\\(?=u[0-9a-f]{4})/g,
    '\\\\',
  ),
  escapesRead(
    'escaped-pairs-lost',
    'A pair of escapes in JSON is not read as one letter.',
    /\\ud[89ab]..\\ud[c-f]../g,
    '??',
  ),
  escapesRead('escaped-slash-kept', 'A slash that is escaped in JSON is stored with its backslash.', /\\\//g, '\\\\/'),
  action(
    'reports-success-only',
    'report success without doing anything',
    'Success is reported, and nothing is done.',
    () => async (_sent, world) => {
      world.fire();
      return success();
    },
  ),
  action(
    'applied-and-refused',
    'apply and refuse',
    'The call is applied, and a refusal is returned.',
    () => async (sent, world) => {
      const reply = await world.forward(sent);
      if (!isSuccess(reply)) return reply;
      world.fire();
      return refusal(sent.operation.iface);
    },
  ),
  action(
    'refused',
    'ignore',
    'The call is refused, and nothing is done.',
    () => async (sent, world) => {
      world.fire();
      return refusal(sent.operation.iface);
    },
    onAll,
  ),
  action('only-once', 'only once', 'The first call for an object is applied, later ones only report success.', () => {
    const done = new Set<string>();
    return async (sent, world) => {
      const target = targetOf(sent);
      if (done.has(target)) {
        world.fire();
        return success();
      }
      const reply = await world.forward(sent);
      if (isSuccess(reply)) done.add(target);
      return reply;
    };
  }),
  action('only-first-of-two', 'only once', 'Of two calls in a row the second only reports success.', () => {
    let wasApplied = false;
    return async (sent, world) => {
      wasApplied = !wasApplied;
      if (wasApplied) return world.forward(sent);
      world.fire();
      return success();
    };
  }),
  action('twice', 'twice', 'The call is applied twice.', () => async (sent, world) => {
    const reply = await world.forward(sent);
    if (isSuccess(reply)) {
      world.fire();
      await world.forward(sent);
    }
    return reply;
  }),
  {
    id: 'toggled',
    group: 'toggle instead of set',
    about: 'A call that finds what it asks for does the opposite.',
    applies: ({ id }, field) => field === undefined && OPPOSITE[id] !== undefined,
    behave: () => {
      const states = new Map<string, string>();
      let before: string | undefined;
      return {
        before: async ({ operation, segments }) => {
          if (OPPOSITE[operation.id] === undefined) return;
          const target = JSON.stringify(segments);
          before = states.get(target);
          states.set(target, operation.id);
        },
        serve: async (sent, world) => {
          const opposite = OPPOSITE[sent.operation.id];
          if (before !== sent.operation.id || opposite === undefined) return world.forward(sent);
          world.fire();
          states.delete(JSON.stringify(sent.segments));
          const path = sent.operation.path.replace(/(enable|disable)\/$/, `${opposite}/`);
          return world.forward({ ...copyOfSent(sent), operation: { ...sent.operation, path } });
        },
      };
    },
  },
  ...[1, 3].map(
    (calls): Operator => ({
      id: `${calls}-calls-late`,
      group: 'too late',
      about: `The call is applied ${calls} ${calls === 1 ? 'call' : 'calls'} later, after success was reported.`,
      applies: onWrites,
      behave: () => {
        const waiting: { sent: MutableRequest; left: number }[] = [];
        return {
          before: async (_sent, world) => {
            for (const one of waiting) one.left -= 1;
            for (const { sent } of waiting.filter(({ left }) => left < 0)) await world.forward(sent);
            waiting.splice(0, waiting.length, ...waiting.filter(({ left }) => left >= 0));
          },
          serve: async (sent, world) => {
            if (!isServed(sent, world)) return world.forward(sent);
            world.fire();
            waiting.push({ sent, left: calls });
            return success();
          },
        };
      },
    }),
  ),
  action(
    'first-part-only',
    'apply partially',
    'Only the first field, or all points but the last, are applied.',
    () => async (sent, world) => forwardChanged(world, sent, firstPart(sent)),
    onUpdates,
  ),
  action(
    'first-handle-only',
    'apply to one fewer',
    'Only the first method of the path is changed.',
    () => async (sent, world) =>
      forwardChanged(
        world,
        sent,
        withHandles(sent, (handles) => handles.slice(0, 1)),
      ),
    onHandles,
  ),
  action(
    'last-handle-left-out',
    'apply to one fewer',
    'The last of several methods of the path is left out.',
    () => async (sent, world) =>
      forwardChanged(
        world,
        sent,
        withHandles(sent, (handles) => (handles.length > 1 ? handles.slice(0, -1) : handles)),
      ),
    onHandles,
  ),
  action(
    'another-handle',
    'apply to one more',
    'A method that the path does not name is changed as well.',
    () => async (sent, world) => {
      const named = (sent.segments.handle ?? '').split(',');
      const key = sent.headers.get('authorization') ?? '';
      const other = world.methods.findLast((one) => key.endsWith(one.key) && !named.includes(one.handle));
      if (other === undefined) return world.forward(sent);
      world.fire();
      await world.forward(withHandles(sent, () => [other.handle]));
      return world.forward(sent);
    },
    onHandles,
  ),
  action(
    'hundred-refused',
    'apply to one fewer',
    'A call with as many points as are allowed is refused.',
    () => async (sent, world) => {
      const points = sent.json?.pickup_points;
      if (!Array.isArray(points) || points.length !== 100) return world.forward(sent);
      world.fire();
      return refusal(sent.operation.iface);
    },
    onBatch,
  ),
  batchWith('published-early', 'too early', 'Each portion is published when it comes.', (body) => {
    if (body.is_finalization === false) body.is_finalization = true;
    if (body.is_initialization === false) body.is_initialization = true;
  }),
  batchWith('never-published', 'too late', 'The last portion does not publish the list.', (body) => {
    if (body.is_initialization === false && body.is_finalization !== false) body.is_finalization = false;
  }),
  batchWith('starts-again', 'forget a side effect', 'Each portion starts a new list.', (body) => {
    if (body.is_initialization === false) body.is_initialization = true;
  }),
  batchWith('country-ignored', 'ignore', 'All points are replaced, whatever country is named.', (body) => {
    delete body.country;
  }),
  action(
    'empty-list-ignored',
    'ignore',
    'An empty list replaces nothing, and success is reported.',
    () => async (sent, world) => {
      const points = sent.json?.pickup_points;
      if (!Array.isArray(points) || points.length > 0) return world.forward(sent);
      world.fire();
      return success();
    },
    onBatch,
  ),
  action(
    'added-instead-of-replaced',
    'apply partially',
    'The new points are added, and the old ones stay.',
    () => async (sent, world) => {
      const points = recordsIn(sent.operation, sent.json);
      if (sent.json?.is_initialization === false || sent.json?.is_finalization === false) return world.forward(sent);
      world.fire();
      for (const point of points) {
        const { wrapper: _wrapper, ...operation } = sent.operation;
        await world.forward({
          ...copyOfSent(sent),
          operation: { ...operation, path: operation.path.replace('pickup_points/batch_replace', 'pickup_point') },
          json: { pickup_point: point },
        });
      }
      return success();
    },
    onBatch,
  ),
];
