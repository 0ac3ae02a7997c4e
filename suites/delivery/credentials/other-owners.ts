/**
 * The rules for methods apply to every owner: also to a second store and to a delivery provider (spec: Authentication,
 * A; A. Delivery endpoints). A violation that the first store's methods show as well does not depend on the owner and has checks of its own.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckOptions, CheckTitle } from '../../../harness/check/facts.ts';
import { atOnce, eachAtOnce } from '../../../harness/process/at-once.ts';
import { Delivery, type Json } from '../../../harness/target/interfaces/delivery.ts';
import { METHOD_FIELDS, METHOD_KEPT, POINT_FIELDS, readBackFaults, showsPlainTitle } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { intrudersOf, plainPoint, plainTitle } from '../steps/owners/index.ts';
import {
  idsOf,
  listedByHandle,
  listPoints,
  type Method,
  readMethod,
  readPoint,
  showsMethod,
  showsPoint,
} from '../steps/reading.ts';
import { exampleOfPoint, tryChangesOfPoint } from '../steps/values.ts';
import { expectAsForStore, type Problem, refused } from './beside-store.ts';

const ACCEPTED = 'delivery.credentials.public-key-accepted';

/** What is wrong; undefined if nothing is. */
type Fault = Problem | undefined;
type Trial = (context: Context, delivery: Delivery) => Promise<Fault>;

/** The same problem with words in front of it that say when it was seen: after the clause of a new method could be broken. */
const seen = (when: string, problem: Fault): Fault =>
  problem === undefined ? undefined : { what: `${when} ${problem.what}`, ...isRefusalOf(problem) };

const isRefusalOf = ({ isRefusal }: Problem): Pick<Problem, 'isRefusal'> =>
  isRefusal === undefined ? {} : { isRefusal };

interface Made extends Method {
  /** What was sent, or set since. */
  readonly fields: Json;
}

/** In texts: what careless paths escape or fold. */
const SIGNS = 'R&D <Sia>';

/** A method with a distinct value in each field, with signs in its texts; if a service refuses some of them, the usual values. */
async function made(context: Context, delivery: Delivery, countries: readonly string[]): Promise<Made> {
  // Languages of other owners are not known.
  const title = plainTitle(context);
  const own: Json = {
    title,
    available_countries_from: countries.slice(0, 1),
    available_countries_to: countries,
    print_label_url: `https://proofmark.example/label/${countries.length}`,
  };
  const signed: Json = {
    ...{ ...own, title: `${title} ${SIGNS}` },
    // Where only known references are taken, the usual fields have one.
    ...(context.resources.operations.methodReference === undefined
      ? { reference: `${context.resources.newMark()} ${SIGNS}` }
      : {}),
  };
  for (const fields of context.sendsMinimum ? [{ title }] : [signed, own, { title }]) {
    const { method, fields: sent } = await tryMethod(context, delivery, fields);
    if (method !== undefined) return { ...method, fields: sent };
  }
  return context.given.newMethod(delivery);
}

/** The fields of a method that do not read back. A title in unknown languages has to have the text in one of them. */
function differingIn(context: Context, sent: Json, read: Json): Fault {
  for (const field of METHOD_FIELDS) {
    if (!(field in sent)) continue;
    if (field === 'title' && typeof sent.title === 'string') {
      if (!showsPlainTitle(read.title, sent.title)) return { what: 'the title does not read as it was sent' };
      continue;
    }
    const [fault] = readBackFaults(context, field, sent[field], read[field]);
    if (fault !== undefined) return { what: fault.message, clause: METHOD_KEPT[field] };
  }
  return undefined;
}

/** Two methods: each reads back alone and in the list, updates change half of the fields of each, a delete removes the other. */
async function methodsOf(context: Context, delivery: Delivery): Promise<Fault> {
  const one = await made(context, delivery, ['LV', 'EE', 'LT']);
  // Read before the next one is made: a response that is kept by its key would not show that.
  const before = await listedByHandle(context, delivery, [one.handle]);
  if (!before.has(one.handle)) return { what: 'a method is not listed' };
  const two = await made(context, delivery, ['EE', 'LV']);
  const created = await readOtherwise(context, [one, two]);
  if (created !== undefined) return created;
  const words = wordsOf(context);
  // Which fields can be changed is not stated, nor with which countries.
  const changes: Json[] = context.sendsMinimum
    ? [{ title: words }]
    : [
        { reference: `${words} ${SIGNS}`, available_countries_to: ['LT', 'LV'] },
        { reference: words, available_countries_to: ['LT', 'LV'] },
        { reference: words },
      ];
  const changed = await changedBy(context, one, changes);
  if ('what' in changed) return changed;
  const others = { title: wordsOf(context), available_countries_from: ['LV'], print_label_url: OTHER_LABEL_PAGE };
  const second = context.sendsMinimum ? two : await changedBy(context, two, [others]);
  const updated = await readOtherwise(context, [changed, 'what' in second ? two : second]);
  if (updated !== undefined) return seen('after updates of methods', updated);
  return (await refused(context, delivery.deleteMethod(two.handle))) ?? lastOf(context, changed, two);
}

/** The method after the first of these updates that is accepted; the last refusal if none is. */
async function changedBy(context: Context, method: Made, changes: readonly Json[]): Promise<Made | Problem> {
  let problem: Fault;
  for (const change of changes) {
    problem = await refused(context, method.delivery.changeMethod(method.handle, change));
    if (problem === undefined) return { ...method, fields: { ...method.fields, ...change } };
  }
  return problem ?? { what: 'no update was tried' };
}

const wordsOf = ({ resources }: Context): string => `${resources.newMark()} changed`;

const OTHER_LABEL_PAGE = 'https://proofmark.example/label/changed';

/** The differences of methods from their expected values, alone and in the list, which must not contain the deleted one. */
async function readOtherwise(context: Context, methods: readonly Made[], gone?: Made): Promise<Fault> {
  const [{ delivery }] = methods as [Made];
  const readings = await eachAtOnce(methods, (method) => readMethod(context, method));
  for (const [at, { fields }] of methods.entries()) {
    const alone = differingIn(context, fields, readings[at]!);
    if (alone !== undefined) return alone;
  }
  const listed = await listedByHandle(
    context,
    delivery,
    [...methods, ...(gone === undefined ? [] : [gone])].map(({ handle }) => handle),
  );
  if (gone !== undefined && listed.has(gone.handle)) return { what: 'the deleted method is still listed' };
  for (const { handle, fields } of methods) {
    const shown = listed.get(handle);
    if (shown === undefined) return { what: 'a method is not listed' };
    const inList = differingIn(context, fields, shown);
    if (inList !== undefined) return seen('in the list', inList);
  }
  return undefined;
}

/** What is wrong after one of two methods was deleted. */
async function lastOf(context: Context, stays: Made, gone: Made): Promise<Fault> {
  const { delivery, handle } = gone;
  const after = await context.send(delivery.readMethod(handle), 'read');
  if (showsMethod(after, handle)) return { what: 'a method still exists after it was deleted' };
  return seen('after the delete of another method', await readOtherwise(context, [stays], gone));
}

/** Updates by the id of the point: each names fields that the other does not. What is refused with signs is tried without them. */
const MOVED: Readonly<Record<string, readonly Json[]>> = {
  first: [
    { city: `Cēsis ${SIGNS}`, zip: 'LV-4101' },
    { city: 'Cēsis', zip: 'LV-4101' },
  ],
  second: [
    { title: `Locker ${SIGNS}`, address: 'Another street 5', attributes: { terminal: SIGNS } },
    { address: 'Another street 5', attributes: { terminal: 'moved' } },
  ],
};

/**
 * Three points; the id of one also exists in another method: updates change two of them, a delete removes the third, and the rest
 * stays unchanged, including the methods.
 */
async function pointsOf(context: Context, delivery: Delivery): Promise<Fault> {
  const method = await made(context, delivery, ['LV']);
  const beside = await made(context, delivery, ['LV', 'EE']);
  const points = new Map(['first', 'second', 'third'].map((id) => [id, plainPoint(id)]));
  const others = new Map(['second', 'third'].map((id) => [id, { ...plainPoint(id), address: 'Elsewhere 1' }]));
  for (const point of points.values()) {
    const problem = await refused(context, delivery.addPoint(method.handle, point));
    if (problem !== undefined) return problem;
  }
  // As one list, where that is taken: it is stored by other code than single points.
  const whole = delivery.batchReplace(beside.handle, { pickup_points: [...others.values()] });
  if ((await refused(context, whole)) !== undefined) {
    for (const point of others.values()) {
      const problem = await refused(context, delivery.addPoint(beside.handle, point));
      if (problem !== undefined) return problem;
    }
  }
  const eitherDiffers = async (): Promise<Fault> => {
    const [ofOne, ofOther] = await atOnce([
      () => pointsDiffer(context, method, points),
      () => pointsDiffer(context, beside, others),
    ]);
    return ofOne ?? ofOther;
  };
  const added = await eitherDiffers();
  if (added !== undefined) return added;
  const { handle } = method;
  await tryChangesOfPoint(context, { ...method, delivery }, 'second');
  for (const [id, moved] of Object.entries(MOVED)) {
    if (context.sendsMinimum && id !== 'second') continue;
    // One field with plain values: which fields can be changed is not stated.
    const changes: readonly Json[] = context.sendsMinimum ? [{ [exampleOfPoint(context)]: 'Locker moved' }] : moved;
    let problem: Fault;
    for (const change of changes) {
      problem = await refused(context, delivery.changePoint(handle, id, change));
      if (problem !== undefined) continue;
      points.set(id, { ...plainPoint(id), ...change });
      break;
    }
    if (problem !== undefined && id === 'second') return problem;
  }
  // At the first try the reading after the delete shows the updates as well.
  const updated = context.explains ? await pointsDiffer(context, method, points) : undefined;
  if (updated !== undefined) return seen('after updates of points', updated);
  // Read before it is deleted, and before the list is replaced: a response that is kept by its key would show the points of before.
  await readPoint(context, method, 'third');
  const notDeleted = await refused(context, delivery.deletePoint(handle, 'third'));
  if (notDeleted !== undefined) return notDeleted;
  points.delete('third');
  if (showsPoint(await context.send(delivery.readPoint(handle, 'third'), 'read'), 'third'))
    return { what: 'a point still exists after it was deleted' };
  const rest = await eitherDiffers();
  if (rest !== undefined) return seen('after the delete of a point', rest);
  const methods = await readOtherwise(context, [method, beside]);
  return seen('after calls for points', methods) ?? listReplaced(context, method);
}

/** A list replaces the points that were there, as does an empty one. Where a list is refused, single points have been judged. */
async function listReplaced(context: Context, method: Method): Promise<Fault> {
  for (const ids of [['first', 'fourth'], []]) {
    const points = new Map(ids.map((id) => [id, plainPoint(id)]));
    const call = method.delivery.batchReplace(method.handle, { pickup_points: [...points.values()] });
    if ((await refused(context, call)) !== undefined) continue;
    const listed = idsOf(await listPoints(context, method)).sort();
    if (listed.join() !== ids.join())
      return { what: `a list of ${ids.join(' and ') || 'no points'} leaves ${listed.join(', ') || 'nothing'}` };
    if (ids.length === 0) continue;
    const former = await context.send(method.delivery.readPoint(method.handle, 'second'), 'read');
    if (showsPoint(former, 'second')) return { what: 'a point can still be read after a list replaced it' };
  }
  return undefined;
}

/** The differences of points from their expected values, in the list and for one of them alone. */
async function pointsDiffer(context: Context, method: Method, points: ReadonlyMap<string, Json>): Promise<Fault> {
  const listed = await listPoints(context, method);
  const [ids, wanted] = [idsOf(listed).sort().join(', '), [...points.keys()].sort().join(', ')];
  if (ids !== wanted) return { what: `the list of points contains ${ids || 'nothing'} instead of ${wanted}` };
  for (const point of listed) {
    const fault = pointDiffers(context, points.get(String(point.id)) ?? {}, point);
    if (fault !== undefined) return seen(`in the list point ${String(point.id)}:`, fault);
  }
  const id = points.has('second') ? 'second' : [...points.keys()][0]!;
  return seen(`point ${id}:`, pointDiffers(context, points.get(id)!, await readPoint(context, method, id)));
}

function pointDiffers(context: Context, sent: Json, read: Json): Fault {
  for (const field of POINT_FIELDS) {
    if (field === 'title') {
      if (!showsPlainTitle(read.title, String(sent.title))) return { what: 'the title does not read as it was sent' };
      continue;
    }
    const [fault] = readBackFaults(context, field, sent[field], read[field]);
    if (fault !== undefined) return { what: fault.message };
  }
  return undefined;
}

/** Its clause is decided by a check of its own. */
const BESIDE = { additional: true, effects: 'write', clauses: [ACCEPTED] } as const satisfies Partial<CheckOptions>;

const ofOwner = (
  id: string,
  title: CheckTitle,
  who: 'provider' | 'other store',
  clause: string,
  trial: Trial,
): Check => {
  const needs =
    who === 'provider' ? ['delivery.public.apiKey'] : ['delivery.private.apiKey', 'delivery.private.otherApiKey'];
  const part = who === 'provider' ? 'delivery.public' : 'delivery.private';
  const clauses = who === 'provider' ? [ACCEPTED] : ['delivery.credentials.private-key-accepted'];
  return check(id, title, { ...BESIDE, needs, part, clauses }, async (context) => {
    const { given, profile } = context;
    if (who === 'other store') await intrudersOf(context);
    const delivery =
      who === 'provider'
        ? new Delivery('public', given.configured(profile.delivery?.public?.apiKey, 'delivery.public.apiKey'))
        : context.otherDelivery;
    const owner = who === 'provider' ? 'a delivery provider' : 'a second store';
    await expectAsForStore(context, { owner, delivery, clause, try: (one) => trial(context, one) });
  });
};

export const checks: readonly Check[] = [
  ofOwner(
    'delivery.credentials.provider-key-keeps-methods',
    'MUST store, update and delete the methods of a delivery provider like those of a store',
    'provider',
    'delivery.method.update-applies',
    methodsOf,
  ),
  ofOwner(
    'delivery.credentials.provider-key-keeps-points',
    'MUST store, update and delete the points of a delivery provider like those of a store',
    'provider',
    'delivery.point.update-applies',
    pointsOf,
  ),
  ofOwner(
    'delivery.credentials.other-store-keeps-methods',
    'MUST store, update and delete the methods of a second store like those of the first',
    'other store',
    'delivery.method.update-applies',
    methodsOf,
  ),
  ofOwner(
    'delivery.credentials.other-store-keeps-points',
    'MUST store, update and delete the points of a second store like those of the first',
    'other store',
    'delivery.point.update-applies',
    pointsOf,
  ),
];
