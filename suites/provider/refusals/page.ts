/** The page that refuses a label request: anyone can post one, with any values, from a page of their own. */
import { sign } from '../../../contracts/signing/index.ts';
import { isServiceAddress } from '../../../harness/integrator/counterpart.ts';
import { once } from '../../../harness/integrator/once.ts';
import { markupOf, scriptAddressOf, watchMarkup } from '../../../harness/integrator/page/form/markup-probe.ts';
import { collectText } from '../../../harness/integrator/page/inspection/received-text.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { addresseeOf, hasPart, lettersOf } from '../steps/documents/label-texts.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import { givenSuccess, paceOf } from '../steps/user-flow.ts';
import { openForm } from '../steps/visit/open-form.ts';

interface Refusal {
  /** Fields whose value the page took for markup, or made a link to a script of. */
  readonly run: readonly string[];
  readonly showsSignature: boolean;
  /** All that the browser received, as a text. */
  readonly shown: string;
}

/** A request with a wrong signature, and with markup in all of its values. */
const refusalOf = once(async (context: DeliveryContext): Promise<Refusal> => {
  const { session } = context;
  await givenSuccess(context);
  const pace = await paceOf(context);
  const request = await freshRequest(context);
  const names = [...request.fields.map(([name]) => name), 'signature'];
  const values = names.map((name, place) => (name === 'callback_url' ? scriptAddressOf(place) : markupOf(place)));
  const fields = names.map((name, place) => [name, values[place] ?? ''] as const);
  const right = sign(fields, session.provider.apiKey.reveal());
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const probe = await watchMarkup(browser);
      const texts = collectText(browser, (url) => isServiceAddress(session.counterpart, url));
      const page = await browser.newPage();
      await openForm(session, page, { ...request, fields }, fields, pace);
      const found = await probe.found(page);
      const text = await page.evaluate(() => document.documentElement.textContent ?? '').catch(() => '');
      const shown = [text, await page.content().catch(() => ''), await texts.all()].join('\n');
      return { run: names.filter((_, place) => found.has(place)), showsSignature: shown.includes(right), shown };
    },
  );
});

const GET_TIMEOUT_MS = 8_000;

/** What anyone gets at the address of the label page; empty where nothing can be had. */
async function shownToAnyone({ session }: DeliveryContext): Promise<string> {
  const address = session.provider.labelUrl;
  const fetched = await session.fetcher.fetch(address, { timeoutMs: GET_TIMEOUT_MS }).catch(() => undefined);
  return fetched === undefined ? '' : Buffer.from(fetched.bytes).toString('utf8');
}

const needs = ['browser', 'label-page'];

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.refusals.markup',
    'SHOULD NOT run markup in a request that it refuses',
    { clauses: ['provider.refusals.markup'], needs },
    async (context) => {
      const { run } = await refusalOf(context);
      const names = run.slice(0, 5).join(', ');
      context.expect.that(
        run.length === 0,
        `the page that refuses a request runs markup in ${names}, or links to a script there: any page can send the store's admin to it. Escape each value where it is written into a page`,
        { expected: 'the values as text, or not at all', actual: `scripts in ${names}` },
      );
    },
  ),
  deliveryCheck(
    'provider.refusals.right-signature',
    'SHOULD NOT show the signature that would have been right',
    { clauses: ['provider.refusals.right-signature'], needs },
    async (context) => {
      const { showsSignature } = await refusalOf(context);
      context.expect.that(
        !showsSignature,
        'the page that refuses a request shows the signature that would have been right, or a header or an answer to a script has it: anyone can sign any request with its help',
        { expected: 'a refusal without the signature' },
      );
    },
  ),
  deliveryCheck(
    'provider.refusals.no-order-shown',
    'SHOULD NOT show anything of an order without an authentic request',
    { clauses: ['provider.refusals.no-order-shown'], needs },
    async (context) => {
      const { shown } = await refusalOf(context);
      const letters = [shown, await shownToAnyone(context)].map(lettersOf);
      const addressees = context.session.counterpart.issued.map(({ fields }) => addresseeOf(fields));
      const revealed = addressees.find((parts) => letters.some((one) => parts.every((part) => hasPart(one, part))));
      context.expect.that(
        revealed === undefined,
        `the label page shows whom an order is for to anyone, without an authentic request: ${revealed?.join(', ')}. Show an order only to the browser that brought its signed request`,
        { expected: 'nothing of any order', actual: revealed?.join(', ') },
      );
    },
  ),
];
