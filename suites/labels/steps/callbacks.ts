/** Callbacks of a provider, delivered as its page would send them, and what came of them in the order. */
import { type Fields, formEncode, SIGNATURE_FIELD, withSignature } from '../../../contracts/signing/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { once } from '../../../harness/resources/once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { LabelState } from '../../../harness/target/driver/target-driver.ts';
import { adminPage, listensOutOfReach } from './methods.ts';
import { fieldOf, type LabelOrder, type LabelRequest, newOrder, open, press, received, stateOf } from './orders.ts';

/** A callback may be answered by sending the browser on; no service sends it further than this. */
const MAX_REDIRECTS = 4;
/** A service may store a label after it has answered; it is read again after these pauses before it counts as not stored. */
const PAUSES_MS = [50, 100, 200, 400, 800];

/** How the query of a callback is written. Its values are signed as they are, in either way. */
export type WriteQuery = (fields: Fields) => string;

const percentEncoded: WriteQuery = (fields) =>
  fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

/** How a callback is sent, where that is not as usual. */
export interface Sending {
  readonly write?: WriteQuery;
  /** Without the cookies of the browser, as the server of a provider sends it. */
  readonly isFromServer?: boolean;
}

/** With a plus for each space, as forms and the query builders of many languages write it. */
export const asForm: WriteQuery = formEncode;

/**
 * Sends a callback: a GET to the callback_url of the request with the fields appended in their order. It carries the cookies
 * that the browser has for that address, as a page of the provider would, and no credential of the profile.
 */
export async function sendCallback(
  context: Context,
  request: LabelRequest,
  fields: Fields,
  role = 'callback',
  { write = percentEncoded, isFromServer = false }: Sending = {},
): Promise<ServiceResponse> {
  let address = callbackAddress(context, request, write(fields));
  for (let hops = 0; ; hops += 1) {
    const response = await get(context, address, role, isFromServer ? [] : await cookiesFor(context, address));
    const location = response.status >= 300 && response.status < 400 ? response.header('location') : undefined;
    const next = location === undefined ? null : URL.parse(location, address);
    if (next === null || !/^https?:$/.test(next.protocol) || hops === MAX_REDIRECTS) return response;
    address = next.href;
  }
}

/** The callback_url with the fields behind it, which may have a query of its own. */
function callbackAddress({ given }: Context, request: LabelRequest, query: string): string {
  const clause = 'labels.request.callback-url';
  const address = fieldOf(request, 'callback_url');
  const found = address !== undefined && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
  const url = given.present(found, clause, 'the label request had no callback_url', {
    exchange: request.received.exchange,
  });
  const [bare = ''] = url.split('#', 1);
  return `${bare}${bare.includes('?') ? '&' : '?'}${query}`;
}

type Cookies = readonly { readonly name: string; readonly value: string }[];

/** The cookies that the browser sends to an address. */
export async function cookiesFor(context: Context, url: string): Promise<Cookies> {
  const cookies = await (await adminPage(context)).context().cookies(url);
  const { redaction } = context.resources;
  for (const { name, value } of cookies) redaction.add({ name: `COOKIE_${name.toUpperCase()}`, value });
  return cookies;
}

async function get(context: Context, url: string, role: string, cookies: Cookies): Promise<ServiceResponse> {
  const { client } = context.resources;
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = [['accept', 'text/html,application/json;q=0.9,*/*;q=0.8'] as const];
  const response = await client.send(
    { method: 'GET', url, headers: cookie === '' ? headers : [...headers, ['cookie', cookie]] },
    { role, safe: false },
  );
  context.exchanges.push(response.exchange);
  return response;
}

/**
 * An address of a label that was never named before, with a signed query as storages give; a PDF is there, for services that fetch
 * it. `plain`: without escapes and shorter, for services that refuse the other one.
 */
async function newLabelUrl(context: Context, plain = false): Promise<string> {
  const listener = await context.listener();
  const labels = listener.serve('labels', () => ({ headers: { 'content-type': 'application/pdf' }, body: SMALL_PDF }));
  const address = `${labels}/${context.resources.newMark()}.pdf?client=7&from=8`;
  return plain ? address : `${address}&name=for+print&Policy=${'Zm9yLTc1'.repeat(40)}&Signature=k%2B2%2FQ%3D`;
}

const SMALL_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 283 425]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

/** The success callback of a request without its signature; `more` are tracking fields and others. */
export function successFields(request: LabelRequest, labelUrl: string, more: Fields = []): Fields {
  return [['label_request_id', fieldOf(request, 'label_request_id') ?? ''], ['label_url', labelUrl], ...more];
}

/** The fields signed with the key of the order's method. */
export const signedBy = (request: LabelRequest, fields: Fields): Fields =>
  withSignature(fields, request.order.method.owner.key.reveal());

/** One signature in four has both marks; one callback in a million lacks one of them, which is harmless. */
const MAX_SIGNATURES = 50;

/**
 * A success callback for a new label, rightly signed. The signature has a plus and a slash, which addresses treat in their own way:
 * a store that reads one of them wrongly would take every second callback, and a repetition would hide it.
 */
export async function newSuccess(
  context: Context,
  request: LabelRequest,
  fieldsOf: FieldsOf = successFields,
  plain = false,
): Promise<{ readonly labelUrl: string; readonly fields: Fields }> {
  for (let count = 1; ; count += 1) {
    const labelUrl = await newLabelUrl(context, plain);
    const fields = signedBy(request, fieldsOf(request, labelUrl));
    const signature = fieldOf({ fields }, SIGNATURE_FIELD) ?? '';
    const hasBoth = signature.includes('+') && signature.includes('/');
    if (hasBoth || count === MAX_SIGNATURES) return { labelUrl, fields };
  }
}

/** Whether two looks at an order show the same label. */
export const sameLabel = (a: LabelState, b: LabelState): boolean =>
  a.labelUrl === b.labelUrl && a.trackingCode === b.trackingCode && a.trackingUrl === b.trackingUrl;

/** The label of an order once it is as `wanted`, or as it is when it does not get there. */
export async function waitForLabelState(
  context: Context,
  order: LabelOrder,
  wanted: (state: LabelState) => boolean | Promise<boolean>,
): Promise<LabelState> {
  let state = await stateOf(context, order);
  for (const pause of PAUSES_MS) {
    if (await wanted(state)) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
    state = await stateOf(context, order);
  }
  return state;
}

/**
 * A label request to be answered by a callback: of a new press on the order that callbacks are tried on, or on a new order
 * when that one can't be pressed any more (a store may take the button away once there is a label) or when `fresh` is set.
 */
export async function newLabelRequest(context: Context, fresh = false): Promise<LabelRequest> {
  const holder = await once(context, 'order for callbacks', async () => ({
    order: await newOrder(context, 'own-address'),
  }));
  const { given } = context;
  if (fresh || !(await open(context, holder.order))) {
    holder.order = await newOrder(context, 'own-address');
    given.holds(holder.order.hasButton, 'labels.button.shown-with-url', 'the order shows no Print Label button');
  }
  return pressForRequest(context, holder.order);
}

/** The request of one more press, with its id. The page of the order has to be open. */
export async function pressForRequest(context: Context, order: LabelOrder): Promise<LabelRequest> {
  const request = received(context, await press(context, order));
  const id = fieldOf(request, 'label_request_id') ?? '';
  const evidence = { exchange: request.received.exchange };
  context.given.holds(id !== '', 'labels.request.id-present', 'the label request had no label_request_id', evidence);
  return request;
}

/**
 * Whether an order shows a label: at the address that the callback named, or as the store's own copy of the file, which it has
 * fetched from there. An address on the host of the label does not count as a copy.
 */
export async function showsLabel(
  context: Context,
  { labelUrl: shown }: LabelState,
  labelUrl: string,
  before: LabelState,
): Promise<boolean> {
  if (shown === labelUrl) return true;
  if (shown === null || shown === '' || shown === before.labelUrl) return false;
  const { host, pathname } = new URL(labelUrl);
  if (URL.parse(shown, context.profile.v1)?.host === host || shown.includes(host)) return false;
  const file = pathname.split('/').at(-1)!;
  const fetched = (await context.listener()).received('labels');
  return fetched.some(({ method, path }) => method === 'GET' && path.endsWith(`/${file}`));
}

/** What came of a callback that should be accepted. */
export interface CallbackDelivery {
  readonly request: LabelRequest;
  readonly labelUrl: string;
  /** Whether the order has the label now. */
  readonly isStored: boolean;
  readonly before: LabelState;
  readonly after: LabelState;
  readonly response: ServiceResponse;
}

/** The fields of a callback, from the request that it answers and the address of its label. */
export type FieldsOf = (request: LabelRequest, labelUrl: string) => Fields;

/**
 * Answers a new label request with a success callback of these fields, rightly signed. A store that takes no second label for
 * an order is tried once more with a new order, since the contract does not speak of that.
 */
export async function deliver(
  context: Context,
  fieldsOf: FieldsOf,
  fresh = false,
  how?: Sending,
): Promise<CallbackDelivery> {
  const delivered = await sendSuccess(context, await newLabelRequest(context, fresh), fieldsOf, false, how);
  if (delivered.isStored) return delivered;
  if (!fresh && delivered.before.labelUrl !== null) return deliver(context, fieldsOf, true, how);
  // No form of addresses is promised: one that we chose may be refused.
  if (delivered.response.status < 400) return delivered;
  return sendSuccess(context, await newLabelRequest(context, true), fieldsOf, true, how);
}

/**
 * Whether a store that did not keep a label may be unable to fetch it, which a store may do first. One that has a label may take no other
 * for the same order, whatever it met meanwhile: a new order shows that.
 */
export const mayLackAccess = (before: Pick<LabelState, 'labelUrl'>, isReached: boolean): boolean =>
  before.labelUrl === null && !isReached;

/** Answers a label request with a success callback of these fields, rightly signed. */
export async function sendSuccess(
  context: Context,
  request: LabelRequest,
  fieldsOf: FieldsOf,
  plain = false,
  how?: Sending,
): Promise<CallbackDelivery> {
  const { order } = request;
  const before = order.state ?? (await stateOf(context, order));
  const { labelUrl, fields } = await newSuccess(context, request, fieldsOf, plain);
  const listener = await context.listener();
  const handshakes = listener.refusedHandshakes;
  const response = await sendCallback(context, request, fields, 'callback', how);
  const isShown = (state: LabelState) => showsLabel(context, state, labelUrl, before);
  const after = await waitForLabelState(context, order, isShown);
  const isStored = await isShown(after);
  const isReached = listener.refusedHandshakes === handshakes && !listensOutOfReach(context, labelUrl);
  if (!isStored && mayLackAccess(before, isReached)) {
    throw new Inconclusive(
      `the store did not accept the label ${labelUrl}; it may be unable to reach or trust that address: set "listen.publicUrl" in the profile`,
      'configuration',
    );
  }
  return { request, labelUrl, isStored, before, after, response };
}
