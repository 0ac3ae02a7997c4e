/** Undoes what a run did in the Delivery interface: methods it made, lists of points it replaced. */
import { resourceOf } from '../../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import { resolveNext } from '../../../../contracts/lists/pagination.ts';
import { portionsOf } from '../../../../contracts/lists/portions.ts';
import type { ServiceRequest } from '../../../target/client/request.ts';
import { addressOf } from '../../../target/client/request.ts';
import { deletePoints } from '../../../target/delete-points.ts';
import { Delivery, type Json } from '../../../target/interfaces/delivery.ts';
import { isServed } from '../../../target/response/judge-response.ts';
import type { LedgerEntry, MethodOwner } from '../../ledger.ts';
import { CannotUndo, type CleanupResult, isClientError, needed, served, type UndoTools } from '../outcome.ts';

type Of<Kind extends LedgerEntry['kind']> = Extract<LedgerEntry, { kind: Kind }>;

/** Whether a text carries the run's mark; a mark that only begins like it belongs to another run. */
export function carriesMark(text: unknown, mark: string): boolean {
  if (typeof text !== 'string' || mark === '') return false;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (!/^[A-Za-z0-9]/.test(text.slice(at + mark.length))) return true;
  }
  return false;
}

/** The title of a method in one text; a method that was tried without a reference carries the mark there. */
const titleText = ({ title }: Json): string => JSON.stringify(title ?? '');

/** Deletes the method of an entry: by its handle when that is known, else whatever carries its reference. */
export async function undoMethod(entry: Of<'delivery-method'>, tools: UndoTools): Promise<CleanupResult> {
  const object = `delivery method ${entry.reference}`;
  const delivery = deliveryOf(entry.owner, tools);
  if (entry.handle !== undefined) {
    const seen = tools.lastRead?.(entry.handle);
    if (seen !== undefined && isMarked(seen, tools.mark)) {
      await remove(delivery, entry.handle, tools);
      return { outcome: 'removed', object };
    }
    const known = await methodAt(delivery, entry.handle, tools, entry.reference);
    if (known === undefined) return { outcome: 'removed', object };
    if (!isOurs(known, entry, tools.mark)) {
      const reason = `the method ${entry.handle} has another reference now, so it was not changed: check it in the store and delete it there if the run created it`;
      return { outcome: 'left', object, reason };
    }
    // A creation may have returned another handle than the method has. Only the mark shows that it is the run's then.
    const isElsewhere = known.reference === entry.reference && carriesMark(entry.reference, tools.mark);
    const handle = isElsewhere && typeof known.handle === 'string' ? known.handle : entry.handle;
    await remove(delivery, handle, tools);
    return { outcome: 'removed', object };
  }
  const isMarkedReference = carriesMark(entry.reference, tools.mark);
  if (!isMarkedReference && tools.wasRefused !== true) {
    const reason =
      "its reference does not contain the run's mark, so it can't be distinguished from others: find it in the store";
    return { outcome: 'left', object, reason };
  }
  const ownIn = (methods: readonly Json[]): readonly Json[] => {
    const exact = methods.filter(
      (method) => method.reference === entry.reference || carriesMark(titleText(method), entry.reference),
    );
    // A reference that the run tries may have more words after its mark.
    const longer = methods.filter(({ reference }) => isMarkedReference && carriesMark(reference, entry.reference));
    return exact.length > 0 ? exact : longer;
  };
  const listed = tools.listed?.(entry.owner);
  let own: readonly Json[] = [];
  try {
    if (listed === undefined || ownIn(listed).length > 0) own = ownIn(await listMethods(delivery, tools));
  } catch (error) {
    // A target that refuses the create and the list alike has shown nothing that could be left behind.
    if (tools.wasRefused === true && error instanceof ListRefused)
      return { outcome: 'removed', object, isAbsent: true };
    throw error;
  }
  if (!isMarkedReference && own.length > 0) {
    const reason = `the target refused to create it and lists a method with its reference (handle ${own.map(({ handle }) => handle).join(', ')}), which does not contain the run's mark: delete it in the store if the run created it`;
    return { outcome: 'left', object, reason };
  }
  for (const { handle } of own) if (typeof handle === 'string') await remove(delivery, handle, tools);
  return {
    outcome: 'removed',
    object,
    ...(tools.wasRefused === true && own.length === 0 ? { isAbsent: true as const } : {}),
  };
}

/**
 * Deletes every method of an owner that carries the run's mark, also what no entry knows (a create that was served twice),
 * and looks again whether they are gone.
 */
export async function removeMarked(owner: MethodOwner, tools: UndoTools): Promise<CleanupResult[]> {
  const delivery = deliveryOf(owner, tools);
  const marked = async (): Promise<{ handle: string; object: string }[]> =>
    (await listMethods(delivery, tools)).flatMap((method) => {
      const { handle, reference } = method;
      return isMarked(method, tools.mark) && typeof handle === 'string'
        ? [{ handle, object: `delivery method ${String(reference ?? handle)}` }]
        : [];
    });
  const found = await marked();
  if (found.length === 0) return [];
  for (const { handle } of found) await remove(delivery, handle, tools);
  const still = new Set((await marked()).map(({ handle }) => handle));
  return found.map(({ handle, object }): CleanupResult => {
    if (!still.has(handle)) return { outcome: 'removed', object };
    return {
      outcome: 'left',
      object,
      reason: `the target reported that it deleted ${handle}, but still lists it: delete it in the store`,
    };
  });
}

/** Puts back a list of pickup points of a method that was there before the run. */
export async function undoPoints(entry: Of<'pickup-points'>, tools: UndoTools): Promise<CleanupResult> {
  const delivery = deliveryOf(entry.owner, tools);
  const country = entry.country === undefined ? {} : { country: entry.country };
  for (const portion of portionsOf(entry.old)) {
    const { is_initialization, is_finalization } = portion;
    const body = { pickup_points: portion.items, ...country, is_initialization, is_finalization };
    await served(tools.send(delivery.batchReplace(entry.handle, body)), 'restore the old pickup points');
  }
  return { outcome: 'restored', object: `pickup points of delivery method ${entry.handle}` };
}

function deliveryOf(owner: MethodOwner, { profile }: UndoTools): Delivery {
  const { private: own, public: provider } = profile.delivery ?? {};
  if (owner === 'public') return new Delivery(owner, needed(provider?.apiKey, 'delivery.public.apiKey'));
  if (owner === 'other') return new Delivery(owner, needed(own?.otherApiKey, 'delivery.private.otherApiKey'));
  return new Delivery(owner, needed(own?.apiKey, 'delivery.private.apiKey'));
}

/** The first page of the methods of an owner, in the largest size that most services give: to know several methods by one call. */
export async function firstMethods(owner: MethodOwner, tools: UndoTools): Promise<unknown> {
  const response = await tools.send(deliveryOf(owner, tools).listMethods({ pageSize: LARGE_PAGE_ITEMS }));
  return isServed(response) ? response.json : undefined;
}

const LARGE_PAGE_ITEMS = 100;

/** All methods of an owner; throws `CannotUndo` where the list can't be read to its end. */
export const methodsOf = (owner: MethodOwner, tools: UndoTools): Promise<readonly Json[]> =>
  listMethods(deliveryOf(owner, tools), tools);

/** A method without any reference is the run's when its handle is known from its creation; another's reference never is. */
function isOurs(method: Json, entry: Of<'delivery-method'>, mark: string): boolean {
  const { reference } = method;
  if (reference === undefined || reference === null || reference === '') return true;
  const isGiven = entry.given?.some((text) => text === reference) === true;
  return isGiven || reference === entry.reference || isMarked(method, mark);
}

const isMarked = (method: Json, mark: string): boolean =>
  carriesMark(method.reference, mark) || carriesMark(titleText(method), mark);

/**
 * The method as it is now; undefined if it does not exist (any more). If it can't be read, the list decides: by the handle, else by a
 * `reference` that carries the run's mark.
 */
async function methodAt(
  delivery: Delivery,
  handle: string,
  tools: UndoTools,
  reference?: string,
): Promise<Json | undefined> {
  const response = await tools.send(delivery.readMethod(handle));
  const method = isServed(response) ? resourceOf(response.json, 'delivery_method') : undefined;
  if (isJsonObject(method)) return method;
  const all = await listMethods(delivery, tools);
  const isOwn = (one: Json): boolean => one.reference === reference && carriesMark(reference, tools.mark);
  return all.find((one) => one.handle === handle) ?? all.find(isOwn);
}

/** Empties a method that is about to be deleted: a target may refuse to delete one with points, or to take an empty list. */
async function removePoints(delivery: Delivery, handle: string, tools: UndoTools): Promise<void> {
  if (isServed(await tools.send(delivery.batchReplace(handle, { pickup_points: [] })))) return;
  await deletePoints(tools.send, delivery, handle);
}

async function remove(delivery: Delivery, handle: string, tools: UndoTools): Promise<void> {
  const response = await tools.send(delivery.deleteMethod(handle));
  // Refused, perhaps because it is gone already.
  if (isServed(response) || (await methodAt(delivery, handle, tools)) === undefined) return;
  await removePoints(delivery, handle, tools);
  if (isServed(await tools.send(delivery.deleteMethod(handle)))) return;
  throw new CannotUndo(
    `the target refused to delete the method ${handle} (status ${response.status}): delete it in the store`,
  );
}

/** A link may begin at a method that others delete meanwhile; that hardly happens three times. */
const MAX_WALKS = 3;

/** All methods of an owner, page by page. Throws when a page is refused or the list does not end. */
async function listMethods(delivery: Delivery, tools: UndoTools): Promise<Json[]> {
  for (let walk = 1; ; walk += 1) {
    try {
      return await walkMethods(delivery, tools);
    } catch (error) {
      if (!(error instanceof LinkRefused) || walk === MAX_WALKS) throw error;
    }
  }
}

/** The first page was refused for good. */
class ListRefused extends CannotUndo {}

/** A page that another one led to was refused. */
class LinkRefused extends CannotUndo {}

async function walkMethods(delivery: Delivery, tools: UndoTools): Promise<Json[]> {
  const first = delivery.listMethods();
  const base = needed(tools.profile.v1, 'v1');
  const page = (url: string): ServiceRequest => ({ ...first, path: url.slice(base.length), query: [] });
  const items: Json[] = [];
  const seen = new Set<string>();
  let call: ServiceRequest | undefined = first;
  let otherwise: ServiceRequest | undefined;
  while (call !== undefined && !seen.has(addressOf(call, base))) {
    const current = addressOf(call, base);
    seen.add(current);
    if (seen.size > tools.profile.limits.maxPages) {
      throw new CannotUndo(
        `the list of methods continues after ${tools.profile.limits.maxPages} pages (limits.maxPages)`,
      );
    }
    let response = await tools.send(call);
    if (!isServed(response) && otherwise !== undefined) response = await tools.send(otherwise);
    const found = isServed(response) && isJsonObject(response.json) ? response.json.delivery_methods : undefined;
    if (!Array.isArray(found)) {
      const reason = `the target did not list its methods (status ${response.status})`;
      if (call !== first) throw new LinkRefused(reason);
      throw isClientError(response.status) ? new ListRefused(reason) : new CannotUndo(reason);
    }
    for (const item of found) if (isJsonObject(item)) items.push(item);
    const next = resolveNext(isJsonObject(response.json) ? response.json.next_page_uri : undefined, { base, current });
    call = 'url' in next && next.url.startsWith(base) ? page(next.url) : undefined;
    otherwise = 'otherwise' in next && next.otherwise?.startsWith(base) ? page(next.otherwise) : undefined;
  }
  return items;
}
