/** The callback of a label page: what it carries, and what it is signed over. Judged on every report that authentic requests got. */
import { hash } from 'node:crypto';
import {
  type Fields,
  isAuthentic,
  SIGNATURE_FIELD,
  sign,
  signedFields,
  verifySignature,
} from '../../contracts/signing/index.ts';
import {
  isTracking,
  isWebAddress,
  misnamed,
  NO_VALUE,
  sharedTracking,
  TRACKING,
  trackingFault,
} from '../../contracts/traffic/integrator/labels/tracking.ts';
import { Skipped } from '../../harness/check/failures.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from './session.ts';
import { type Callback, callbacksOf, isReport, parameterOf, successesOf } from './steps/callbacks.ts';
import { documentAt } from './steps/documents/document.ts';
import { expectEncodedId, expectWholeId } from './steps/unusual-ids.ts';
import { givenResponse, givenSuccess, ordersOf, type Success } from './steps/user-flow.ts';

const needs = ['browser', 'label-page'];
const SIGNATURE_RULE =
  'base64 of HMAC-SHA-256 over label_request_id, label_url and the tracking fields in the order in which they are sent, with the API key';

/** Enough exchanges to see what is meant. */
const MAX_SHOWN = 3;

/** Asserts something about each report; the first that breaks it is shown. */
function expectEach<T extends { readonly callback: Callback; readonly name: string }>(
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

interface Report {
  readonly name: string;
  readonly id: string;
  /** What the address that the page received ends with. */
  readonly token: string;
  readonly callback: Callback;
}

/** Every callback of authentic requests. */
async function reports(context: DeliveryContext): Promise<Report[]> {
  const all = [await givenResponse(context), ...(await ordersOf(context))];
  return all.flatMap(({ name, visit: { request } }) =>
    callbacksOf(context.session, request).map((callback) => ({ name, id: request.id, token: request.token, callback })),
  );
}

async function failures(context: DeliveryContext): Promise<Report[]> {
  const all = (await reports(context)).filter(({ callback }) => callback.isError);
  if (all.length === 0) throw new Skipped('the page reported no failure for any order of this precheck');
  return all;
}

const idFault = (id: string, { pairs }: Callback): string | undefined => {
  const sent = parameterOf(pairs, 'label_request_id');
  if (sent === undefined) return 'has no label_request_id';
  return sent === id ? undefined : 'has a label_request_id other than the one that the page received';
};

/** What a callback has in place of what it should have: a misspelled name, for one. */
function otherNamesIn({ pairs }: Callback): string {
  const known = ['label_request_id', SIGNATURE_FIELD, ...TRACKING];
  const others = pairs.map(([name]) => name).filter((name) => !known.includes(name));
  return others.length === 0 ? '' : `; its other parameters are ${others.slice(0, MAX_NAMES).join(', ')}`;
}
const MAX_NAMES = 3;

const hasTracking = ({ callback }: Pick<Success, 'callback'>): boolean => callback.pairs.some(isTracking);

const received = ({ pairs }: Callback): string => parameterOf(pairs, SIGNATURE_FIELD) ?? '';

/** The fields in the order of the message as the contract words it, further ones left out. */
function worded(pairs: Fields): Fields {
  const of = (name: string): Fields => pairs.filter(([other]) => other === name).slice(0, 1);
  return [...of('label_request_id'), ...of('label_url'), ...pairs.filter(([name]) => TRACKING.includes(name))];
}

/** Right as all that was sent, in sent order; or as the contract words the message of this callback. */
export function isSignedRight(key: string, callback: Callback): boolean {
  return isAuthentic(callback.pairs, key) || received(callback) === sign(worded(callback.pairs), key);
}

/** Right but for the tracking fields, which are left out or in another order. */
function isRightButForTracking(key: string, callback: Callback): boolean {
  const core = worded(callback.pairs).filter(([name]) => !TRACKING.includes(name));
  const tracking = callback.pairs.filter(([name]) => TRACKING.includes(name));
  const inSentOrder = signedFields(callback.pairs).filter(([name]) => !TRACKING.includes(name));
  const messages = [core, inSentOrder, [...core, ...tracking.toReversed()], ...tracking.map((one) => [...core, one])];
  return messages.some((fields) => received(callback) === sign(fields, key));
}

/** Parameters that only a receiver of the second reading leaves out of the message: others, and repeated ones. */
function unsignedNames(key: string, callback: Callback): string[] {
  const { pairs } = callback;
  const covered = worded(pairs);
  if (isAuthentic(pairs, key) || !isSignedRight(key, callback)) return [];
  return [...new Set(signedFields(pairs).flatMap((pair) => (covered.includes(pair) ? [] : [pair[0]])))];
}

/** Whether two reports name different documents: an address may be signed again for each report, so that its query says nothing. */
function isOfOtherLabel(one: Callback, other: Callback): boolean {
  const [first, second] = [one, other].map(({ pairs }) => URL.parse(parameterOf(pairs, 'label_url') ?? '')?.pathname);
  const codes = [one, other].map(({ pairs }) => parameterOf(pairs, 'tracking_code'));
  return (
    first !== undefined && second !== undefined && first !== second && (codes[0] === undefined || codes[0] !== codes[1])
  );
}

/** Fewer orders with tracking fields say little. */
const MIN_TRACKED = 3;

/** Whether labels of different orders are different documents. */
async function areLabelsDifferent({ session }: DeliveryContext, all: readonly Success[]): Promise<boolean> {
  const digests = new Set<string>();
  for (const { callback } of all.slice(0, MIN_TRACKED)) {
    const url = parameterOf(callback.pairs, 'label_url') ?? '';
    const label = isWebAddress(url) ? await documentAt(session, url) : undefined;
    if (label?.isPdf) digests.add(hash('sha256', label.response.bytes));
  }
  return digests.size > 1;
}

const isSigned = ({ callback }: Pick<Success, 'callback'>): boolean => received(callback) !== '';

/** So many reports of one order show what a page reports more than once. */
const MAX_PER_ORDER = 5;

/**
 * Every report of success: the service reads each, so that a later one has to be as complete as the first. A later request
 * without any parameter of a report does not count: a link may lead back to the store by that address.
 */
async function everySuccess(context: DeliveryContext): Promise<Success[]> {
  const all = await givenSuccess(context);
  return all.flatMap((one) =>
    successesOf(context.session, one.visit.request)
      .filter((callback, at) => at === 0 || isReport(callback))
      .slice(0, MAX_PER_ORDER)
      .map((callback) => ({ ...one, callback })),
  );
}

/** Successes with a signature, given that there are such. */
async function signedSuccesses(context: DeliveryContext): Promise<Success[]> {
  const all = await everySuccess(context);
  const signed = all.filter(isSigned);
  context.given.holds(signed.length > 0, 'provider.callback.signed', 'no callback has a signature');
  // A callback without an address of the label, or for another request, breaks another clause; its signature is as it is.
  return signed;
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.callback.by-get',
    'MUST send its callback as a GET to the address that it received',
    { clauses: ['provider.callback.by-get'], needs },
    async (context) => {
      expectEach(
        context,
        await reports(context),
        ({ token, callback: { received } }) => {
          if (received.method !== 'GET') return `came by ${received.method}`;
          return received.path.endsWith(`/${token}/`)
            ? undefined
            : `was sent to ${received.path}, not to the received path`;
        },
        'a GET to callback_url as it was received',
      );
    },
  ),
  deliveryCheck(
    'provider.callback.same-id',
    'MUST return the received label_request_id in its success callback',
    { clauses: ['provider.callback.same-id'], needs },
    async (context) => {
      const all = await everySuccess(context);
      expectEach(
        context,
        all,
        ({ visit, callback }) => idFault(visit.request.id, callback),
        'the label_request_id received',
      );
    },
  ),
  deliveryCheck(
    'provider.callback.id-encoded',
    'SHOULD percent-encode a label_request_id that has other signs than letters and digits',
    { clauses: ['provider.callback.id-encoded'], needs },
    expectEncodedId,
  ),
  deliveryCheck(
    'provider.callback.whole-id',
    'SHOULD return a long label_request_id, and one of digits, unchanged',
    { clauses: ['provider.callback.whole-id'], needs },
    expectWholeId,
  ),
  deliveryCheck(
    'provider.callback.label-url',
    'MUST send the full web address of the label in its success callback',
    { clauses: ['provider.callback.label-url'], needs },
    async (context) => {
      expectEach(
        context,
        await everySuccess(context),
        ({ callback }) => {
          const url = parameterOf(callback.pairs, 'label_url');
          if (!url) return `has neither a label_url nor an error_msg${otherNamesIn(callback)}`;
          return isWebAddress(url) ? undefined : 'has a label_url that is not a full web address';
        },
        'label_url as a full address',
      );
    },
  ),
  deliveryCheck(
    'provider.callback.signed',
    'MUST sign its success callback',
    { clauses: ['provider.callback.signed'], needs },
    async (context) => {
      const all = await everySuccess(context);
      expectEach(context, all, (one) => (isSigned(one) ? undefined : 'has no signature'), 'a signature');
    },
  ),
  deliveryCheck(
    'provider.callback.signature',
    'MUST sign label_request_id and then label_url with its API key',
    { clauses: ['provider.callback.signature'], needs },
    async (context) => {
      const { session } = context;
      const key = session.provider.apiKey.reveal();
      expectEach(
        context,
        await signedSuccesses(context),
        ({ callback }) => {
          if (isSignedRight(key, callback) || isRightButForTracking(key, callback)) return undefined;
          const response = verifySignature(callback.pairs, key);
          return `has a wrong signature. ${response.authentic ? '' : response.diagnosis}`;
        },
        SIGNATURE_RULE,
      );
    },
  ),
  deliveryCheck(
    'provider.callback.tracking-signed',
    'MUST sign the tracking fields too, in the order in which it sends them',
    { clauses: ['provider.callback.tracking-signed'], needs },
    async (context) => {
      const { session, given } = context;
      const key = session.provider.apiKey.reveal();
      const all = (await signedSuccesses(context)).filter(hasTracking);
      if (all.length === 0) throw new Skipped('the page sends no tracking fields');
      const judged = all.filter(({ callback }) => isSignedRight(key, callback) || isRightButForTracking(key, callback));
      given.holds(judged.length > 0, 'provider.callback.signature', 'no callback is signed correctly');
      expectEach(
        context,
        judged,
        ({ callback }) =>
          isSignedRight(key, callback)
            ? undefined
            : 'is signed without its tracking fields, or with them in a different order than they are sent',
        SIGNATURE_RULE,
      );
    },
  ),
  deliveryCheck(
    'provider.callback.tracking-values',
    'SHOULD send a tracking_url that is a full web address, no tracking field that a program made of no value, and none by another name',
    { clauses: ['provider.callback.tracking-values'], needs },
    async (context) => {
      const all = (await everySuccess(context)).filter(
        (one) => hasTracking(one) || misnamed(one.callback.pairs).length > 0,
      );
      if (all.length === 0) throw new Skipped('the page sends no tracking fields');
      expectEach(
        context,
        all,
        ({ callback: { pairs } }) => trackingFault(pairs),
        'tracking fields with a value, or none',
      );
    },
  ),
  deliveryCheck(
    'provider.callback.own-tracking',
    'SHOULD NOT report one tracking_code for different orders',
    { clauses: ['provider.callback.own-tracking'], needs },
    async (context) => {
      const all = (await givenSuccess(context)).filter(hasTracking);
      if (all.length < MIN_TRACKED) throw new Skipped('the page sends too few tracking fields to compare');
      const shared = sharedTracking(
        all.map(({ name, visit, callback: { pairs } }) => ({
          name,
          order: parameterOf(visit.request.fields, 'order_uuid'),
          pairs,
        })),
      );
      context.restOn(all.slice(0, MAX_SHOWN).map(({ callback }) => callback.received.exchange));
      // Until its approval an integration may print the same sample for every order.
      const isSample = shared?.isOfAll === true && !(await areLabelsDifferent(context, all));
      context.expect.that(shared === undefined || isSample, `${shared?.one} and ${shared?.other} ${shared?.fault}`, {
        expected: 'a code of its own for each order',
        actual: shared?.value,
      });
    },
  ),
  deliveryCheck(
    'provider.callback.parameter-order',
    'SHOULD send label_request_id first, label_url next, and the tracking fields after them, and nothing unsigned',
    { clauses: ['provider.callback.parameter-order'], needs },
    async (context) => {
      const key = context.session.provider.apiKey.reveal();
      expectEach(
        context,
        await givenSuccess(context),
        ({ callback }) => {
          const at = (name: string): number => callback.pairs.findIndex(([other]) => other === name);
          const url = at('label_url');
          if (url >= 0 && url < at('label_request_id')) return 'sends label_url before label_request_id';
          const tracking = callback.pairs.findIndex(([name]) => TRACKING.includes(name));
          if (tracking >= 0 && tracking < url) return 'sends tracking fields before label_url';
          const unsigned = unsignedNames(key, callback);
          return unsigned.length === 0
            ? undefined
            : `sends ${unsigned.join(', ')} beside what its signature covers: a receiver that signs all received fields refuses it`;
        },
        'the order of the message, so that both readings, “in field order” and “followed by”, give the same message',
      );
    },
  ),
  deliveryCheck(
    'provider.callback.error-same-id',
    'MUST return the received label_request_id in its error callback',
    { clauses: ['provider.callback.error-same-id'], needs },
    async (context) => {
      const all = await failures(context);
      expectEach(context, all, ({ id, callback }) => idFault(id, callback), 'the label_request_id received');
    },
  ),
  deliveryCheck(
    'provider.callback.error-message',
    'MUST describe the failure in error_msg',
    { clauses: ['provider.callback.error-message'], needs },
    async (context) => {
      expectEach(
        context,
        await failures(context),
        ({ callback }) => {
          const message = parameterOf(callback.pairs, 'error_msg')?.trim() ?? '';
          if (message === '') return 'has an empty error_msg';
          return NO_VALUE.test(message) ? `has the error_msg ${message}, which a program made of no text` : undefined;
        },
        "a text for the store's admin",
      );
    },
  ),
  deliveryCheck(
    'provider.callback.one-outcome',
    'SHOULD NOT report a failure beside or after a success that was accepted, nor another label after it',
    { clauses: ['provider.callback.one-outcome'], needs },
    async (context) => {
      const all = await reports(context);
      expectEach(
        context,
        all,
        ({ token, callback }) => {
          const message = parameterOf(callback.pairs, 'error_msg') ?? '';
          if (!callback.isError && message !== '')
            return 'has both label_url and error_msg, so that it is not clear whether there is a label';
          const earlier = all.find(
            ({ token: other, callback: { isError, received } }) =>
              other === token && !isError && received.at < callback.received.at && (received.status ?? 500) < 400,
          );
          if (earlier === undefined) return undefined;
          if (callback.isError)
            return 'reports a failure of a label request whose success the service has already accepted';
          return isOfOtherLabel(earlier.callback, callback)
            ? 'reports another label for a label request whose first label the service has already accepted: the parcel may be booked and paid twice'
            : undefined;
        },
        'label_url for a success, or error_msg for a failure',
      );
    },
  ),
  deliveryCheck(
    'provider.callback.error-observed',
    'OBSERVES whether error callbacks are signed',
    { clauses: [], observations: ['provider.callback.error-signed'], needs },
    async (context) => {
      const all = await failures(context);
      const key = context.session.provider.apiKey.reveal();
      const signed = all.filter(({ callback }) => received(callback) !== '');
      context.restOn(all.slice(0, MAX_SHOWN).map(({ callback }) => callback.received.exchange));
      const wrong = signed.filter(({ callback }) => !isAuthentic(callback.pairs, key));
      context.observe(
        'provider.callback.error-signed',
        signed.length === 0 ? 'no' : wrong.length === 0 ? 'yes' : 'wrongly',
      );
      if (wrong.length > 0)
        context.warn(
          "Error callbacks have a wrong signature: a service that verifies it refuses them, and the store's admin does not see the error.",
        );
    },
  ),
];
