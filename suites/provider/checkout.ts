/**
 * The checkout page of dynamic methods. The contract shows neither its fields nor its response, only that the request is a
 * signed POST: whether a forged one was served is known only where its response is that of an authentic one.
 */

import { randomBytes } from 'node:crypto';
import { type Fields, formEncode, SIGNATURE_FIELD, sign, tamperings } from '../../contracts/signing/index.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { isServiceAddress } from '../../harness/integrator/counterpart.ts';
import type { Fetched } from '../../harness/integrator/fetch/fetcher.ts';
import {
  describePage,
  inspectPage,
  type PageSnapshot,
} from '../../harness/integrator/page/inspection/page-inspection.ts';
import { until } from '../../harness/process/until.ts';
import { NoResponse } from '../../harness/target/client/no-response.ts';
import { caseSwapped, nearMissOf } from '../../harness/target/near-miss.ts';
import { isSecure } from './label/page.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from './session.ts';
import { watchDocuments } from './steps/documents/index.ts';
import { signedBy } from './steps/visit/open-form.ts';

const needs = ['browser', 'checkout-page'];
/** Changes of the signed bytes that are tried beside the signatures. */
const MAX_TAMPERED = 12;
const DOCUMENT_MS = 10_000;
/** A page of scripts has its contents a moment after its document. */
const SETTLE_MS = 700;

interface CheckoutResponse {
  readonly status: number;
  readonly exchange: number;
  /** What does not differ from request to request by chance. */
  readonly steady: string;
}

/** Posts a checkout request. Throws `NoResponse` when nothing came. */
async function postCheckout({ session }: DeliveryContext, fields: Fields): Promise<CheckoutResponse> {
  const url = session.provider.checkoutUrl ?? '';
  const response = await session.fetcher.fetch(url, {
    method: 'POST',
    role: 'checkout request',
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Origin', session.counterpart.pagesOrigin],
    ],
    body: formEncode(fields),
  });
  return { status: response.status, exchange: response.exchange, steady: steadyOf(response, fields) };
}

/** The response without what came from the request, and without numbers and codes. */
function steadyOf(response: Fetched, fields: Fields): string {
  let text = Buffer.from(response.bytes).toString('utf8').slice(0, 500_000);
  for (const [, value] of fields) if (value.length >= 6) text = text.replaceAll(value, '#');
  text = text.replace(/[A-Za-z0-9+/_-]{24,}={0,2}/g, '#').replace(/[0-9a-f]{8,}|[0-9]+/gi, '#');
  return `${response.status} ${URL.parse(response.url)?.pathname.replace(/[0-9a-f]{8,}|[0-9]+/gi, '#')}\n${text}`;
}

async function asSigned(context: DeliveryContext): Promise<CheckoutResponse> {
  const { session } = context;
  try {
    const answered = await postCheckout(context, signedBy(session, session.counterpart.checkoutRequest()));
    context.restOn([answered.exchange]);
    return answered;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    throw new Inconclusive(`the checkout page did not answer an authentic request: ${error.message}`, 'target');
  }
}

/** The page of a request in a browser, as a buyer sees it. */
async function seen({ session }: DeliveryContext, fields: Fields): Promise<PageSnapshot> {
  return session.pages.use(async (page) => {
    const documents = watchDocuments(page);
    const address = session.counterpart.handOver(session.provider.checkoutUrl ?? '', fields);
    await page.goto(address, { waitUntil: 'commit', timeout: DOCUMENT_MS }).catch(() => undefined);
    await until(() => documents.arrivedFrom(address), DOCUMENT_MS);
    await until(() => undefined, SETTLE_MS);
    documents.forget();
    return inspectPage(page, documents.status());
  });
}

function forgeries(fields: Fields, key: string): { change: string; fields: Fields }[] {
  const right = sign(fields, key);
  const signedAs = (change: string, signature: string) => ({
    change,
    fields: [...fields, [SIGNATURE_FIELD, signature] as const],
  });
  const changes = tamperings([...fields, [SIGNATURE_FIELD, right]]).filter(
    ({ name }) => /lengthened|added at the end/.test(name) && !/return_url/.test(name),
  );
  return [
    { change: 'no signature', fields },
    signedAs('a signature of random bytes', randomBytes(32).toString('base64')),
    signedAs('a signature under another key', sign(fields, nearMissOf(key))),
    signedAs('one of the last characters of the signature changed', nearTheEnd(right)),
    signedAs('the signature in the other letter case', caseSwapped(right) ?? ''),
    signedAs('the signature in hexadecimal digits', Buffer.from(right, 'base64').toString('hex')),
    ...changes.slice(0, MAX_TAMPERED).map(({ name, fields }) => ({ change: `${name} after signing`, fields })),
  ];
}

const nearTheEnd = (right: string): string => `${right.slice(0, 40)}${right[40] === 'A' ? 'B' : 'A'}${right.slice(41)}`;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.checkout.https',
    'MUST serve the checkout page over https, except on this machine',
    { clauses: ['provider.checkout.https'], needs: ['checkout-address'] },
    async (context) => {
      const url = context.session.provider.checkoutUrl ?? '';
      context.expect.that(isSecure(url), 'the checkout page uses plain http', {
        expected: 'an https address',
        actual: new URL(url).origin,
      });
    },
  ),
  deliveryCheck(
    'provider.checkout.observed',
    'OBSERVES what the checkout page shows to a buyer',
    { clauses: [], observations: ['provider.checkout.response'], needs },
    async (context) => {
      const { session } = context;
      const { counterpart, provider } = session;
      const page = await context.page();
      const documents = watchDocuments(page, (url) => isServiceAddress(counterpart, url));
      await counterpart.driver.startDynamicCheckout(page, {
        apiKey: provider.apiKey.reveal(),
        handle: counterpart.handles.checkout,
        checkoutUrl: provider.checkoutUrl ?? '',
      });
      await until(() => undefined, SETTLE_MS);
      const snapshot = await inspectPage(page, documents.status());
      documents.forget();
      context.observe(
        'provider.checkout.response',
        `${snapshot.place}: ${describePage(snapshot, documents.failure())}`,
      );
    },
  ),
  deliveryCheck(
    'provider.checkout.forged-refused',
    'MUST NOT continue with a checkout request whose signature is missing or wrong',
    { clauses: ['provider.checkout.forged-refused'], needs },
    async (context) => {
      const { session } = context;
      const [one, other] = [await asSigned(context), await asSigned(context)];
      if (one.status >= 400)
        throw new Inconclusive(
          `the checkout page answers an authentic request with status ${one.status}, so refusals prove nothing; the contract does not show which fields the request has: inspect the recorded exchange for what the page needs`,
          'contract',
        );
      const isSteady = one.steady === other.steady;
      const tried = forgeries(session.counterpart.checkoutRequest(), session.provider.apiKey.reveal());
      const served: { change: string; fields: Fields; exchange: number }[] = [];
      let undecided = 0;
      for (const { change, fields } of tried) {
        const response = await postCheckout(context, fields).catch((error: unknown) => {
          if (error instanceof NoResponse) return undefined;
          throw error;
        });
        if (response === undefined || response.status >= 400) continue;
        if (isSteady && response.steady === one.steady) served.push({ change, fields, exchange: response.exchange });
        else if (!isSteady) undecided += 1;
      }
      const [first] = served;
      if (first !== undefined)
        await expectSeenRefused(
          context,
          served.map(({ change }) => change),
          first,
        );
      else if (undecided > 0)
        throw new Inconclusive(
          "the checkout page answers differently each time, so its refusals can't be distinguished from successes: respond to a forged request with a status of 400 or above",
          'target',
        );
      context.expect.that(true, 'the checkout page refuses forged requests');
    },
  ),
];

/** Equal documents may still hold a script that refuses: what a buyer sees decides. */
async function expectSeenRefused(
  context: DeliveryContext,
  changes: readonly string[],
  first: { readonly fields: Fields; readonly exchange: number },
): Promise<void> {
  const { session } = context;
  const authentic = () => seen(context, signedBy(session, session.counterpart.checkoutRequest()));
  const [snapshot, one, other] = [await seen(context, first.fields), await authentic(), await authentic()];
  const same = (a: PageSnapshot, b: PageSnapshot): boolean =>
    a.status === b.status && a.lines.join('\n') === b.lines.join('\n');
  if (!same(one, other))
    throw new Inconclusive(
      "the checkout page looks different each time, so its refusals can't be distinguished from successes: respond to a forged request with a status of 400 or above",
      'target',
    );
  context.expect.that(
    !same(snapshot, one),
    `the checkout page continues with a request with ${changes.slice(0, 5).join('; ')}`,
    {
      expected: 'a response other than that to an authentic request',
      actual: `${snapshot.place}: ${describePage(snapshot)}`,
      exchange: first.exchange,
    },
  );
}
