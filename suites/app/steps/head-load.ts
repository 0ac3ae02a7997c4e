/** A forged second load by HEAD: programs that look at links send such requests, and an app may do the same for them as for a GET. */
import { curlOf } from '../../../harness/evidence/curl.ts';
import { until } from '../../../harness/process/until.ts';
import type { AppContext } from '../session.ts';
import { callsFor, exchangesOf, isInstalledCall } from './effects.ts';
import { pace } from './given.ts';
import type { Alteration } from './loads.ts';

/** The app makes its calls for such a request before it responds, or soon after. */
const MIN_WAIT_MS = 1_000;
const TIMEOUT_MS = 10_000;

/** Asserts that the app does not finish an installation whose code it has only from an altered address, requested by HEAD. */
export async function expectHeadVerified(context: AppContext, { change, alter }: Alteration): Promise<void> {
  const { session } = context;
  const { second: usualMs } = await pace(context);
  const { token } = session.counterpart.beginInstall('new');
  const { url, authCode } = session.counterpart.accept(token);
  const request = { method: 'HEAD' as const, url: alter(url) };
  await session.fetcher
    .fetch(request.url, { method: request.method, timeoutMs: TIMEOUT_MS, redirects: 0, role: 'forged' })
    .catch(() => undefined);
  const call = await until(() => callsFor(session, [authCode]).find(isInstalledCall), Math.max(MIN_WAIT_MS, usualMs));
  if (call !== undefined) context.restOn(exchangesOf([call]));
  context.expect.that(call === undefined, `the app must refuse ${change}, also when it is requested by HEAD`, {
    expected: 'no call for the installation',
    ...(call && {
      actual: `it called ${call.method} ${call.path} for the installation`,
      exchange: call.exchange,
      curl: curlOf(request, session.redaction),
    }),
  });
}
