/** Pickup points under ids of any text (spec: Pickup point; Endpoints, A. Delivery endpoints). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import { AssertionFailure, type Evidence } from '../../harness/check/failures.ts';
import { forAll } from '../../harness/property/index.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import type { Json } from '../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { textsOf } from '../delivery/steps/fields.ts';
import { OWN_METHODS } from '../delivery/steps/options.ts';
import { idsOf, listPoints, type Method, showsPoint } from '../delivery/steps/reading.ts';
import { pointAt } from '../delivery/steps/values.ts';
import { asOwner, ownerArbitrary } from './steps/owners.ts';
import { anyText, plainText } from './steps/texts.ts';

const ANY_TEXT = 'delivery.point.id-any-characters';
const KEPT = 'delivery.point.id-kept';

const CHANGED = 'Elsewhere';

/** A method, two points, each read, changed and deleted, and three lists. */
const REQUESTS_PER_RUN = 18;
/** Encoded, a letter of a far script takes nine characters of the address. */
const MAX_CHARACTERS = 60;

/** What a path or a query gives a meaning to, also when it is decoded once too often. */
const PATH_PIECES = [...'%+?#&=;:,@!$*()[]|"<>~ ', '%20', '%2B', '%25', '%3F', '...', 'batch_replace', 'pickup_points'];

const id: fc.Arbitrary<string> = fc
  .oneof(
    plainText,
    fc.string({ unit: fc.oneof(fc.constantFrom(...PATH_PIECES), plainText), minLength: 1, maxLength: 4 }),
    anyText,
  )
  .filter(isSafe);

/**
 * Whether an id may be tried. Slashes have a clause of their own. However often it is decoded, it must never be a path to
 * something else: not even a service that is wrong is to be led there.
 */
function isSafe(text: string): boolean {
  if (text.length > MAX_CHARACTERS || !text.isWellFormed()) return false;
  for (let decoded = text; ; ) {
    if (/[/\\]/.test(decoded) || /^\.{0,2}$/.test(decoded.trim())) return false;
    let next: string;
    try {
      next = decodeURIComponent(decoded);
    } catch {
      return true;
    }
    if (next === decoded) return true;
    decoded = next;
  }
}

/** Whether no service has a reason to refuse an id, or to take it for anything else. */
const isPlainId = (text: string): boolean => /^[a-z]{1,12}$/.test(text);

/** What a careless reader takes the id for: decoded once more, or with its plus signs read as spaces. */
function neighbourOf(text: string): string | undefined {
  const spaced = text.replaceAll('+', ' ');
  const candidates = [spaced, text.replaceAll(' ', '+'), decodedOnce(text), encodeURIComponent(text)];
  return candidates.find((other) => other !== text && other.trim() === other && isSafe(other));
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Adds a point; a service may refuse any id that is not plain. */
async function offered(context: Context, { delivery, handle }: Method, text: string): Promise<boolean> {
  const response = await context.send(delivery.addPoint(handle, pointAt(context, text, 'Plain street 1')), 'add');
  if (isPlainId(text)) await context.given.accepted(response, 'delivery.point.create-stores');
  return isServed(response);
}

/**
 * Asserts that the point is listed, read, changed and deleted under its id, and its neighbours are left alone. For a plain
 * id these are preconditions, each with the clause that fails then.
 */
async function expectReadsUnder(
  context: Context,
  method: Method,
  text: string,
  others: readonly string[],
): Promise<void> {
  const { expect, given, send } = context;
  const { delivery, handle } = method;
  const named = `the point ${JSON.stringify(text)}`;
  const judge = (holds: boolean, message: string, ofPlain: string, evidence: Evidence = {}, clause = ANY_TEXT) => {
    if (isPlainId(text)) given.holds(holds, ofPlain, message, evidence);
    expect.that(holds, message, { clauses: [clause], ...evidence });
  };
  const listing = async () => new Map((await listPoints(context, method)).map((point) => [point.id, point]));

  const listed = await listing();
  const all = { expected: [text, ...others], actual: [...listed.keys()] };
  for (const one of [text, ...others].filter((id) => !listed.has(id))) {
    const alone = await send(delivery.readPoint(handle, one), 'read');
    given.holds(
      !showsPoint(alone, one),
      'delivery.point.list-contains',
      `${one} can be read by its id, but is not listed`,
    );
  }
  const isListed = [text, ...others].every((one) => listed.has(one));
  judge(isListed, `${named} must be listed under its id`, 'delivery.point.create-stores', all, KEPT);
  const read = await send(delivery.readPoint(handle, text), 'read');
  const shown = { expected: text, actual: summary(read), response: read };
  judge(showsPoint(read, text), `${named} must be readable by its id`, 'delivery.point.read-by-id', shown);

  const { field, response: changed } = await changedIn(context, method, text);
  const after = await listing();
  const shownIn = (points: ReadonlyMap<unknown, Json>, one: string) => points.get(one)?.[field] ?? null;
  const value = { expected: CHANGED, actual: shownIn(after, text), response: changed };
  const applies = 'delivery.point.update-applies';
  if (isPlainId(text)) await given.accepted(changed, applies);
  const isChanged = Object.values(textsOf(context, shownIn(after, text))).includes(CHANGED);
  judge(isChanged, `${named} must be changed by its id`, applies, value);
  const ofOthers = (points: ReadonlyMap<unknown, Json>) => others.map((other) => shownIn(points, other));
  const alike = isDeepStrictEqual(ofOthers(after), ofOthers(listed));
  const unchanged = { expected: ofOthers(listed), actual: ofOthers(after), response: changed };
  judge(
    alike,
    `a change of ${named} must not change another point`,
    'delivery.point.update-leaves-other-points',
    unchanged,
  );

  const deleted = await send(delivery.deletePoint(handle, text), 'delete');
  const left = idsOf(await listPoints(context, method));
  const rest = { expected: others, actual: left, response: deleted };
  const removes = 'delivery.point.delete-removes';
  judge(!left.includes(text), `${named} must be deleted by its id`, removes, rest);
  const kept = others.every((other) => left.includes(other));
  judge(
    kept,
    `the delete of ${named} must not delete another point`,
    'delivery.point.delete-leaves-other-points',
    rest,
  );
}

/** Changes a point in the first field that the target lets change: which ones those are is not stated. */
async function changedIn({ send }: Context, { delivery, handle }: Method, id: string) {
  let first: ServiceResponse | undefined;
  for (const field of ['city', 'address', 'title']) {
    const response = await send(delivery.changePoint(handle, id, { [field]: CHANGED }), 'change');
    if (isServed(response)) return { field, response };
    first ??= response;
  }
  return { field: 'city', response: first! };
}

/** A plain id that is to `plain` as the neighbour is to the id: a beginning of it, a longer one, or another. */
function plainNeighbour(text: string, neighbour: string): string {
  if (neighbour.startsWith(text)) return 'plainer';
  return text.startsWith(neighbour) ? 'plai' : 'other';
}

/** The same, but first a plain id has to work: else there is nothing to learn about ids. */
async function judgedAgainstPlain(context: Context, method: Method, text: string, others: readonly string[]) {
  try {
    await expectReadsUnder(context, method, text, others);
  } catch (thrown) {
    if (!(thrown instanceof AssertionFailure)) throw thrown;
    const plain = await context.given.newMethod(context.delivery);
    // As many points, in the same order: what is wrong with the first or the last of them is not a matter of ids.
    const plainOthers = others.map((other) => plainNeighbour(text, other));
    for (const one of [...plainOthers, 'plain']) await offered(context, plain, one);
    await expectReadsUnder(context, plain, 'plain', plainOthers);
    throw thrown;
  }
}

export const checks: readonly Check[] = [
  check(
    'properties.points.ids',
    'MUST list, read, change and delete a pickup point under any id',
    { ...OWN_METHODS, clauses: [ANY_TEXT, KEPT], additional: true, exactValues: ['id'] },
    async (context) =>
      forAll(
        context,
        { requestsPerRun: REQUESTS_PER_RUN, fits: ([text]) => isSafe(text) },
        [id, await ownerArbitrary(context)],
        (run, text, owner) =>
          asOwner(run, owner, async () => {
            const neighbour = neighbourOf(text);
            run.step(
              `the id ${JSON.stringify(text)}${neighbour === undefined ? '' : ` beside ${JSON.stringify(neighbour)}`}`,
            );
            const method = await run.context.given.newMethod(run.context.delivery);
            const taken: string[] = [];
            for (const one of neighbour === undefined ? [text] : [neighbour, text]) {
              if (await offered(run.context, method, one)) taken.push(one);
            }
            // What was taken last is tried first, while its neighbour is there to be mistaken for it.
            for (const one of taken.toReversed()) {
              const others = taken.slice(0, taken.indexOf(one));
              await judgedAgainstPlain(run.context, method, one, others);
            }
          }),
      ),
  ),
];
