/** Creates a method where a refusal is an expected response. */
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import { handleIn } from '../../../../harness/check/given/index.ts';
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Delivery, Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { readBackFaults } from '../fields.ts';
import { listMethods, type Method } from '../reading.ts';

export interface Attempt {
  readonly response: ServiceResponse;
  /** What was sent. */
  readonly fields: Json;
  /** Undefined when the create was refused. */
  readonly method: Method | undefined;
}

interface Writing {
  /** Changes how the call is written. */
  readonly written?: (call: ServiceRequest) => ServiceRequest;
  /** A new mark in the title, which no other method carries. */
  readonly markOfTitle?: string;
  /** The reference is another method's: without a handle in its response, the new one is found by its title. */
  readonly isFoundByTitle?: true;
}

/**
 * Tries to create a method from the usual fields, overridden by `fields` (`undefined` omits one; the mark has to
 * be in `reference` or `title`). The created method is deleted when the check ends.
 */
export async function tryMethod(
  context: Context,
  delivery: Delivery,
  fields: Json,
  { written = (call) => call, markOfTitle, isFoundByTitle }: Writing = {},
): Promise<Attempt> {
  const { given, resources, send } = context;
  const mark = resources.newMark();
  const laid = Object.entries({ ...given.methodFields(mark), ...fields });
  const sent: Json = Object.fromEntries(laid.filter(([, value]) => value !== undefined));
  // What is sent carries the mark by which a method without a response is found and removed.
  const known = resources.markIn(sent.reference) ?? resources.markIn(sent.title);
  const reference = known ?? mark;
  const isMarkedReference = resources.markIn(sent.reference) !== undefined;
  // Where the service takes only references that it knows, and the title is another's, only the list shows which method is new.
  const isNamed = isMarkedReference || known === mark || (known !== undefined && known === markOfTitle);
  const before = isNamed ? [] : await listMethods(context, delivery);
  const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
  const response = await given.createWithRoom(() => send(written(delivery.addMethod(sent)), 'create'));
  if (!isServed(response)) return { response, fields: sent, method: undefined };
  const find = () =>
    isFoundByTitle
      ? given.findMethod(delivery, mark)
      : isNamed
        ? given.findMethod(delivery, isMarkedReference ? String(sent.reference) : reference, reference)
        : newSince(context, delivery, before, sent.title);
  const handle = handleIn(response) ?? (await find());
  if (resources.operations.handlesBefore.has(handle) || before.some((method) => method.handle === handle)) {
    // Clean-up must not take it for the run's.
    tracked.cancel();
    given.holds(
      false,
      'delivery.method.create-stores',
      'a create returned the handle of a method that was there before',
      {
        response,
      },
    );
  }
  const carried = typeof sent.reference === 'string' ? [sent.reference] : given.filledReference(delivery, sent);
  tracked.created({ handle, ...(isMarkedReference || carried.length === 0 ? {} : { given: carried }) });
  return { response, fields: sent, method: { delivery, handle } };
}

/** Whether a method without a title is known as the run's: its reference has to carry the mark, in case its response is lost. */
export const mayOmitTitle = ({ resources }: Context): boolean => resources.operations.methodReference === undefined;

/** The handle of the only new method with this title: another one may be of another client, and must not be deleted. */
async function newSince(
  context: Context,
  delivery: Delivery,
  before: readonly Json[],
  title: unknown,
): Promise<string> {
  const handles = new Set(before.map(({ handle }) => handle));
  const own = (await listMethods(context, delivery)).filter(
    (method) => !handles.has(method.handle) && readBackFaults(context, 'title', title, method.title).length === 0,
  );
  const [one] = own;
  if (own.length === 1 && typeof one?.handle === 'string') return one.handle;
  throw new Inconclusive(
    'the new method has no mark of the run, and the list does not show which one it is',
    'contract',
  );
}

/** In sequence, so that a run sends its requests in the same order each time. */
export async function inTurn<T, R>(items: readonly T[], each: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const [at, item] of items.entries()) results.push(await each(item, at));
  return results;
}
