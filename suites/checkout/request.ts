/** The request of a dynamic method's checkout (spec: A. Delivery endpoints; Authentication, Request signing). */
import { verifySignature } from '../../contracts/signing/index.ts';
import { closeNewTabs } from '../../harness/browser/shared-page.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { CheckOptions } from '../../harness/check/facts.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { once } from '../../harness/resources/once.ts';
import type { Delivery } from '../../harness/target/interfaces/delivery.ts';
import type { Received } from '../../harness/target/listener/index.ts';
import { isAbsent } from '../../harness/target/profile/index.ts';
import { ifOpen } from '../delivery/countries/methods-on-offer.ts';
import { holdsPairs } from '../labels/steps/address.ts';
import { otherKeysOf } from '../labels/steps/keys.ts';
import { adminPage, type LabelMethod, listensOutOfReach, methodOf } from '../labels/steps/methods.ts';
import { isUndecided } from '../labels/steps/orders.ts';

const CHECKOUT: Pick<CheckOptions, 'needs' | 'effects' | 'part' | 'exactValues'> = {
  needs: ['delivery.private.apiKey', 'browser', 'driver.startDynamicCheckout'],
  effects: ['write', 'drive'],
  part: 'checkout',
  exactValues: ['label-page'],
};

/** Whose method it is: of the store, with values that are hard to encode, or of the delivery provider. */
type Kind = 'hard' | 'public';

interface Checkout {
  /** Whose method it is. */
  readonly owner: Delivery;
  readonly url: string;
  /** The POST; undefined when none came. */
  readonly request: Received | undefined;
  readonly arrived: readonly Received[];
  /** A POST that arrived meanwhile at the checkout address of the other method. */
  readonly astray: Received | undefined;
}

/** Of the first address of a checkout; the next one has none, for a store that takes no such addresses. */
const QUERY = '?shop=7&from=r%C4%ABga';

/** Starts the checkout of a dynamic method, once for all checks, and waits for what the provider's page gets. */
function checkout(context: Context, kind: Kind = 'hard'): Promise<Checkout> {
  return once(context, `dynamic checkout: ${kind}`, async () => {
    const listener = await context.listener();
    const handshakes = listener.refusedHandshakes;
    const found = await startedAt(context, kind, QUERY).catch(() => undefined);
    const started = found?.request === undefined ? await startedAt(context, kind, '') : found;
    const { url, arrived } = started;
    if (arrived.length === 0 && (listener.refusedHandshakes > handshakes || listensOutOfReach(context, url))) {
      throw new Inconclusive(
        `no request reached the checkout page ${url}; the target may be unable to reach or trust it: set "listen.publicUrl" in the profile`,
        'configuration',
      );
    }
    return started;
  });
}

const nameOf = (kind: Kind): string => `Checkout-${kind}`;

/** The method of a kind; of a store that refuses label addresses, one without. */
async function methodFor(context: Context, kind: Kind): Promise<LabelMethod> {
  if (kind === 'public') return methodOf(context, kind);
  return (await ifOpen(methodOf(context, kind))) ?? methodOf(context, 'no-label');
}

async function startedAt(context: Context, kind: Kind, query: string): Promise<Checkout> {
  const { owner, handle } = await methodFor(context, kind);
  const listener = await context.listener();
  const listensAs = nameOf(kind);
  const url = listener.serve(listensAs, () => ({ body: '<!doctype html><title>Checkout page</title>' })) + query;
  const page = await adminPage(context);
  const tabs = page.context().pages();
  const others = () => listener.received(nameOf(kind === 'hard' ? 'public' : 'hard'));
  const before = others().length;
  await context.driver.startDynamicCheckout(page, { apiKey: owner.key.reveal(), handle, checkoutUrl: url });
  const { timeoutMs } = context.profile.limits;
  const request = await listener.waitFor(listensAs, 0, timeoutMs, ({ method }) => method === 'POST');
  const arrived = listener.received(listensAs);
  for (const { exchange } of arrived) if (exchange !== undefined) context.exchanges.push(exchange);
  await closeNewTabs(page, tabs);
  const astray = others()
    .slice(before)
    .find(({ method }) => method === 'POST');
  return { owner, url, request, arrived, astray };
}

/** The POST of a checkout with a provider's method. Whether a store has such checkouts, and a driver starts them, is their own affair. */
async function providersCheckout(context: Context): Promise<Checkout | undefined> {
  const { profile } = context;
  if (profile.delivery?.public?.apiKey === undefined || isAbsent(profile, 'delivery.public')) return undefined;
  try {
    return await checkout(context, 'public');
  } catch (error) {
    if (isUndecided(error)) return undefined;
    throw error;
  }
}

/** Asserts that the buyer of a provider's method is not sent to the page of a store's. Only their keys can say whose request it is. */
async function expectOwnAddress(context: Context): Promise<void> {
  if (context.delivery.owner === 'public') return;
  const ofProvider = await providersCheckout(context);
  if (ofProvider?.request !== undefined || ofProvider?.astray === undefined) return;
  const { fields, target, exchange } = ofProvider.astray;
  const isProviders = verifySignature(fields, context.provider.key.reveal()).authentic;
  context.expect.that(
    !isProviders,
    "must not send the request of a provider's method to the address of another method",
    {
      expected: `POST ${ofProvider.url}`,
      actual: `POST ${target}`,
      exchange,
    },
  );
}

function expectSigned(context: Context, { fields, exchange }: Received, owner: Delivery, which: string): void {
  const response = verifySignature(fields, owner.key.reveal(), otherKeysOf(context, owner));
  const reason = response.authentic ? '' : `: ${response.diagnosis}`;
  context.expect.that(response.authentic, `must sign the checkout request ${which}${reason}`, {
    expected: 'base64 of HMAC-SHA-256 over all values except the signature, in sent order, with the API key',
    actual: fields.find(([name]) => name === 'signature')?.[1] ?? 'no signature field',
    pointer: 'field signature',
    exchange,
  });
}

export const checks: readonly Check[] = [
  check(
    'checkout.request.posted',
    'MUST redirect the buyer of a dynamic method to its checkout address with a POST',
    { ...CHECKOUT, clauses: ['checkout.request.posted'] },
    async (context) => {
      const { url, request, arrived } = await checkout(context);
      const [seen] = arrived;
      context.expect.that(request !== undefined, 'must send a POST to the checkout address', {
        expected: `POST ${url}`,
        actual: seen === undefined ? 'no request' : `${seen.method} ${seen.target}`,
        exchange: seen?.exchange,
      });
      const { search } = new URL(url);
      context.expect.that(
        holdsPairs(request?.query ?? '', search),
        'must send the POST to the complete checkout address',
        { expected: url, actual: request?.target, exchange: request?.exchange },
      );
      context.expect.that((request?.fields.length ?? 0) > 0, 'must send form fields to the checkout address', {
        expected: 'form fields',
        actual: request?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type',
        exchange: request?.exchange,
      });
      await expectOwnAddress(context);
    },
  ),

  check(
    'checkout.request.signed',
    "MUST sign the checkout request with the owner's key over all other fields in sent order",
    { ...CHECKOUT, clauses: ['checkout.request.signed'] },
    async (context) => {
      const { owner, request } = await checkout(context);
      const clause = 'checkout.request.posted';
      const sent = context.given.present(request, clause, 'the checkout sent no POST');
      const message = 'the POST of the checkout contained no form fields';
      context.given.holds(sent.fields.length > 0, clause, message, { exchange: sent.exchange });
      expectSigned(context, sent, owner, "with a store's method");

      const ofProvider = (await providersCheckout(context))?.request;
      if (ofProvider === undefined || ofProvider.fields.length === 0) return;
      expectSigned(context, ofProvider, context.provider, "with a provider's method");
    },
  ),

  check(
    'checkout.request.observed',
    'OBSERVES which fields a dynamic checkout request contains',
    { ...CHECKOUT, clauses: [], observations: ['checkout.request.fields'] },
    async (context) => {
      const { request } = await checkout(context);
      const { fields } = context.given.present(request, 'checkout.request.posted', 'the checkout sent no POST');
      context.observe('checkout.request.fields', [...new Set(fields.map(([name]) => name))]);
    },
  ),
];
