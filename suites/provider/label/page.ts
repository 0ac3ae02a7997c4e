/** The label page as the store's admin meets it: reached over https, it answers every order, at the address it was given. */

import { shortened } from '../../../contracts/json/words.ts';
import { describePage } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { isLoopbackHost } from '../../../harness/target/profile/index.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { type Callback, callbacksOf } from '../steps/callbacks.ts';
import { refusalOf } from '../steps/diagnosis.ts';
import { givenResponse, isBlocked, ordersOf, type PrintResult, pressOf, throwIfStuck } from '../steps/user-flow.ts';
import { saidInstead } from '../steps/visit/index.ts';

const needs = ['browser', 'label-page'];

/** Whether an address of the integrator's is https; this machine needs none. */
export function isSecure(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

const CALLBACK_IN_WORDS = 'a GET to the callback_url that was received, with label_url or error_msg';

/** What was seen in place of a report, for people. */
function insteadOf(context: DeliveryContext, { visit }: PrintResult): string {
  const { counterpart } = context.session;
  const elsewhere = counterpart.received.find(
    ({ path, query }) => query.includes(visit.request.id) && !path.includes(visit.request.token),
  );
  const said =
    elsewhere === undefined
      ? saidInstead(visit)
      : `; a report was sent to ${elsewhere.path}, which is not the received address`;
  const place = /^https?:/.test(visit.snapshot.place) ? `${visit.snapshot.place}: ` : '';
  return `${place}${describePage(visit.snapshot, visit.failure)}${said}`;
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.https',
    'MUST serve the label page over https, except on this machine',
    { clauses: ['provider.label.https'], needs: [] },
    async (context) => {
      const { labelUrl } = context.session.provider;
      context.expect.that(isSecure(labelUrl), 'the label page uses plain http', {
        expected: 'an https address',
        actual: new URL(labelUrl).origin,
      });
    },
  ),
  deliveryCheck(
    'provider.label.sends-callback',
    'MUST send a callback for each label request',
    { clauses: ['provider.label.sends-callback'], needs },
    async (context) => {
      const { printed, screenshots } = await pressOf(context);
      context.screenshots.push(...screenshots);
      if (printed === undefined) throw new Error('Pressing Print Label sent no label request.');
      const callbacks = callbacksOf(context.session, printed.visit.request);
      context.restOn(callbacks.slice(0, 5).map(({ received }) => received.exchange));
      if (callbacks.length === 0) throwIfStuck(printed);
      const refusal = callbacks.length > 0 ? undefined : await refusalOf(context, printed.visit);
      context.expect.that(refusal === undefined, refusal?.sentence ?? '', refusal?.evidence);
      const { blockedForm } = printed.visit;
      context.expect.that(
        callbacks.length > 0,
        blockedForm === undefined
          ? 'the label page reported nothing for an authentic label request: send a GET to its callback_url, also when no label can be made'
          : `no label can be printed, since the browser does not send the form of the label page: ${blockedForm}`,
        { expected: CALLBACK_IN_WORDS, actual: insteadOf(context, printed) },
      );
    },
  ),
  deliveryCheck(
    'provider.label.every-order',
    'MUST send a callback for every kind of order',
    { clauses: ['provider.label.sends-callback'], needs },
    async (context) => {
      await givenResponse(context);
      const all = await ordersOf(context);
      const silent = all.filter(({ visit }) => callbacksOf(context.session, visit.request).length === 0);
      const unanswered = silent.filter((one) => !isBlocked(one));
      const [first] = unanswered;
      const names = unanswered.map(({ name }) => name);
      context.restOn(
        all.slice(0, 5).map(({ visit }) => callbacksOf(context.session, visit.request)[0]?.received.exchange),
      );
      context.expect.that(
        first === undefined,
        `the label page reported nothing for ${names.join('; ')}: send a callback for each order, with error_msg when no label can be made`,
        {
          expected: CALLBACK_IN_WORDS,
          ...(first === undefined ? {} : { actual: insteadOf(context, first) }),
        },
      );
      throwIfStuck(silent[0]);
    },
  ),
  deliveryCheck(
    'provider.label.orders-observed',
    'OBSERVES which orders are printed and which are reported as failures',
    { clauses: [], observations: ['provider.label.orders', 'provider.callback.per-request'], needs },
    async (context) => {
      const press = await givenResponse(context);
      const all = [press, ...(await ordersOf(context))];
      const reports = all.map((printed) => ({
        ...printed,
        callbacks: callbacksOf(context.session, printed.visit.request),
      }));
      context.observe('provider.label.orders', {
        printed: reports.filter(({ callbacks: [one] }) => one?.isError === false).map(({ name }) => name),
        failed: reports
          .filter(({ callbacks: [one] }) => one?.isError === true)
          .map(({ name, callbacks }) => `${name}: ${errorOf(callbacks[0]?.pairs ?? [])}`),
      });
      const isBoth = ({ pairs }: Callback): boolean =>
        ['label_url', 'error_msg'].every((name) => pairs.some((pair) => pair[0] === name && pair[1] !== ''));
      if (reports.some(({ callbacks }) => callbacks.some(isBoth)))
        context.warn(
          'A callback has both label_url and error_msg: a service that reads error_msg first treats the label as a failure.',
        );
      const isWithdrawn = ({ callbacks }: (typeof reports)[number]): boolean =>
        callbacks.some(({ isError }, at) => isError && at > 0 && callbacks[at - 1]?.isError === false);
      if (reports.some(isWithdrawn))
        context.warn(
          'A label is reported as printed, and then as failed: the service may keep the failure. Report each request once.',
        );
      const most = Math.max(...reports.map(({ callbacks }) => callbacks.length));
      context.observe('provider.callback.per-request', most);
      if (most > MAX_CALLBACKS)
        context.warn(`The page reports one label ${most} times: the store's order is written again each time.`);
    },
  ),
];

/** A page and its script may both report; more is a mistake. */
const MAX_CALLBACKS = 3;

const errorOf = (pairs: readonly (readonly [string, string])[]): string =>
  shortened(pairs.find(([name]) => name === 'error_msg')?.[1] ?? '', 200);
