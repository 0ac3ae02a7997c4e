/** What the browser received in the whole precheck: the key may not be in it, in whatever encoding. */
import { isWebAddress } from '../../contracts/traffic/integrator/labels/tracking.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { readPage, searchSourceMaps } from '../../harness/integrator/page/inspection/late-leaks.ts';
import { inContext } from '../../harness/integrator/page/visit.ts';
import { createLeakSearch, placesOf } from '../../harness/integrator/traffic/leaks.ts';
import { searchUnnamedFiles } from '../../harness/integrator/traffic/unnamed-files.ts';
import { type DeliveryCheck, type DeliveryContext, type DeliverySession, deliveryCheck } from './session.ts';
import { allCallbacks, parameterOf } from './steps/callbacks.ts';
import { documentAt } from './steps/documents/document.ts';
import { wayOf } from './steps/forged/index.ts';
import { paceOf } from './steps/user-flow.ts';
import { visit } from './steps/visit/index.ts';
import { openForm, signedBy, type WaitLimits } from './steps/visit/open-form.ts';

/** Addresses that the service shows to people. */
const OPENED = ['label_url', 'tracking_url'];

/** The first page and the last one, once more and for as long as a user reads them: a script may fetch something late. */
async function readPages(session: DeliverySession, pace: WaitLimits): Promise<void> {
  const { counterpart } = session;
  await Promise.all(
    [openForm, visit].map((show) =>
      inContext(
        () => session.browserContext(),
        async (browser) => {
          const page = await browser.newPage();
          const request = counterpart.labelRequest();
          await show(session, page, request, signedBy(session, request.fields), pace);
          await readPage(session, page);
        },
      ),
    ),
  );
  await searchSourceMaps(session);
}

/** The body of a redirect, and a label: of both the other checks have asked for more, if they are run as well. */
async function searchWhatNoBrowserReads(context: DeliveryContext): Promise<void> {
  const { session } = context;
  await session.watch.settle();
  const callbacks = allCallbacks(session);
  const isRedirecting = session.watch.redirecting.has(new URL(session.provider.labelUrl).pathname);
  if (isRedirecting && callbacks.some(({ isError }) => !isError)) await wayOf(context);
  const url = callbacks.map(({ pairs }) => parameterOf(pairs, 'label_url') ?? '').find(isWebAddress);
  if (url !== undefined) await documentAt(session, url).catch(() => undefined);
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.leaks.key',
    'SHOULD NOT expose the API key to a browser in a page, script, address, header or cookie',
    { clauses: ['provider.leaks.key'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { watch } = context.session;
      const { provider } = context.session;
      await readPages(context.session, await paceOf(context));
      // At the end of the precheck: a host may lock out a client that asks for them.
      await searchUnnamedFiles(context.session, [provider.labelUrl], provider.manifest?.source);
      await searchWhatNoBrowserReads(context);
      await watch.settle();
      for (const { pairs, received } of allCallbacks(context.session))
        for (const [name, value] of pairs)
          if (OPENED.includes(name))
            watch.snapshot(`the ${name} that the store's admin opens`, value, received.path, received.exchange);
      if (watch.searched === 0)
        throw new Inconclusive(
          'the browser has received nothing from the integration: run the other checks too',
          'configuration',
        );
      expectNoKeyInCallbacks(context);
      const [leak] = watch.leaks;
      context.restOn([leak?.exchange]);
      context.expect.that(
        leak === undefined,
        `the API key reaches the browser in ${placesOf(watch.leaks)}: anyone who has it can sign requests and change the delivery methods`,
        leak === undefined ? {} : { actual: leak.url, exchange: leak.exchange },
      );
    },
  ),
];

/** The integration may send its callbacks itself, so that no browser receives what is in their addresses. */
function expectNoKeyInCallbacks({ session, expect }: DeliveryContext): void {
  const search = createLeakSearch([session.provider.apiKey]);
  for (const { pairs, received } of allCallbacks(session)) {
    const named = pairs.find(([, value]) => search(value).length > 0)?.[0];
    expect.that(
      named === undefined,
      `the API key is in the parameter ${named} of the callback, and so in its address, where logs and proxies keep it: leave it out`,
      { exchange: received.exchange },
    );
  }
}
