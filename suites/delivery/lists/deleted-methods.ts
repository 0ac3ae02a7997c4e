/**
 * The methods that a run has deleted, of every kind that its checks made: long lists, many countries, long texts. Each delete was
 * served, and one look at the lists of all owners shows whether it was done.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { OpenEntry } from '../../../harness/cleanup/ledger.ts';
import { deleteIdle } from '../../../harness/resources/methods/idle-methods.ts';
import { deletePoints } from '../../../harness/target/delete-points.ts';
import { Delivery, type Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listedByHandle, listMethods } from '../steps/reading.ts';
import { METHOD_LISTS } from './reading/index.ts';

const REMOVES = 'delivery.method.delete-removes';
const GONE = 'a method must be gone after its delete was served';
/** More of them would repeat the finding. */
const MAX_TRIED = 3;

/** The owners of the profile. */
function ownersOf(context: Context): readonly Delivery[] {
  const { delivery, profile } = context;
  const { private: own, public: provider } = profile.delivery ?? {};
  return [
    delivery,
    // Without its key, asking for the second store would end the check.
    ...(own?.otherApiKey === undefined ? [] : [context.otherDelivery]),
    ...(provider?.apiKey === undefined || delivery.owner === 'public' ? [] : [new Delivery('public', provider.apiKey)]),
  ];
}

/** Whether the run still has the method, or does not know what became of it. */
const isOpen = (open: readonly OpenEntry[], { handle, reference }: Json): boolean =>
  open.some(
    ({ entry }) => entry.kind === 'delivery-method' && (entry.handle === handle || entry.reference === reference),
  );

/** The listed methods that carry the run's mark, and of which the run has deleted all that it knows. */
function deletedIn({ resources }: Context, listed: readonly Json[]): readonly Json[] {
  const marked = listed.filter((method) => resources.markIn(method) !== undefined);
  const open = marked.length === 0 ? [] : resources.ledger.openEntries();
  return marked.filter((method) => !isOpen(open, method));
}

/**
 * Asserts that no method is listed again of which this process has seen the delete served. It comes first: methods that come back may
 * leave no room for another one.
 */
async function expectNoneBack(context: Context): Promise<void> {
  for (const owner of ownersOf(context)) {
    const back = deletedIn(context, await listMethods(context, owner)).filter((method) =>
      context.resources.runHandles.isDeleted(method),
    );
    context.expect.that(back.length === 0, `${GONE}: ${back[0]?.handle} is still listed, or listed again`, {
      expected: 'a list without the method',
      actual: back[0],
    });
  }
}

/**
 * Asserts that a method is gone after one more delete. A creation that was sent twice, because its response was lost, has left a method
 * that nothing has deleted yet: that one goes.
 */
async function expectGone(context: Context, delivery: Delivery, method: Json): Promise<void> {
  const { expect, given, resources, send } = context;
  const handle = String(method.handle);
  // Where the service refuses to delete it, the run says that it was left behind.
  given.track({ kind: 'delivery-method', owner: delivery.owner, reference: resources.markIn(method)!, handle });
  let response = await send(delivery.deleteMethod(handle), 'delete');
  if (!isServed(response)) {
    // A service may refuse to delete a method that has points.
    await deletePoints((call) => send(call, 'given'), delivery, handle);
    response = await send(delivery.deleteMethod(handle), 'delete');
  }
  if (!isServed(response)) return;
  const still = (await listedByHandle(context, delivery, [handle])).get(handle);
  expect.that(still === undefined, `${GONE}: ${handle} is still listed, and has to be deleted in the store`, {
    expected: 'a list without the method',
    actual: still,
    response,
  });
}

export const checks: readonly Check[] = [
  check(
    'delivery.lists.deleted-methods',
    'MUST list none of the methods that were deleted, of whatever kind they were',
    { clauses: [REMOVES], ...OWN_METHODS, additional: true, alone: true, shares: METHOD_LISTS },
    async (context) => {
      const { delivery, expect, given, send } = context;
      await expectNoneBack(context);
      // One at least, where the run has made no other.
      const own = await given.newMethod(delivery);
      const response = await send(delivery.deleteMethod(own.handle), 'delete');
      await given.promised(response, REMOVES);
      // What other checks share is of more kinds; all that could use it have ended.
      await deleteIdle(context.resources);
      for (const owner of ownersOf(context)) {
        const listed = await listMethods(context, owner);
        expect.that(!listed.some(({ handle }) => handle === own.handle), GONE, {
          expected: 'a list without the method',
          actual: own.handle,
          response,
        });
        for (const method of deletedIn(context, listed).slice(0, MAX_TRIED)) await expectGone(context, owner, method);
      }
    },
  ),
];
