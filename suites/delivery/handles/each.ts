/** One call for the points of several methods, their handles joined by commas (spec: A. Delivery endpoints). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import {
  changedFields,
  inOneLanguage,
  METHOD_FIELDS,
  METHOD_KEPT,
  POINT_FIELDS,
  type PointField,
  readBackFaults,
} from '../steps/fields.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { methodsWith, methodWith } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import {
  addPoints,
  idsOf,
  listedIds,
  listPoints,
  type Method,
  readEach,
  readPoint,
  showsPoint,
} from '../steps/reading.ts';
import { changeOfPoint, pointAt } from '../steps/values.ts';

/**
 * Three methods for one call, so that one is between the first and the last, with points of these ids. How many a call
 * may name is not stated: two methods after a refusal.
 */
const severalMethods = (context: Context, ids: readonly string[]): Promise<Method[]> =>
  inTurn(context.sendsMinimum ? ['first', 'last'] : ['first', 'middle', 'last'], () =>
    methodWith(
      context,
      ids.map((id) => pointAt(context, id)),
    ),
  );

const LIST_OF_ONE = 'delivery.point.list-of-one-method';
const LEFT = 'delivery.point.delete-leaves-other-points';

const handlesOf = (methods: readonly Method[]): string[] => methods.map(({ handle }) => handle);

/** The point as each method returns it, in the order of the methods. */
const readPoints = (context: Context, methods: readonly Method[], id: string): Promise<Json[]> =>
  eachAtOnce(methods, (method) => readPoint(context, method, id));

/** The points that each method lists, by their ids, in the order of the methods. */
const listEach = (context: Context, methods: readonly Method[]): Promise<Map<string, Json>[]> =>
  eachAtOnce(
    methods,
    async (method) => new Map((await listPoints(context, method)).map((one) => [String(one.id), one])),
  );

const PLACES = ['first', 'second', 'third'];
const place = (at: number): string => `the ${PLACES[at]} method in the path`;

export const checks: readonly Check[] = [
  check(
    'delivery.handles.add-to-each',
    'MUST add a point to every method that the path names',
    { ...OWN_METHODS, clauses: ['delivery.handles.add-to-each'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const singles = ['single', 'second', 'third'];
      const methods = await severalMethods(context, singles);
      const givenSingles = (ids: readonly string[]): void => {
        const stored = singles.every((id) => ids.includes(id));
        given.holds(stored, 'delivery.point.create-stores', 'an add under one handle is lost');
      };
      if (context.explains) for (const method of methods) givenSingles(idsOf(await listPoints(context, method)));
      const backwards = methods.toReversed();
      const isListed = (at: number, ids: readonly string[], id: string, named: readonly Method[]): void =>
        expect.that(ids.includes(id), `${place(at)} must list the point that was added to ${named.length} methods`, {
          expected: id,
          actual: ids,
          pointer: '/pickup_points',
        });
      const areAlike = ([one, ...others]: readonly Json[]): void => {
        for (const [at, other] of others.entries()) {
          const differing = changedFields(context, POINT_FIELDS, one!, other);
          expect.equal(differing, [], `${place(at + 1)} must contain the same point as the others`);
        }
      };
      const taken: (readonly [id: string, named: readonly Method[]])[] = [];
      for (const [id, named] of [
        ['three', methods],
        ['backwards', backwards],
        ['two', backwards.slice(0, 2)],
      ] as const) {
        const point = pointAt(context, id);
        const response = await send(delivery.addPoint(handlesOf(named), point), 'add');
        // How many handles a call may name is not stated; two are the minimum.
        if (!isServed(response) && named.length > 2) continue;
        expect.served(response, `must add a point under ${named.length} handles`);
        taken.push([id, named]);
        if (!context.explains) continue;
        for (const [at, method] of named.entries())
          isListed(at, await listedIds(context, method, (found) => found.includes(id)), id, named);
        areAlike(await readPoints(context, named, id));
      }
      if (context.explains) return;
      // No add takes another point away: one list of each method shows what all of them did.
      const lists = await listEach(context, methods);
      for (const list of lists) givenSingles([...list.keys()]);
      for (const [id, named] of taken) {
        const shown = named.map((method) => lists[methods.indexOf(method)]!);
        for (const [at, list] of shown.entries()) isListed(at, [...list.keys()], id, named);
        areAlike(shown.map((list) => list.get(id)!));
      }
      const [[id, named]] = taken as [(typeof taken)[number]];
      areAlike(await readPoints(context, named, id));
    },
  ),

  check(
    'delivery.handles.added-points-separate',
    'MUST keep a point that was added to several methods separate in each',
    { ...OWN_METHODS, clauses: ['delivery.point.same-id-in-two-methods'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const methods = await severalMethods(context, []);
      const [first, ...others] = methods as [Method, ...Method[]];
      const added = send(delivery.addPoint(handlesOf(methods), pointAt(context, 'shared')), 'add');
      await given.accepted(added, 'delivery.handles.add-to-each');
      const before = await readPoints(context, others, 'shared');
      const same = async (what: string) => {
        for (const [at, after] of (await readPoints(context, others, 'shared')).entries()) {
          const changed = changedFields(context, POINT_FIELDS, before[at]!, after);
          expect.equal(changed, [], `${what} in one of several methods must leave the point of ${place(at + 1)}`);
        }
      };
      const change = send(delivery.changePoint(first.handle, 'shared', changeOfPoint(context, 'Alone')), 'change');
      await given.accepted(change, 'delivery.point.update-applies');
      // A delete undoes nothing in the others.
      if (context.explains) await same('an update');
      await given.promised(
        send(delivery.deletePoint(first.handle, 'shared'), 'delete'),
        'delivery.point.delete-removes',
      );
      if (context.explains)
        for (const [at, method] of others.entries()) {
          const response = await send(delivery.readPoint(method.handle, 'shared'), 'read');
          expect.that(
            showsPoint(response, 'shared'),
            `a delete in one of several methods must keep the point of ${place(at + 1)}`,
            { response },
          );
        }
      await same('a delete');
    },
  ),

  check(
    'delivery.handles.update-in-each',
    'MUST update a point in every method that the path names',
    { ...OWN_METHODS, clauses: ['delivery.handles.update-in-each'] },
    async (context) => {
      const { sendsMinimum, delivery, expect, given, send } = context;
      const methods = await severalMethods(context, ['same']);
      const least: Json = { title: inOneLanguage(context, 'Alone'), city: 'Alone' };
      const all: Json = sendsMinimum
        ? least
        : { ...least, address: 'Alone street 1', zip: 'LV-1000', attributes: { terminal: 'alone' } };
      // At the first try all of these fields are taken to be writable under one handle.
      let alone = all;
      for (const method of context.explains ? methods : []) {
        const change = (fields: Json) => send(delivery.changePoint(method.handle, 'same', fields), 'given');
        const whole = await change(all);
        alone = isServed(whole) ? all : {};
        // Which fields can be changed is not stated.
        if (!isServed(whole))
          for (const [field, value] of Object.entries(all))
            if (isServed(await change({ [field]: value }))) alone = { ...alone, [field]: value };
        if (Object.keys(alone).length === 0) await given.accepted(whole, 'delivery.point.update-applies');
        const read = await readPoint(context, method, 'same');
        const lost = POINT_FIELDS.filter((field) => Object.hasOwn(alone, field)).flatMap((field) =>
          readBackFaults(context, field, alone[field], read[field]),
        );
        given.holds(lost.length === 0, 'delivery.point.update-applies', 'an update under one handle is lost');
      }
      const updates = [
        ['city', 'Together', methods],
        ['address', 'Together street 1', methods.toReversed()],
        ['zip', 'LV-1050', methods.slice(-2)],
        ['attributes', { terminal: 'together' }, methods],
        ['title', inOneLanguage(context, 'Together'), methods],
      ] as const;
      const holds = (field: PointField, value: unknown, points: readonly Json[]): void => {
        for (const [at, point] of points.entries()) {
          const faults = readBackFaults(context, field, value, point[field]);
          expect.noFaults(faults, `${place(at)} must hold the new ${field} of the point`);
        }
      };
      const taken: (readonly [field: PointField, value: unknown, named: readonly Method[]])[] = [];
      let refused: ServiceResponse | undefined;
      for (const [field, value, all] of updates.filter(([name]) => Object.hasOwn(alone, name))) {
        const change = (named: readonly Method[]) =>
          send(delivery.changePoint(handlesOf(named), 'same', { [field]: value }), 'change');
        const response = await change(all);
        // How many handles a call may name is not stated; two are the minimum.
        const isFewer = !isServed(response) && all.length > 2;
        const named = isFewer ? all.slice(-2) : all;
        const last = isFewer ? await change(named) : response;
        // Under one handle, too, a service may need other fields beside this one.
        if (!isServed(last) && !isServed(await change(named.slice(-1)))) {
          refused = last;
          continue;
        }
        expect.served(last, `must update a point under ${named.length} handles`);
        taken.push([field, value, named]);
        if (context.explains) holds(field, value, await readPoints(context, named, 'same'));
      }
      if (taken.length === 0 && refused !== undefined) await given.accepted(refused, 'delivery.point.update-applies');
      if (context.explains) return;
      // Each names another field: one reading of each method shows all of them.
      const read = await readPoints(context, methods, 'same');
      for (const [field, value, named] of taken) {
        const points = named.map((method) => read[methods.indexOf(method)]!);
        holds(field, value, points);
      }
    },
  ),

  check(
    'delivery.handles.update-keeps-omitted-fields',
    'MUST keep unnamed fields of a point in every method that the path names',
    {
      ...OWN_METHODS,
      clauses: [
        'delivery.point.update-keeps-omitted-fields',
        LIST_OF_ONE,
        LEFT,
        ...new Set(Object.values(METHOD_KEPT)),
      ],
      exactValues: ['omitted-fields'],
    },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const methods = await inTurn(context.sendsMinimum ? PLACES.slice(0, 2) : PLACES, (at) =>
        methodWith(context, [pointAt(context, 'same', `Street of ${at}`), pointAt(context, `only in ${at}`)]),
      );
      // Other checks may have used these methods together, and a fault may have made their titles the same. A service may refuse it.
      await send(
        delivery.changeMethod(methods[0]!.handle, { title: given.text(`Courier ${context.resources.newMark()}`) }),
        'given',
      );
      const titled = await readEach(context, delivery, methods);
      const before = await listEach(context, methods);
      const change = changeOfPoint(context, 'Together');
      const unnamed = POINT_FIELDS.filter((field) => !Object.hasOwn(change, field));
      const expectOwn = async (isAfterDelete: boolean): Promise<void> => {
        const lists = await listEach(context, methods);
        for (const [at, list] of lists.entries()) {
          const lost = ['same', `only in ${PLACES[at]}`].filter((id) => !list.has(id));
          expect.equal(lost, [], `${place(at)} must keep its points`, {
            pointer: '/pickup_points',
            clauses: [isAfterDelete ? LEFT : LIST_OF_ONE],
          });
          const changed = changedFields(context, unnamed, before[at]!.get('same') ?? {}, list.get('same') ?? {});
          expect.that(changed.length === 0, `${place(at)} must keep its own ${changed} of the point`, {
            expected: before[at]!.get('same'),
            actual: list.get('same'),
            pointer: `/${changed[0]}`,
          });
          // What only one method has stays its own: the other point, and the title.
          const strange = PLACES.filter((other, its) => its !== at && list.has(`only in ${other}`));
          expect.equal(strange, [], `${place(at)} must not show the points of other methods`, {
            pointer: '/pickup_points',
            clauses: [LIST_OF_ONE],
          });
        }
        for (const [at, after] of (await readEach(context, delivery, methods)).entries())
          for (const field of changedFields(context, METHOD_FIELDS, titled[at]!, after))
            expect.that(false, `${place(at)} must keep its own ${field}`, {
              expected: titled[at]![field] ?? null,
              actual: after[field] ?? null,
              pointer: `/${field}`,
              clauses: [METHOD_KEPT[field as keyof typeof METHOD_KEPT]],
            });
      };
      const handles = handlesOf(methods);
      const call = delivery.changePoint(handles, 'same', change);
      await given.accepted(send(call, 'change'), 'delivery.handles.update-in-each');
      if (context.explains) await expectOwn(false);
      // How many methods these reach has checks of its own.
      await send(delivery.addPoint(handles, pointAt(context, 'passing')), 'add');
      await send(delivery.deletePoint(handles, 'passing'), 'delete');
      await expectOwn(true);
    },
  ),

  check(
    'delivery.handles.delete-from-each',
    'MUST delete a point from every method that the path names',
    { ...OWN_METHODS, clauses: ['delivery.handles.delete-from-each'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const all = ['alone', 'three', 'two', 'stays'];
      const methods = await severalMethods(context, all);
      for (const method of context.explains ? methods : []) {
        const stored = await listedIds(context, method, (ids) => all.every((id) => ids.includes(id)));
        const lost = all.filter((id) => !stored.includes(id));
        given.holds(lost.length === 0, 'delivery.point.create-stores', `${lost} was added and is not listed`);
        const deleted = send(delivery.deletePoint(method.handle, 'alone'), 'given');
        await given.promised(deleted, 'delivery.point.delete-removes');
        given.holds(
          !idsOf(await listPoints(context, method)).includes('alone'),
          'delivery.point.delete-removes',
          'a delete under one handle is lost',
        );
      }
      const isGone = async (id: string, named: readonly Method[]): Promise<void> => {
        for (const [at, method] of named.entries()) {
          const ids = await listedIds(context, method, (found) => !found.includes(id));
          expect.that(!ids.includes(id), `${place(at)} must not list the deleted point any more`, {
            expected: `a list without ${id}`,
            actual: ids,
            pointer: '/pickup_points',
          });
          given.holds(
            ids.includes('stays'),
            'delivery.point.delete-leaves-other-points',
            'another point was deleted too',
          );
        }
      };
      const taken: (readonly [id: string, named: readonly Method[]])[] = [];
      for (const [id, named] of [
        ['three', methods],
        ['two', methods.toReversed().slice(0, 2)],
      ] as const) {
        const response = await send(delivery.deletePoint(handlesOf(named), id), 'delete');
        // How many handles a call may name is not stated; two are the minimum.
        if (!isServed(response) && named.length > 2) continue;
        expect.served(response, `must delete a point under ${named.length} handles`);
        taken.push([id, named]);
        if (context.explains) await isGone(id, named);
      }
      // At the first try after both: neither brings back what the other one deletes.
      for (const [id, named] of context.explains ? [] : taken) await isGone(id, named);
    },
  ),

  check(
    'delivery.handles.others-untouched',
    'MUST NOT change methods that the path does not name',
    { ...OWN_METHODS, clauses: ['delivery.handles.others-untouched'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const points = ['same', 'gone'].map((id) => pointAt(context, id));
      const all: Method[] = await methodsWith(context, 3, points);
      const [bystander, ...methods] = all as [Method, ...Method[]];
      const listBefore = await listPoints(context, bystander);
      const idsBefore = idsOf(listBefore).sort();
      const before = context.explains
        ? await readPoint(context, bystander, 'same')
        : (listBefore.find(({ id }) => id === 'same') ?? {});

      // With one handle, a call leaves the other method's points with the same ids; otherwise the violation does not depend on several handles.
      if (context.explains) {
        const alone = methods[0]!.handle;
        await addPoints(context, methods[0]!, [pointAt(context, 'alone')]);
        await send(delivery.changePoint(alone, 'same', changeOfPoint(context, 'Alone')), 'given');
        await send(delivery.deletePoint(alone, 'alone'), 'given');
        const meanwhile = await readPoint(context, bystander, 'same');
        given.holds(
          changedFields(context, POINT_FIELDS, before, meanwhile).length === 0,
          'delivery.point.same-id-in-two-methods',
          'an update in one method changes a point of the same id in another',
        );
      }

      const expectUntouched = async (): Promise<void> => {
        const isRight = (ids: readonly string[]) => [...ids].sort().join() === idsBefore.join();
        const ids = await listedIds(context, bystander, isRight);
        expect.equal(ids.sort(), idsBefore, 'a method that a call does not name must keep its points', {
          pointer: '/pickup_points',
        });
        const changed = changedFields(context, POINT_FIELDS, before, await readPoint(context, bystander, 'same'));
        expect.equal(changed, [], 'a method that a call does not name must keep its points unchanged');
      };
      const handles = handlesOf(methods);
      for (const [call, clause] of [
        [delivery.addPoint(handles, pointAt(context, 'added')), 'delivery.handles.add-to-each'],
        [delivery.changePoint(handles, 'same', changeOfPoint(context, 'Elsewhere')), 'delivery.handles.update-in-each'],
        [delivery.deletePoint(handles, 'gone'), 'delivery.handles.delete-from-each'],
      ] as const) {
        await given.accepted(send(call, 'change'), clause);
        if (context.explains) await expectUntouched();
      }
      // None of them undoes what another one does to a stranger.
      if (!context.explains) await expectUntouched();
    },
  ),
];
