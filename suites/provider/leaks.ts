/** What the browser received in the whole precheck: the key may not be in it, in whatever encoding. */
import { Inconclusive } from '../../harness/check/failures.ts';
import { type DeliveryCheck, deliveryCheck } from './session.ts';
import { allCallbacks } from './steps/callbacks.ts';

/** Addresses that the service shows to people. */
const OPENED = ['label_url', 'tracking_url'];

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.leaks.key',
    'SHOULD NOT expose the API key to a browser in a page, script, address, header or cookie',
    { clauses: ['provider.leaks.key'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { watch } = context.session;
      await watch.settle();
      for (const { pairs, received } of allCallbacks(context.session))
        for (const [name, value] of pairs)
          if (OPENED.includes(name))
            watch.look(`the ${name} that the store's admin opens`, value, received.path, received.exchange);
      if (watch.searched === 0)
        throw new Inconclusive(
          'the browser has received nothing from the integration: run the other checks too',
          'configuration',
        );
      const [leak] = watch.leaks;
      context.restOn([leak?.exchange]);
      context.expect.that(
        leak === undefined,
        `the API key reaches the browser in ${leak?.where}: anyone who has it can sign requests and change the delivery methods`,
        leak === undefined ? {} : { actual: leak.url, exchange: leak.exchange },
      );
    },
  ),
];
