/** Every report that authentic requests of a precheck got, and what is asserted about each of them. */
import { Skipped } from '../../../harness/check/failures.ts';
import type { DeliveryContext } from '../session.ts';
import { type Callback, callbacksOf, isReport, parameterOf, successesOf } from '../steps/callbacks.ts';
import { givenResponse, givenSuccess, ordersOf, type Success } from '../steps/user-flow.ts';

/** What the checks of callbacks need. */
export const needs: readonly string[] = ['browser', 'label-page'];

/** Enough exchanges to see what is meant. */
export const MAX_SHOWN = 3;

/** Asserts something about each report; the first that breaks it is shown. */
export function expectEach<T extends { readonly callback: Callback; readonly name: string }>(
  context: DeliveryContext,
  reports: readonly T[],
  fault: (report: T) => string | undefined,
  expected: unknown,
): void {
  const wrong = reports.flatMap((report) => {
    const message = fault(report);
    return message === undefined ? [] : [{ report, message }];
  });
  const [first] = wrong;
  const shown = first === undefined ? reports : wrong.map(({ report }) => report);
  context.restOn(shown.slice(0, MAX_SHOWN).map(({ callback }) => callback.received.exchange));
  const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : '';
  context.expect.that(first === undefined, `the callback for ${first?.report.name} ${first?.message}${more}`, {
    expected,
    ...(first === undefined
      ? {}
      : { actual: Object.fromEntries(first.report.callback.pairs), exchange: first.report.callback.received.exchange }),
  });
}

export interface Report {
  readonly name: string;
  readonly id: string;
  /** What the address that the page received ends with. */
  readonly token: string;
  readonly callback: Callback;
}

/** Every callback of authentic requests. */
export async function reports(context: DeliveryContext): Promise<Report[]> {
  const all = [await givenResponse(context), ...(await ordersOf(context))];
  return all.flatMap(({ name, visit: { request } }) =>
    callbacksOf(context.session, request).map((callback) => ({ name, id: request.id, token: request.token, callback })),
  );
}

/** The reports of failures; the check is skipped where there are none. */
export async function failures(context: DeliveryContext): Promise<Report[]> {
  const all = (await reports(context)).filter(({ callback }) => callback.isError);
  if (all.length === 0) throw new Skipped('the page reported no failure for any order of this precheck');
  return all;
}

/** What is wrong with the id of a report, as the end of a sentence. */
export const idFault = (id: string, { pairs }: Callback): string | undefined => {
  const sent = parameterOf(pairs, 'label_request_id');
  if (sent === undefined) return 'has no label_request_id';
  return sent === id ? undefined : 'has a label_request_id other than the one that the page received';
};

/** So many reports of one order show what a page reports more than once. */
const MAX_PER_ORDER = 5;

/**
 * Every report of success: the service reads each, so that a later one has to be as complete as the first. A later request
 * without any parameter of a report does not count: a link may lead back to the store by that address.
 */
export async function everySuccess(context: DeliveryContext): Promise<Success[]> {
  const all = await givenSuccess(context);
  return all.flatMap((one) =>
    successesOf(context.session, one.visit.request)
      .filter((callback, at) => at === 0 || isReport(callback))
      .slice(0, MAX_PER_ORDER)
      .map((callback) => ({ ...one, callback })),
  );
}
