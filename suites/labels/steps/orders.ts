/** Orders that the driver places, and the label requests that pressing their button sends to the harness. */
import type { Page } from '@playwright/test';
import type { Fields } from '../../../contracts/signing/index.ts';
import { closeNewTabs } from '../../../harness/browser/shared-page.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { once } from '../../../harness/resources/once.ts';
import { NoResponse } from '../../../harness/target/client/no-response.ts';
import type { LabelState, OpenedOrder, OrderRequest } from '../../../harness/target/driver/target-driver.ts';
import type { Received } from '../../../harness/target/listener/index.ts';
import { isAbsent } from '../../../harness/target/profile/index.ts';
import { buyerOf } from './buyer.ts';
import {
  adminPage,
  type LabelMethod,
  listensOutOfReach,
  type MethodKind,
  methodOf,
  numericPointIdIn,
  pointIdIn,
} from './methods.ts';

/**
 * `own-address`: shipped to the buyer's own address. `pickup-point`: to a point of the method with hard values.
 * `numeric-point`: to a point of it whose id is a number with leading zeros. `other-address`: to another address than the buyer's own, with the method whose reference has two lines. `public`: bought with the delivery provider's method.
 */
export type OrderKind = 'own-address' | 'pickup-point' | 'numeric-point' | 'other-address' | 'no-label' | 'public';

export interface LabelOrder {
  readonly kind: OrderKind;
  readonly method: LabelMethod;
  readonly uuid: string;
  /** Whether it shows the button. A driver that can't say presses it where the method has a label address. */
  readonly hasButton: boolean;
  /** What its label requests have to hold, as far as the driver knows. */
  readonly labelFields: NonNullable<OpenedOrder['labelFields']>;
  /** Where its page was, to open it again. */
  readonly address: string;
  /** Requests of its presses so far. */
  readonly presses: Press[];
  /** The label as the store showed it last; undefined before it was first read. */
  state?: LabelState;
}

/** One press of the Print Label button and what the label page got from it. */
export interface Press {
  readonly order: LabelOrder;
  /** The POST; undefined when none came. */
  readonly request: Received | undefined;
  /** Everything that arrived in its place. */
  readonly arrived: readonly Received[];
}

/** A label request that came, with its fields. */
export interface LabelRequest {
  readonly order: LabelOrder;
  readonly received: Received;
  readonly fields: Fields;
}

const METHOD_OF: Readonly<Record<OrderKind, MethodKind>> = {
  'own-address': 'plain',
  'pickup-point': 'hard',
  'numeric-point': 'hard',
  'other-address': 'lines',
  'no-label': 'no-label',
  public: 'public',
};

/** What an order of a kind has that others lack. */
function wishesFor(context: Context, kind: OrderKind): Partial<OrderRequest> {
  if (kind === 'pickup-point') return { pickupPointId: pointIdIn(context) };
  const numeric = kind === 'numeric-point' ? numericPointIdIn(context) : undefined;
  if (numeric !== undefined) return { pickupPointId: numeric };
  return kind === 'other-address' ? { otherBuyerAddress: true } : {};
}

/** Which order a page shows, as far as is known; and whose an address is, since not every admin has one for each order. */
const shownOn = new WeakMap<Page, LabelOrder>();
const ordersAt = new WeakMap<Page, Map<string, Set<string>>>();

/** The value of a field; the first one, where a name is there twice. */
export const fieldOf = (request: Pick<LabelRequest, 'fields'>, name: string): string | undefined =>
  request.fields.find(([field]) => field === name)?.[1];

const canSayButton = ({ resources }: Context): boolean => resources.driver.hasPrintLabel !== undefined;

/** Has the driver place one more order of that kind. */
export async function newOrder(context: Context, kind: OrderKind): Promise<LabelOrder> {
  const method = await methodOf(context, METHOD_OF[kind]);
  const page = await adminPage(context);
  const apiKey = method.owner.key.reveal();
  const { orderUuid, labelFields = {} } = await context.driver.openOrder(page, {
    ...{ apiKey, handle: method.handle, buyer: buyerOf(context, kind !== 'own-address') },
    ...wishesFor(context, kind),
  });
  context.placedOrder(orderUuid);
  const hasButton = canSayButton(context) ? await context.driver.hasPrintLabel(page) : method.labelUrl !== null;
  const order = { kind, method, uuid: orderUuid, hasButton, labelFields, address: page.url(), presses: [] };
  shownOn.set(page, order);
  const known = ordersAt.get(page) ?? new Map<string, Set<string>>();
  ordersAt.set(page, known.set(order.address, (known.get(order.address) ?? new Set()).add(orderUuid)));
  return order;
}

/** The order of that kind that the checks of this process share. No callback answers its requests. */
export function orderOf(context: Context, kind: OrderKind): Promise<LabelOrder> {
  return once(context, `order: ${kind}`, () => newOrder(context, kind));
}

/** Presses the button on an order's page and waits for what the label page gets. The page has to be open and have the button. */
export async function press(context: Context, order: LabelOrder): Promise<Press> {
  const listener = await context.listener();
  const page = await adminPage(context);
  const { listensAs } = order.method;
  const before = listener.received(listensAs).length;
  const handshakes = listener.refusedHandshakes;
  const tabs = page.context().pages();
  await context.driver.pressPrintLabel(page);
  const { timeoutMs } = context.profile.limits;
  const request = await listener.waitFor(listensAs, before, timeoutMs, ({ method }) => method === 'POST');
  const arrived = listener.received(listensAs).slice(before);
  for (const { exchange } of arrived) if (exchange !== undefined) context.exchanges.push(exchange);
  await closeNewTabs(page, tabs);
  if (arrived.length === 0) explainSilence(context, order, listener.refusedHandshakes > handshakes);
  const pressed = { order, request, arrived };
  order.presses.push(pressed);
  return pressed;
}

/** Nothing came: said as a fault of the target only where it could have reached the harness. */
function explainSilence(context: Context, order: LabelOrder, triedTls: boolean): void {
  if (triedTls) {
    throw new Inconclusive(
      'after Print Label a client connected to the label page and did not accept its certificate: set a "listen.publicUrl" whose certificate the target trusts',
      'configuration',
    );
  }
  if (order.method.labelUrl !== null && listensOutOfReach(context, order.method.labelUrl)) {
    throw new Inconclusive(
      `after Print Label no request has reached ${order.method.labelUrl}, which only this machine can reach: set "listen.publicUrl" in the profile, in case the target sends the request itself`,
      'configuration',
    );
  }
}

/** The first press of the shared order of that kind. */
export async function firstPress(context: Context, kind: OrderKind): Promise<Press> {
  return once(context, `first press: ${kind}`, async () => {
    const order = await orderOf(context, kind);
    context.given.holds(
      order.hasButton,
      'labels.button.shown-with-url',
      'the order shows no Print Label button, so it could not be pressed',
    );
    await mustOpen(context, order);
    return press(context, order);
  });
}

/** A second press of the shared order that is shipped to the buyer's own address. */
export function secondPress(context: Context): Promise<Press> {
  return once(context, 'second press: own-address', async () => {
    const { order } = await firstPress(context, 'own-address');
    await mustOpen(context, order);
    return press(context, order);
  });
}

/** The label request of the shared order of that kind, its arrival being a precondition. */
export async function requestOf(context: Context, kind: OrderKind): Promise<LabelRequest> {
  return received(context, await firstPress(context, kind));
}

/** The label request of a press, its arrival being a precondition. */
export function received({ given }: Context, { order, request }: Press): LabelRequest {
  const clause = 'labels.request.posted-to-label-url';
  const result = given.present(request, clause, 'the press sent no POST to the label page');
  given.holds(result.fields.length > 0, clause, 'the POST to the label page contained no form fields', {
    exchange: result.exchange,
  });
  return { order, received: result, fields: result.fields };
}

/** Kinds of orders with a label; only the first is bought in every shop. */
const KINDS = ['own-address', 'pickup-point', 'other-address', 'public'] as const;

/** Whether what was tried could not be had here, which other checks find out the reason of. */
export const isUndecided = (error: unknown): boolean =>
  error instanceof GivenFailure || error instanceof Inconclusive || error instanceof NoResponse;

/**
 * What is made for each kind of order that can be had, at least for the order to the buyer's own address. A kind that can't be
 * had is the affair of the checks that are about it.
 */
export async function forEachKind<T>(context: Context, make: (kind: OrderKind) => Promise<T>): Promise<T[]> {
  const [own, ...others] = KINDS;
  const all = [await make(own)];
  for (const kind of others) {
    if (kind === 'public' && !hasProvider(context)) continue;
    try {
      all.push(await make(kind));
    } catch (error) {
      if (!isUndecided(error)) throw error;
    }
  }
  return all;
}

const hasProvider = ({ profile }: Context): boolean =>
  profile.delivery?.public?.apiKey !== undefined && !isAbsent(profile, 'delivery.public');

/** The label requests of all kinds of orders that can be had. */
export const requestsOf = (context: Context): Promise<LabelRequest[]> =>
  forEachKind(context, (kind) => requestOf(context, kind));

/** Brings an order's page up again, so that its button can be pressed; false when the button can't be reached. */
export async function open(context: Context, order: LabelOrder): Promise<boolean> {
  const page = await adminPage(context);
  const has = async () =>
    canSayButton(context) ? context.driver.hasPrintLabel(page).catch(() => false) : page.url() === order.address;
  const isOwnAddress = ordersAt.get(page)?.get(order.address)?.size === 1;
  const isThere = page.url() === order.address && (isOwnAddress || shownOn.get(page) === order);
  if (isThere && (await has())) return true;
  shownOn.delete(page);
  const ways: (() => Promise<unknown>)[] = [
    ...(isOwnAddress ? [() => page.goto(order.address, AT_ONCE)] : []),
    ...(context.resources.driver.labelOf === undefined ? [] : [() => stateOf(context, order)]),
  ];
  for (const way of ways) {
    await way().catch(() => undefined);
    if (!(await has())) continue;
    shownOn.set(page, order);
    return true;
  }
  return false;
}

/** The button is there when the document is; pictures of a page are not waited for. */
const AT_ONCE = { waitUntil: 'domcontentloaded' } as const;

async function mustOpen(context: Context, order: LabelOrder): Promise<void> {
  if (await open(context, order)) return;
  throw new Inconclusive(
    'the page of the order could not be opened again to press Print Label: let the driver end on an address that shows it',
    'configuration',
  );
}

/** The label of an order as the store shows it now. */
export async function stateOf(context: Context, order: LabelOrder): Promise<LabelState> {
  const page: Page = await adminPage(context);
  order.state = await context.driver.labelOf(page, order.uuid);
  return order.state;
}
