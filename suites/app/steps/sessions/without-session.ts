/**
 * Pages of the app that a precheck opens as the app itself never does: without the parameters and, mostly, without the session that lead to
 * them. What the app calls then, without an installation to call for, says nothing about its calls for users.
 */
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import type { AppSession } from '../../session.ts';
import { authCodeOf, hasInstallation } from '../effects.ts';

/** An app that is refused may try again for so long. */
const RETRIES_MS = 10_000;

const opened = new WeakMap<AppSession, { readonly from: number; to: number }[]>();

/** Does a job in which a page of the app is opened without what leads to it. */
export async function withoutSession<T>(session: AppSession, job: () => Promise<T>): Promise<T> {
  const time = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  opened.set(session, [...(opened.get(session) ?? []), time]);
  try {
    return await job();
  } finally {
    time.to = Date.now() + RETRIES_MS;
  }
}

/** Whether a call is for no installation, and may come from a page that was opened without a session. */
export function isWithoutSession(session: AppSession, call: Received): boolean {
  if (hasInstallation(session, authCodeOf(call) ?? '')) return false;
  return (opened.get(session) ?? []).some(({ from, to }) => call.at >= from && call.at <= to);
}
