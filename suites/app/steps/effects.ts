/** What an app has caused at the service: users sent back through the callback, calls for an installation. */
import { pairsOf } from '../../../contracts/install-hash/index.ts';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import { until } from '../../../harness/process/until.ts';
import type { AppSession } from '../session.ts';

/** Requests to the callback of a visit, in order; each is a user whom the app has sent back. */
export function callbacksOf({ counterpart }: AppSession, token: string): Received[] {
  const path = `${counterpart.callbackPath}${token}`;
  return counterpart.received.filter((request) => request.path === path || request.path === `${path}/`);
}

/** A point in the traffic, to ask later for what came after it. */
export const mark = ({ counterpart }: AppSession): number => counterpart.arrivals;

/** The requests that the service received after its first `from` ones. */
export function arrivedSince({ counterpart }: AppSession, from: number): Received[] {
  const count = counterpart.arrivals - from;
  return count <= 0 ? [] : counterpart.received.slice(-count);
}

const APPS_PATH = /^\/v1\/+apps(?:\/|$)/;

export const isAppsCall = ({ path }: Received): boolean => APPS_PATH.test(path);
export const isInstalledCall = ({ path }: Received): boolean => /^\/v1\/+apps\/+installed\/?$/.test(path);

/** A call whose snippet every visitor of the website receives. */
export const isSetSnippetCall = ({ method, path, status }: Received): boolean =>
  method === 'POST' && status === 200 && /^\/v1\/+apps\/+set_snippet\/?$/.test(path);

/** The authCode in the query of a call, under either of the spellings that apps use. */
export const authCodeOf = ({ query }: Received): string | undefined =>
  pairsOf(query).findLast(([name]) => name === 'authCode' || name === 'authcode')?.[1];

/** Whether the service has an installation with this authCode: the app may have removed it. */
export const hasInstallation = ({ counterpart }: AppSession, authCode: string): boolean =>
  counterpart.installations().some((one) => one.authCode === authCode);

/** Why the settings of an installation can't be opened. */
export const UNINSTALLED_ITSELF = "the app has removed its own installation (apps/delete/), so it can't be opened";

/** Apps calls for these installations. */
export function callsFor(session: AppSession, authCodes: readonly string[], from = 0): Received[] {
  return arrivedSince(session, from).filter((request) => {
    const code = isAppsCall(request) ? authCodeOf(request) : undefined;
    return code !== undefined && authCodes.includes(code);
  });
}

/** An app is watched at least so long for calls that it makes of itself. */
const MIN_WATCH_MS = 5_000;

/**
 * Whether calls come that a load seems to have caused while nothing is opened: an app may do work of its own for all its
 * installations at any time, and then such calls prove nothing. `calls` are those since a point in the traffic.
 */
export async function comesAnyway(
  session: AppSession,
  calls: (since: number) => readonly Received[],
  leastMs = 0,
): Promise<boolean> {
  return comesWithin(session, calls, Math.max(MIN_WATCH_MS, leastMs));
}

/** Whether a call comes from now on, within so long. */
async function comesWithin(
  session: AppSession,
  calls: (since: number) => readonly Received[],
  timeoutMs: number,
): Promise<boolean> {
  const from = mark(session);
  return (await until(() => (calls(from).length > 0 ? true : undefined), timeoutMs)) === true;
}

/** Times that calls may go on before they are taken for those of an app that calls all the time. */
const MAX_BUSY_WAITS = 4;

/** Waits until so long no call has come. `calls` are those since a point in the traffic. */
export async function untilQuiet(
  session: AppSession,
  calls: (since: number) => readonly Received[],
  quietMs: number,
): Promise<void> {
  for (let waits = 0; waits < MAX_BUSY_WAITS; waits += 1) if (!(await comesWithin(session, calls, quietMs))) return;
}

export const exchangesOf = (requests: readonly (Received | undefined)[]): (number | undefined)[] =>
  requests.map((request) => request?.exchange);
