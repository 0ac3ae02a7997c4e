/** Operators with memory: caches that a write does not clear, and values from an earlier response. */
import { isReading, OPERATIONS, type Operation } from '../locations/operations.ts';
import { copyOfReply, isSuccess, type MutableRequest, type Reply } from '../message.ts';
import { keyOf, type World } from '../world.ts';
import type { Operator } from './operator.ts';

/** Which writes change what a reading operation shows. */
const WRITES_BY_READ: Readonly<Record<string, readonly string[]>> = {
  'delivery.methods.list': ['delivery.method.create', 'delivery.method.update', 'delivery.method.delete'],
  'delivery.method.read': ['delivery.method.update', 'delivery.method.delete'],
  'delivery.points.list': [
    'delivery.point.create',
    'delivery.point.update',
    'delivery.point.delete',
    'delivery.points.batch-replace',
    'delivery.method.delete',
  ],
  'delivery.point.read': [
    'delivery.point.update',
    'delivery.point.delete',
    'delivery.points.batch-replace',
    'delivery.method.delete',
  ],
  'apps.snippet.get': ['apps.snippet.set'],
  'apps.snippet.get-language': ['apps.snippet.set'],
  'apps.data.get': ['apps.data.set'],
  'reseller.websites.list': ['reseller.website.enable-premium', 'reseller.website.disable-premium'],
  'reseller.domains.list': ['reseller.domain.add', 'reseller.domain.remove'],
  'reseller.settings.read': ['reseller.settings.set'],
};

const NAME_OF_WRITE: Readonly<Record<string, string>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  replace: 'batch',
};

/** `delete`, or a more specific name if several deletes exist: `method-delete`. */
function nameOfWrite(read: Operation, id: string): string {
  const { effect } = OPERATIONS.find((one) => one.id === id)!;
  if (effect === 'act') return id.slice(id.lastIndexOf('.') + 1);
  const isOtherResource = read.id.startsWith('delivery.point') && id.startsWith('delivery.method.');
  return `${isOtherResource ? 'method-' : ''}${NAME_OF_WRITE[effect]}`;
}

/** The ways to build the key of a cache, and the mistakes in filling it. */
const WHEN = [
  'sort order',
  'page position',
  'owner and kind of key',
  'GET and POST, body format',
  'state after a refusal',
] as const;

const WRITE_NAMES = [
  'create',
  'update',
  'delete',
  'batch',
  'method-delete',
  'enable-premium',
  'disable-premium',
] as const;

const addressOf = (sent: MutableRequest): string => JSON.stringify([sent.segments, sent.query, sent.form, keyOf(sent)]);

/** A cache of responses by address, which every write clears except the named ones. */
function stale(read: Operation, uncleared: readonly string[]): ReturnType<Operator['behave']> {
  const cache = new Map<string, Reply>();
  const writes = WRITES_BY_READ[read.id] ?? [];
  return {
    isPure: true,
    response: (sent, reply, world, holds) => {
      const { id } = sent.operation;
      if (writes.includes(id) && isSuccess(reply) && !uncleared.includes(id)) cache.clear();
      if (id !== read.id || !holds(sent)) return reply;
      const address = addressOf(sent);
      const kept = cache.get(address);
      if (kept !== undefined) {
        if (JSON.stringify([kept.status, kept.json]) !== JSON.stringify([reply.status, reply.json])) world.fire();
        return copyOfReply(kept);
      }
      if (isSuccess(reply)) cache.set(address, copyOfReply(reply));
      return reply;
    },
  };
}

const isGoodKey = (owner: string, { credentials }: World): boolean =>
  [credentials.privateKey, credentials.otherKey, credentials.publicKey].includes(owner);

const writesOf = (read: Operation, name: string): string[] =>
  (WRITES_BY_READ[read.id] ?? []).filter((id) => nameOfWrite(read, id) === name);

export const MEMORY_OPERATORS: readonly Operator[] = [
  ...WRITE_NAMES.map(
    (name): Operator => ({
      id: `stale-after-${name}`,
      group: 'stale',
      about: `A cache of responses is not cleared by ${name}.`,
      applies: (operation, field) => field === undefined && writesOf(operation, name).length > 0,
      behave: (operation) => stale(operation, writesOf(operation, name)),
      when: WHEN,
    }),
  ),
  {
    id: 'always-stale',
    group: 'stale',
    about: 'The first response is returned forever.',
    applies: (operation, field) => field === undefined && WRITES_BY_READ[operation.id] !== undefined,
    behave: (operation) => stale(operation, WRITES_BY_READ[operation.id] ?? []),
    when: WHEN,
  },
  {
    id: 'as-before',
    group: 'too late',
    about: 'A reading call returns its previous response.',
    applies: (operation, field) => field === undefined && WRITES_BY_READ[operation.id] !== undefined,
    when: WHEN,
    behave: (operation) => {
      const before = new Map<string, Reply>();
      return {
        isPure: true,
        response: (sent, reply, world, holds) => {
          if (sent.operation !== operation || !isSuccess(reply)) return reply;
          const address = addressOf(sent);
          const kept = before.get(address);
          before.set(address, copyOfReply(reply));
          if (kept === undefined || !holds(sent)) return reply;
          if (JSON.stringify(kept.json) !== JSON.stringify(reply.json)) world.fire();
          return kept;
        },
      };
    },
  },
  {
    id: 'of-other-owner',
    group: 'copy from a neighbour',
    about: 'A cache ignores the caller: it returns the response for another owner.',
    applies: (operation, field) => field === undefined && isReading(operation) && operation.iface !== 'reseller',
    when: WHEN,
    behave: (operation) => {
      const seen = new Map<string, { owner: string; reply: Reply }>();
      return {
        isPure: true,
        response: (sent, reply, world, holds) => {
          const owner = keyOf(sent);
          // An unknown credential is refused before any cache is used.
          if (sent.operation !== operation || !(isSuccess(reply) || isGoodKey(owner, world))) return reply;
          const { query, segments } = sent;
          const address = JSON.stringify([segments, query.filter(([name]) => name !== 'authCode'), sent.json]);
          const kept = seen.get(address);
          if (isSuccess(reply)) seen.set(address, { owner, reply: copyOfReply(reply) });
          if (kept === undefined || kept.owner === owner || !holds(sent)) return reply;
          if (JSON.stringify(kept.reply.json) !== JSON.stringify(reply.json)) world.fire();
          return copyOfReply(kept.reply);
        },
      };
    },
  },
];
