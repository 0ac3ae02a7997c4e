/** Operators on what a call must not change: something else is lost or changed. */
import type { Method } from '../../../../mock/state/state.ts';
import type { Point } from '../../../../mock/types/point.ts';
import type { Field } from '../../locations/fields.ts';
import { isReading, type Operation } from '../../locations/operations.ts';
import { isSuccess } from '../../message.ts';
import { writtenObjects } from '../../objects.ts';
import type { World } from '../../world.ts';
import type { Operator } from '../operator.ts';
import { APPS_EFFECTS } from './apps.ts';
import { DELIVERY_EFFECTS, patchMethod, replacePoint } from './delivery.ts';
import type { EffectRow } from './effect.ts';
import { RESELLER_EFFECTS } from './reseller.ts';

const reset = (one: Field['kind']): unknown => (one === 'list' ? [] : one === 'object' ? '' : '');

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
  isLasting: true,
  behave: (operation) => ({
    mayDeviate: (sent, reply) => sent.operation === operation && isSuccess(reply) !== whenRefused,
    response: (sent, reply, world, holds) => {
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
    response: (sent, reply, world, holds) => {
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

const EFFECTS: readonly EffectRow[] = [...DELIVERY_EFFECTS, ...APPS_EFFECTS, ...RESELLER_EFFECTS];

/** Reading calls that are refused have no side effect in these rows. */
const isWriting = ({ on }: EffectRow, operation: Operation): boolean => on.test(operation.id) && !isReading(operation);

export const EFFECT_OPERATORS: readonly Operator[] = [
  ...EFFECTS.map((row) => effectOperator(row, false)),
  ...EFFECTS.map((row): Operator => {
    const operator = effectOperator(row, true);
    return { ...operator, applies: (operation, field) => field === undefined && isWriting(row, operation) };
  }),
  resetUnnamed,
];
