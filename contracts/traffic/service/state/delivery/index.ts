/** Delivery methods and their pickup points: what served writes leave behind, and what later reads show of it. */
import { type RuleContext, responseKind, type ServiceRequest } from '../../../call.ts';
import type { PendingFindings } from '../values/pending.ts';
import { DeliveryLists } from './lists.ts';
import { addMethod, writeMethod } from './methods.ts';
import { writePoints } from './points.ts';
import { readMethod, readMethods, readPoint, readPoints } from './reads.ts';

/** A list that was read from its first page to its last. */
export interface FinishedWalk {
  readonly call: ServiceRequest;
  readonly ids: ReadonlySet<string>;
  readonly startMs: number;
  readonly desc: boolean | undefined;
  /** Its request parameters: walks that differ in them read one list in two ways. */
  readonly parameters: string;
}

/** A rule with memory: `call` with every call of one base in their order, `walked` with each finished walk. */
export function deliveryState({ facts }: RuleContext, pending: PendingFindings) {
  const lists = new DeliveryLists(facts, pending);
  return {
    call: (call: ServiceRequest): void => applyCall(lists, call),
    walked({ call, ids, ...walk }: FinishedWalk): void {
      const { operation, match } = call;
      const hasOpenUpload =
        operation?.id === 'listPoints' && lists.pointsOf(call, match?.params.handle ?? '').upload !== undefined;
      if (!hasOpenUpload) lists.listReadBy(call)?.walked(ids, call, walk);
    },
    /** Whether nothing was written to the list of a walk since it began. */
    isUnchanged: (call: ServiceRequest, startMs: number): boolean =>
      lists.listReadBy(call)?.isUnchangedSince(startMs) ?? false,
    forget: (): void => lists.forget(),
  };
}

function applyCall(lists: DeliveryLists, call: ServiceRequest): void {
  const { operation, match } = call;
  if (operation === undefined || match === undefined) return;
  const isServed = responseKind(call) === 'served';
  const handle = match.params.handle ?? '';
  switch (operation.id) {
    case 'listMethods':
      if (isServed) readMethods(lists, call);
      return;
    case 'readMethod':
      readMethod(lists, call, handle);
      return;
    case 'addMethod':
      lists.touchOthers(call, '');
      addMethod(lists, call);
      return;
    case 'changeMethod':
    case 'deleteMethod':
      lists.touchOthers(call, handle);
      writeMethod(lists, call, handle);
      return;
    case 'listPoints':
      if (isServed) readPoints(lists, call, handle);
      return;
    case 'readPoint':
      readPoint(lists, call, handle, match.params.point ?? '');
      return;
    case 'addPoint':
    case 'changePoint':
    case 'deletePoint':
    case 'batchReplace': {
      const handles = handle.split(',');
      for (const one of handles) lists.touchOthers(call, one);
      writePoints(lists, call, handles);
      // A service may list points under several handles as well.
      if (handles.length > 1) lists.pointsOf(call, handle).collection.touched(call);
    }
  }
}
