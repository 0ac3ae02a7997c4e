/** Operators on what a call must leave alone: after it, something else is lost or changed. */
import type { Method, Website } from '../../../mock/state/state.ts';
import type { Point } from '../../../mock/types/point.ts';
import type { Field } from '../locations/fields.ts';
import { isReading, type Operation } from '../locations/operations.ts';
import { isSuccess, type Sent } from '../message.ts';
import { writtenObjects } from '../objects.ts';
import { keyOf, type World } from '../world.ts';
import type { Operator } from './operator.ts';

/** Changes the state of the service; returns false when there was nothing to change. */
type Effect = (world: World, sent: Sent) => boolean;

interface EffectRow {
  readonly id: string;
  readonly about: string;
  readonly on: RegExp;
  readonly effect: Effect;
}

const handlesOf = ({ segments }: Sent): string[] => (segments.handle ?? '').split(',');

/** The owner's methods that the path does not name, the run's newest first. */
function neighboursOf({ service, methods }: World, sent: Sent): Method[] {
  const named = handlesOf(sent);
  const key = keyOf(sent);
  const created = methods.filter((one) => one.key === key && !named.includes(one.handle)).reverse();
  return created.flatMap(({ handle }) => service.state.methods.get(handle) ?? []);
}

const patchMethod = (world: World, method: Method | undefined, changes: Partial<Method>): boolean => {
  if (method === undefined || Object.entries(changes).every(([name, value]) => method[name as keyof Method] === value))
    return false;
  world.service.state.methods.set(method.handle, { ...method, ...changes });
  return true;
};

const onNeighbour =
  (change: (world: World, method: Method) => boolean): Effect =>
  (world, sent) =>
    neighboursOf(world, sent)
      .slice(0, 1)
      .some((method) => change(world, method));
const onEveryNeighbour =
  (change: (world: World, method: Method) => boolean): Effect =>
  (world, sent) =>
    neighboursOf(world, sent).filter((method) => change(world, method)).length > 0;
const onOwn =
  (changes: Partial<Method>): Effect =>
  (world, sent) =>
    handlesOf(sent).filter((handle) => patchMethod(world, world.service.state.methods.get(handle), changes)).length > 0;

const removeMethod = ({ service: { state } }: World, { handle }: Method): boolean => {
  state.methods.delete(handle);
  state.points.drop(handle);
  return true;
};

const emptyPoints = ({ service: { state } }: World, { handle }: Method): boolean => {
  const list = state.points.of(handle);
  const had = list.size > 0;
  list.clear();
  return had;
};

/** Changes points of the methods in the path that the call does not name. */
const onOtherPoints =
  (change: (world: World, handle: string, others: readonly Point[]) => boolean): Effect =>
  (world, sent) => {
    const body = sent.json?.pickup_point as { id?: unknown } | undefined;
    const own = sent.segments.point ?? body?.id;
    return (
      handlesOf(sent).filter((handle) => {
        const others = world.service.state.points
          .of(handle)
          .all()
          .filter(({ id }) => id !== own);
        return others.length > 0 && change(world, handle, others);
      }).length > 0
    );
  };

const replacePoint = (world: World, handle: string, point: Point): boolean => {
  world.service.state.points.of(handle).replace(point);
  return true;
};

const websiteOf = ({ service: { state } }: World, { segments }: Sent): Website | undefined =>
  state.websites.get(segments.website ?? '');

const patchWebsite = (
  { service: { state } }: World,
  website: Website | undefined,
  changes: Partial<Website>,
): boolean => {
  if (
    website === undefined ||
    Object.entries(changes).every(([name, value]) => website[name as keyof Website] === value)
  )
    return false;
  state.websites.patch(String(website.id), changes);
  return true;
};

const onWebsite =
  (changes: Partial<Website>): Effect =>
  (world, sent) =>
    patchWebsite(world, websiteOf(world, sent), changes);
/** A website of the same reseller that the path does not name. */
const onOtherWebsite =
  (changes: (website: Website) => Partial<Website>): Effect =>
  (world, sent) => {
    const other = world.service.state.websites.find(
      ({ id, resellerId }) => resellerId === 9001 && String(id) !== sent.segments.website,
    );
    return other !== undefined && patchWebsite(world, other, changes(other));
  };

const dropDomains =
  (ofOwn: boolean, all: boolean): Effect =>
  ({ service: { state } }, sent) => {
    const rows = state.domains.filter(
      ({ id, websiteId }) =>
        (String(websiteId) === sent.segments.website) === ofOwn && String(id) !== sent.segments.domain,
    );
    const dropped = (all ? rows : rows.slice(0, 1)).filter(
      ({ domain }) =>
        domain !== sent.form?.find(([name]) => name === 'domain')?.[1] &&
        domain !== sent.query.find(([name]) => name === 'domain')?.[1],
    );
    for (const { id } of dropped) state.domains.delete(String(id));
    return dropped.length > 0;
  };

type Installation = ReturnType<World['service']['state']['installations']['all']>[number];
const onInstallation =
  (isOwn: boolean, change: (one: Installation) => Partial<Installation>): Effect =>
  (world, sent) => {
    const { state } = world.service;
    const code = sent.query.find(([name]) => name === 'authCode')?.[1];
    const { authCode, otherAuthCode } = world.credentials;
    const meant = isOwn ? code : code === authCode ? otherAuthCode : authCode;
    const row = state.installations.get(meant ?? '');
    if (row === undefined) return false;
    const changes = change(row);
    if (JSON.stringify({ ...row, ...changes }) === JSON.stringify(row)) return false;
    state.installations.set(row.authCode, { ...row, ...changes });
    return true;
  };

const endSession: Effect = (world, sent) => {
  const token = keyOf(sent);
  const had = world.service.state.tokens.has(token);
  world.service.state.tokens.delete(token);
  return had;
};

const DELIVERY_WRITES =
  /^delivery\.(method\.(create|update|delete)|point\.(create|update|delete)|points\.batch-replace)$/;
const POINT_WRITES = /^delivery\.(point\.(create|update|delete)|points\.batch-replace)$/;
const SINGLE_POINT_WRITES = /^delivery\.point\.(create|update|delete)$/;
const APPS_WRITES = /^apps\.(installed|snippet\.set|data\.set)$/;
const WEBSITE_CALLS =
  /^reseller\.(website\.(enable|disable|enable-premium|disable-premium|login)|domain\.(add|remove))$/;
const ACCOUNT_CALLS = /^reseller\.(settings\.set|password|authorize|logout)$/;

const reset = (one: Field['kind']): unknown => (one === 'list' ? [] : one === 'object' ? '' : '');

const EFFECTS: readonly EffectRow[] = [
  {
    id: 'neighbour-method-removed',
    about: 'Another method of the owner is removed.',
    on: DELIVERY_WRITES,
    effect: onNeighbour(removeMethod),
  },
  {
    id: 'neighbour-method-title-lost',
    about: 'Another method loses its title.',
    on: DELIVERY_WRITES,
    effect: onNeighbour((world, one) => patchMethod(world, one, { title: null })),
  },
  {
    id: 'neighbour-method-label-url-lost',
    about: 'Another method loses print_label_url.',
    on: DELIVERY_WRITES,
    effect: onNeighbour((world, one) => patchMethod(world, one, { print_label_url: null })),
  },
  {
    id: 'neighbour-methods-title-copied',
    about: 'Other methods get the title of this one.',
    on: /^delivery\.method\.(create|update)$/,
    effect: (world, sent) => {
      const title = (sent.json?.delivery_method as Partial<Method> | undefined)?.title;
      return title !== undefined && onEveryNeighbour((inner, one) => patchMethod(inner, one, { title }))(world, sent);
    },
  },
  {
    id: 'neighbour-points-lost',
    about: 'Another method loses its pickup points.',
    on: DELIVERY_WRITES,
    effect: onEveryNeighbour(emptyPoints),
  },
  {
    id: 'own-points-lost',
    about: 'The method loses its pickup points.',
    on: /^delivery\.method\.update$/,
    effect: (world, sent) =>
      handlesOf(sent).filter((handle) => {
        const method = world.service.state.methods.get(handle);
        return method !== undefined && emptyPoints(world, method);
      }).length > 0,
  },
  ...(['title', 'reference', 'available_countries_from', 'available_countries_to', 'print_label_url'] as const).map(
    (name): EffectRow => ({
      id: `own-method-${name.replaceAll('_', '-')}-lost`,
      about: `The method loses ${name}.`,
      on: POINT_WRITES,
      effect: onOwn({ [name]: null }),
    }),
  ),
  {
    id: 'first-other-point-removed',
    about: 'Another point of the method is removed.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints((world, handle, others) => world.service.state.points.of(handle).remove(others[0]!.id)),
  },
  {
    id: 'last-other-point-removed',
    about: 'The newest other point of the method is removed.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints((world, handle, others) => world.service.state.points.of(handle).remove(others.at(-1)!.id)),
  },
  {
    id: 'other-points-title-lost',
    about: 'The other points of the method lose their titles.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints(
      (world, handle, others) =>
        others.filter((point) => replacePoint(world, handle, { ...point, title: '' })).length > 0,
    ),
  },
  {
    id: 'last-other-point-attributes-lost',
    about: 'The newest other point loses its attributes.',
    on: SINGLE_POINT_WRITES,
    effect: onOtherPoints((world, handle, others) =>
      replacePoint(world, handle, { ...others.at(-1)!, attributes: '' }),
    ),
  },
  {
    id: 'same-case-point-changed',
    about: 'The point whose id differs only in letter case is removed as well.',
    on: SINGLE_POINT_WRITES,
    effect: (world, sent) => {
      const own = String(sent.segments.point ?? (sent.json?.pickup_point as { id?: unknown } | undefined)?.id);
      return onOtherPoints((inner, handle, others) => {
        const twin = others.find(({ id }) => id.toLowerCase() === own.toLowerCase());
        return twin !== undefined && inner.service.state.points.of(handle).remove(twin.id);
      })(world, sent);
    },
  },
  {
    id: 'same-id-elsewhere-changed',
    about: 'A point of another method with the same id loses its address.',
    on: SINGLE_POINT_WRITES,
    effect: (world, sent) => {
      const own = String(sent.segments.point ?? (sent.json?.pickup_point as { id?: unknown } | undefined)?.id);
      return onEveryNeighbour((inner, { handle }) => {
        const twin = inner.service.state.points.of(handle).get(own);
        return twin !== undefined && replacePoint(inner, handle, { ...twin, address: '' });
      })(world, sent);
    },
  },
  {
    id: 'own-data-lost',
    about: 'The data of the installation is lost.',
    on: /^apps\.(installed|snippet\.set)$/,
    effect: onInstallation(true, () => ({ data: '' })),
  },
  {
    id: 'own-snippets-lost',
    about: 'The snippets of the installation are lost.',
    on: /^apps\.(installed|data\.set)$/,
    effect: onInstallation(true, () => ({ snippets: {} })),
  },
  {
    id: 'other-data-lost',
    about: 'The data of another installation is lost.',
    on: APPS_WRITES,
    effect: onInstallation(false, () => ({ data: '' })),
  },
  {
    id: 'other-snippets-lost',
    about: 'The snippets of another installation are lost.',
    on: APPS_WRITES,
    effect: onInstallation(false, () => ({ snippets: {} })),
  },
  {
    id: 'other-languages-lost',
    about: 'The snippets of other languages are lost.',
    on: /^apps\.snippet\.set$/,
    effect: (world, sent) => {
      const slot = typeof sent.json?.language === 'string' ? sent.json.language : '';
      return onInstallation(true, ({ snippets }) => ({
        snippets: Object.fromEntries(Object.entries(snippets).filter(([name]) => name === slot)),
      }))(world, sent);
    },
  },
  {
    id: 'subscription-lost',
    about: 'The website loses its subscription.',
    on: /^reseller\.(website\.(enable|disable|login)|domain\.(add|remove))$/,
    effect: onWebsite({ premium: null }),
  },
  {
    id: 'subscription-given',
    about: 'The website gets a subscription.',
    on: /^reseller\.(website\.(enable|disable|login)|domain\.(add|remove))$/,
    effect: onWebsite({ premium: 'premium' }),
  },
  {
    id: 'website-disabled',
    about: 'The website is disabled.',
    on: /^reseller\.(website\.(enable-premium|disable-premium|login)|domain\.(add|remove))$/,
    effect: onWebsite({ status: 0 }),
  },
  {
    id: 'other-subscription-flipped',
    about: 'The subscription of another website changes.',
    on: WEBSITE_CALLS,
    effect: onOtherWebsite(({ premium }) => ({ premium: premium === null ? 'premium' : null })),
  },
  {
    id: 'other-website-status-flipped',
    about: 'Another website is enabled or disabled.',
    on: WEBSITE_CALLS,
    effect: onOtherWebsite(({ status }) => ({ status: status === 0 ? 1 : 0 })),
  },
  {
    id: 'website-renamed',
    about: 'The website loses its name.',
    on: WEBSITE_CALLS,
    effect: onWebsite({ brandname: 'Website' }),
  },
  {
    id: 'own-domain-lost',
    about: 'The website loses another of its domains.',
    on: WEBSITE_CALLS,
    effect: dropDomains(true, false),
  },
  {
    id: 'other-domains-lost',
    about: 'Other websites lose their domains.',
    on: WEBSITE_CALLS,
    effect: dropDomains(false, true),
  },
  {
    id: 'session-ended',
    about: 'The session ends with the call.',
    on: /^reseller\.(?!logout|authorize)/,
    effect: endSession,
  },
  {
    id: 'settings-lost',
    about: 'The settings of the account are emptied.',
    on: ACCOUNT_CALLS,
    effect: ({ service: { state } }) => {
      const row = state.resellers.get('9001')!;
      const changes = { ...row.settings, company: '', contactPhone: '' };
      state.resellers.patch('9001', { settings: changes });
      return row.settings.company !== '';
    },
  },
];

const WHEN = [
  'owner and kind of key',
  'handle position',
  'GET and POST, body format',
  'how it was made',
  'country',
  'language',
  'the same call twice',
] as const;

const effectOperator = ({ id, about, on, effect }: EffectRow, whenRefused: boolean): Operator => ({
  id: whenRefused ? `${id}-when-refused` : id,
  group: whenRefused ? 'state after a refusal' : 'reset a neighbour',
  about: whenRefused ? `${about} It happens when the call is refused.` : about,
  applies: (operation, field) => field === undefined && on.test(operation.id),
  when: whenRefused ? ['GET and POST, body format'] : WHEN,
  behave: (operation) => ({
    mayDeviate: (sent, reply) => sent.operation === operation && isSuccess(reply) !== whenRefused,
    answer: (sent, reply, world, holds) => {
      if (sent.operation !== operation || isSuccess(reply) === whenRefused || !holds(sent)) return reply;
      if (world.service.change(() => effect(world, sent))) world.fire();
      return reply;
    },
  }),
});

/** A field that an update does not name is emptied. */
const resetUnnamed: Operator = {
  id: 'reset-when-not-sent',
  group: 'reset a neighbour',
  about: 'A field that an update does not name is emptied.',
  applies: ({ effect, id }, field) =>
    field !== undefined && effect === 'update' && /delivery|reseller\.settings/.test(id),
  when: ['owner and kind of key', 'GET and POST, body format', 'handle position'],
  behave: (operation, field) => ({
    mayDeviate: (sent, reply) => sent.operation === operation && isSuccess(reply),
    answer: (sent, reply, world, holds) => {
      if (sent.operation !== operation || !isSuccess(reply) || !holds(sent)) return reply;
      const changed = writtenObjects(sent, reply).filter(({ record }) => !Object.hasOwn(record, field!.name));
      for (const { key } of changed) if (world.service.change(() => emptyField(world, key, field!))) world.fire();
      return reply;
    },
  }),
};

function emptyField(world: World, key: string, field: Field): boolean {
  const { state } = world.service;
  const [kind, rest = ''] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
  const empty = { [field.name]: reset(field.kind) };
  if (kind === 'method') return patchMethod(world, state.methods.get(rest), empty as Partial<Method>);
  if (kind === 'point') {
    const cut = rest.indexOf('/');
    const handle = rest.slice(0, cut);
    const point = state.points.of(handle).get(rest.slice(cut + 1));
    return point !== undefined && replacePoint(world, handle, { ...point, ...empty } as Point);
  }
  const row = state.resellers.get('9001')!;
  const had = (row.settings as Readonly<Record<string, unknown>>)[field.name] !== '';
  state.resellers.patch('9001', { settings: { ...row.settings, [field.name]: '' } });
  return had;
}

/** Reading calls that are refused change nothing that these rows know. */
const isWriting = ({ on }: EffectRow, operation: Operation): boolean => on.test(operation.id) && !isReading(operation);

export const EFFECT_OPERATORS: readonly Operator[] = [
  ...EFFECTS.map((row) => effectOperator(row, false)),
  ...EFFECTS.map((row): Operator => {
    const operator = effectOperator(row, true);
    return { ...operator, applies: (operation, field) => field === undefined && isWriting(row, operation) };
  }),
  resetUnnamed,
];
