/** The callback of a label page for a success: what it carries, and what it is signed over. Judged on every report that authentic requests got. */
import { hash } from 'node:crypto';
import { SIGNATURE_FIELD, verifySignature } from '../../../contracts/signing/index.ts';
import {
  isTracking,
  isWebAddress,
  misnamed,
  sharedTracking,
  TRACKING,
  trackingFault,
} from '../../../contracts/traffic/integrator/labels/tracking.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { type Callback, parameterOf } from '../steps/callbacks.ts';
import { documentAt } from '../steps/documents/document.ts';
import { expectEncodedId, expectWholeId } from '../steps/unusual-ids.ts';
import { givenSuccess, type Success } from '../steps/user-flow.ts';
import { everySuccess, expectEach, idFault, MAX_SHOWN, needs, reports } from './reports.ts';
import { isRightButForTracking, isSignedRight, receivedSignature, unsignedNames } from './signed.ts';

const SIGNATURE_RULE =
  'base64 of HMAC-SHA-256 over label_request_id, label_url and the tracking fields in the order in which they are sent, with the API key';

/** What a callback has in place of what it should have: a misspelled name, for one. */
function otherNamesIn({ pairs }: Callback): string {
  const known = ['label_request_id', SIGNATURE_FIELD, ...TRACKING];
  const others = pairs.map(([name]) => name).filter((name) => !known.includes(name));
  return others.length === 0 ? '' : `; its other parameters are ${others.slice(0, MAX_NAMES).join(', ')}`;
}
const MAX_NAMES = 3;

const hasTracking = ({ callback }: Pick<Success, 'callback'>): boolean => callback.pairs.some(isTracking);

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

const isSigned = ({ callback }: Pick<Success, 'callback'>): boolean => receivedSignature(callback) !== '';

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
];
