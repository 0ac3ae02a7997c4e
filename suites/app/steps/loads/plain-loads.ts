/**
 * First loads without a browser. An app that answers an authentic one by a redirect refuses in the same response: what a plain
 * request shows to be refused costs no page. Whatever could lead a browser on is left to one.
 */
import pMap from 'p-map';
import type { Fetched } from '../../../../harness/integrator/fetch/fetcher.ts';
import { once } from '../../../../harness/integrator/once.ts';
import { isOverloaded } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { leadsOn } from '../../../../harness/integrator/page/visit.ts';
import type { AppContext, AppSession } from '../../session.ts';
import { type Alteration, type Outcome, requestBefore } from './index.ts';

const AT_A_TIME = 6;
const TIMEOUT_MS = 8_000;

/** Whether a plain request of the authentic address is answered by a redirect to the callback. */
export const redirectsPrograms = once(async ({ session }: AppContext): Promise<boolean> => {
  // What a driver does in a browser, no plain request can do.
  if (session.driver.signIn !== undefined) return false;
  const { url, token } = session.counterpart.beginInstall();
  const location = (await load(session, url))?.header('location') ?? '';
  return location.includes(`${session.counterpart.callbackPath}${token}`);
});

/** The first loads among these that the app refuses in its response. */
export async function refusedPlainly(context: AppContext, alterations: readonly Alteration[]): Promise<Outcome[]> {
  if (!(await redirectsPrograms(context))) return [];
  const { session } = context;
  const outcomes = await pMap(alterations, (one) => refusedOne(session, one), { concurrency: AT_A_TIME });
  return outcomes.filter((outcome) => outcome !== undefined);
}

async function refusedOne(session: AppSession, alteration: Alteration): Promise<Outcome | undefined> {
  const { change, alter, body, isFromService } = alteration;
  if (body !== undefined || isFromService) return undefined;
  const { url, token } = session.counterpart.beginInstall();
  const address = alter(url);
  await requestBefore(session, alteration, url);
  const response = await load(session, address);
  if (response === undefined || isOverloaded(response)) return undefined;
  const isRedirect = response.status >= 300 && response.status <= 399;
  const text = Buffer.from(response.bytes).toString('utf8');
  if (isRedirect || response.header('refresh') !== undefined || leadsOn(text)) return undefined;
  session.watch.snapshot('a page', text, response.url, response.exchange);
  const { origin, pathname } = new URL(response.url);
  const hasContent = text.trim() !== '';
  const snapshot = {
    status: response.status,
    place: origin + pathname,
    lines: [],
    things: [],
    hasContent,
    asksToSignIn: false,
  };
  return { change, address, authCode: '', token, snapshot, callback: undefined, calls: [] };
}

/** The response itself, a redirect or not. */
export async function load(
  { fetcher, rateLimit }: AppSession,
  url: string,
  role = 'first load',
): Promise<Fetched | undefined> {
  const send = async (): Promise<Fetched | undefined> => {
    let seen: Fetched | undefined;
    const options = {
      role,
      redirects: 0,
      timeoutMs: TIMEOUT_MS,
      headers: [['Accept', 'text/html,*/*;q=0.8']],
      seen: (one: Fetched) => (seen = one),
    } as const;
    await fetcher.fetch(url, options).catch(() => undefined);
    return seen;
  };
  return rateLimit.send(send, (sent) => sent && { status: sent.status, retryAfter: sent.header('retry-after') });
}
