/**
 * Authentic label requests: one real press of the button on the store's admin page, and one request for each kind of order.
 * Each is made once and written down; the checks judge it. Nothing here throws for what the page does.
 */

import pMap from 'p-map';
import type { Fields } from '../../../contracts/signing/index.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import type { Screenshot } from '../../../harness/check/findings/index.ts';
import { isServiceAddress } from '../../../harness/integrator/counterpart.ts';
import { once } from '../../../harness/integrator/once.ts';
import { failsForItself } from '../../../harness/integrator/own-failure.ts';
import {
  adviceOnOverload,
  describePage,
  isOverloaded,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, maxWaitMs } from '../../../harness/integrator/page/visit.ts';
import type { DeliveryContext, DeliverySession, LabelRequest } from '../session.ts';
import { type Callback, callbacksOf, successesOf } from './callbacks.ts';
import { watchDocuments } from './documents/index.ts';
import { type Order, ordersToTry, requestOf } from './orders.ts';
import { capturePage } from './screenshot.ts';
import { follow, type Visit } from './visit/follow.ts';
import { visit } from './visit/index.ts';
import { signedBy, type WaitLimits } from './visit/open-form.ts';

/** One order and what the page made of its label request. */
export interface PrintResult {
  /** For the report: `a cart of 200 lines`. */
  readonly name: string;
  /** Kind of the order, for more of its like. */
  readonly kind: string;
  /** For more orders of exactly this kind; omitted for the one that was pressed in the store's admin. */
  readonly order?: Order;
  readonly visit: Visit;
  /** A gateway answered, and each time only for this order: the program behind it fails on it. */
  readonly isOwnFailure?: boolean;
}

export interface Press {
  /** Undefined when the press led to no request at all. */
  readonly printed: PrintResult | undefined;
  readonly screenshots: readonly Screenshot[];
}

/** The first response of a page may be slow: caches are cold, a label is drawn by another service, a queue has other work. */
const FIRST: WaitLimits = { documentMs: 15_000, callbackMs: 25_000 };
/** A page whose queue took so long once may take somewhat longer the next time. */
const QUEUE_FACTOR = 1.25;
const QUEUE_MARGIN_MS = 2_000;
const DOCUMENT_MS = 10_000;
/** Orders are authentic: a page that is slower under load than alone must not be taken for a silent one. */
const MIN_ORDER_WAIT_MS = 3_000;
const ORDERS_AT_A_TIME = 3;
/** A page that takes so long for one order may do one after another: then it gets them one at a time. */
const SLOW_MS = 4_000;
/** A slow page that does several orders at once gets so many: it hardly works on them, it waits. */
const ORDERS_OF_A_WAITING_PAGE = 6;
/** Several orders at once take a page that does one after another at least twice as long as one. */
const ONE_BY_ONE_FACTOR = 1.7;
/** A page that does one order after another gets no further ones after this time; the kinds of orders come first. */
const ONE_BY_ONE_MS = 75_000;
/** Unanswered orders are tried again alone; when so many stay unanswered, the rest would only repeat the verdict. */
const MAX_SILENT = 2;
/** A page that reports none of the first so many orders gets no further ones: they would only repeat the verdict. */
const MAX_SILENT_KINDS = 6;
/** A page that reports so often takes so long for each order that a few must do. */
const MANY_CALLBACKS = 20;
const ORDERS_OF_A_NOISY_PAGE = 4;

/** The press of the button, made when it is first asked for. */
export const pressOf = once(({ session }: DeliveryContext): Promise<Press> => press(session));

async function press(session: DeliverySession): Promise<Press> {
  const { counterpart, provider } = session;
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const page = await browser.newPage();
      await counterpart.driver.openOrder(page, { apiKey: provider.apiKey.reveal(), handle: counterpart.handles.label });
      const before = counterpart.issued.length;
      const documents = watchDocuments(page, (url) => isServiceAddress(counterpart, url));
      const began = performance.now();
      await counterpart.driver.pressPrintLabel(page);
      const request = counterpart.issued[before];
      if (request === undefined) return { printed: undefined, screenshots: [] };
      const made = await follow(session, page, { request, documents, waits: FIRST, began });
      const screenshots = await capturePage(session, page, "After Print Label: the final page of the store's admin");
      return { printed: { name: "the order of the store's admin page", kind: 'address', visit: made }, screenshots };
    },
  );
}

/** Sessions whose page has reported no order after the first one, of whatever kind. */
const silentAfterFirst = new WeakSet<DeliverySession>();
/** Such a page is not waited for with each further order: only what is quick can come. */
const SILENT_MS = 1_000;

/** How long a callback is waited for: so long, or only briefly where the page has become silent. */
export const patienceWith = (session: DeliverySession, ms: number): number =>
  silentAfterFirst.has(session) ? SILENT_MS : ms;

/** How long to wait for a page that took so long when all was well. */
export async function paceOf(context: DeliveryContext): Promise<WaitLimits> {
  const { printed } = await pressOf(context);
  const lagMs = printed?.visit.lagMs ?? 0;
  const usualMs = maxWaitMs(lagMs);
  // Where several times the lag would be too long, at least that of a queue is waited for.
  const callbackMs = usualMs > lagMs * 2 ? usualMs : Math.max(usualMs, lagMs * QUEUE_FACTOR + QUEUE_MARGIN_MS);
  return { documentMs: DOCUMENT_MS, callbackMs: patienceWith(context.session, callbackMs) };
}

/** A page that looks up what it made before, or did not respond the first time, may take longer than for something new. */
const LONGER_MS = 10_000;

/** How long to wait for a response that may take longer than usual. */
export async function longPaceOf(context: DeliveryContext): Promise<WaitLimits> {
  const pace = await paceOf(context);
  return { ...pace, callbackMs: patienceWith(context.session, Math.max(LONGER_MS, pace.callbackMs)) };
}

/** How many orders a page can do at once: one, if it is slow and does one after another. */
async function ordersAtATime(context: DeliveryContext): Promise<number> {
  const { printed } = await pressOf(context);
  if (printed === undefined || printed.visit.tookMs <= SLOW_MS) return ORDERS_AT_A_TIME;
  return (await firstOrders(context)).atATime;
}

/** Whether a page does one order after another, and takes long for each. */
export const isOneByOne = async (context: DeliveryContext): Promise<boolean> => (await ordersAtATime(context)) === 1;

/** The first orders of a slow page, at the same time: how long they take shows whether it does one after another. */
const firstOrders = once(async (context: DeliveryContext) => {
  const { session } = context;
  const { visit: alone } = await givenResponse(context);
  const pace = await orderPace(context);
  const wanted = ordersToTry(session).slice(0, ORDERS_AT_A_TIME);
  const tried = await Promise.all(wanted.map((order) => print(session, order, pace)));
  const areQuick = tried.every(
    ({ visit: { request, tookMs } }) =>
      callbacksOf(session, request).length > 0 && tookMs < alone.tookMs * ONE_BY_ONE_FACTOR,
  );
  return { tried, atATime: areQuick ? ORDERS_OF_A_WAITING_PAGE : 1 };
});

/** How long an order of any kind is waited for, before it is tried again. */
async function orderPace(context: DeliveryContext): Promise<WaitLimits> {
  const pace = await paceOf(context);
  return { ...pace, callbackMs: Math.max(MIN_ORDER_WAIT_MS, pace.callbackMs * 2) };
}

/** The press was answered by a callback, of whatever kind. */
export async function givenResponse(context: DeliveryContext): Promise<PrintResult> {
  const { printed } = await pressOf(context);
  if (printed === undefined || callbacksOf(context.session, printed.visit.request).length === 0) {
    throwIfStuck(printed);
    throw new GivenFailure('the page does not answer the first label request', 'provider.label.sends-callback');
  }
  return printed;
}

/** The page did not get to its end, for a reason that no clause covers. */
export const isBlocked = ({ visit: { stuck, snapshot }, isOwnFailure }: PrintResult): boolean =>
  stuck !== undefined || (isOverloaded(snapshot) && isOwnFailure !== true);

/** A page that needs a person, or has too much to do, is not a fault, and cannot be judged further. */
export function throwIfStuck(printed: PrintResult | undefined): void {
  if (printed === undefined) return;
  const { stuck, snapshot } = printed.visit;
  if (isOverloaded(snapshot) && printed.isOwnFailure !== true)
    throw new Inconclusive(
      `the label page answers ${printed.name} with status ${snapshot.status}: ${adviceOnOverload(snapshot)}`,
      'target',
    );
  if (stuck === undefined) return;
  throw new Inconclusive(
    `the label page asks for more input and ${stuck}: give --driver FILE with submitLabelPage (docs/integrator.md); seen after ${printed.name}: ${describePage(printed.visit.snapshot)}`,
    'configuration',
  );
}

/** Further fields come before the address of the callback, as those of the settings form would. */
export const withAdditionalFields = (fields: Fields, more: Fields): Fields => {
  const at = fields.findIndex(([name]) => name === 'callback_url');
  return [...fields.slice(0, at), ...more, ...fields.slice(at)];
};

/** Orders of every kind with the documented fields, each printed once. Given that the press was answered. */
export async function ordersOf(context: DeliveryContext): Promise<readonly PrintResult[]> {
  await givenResponse(context);
  return allOrders(context);
}

const allOrders = once(async (context: DeliveryContext): Promise<readonly PrintResult[]> => {
  const { session } = context;
  const first = await givenResponse(context);
  const isNoisy = callbacksOf(session, first.visit.request).length > MANY_CALLBACKS;
  const wanted = ordersToTry(session).slice(0, isNoisy ? ORDERS_OF_A_NOISY_PAGE : undefined);
  const pace = await orderPace(context);
  const atATime = await ordersAtATime(context);
  const isSlow = first.visit.tookMs > SLOW_MS;
  const tried = isSlow ? (await firstOrders(context)).tried : [];
  const began = performance.now();
  const printAll = async (orders: readonly Order[], done: readonly PrintResult[] = []): Promise<PrintResult[]> => {
    const rest = await pMap(
      orders.slice(done.length),
      async (order) => {
        if (atATime === 1 && performance.now() - began > ONE_BY_ONE_MS) return undefined;
        return print(session, order, pace);
      },
      { concurrency: atATime },
    );
    return [...done, ...rest.filter((one) => one !== undefined)];
  };
  const areSilent = (all: readonly PrintResult[]): boolean =>
    all.length >= MAX_SILENT_KINDS && all.every((one) => isSilent(session, one));
  let begun = await printAll(wanted.slice(0, MAX_SILENT_KINDS), tried);
  if (areSilent(begun)) begun = await withSecondTries(session, wanted, begun, pace);
  if (areSilent(begun)) {
    silentAfterFirst.add(session);
    return begun;
  }
  const rest = await printAll(wanted.slice(MAX_SILENT_KINDS));
  return withSecondTries(session, wanted, [...begun, ...rest], pace);
});

/** The page did not report an order, and nothing that a person has to do explains it. */
const isSilent = (session: DeliverySession, { visit: { stuck, request } }: PrintResult): boolean =>
  stuck === undefined && callbacksOf(session, request).length === 0;

/** Orders that were printed, in the order of `orders`; a silent one was tried once more by itself, with more time. */
async function withSecondTries(
  session: DeliverySession,
  orders: readonly Order[],
  printed: readonly PrintResult[],
  pace: WaitLimits,
): Promise<PrintResult[]> {
  const all = [...printed];
  let stillSilent = 0;
  for (const [at, one] of all.entries()) {
    if (stillSilent >= MAX_SILENT || !isSilent(session, one)) continue;
    const order = orders[at] as Order;
    // A page that shows the label of another order has finished: it needs no longer wait.
    const again = await print(session, order, one.visit.instead === 'shown' ? pace : FIRST);
    const isStill = isSilent(session, again);
    const isOwnFailure = isStill && isOverloaded(again.visit.snapshot) && (await failsOn(session, order, pace));
    all[at] = isOwnFailure ? { ...again, isOwnFailure } : again;
    if (isStill) stillSilent += 1;
  }
  return all;
}

/** Whether the page fails on one order, and reports the one that was pressed on the store's admin page. */
const failsOn = (session: DeliverySession, order: Order, pace: WaitLimits): Promise<boolean> => {
  const reported = ({ visit: { request } }: PrintResult): boolean => callbacksOf(session, request).length > 0;
  return failsForItself({
    again: async () => {
      const again = await print(session, order, pace);
      return reported(again) ? undefined : again.visit.snapshot;
    },
    control: async () => reported(await print(session, { name: 'the control', wish: { kind: 'address' } }, pace)),
  });
};

async function print(session: DeliverySession, order: Order, pace: WaitLimits): Promise<PrintResult> {
  const request = requestOf(session, order);
  const { name, wish } = order;
  return { name, kind: wish.kind ?? 'address', order, visit: await printed(session, request, pace, order.arrange) };
}

/** Prints an authentic request in a page of the pool. */
export const printed = (
  session: DeliverySession,
  request: LabelRequest,
  pace: WaitLimits,
  arrange: Order['arrange'] = (signed) => signed,
): Promise<Visit> =>
  session.pages.use((page) => visit(session, page, request, arrange(signedBy(session, request.fields)), pace));

/** A report of success with the order that it is for. */
export interface Success extends PrintResult {
  readonly callback: Callback;
}

/** The first report of success for each order that has one: of the press and of all kinds. */
export async function successes(context: DeliveryContext): Promise<Success[]> {
  const all = [await givenResponse(context), ...(await ordersOf(context))];
  return all.flatMap((one) => {
    const [callback] = successesOf(context.session, one.visit.request);
    return callback === undefined ? [] : [{ ...one, callback }];
  });
}

/** At least one order was reported as printed. */
export async function givenSuccess(context: DeliveryContext): Promise<readonly [Success, ...Success[]]> {
  const [first, ...rest] = await successes(context);
  if (first !== undefined) return [first, ...rest];
  const press = await givenResponse(context);
  const [failure] = callbacksOf(context.session, press.visit.request);
  const said = failure?.pairs.find(([name]) => name === 'error_msg')?.[1] ?? '';
  throw new Inconclusive(
    `the page reports error_msg for every order (${JSON.stringify(said.slice(0, 200))}), so no label was received: let it print labels for the orders of this precheck, with a test account for example`,
    'target',
  );
}
