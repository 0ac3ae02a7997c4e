/** What a label page does with label requests, as far as its callbacks are in the traffic (spec: Events, Provider behaviour). */
import { isFullAddress } from '../../fields/forms.ts';
import { LABEL_CALLBACK_FIELDS, SIGNATURE_FIELD, signedFields } from '../../signing/index.ts';
import type { Scene } from '../call.ts';
import { Memory } from '../memory.ts';
import { fieldOf, type LabelCallback, type LabelRequest } from '../reading/pages.ts';
import { isRedacted } from '../reading/redacted.ts';
import { say } from '../service/answers.ts';
import { isSigned, judgeSignature } from '../signatures.ts';
import { isSecure } from './bodies.ts';

const SIGNED = 'provider.callback.signature';
const TRACKING = 'provider.callback.tracking-signed';
const ORDER = 'provider.callback.parameter-order';
const UNSIGNED = 'provider.refusals.unsigned';

export const LABEL_PAGE_CLAUSES = [
  'provider.label.https',
  'provider.callback.by-get',
  'provider.callback.same-id',
  'provider.callback.label-url',
  'provider.callback.signed',
  SIGNED,
  TRACKING,
  ORDER,
  'provider.callback.error-same-id',
  'provider.callback.error-message',
];
/** Whether forged requests are refused takes a forged one with its control; here only the opposite shows. */
export const LABEL_PAGE_CLAUSES_BROKEN = [UNSIGNED];

const TRACKING_FIELDS = ['tracking_code', 'tracking_url'];
/** Requests that are remembered. */
const REMEMBERED = 5_000;

/** A rule with memory: call `request` and `callback` with what the traffic holds, in its order. */
export function labelPageRule(scene: Scene) {
  const { notes } = scene;
  /** Whether any request under an id carried a signature. */
  const signedById = new Memory<boolean>({ entries: REMEMBERED });

  return {
    request({ seen, fields }: LabelRequest): void {
      const address = seen.exchange.request.url;
      say(scene, 'provider.label.https', seen.n, isSecure(address), {
        message: 'the label page uses plain http',
        pointer: 'address',
        expected: 'an https address',
        actual: seen.origin,
      });
      const id = fieldOf(fields, 'label_request_id');
      if (id === undefined) return;
      const isSignedNow = (fieldOf(fields, SIGNATURE_FIELD) ?? '') !== '';
      signedById.set(id, isSignedNow || signedById.get(id) === true);
    },
    callback(callback: LabelCallback): void {
      const { seen, fields } = callback;
      say(scene, 'provider.callback.by-get', seen.n, seen.method === 'GET', {
        message: `the callback came by ${seen.method} instead of GET`,
        pointer: 'method',
        expected: 'GET',
        actual: seen.method,
      });
      if (fields.some(([name]) => name === 'error_msg')) judgeError(callback);
      else judgeSuccess(callback);
    },
  };

  function judgeId({ seen, fields, ids }: LabelCallback, clause: string): void {
    const id = fieldOf(fields, 'label_request_id');
    const finding = { pointer: 'query label_request_id', expected: 'the id that the page received' };
    if (id === undefined || id === '') {
      notes.breaks(clause, seen.n, { ...finding, message: 'the callback names no label_request_id', actual: 'none' });
    } else if (signedById.get(id) !== undefined) notes.keeps(clause, seen.n);
    else if (ids === undefined || isRedacted(id)) {
      notes.undecided(clause, seen.n, 'the label request that the callback answers is not in the traffic');
    } else {
      notes.breaks(clause, seen.n, {
        ...finding,
        message: 'the callback names a label_request_id that no label request for this address had',
        actual: id,
      });
    }
  }

  function judgeError(callback: LabelCallback): void {
    const { seen, fields } = callback;
    judgeId(callback, 'provider.callback.error-same-id');
    const message = fieldOf(fields, 'error_msg') ?? '';
    say(scene, 'provider.callback.error-message', seen.n, message.trim() !== '', {
      message: 'the error callback carries an empty error_msg',
      pointer: 'query error_msg',
      expected: 'a text that says what went wrong',
      actual: 'empty',
    });
  }

  function judgeSuccess(callback: LabelCallback): void {
    const { seen, fields } = callback;
    const { n } = seen;
    judgeId(callback, 'provider.callback.same-id');
    const url = fieldOf(fields, 'label_url');
    say(scene, 'provider.callback.label-url', n, isRedacted(url) || isFullAddress(url), {
      message: `the success callback carries ${url === undefined ? 'no label_url' : 'a label_url that is not a full address'}`,
      pointer: 'query label_url',
      expected: 'an https or http address with a host',
      actual: url ?? 'none',
    });
    const signature = fieldOf(fields, SIGNATURE_FIELD) ?? '';
    say(scene, 'provider.callback.signed', n, signature !== '', {
      message: 'the success callback carries no signature',
      pointer: 'query signature',
      expected: 'a signature',
      actual: 'none',
    });
    const names = fields.map(([name]) => name);
    const [idAt, urlAt] = [names.indexOf('label_request_id'), names.indexOf('label_url')];
    if (idAt >= 0 && urlAt >= 0) {
      say(scene, ORDER, n, idAt < urlAt, {
        message:
          'the success callback sends label_url before label_request_id, so that the signed message can be read in two ways',
        pointer: 'query label_request_id',
        expected: 'label_request_id before label_url',
        actual: names,
      });
    }
    if (signature !== '' && url !== undefined) judgeSigned(callback);
    const id = fieldOf(fields, 'label_request_id');
    if (id !== undefined && signedById.get(id) === false && !isRedacted(id)) {
      notes.breaks(UNSIGNED, n, {
        message: 'a label request without a signature was answered with success',
        pointer: 'query label_request_id',
        expected: 'no success callback',
        actual: id,
      });
    }
  }

  function judgeSigned({ seen, fields }: LabelCallback): void {
    const { n } = seen;
    const expects = 'over label_request_id, then label_url, then the tracking fields in sent order';
    const signed = { what: 'the success callback', fields, n, expects };
    const hasTracking = TRACKING_FIELDS.some((name) => (fieldOf(fields, name) ?? '') !== '');
    if (isSigned(scene, fields) !== false) {
      judgeSignature(scene, SIGNED, signed);
      if (hasTracking) judgeSignature(scene, TRACKING, signed);
      return;
    }
    // Other readings: of an order that the contract does not fix, and of parameters that the callback's address had before.
    const signature = fieldOf(fields, SIGNATURE_FIELD) ?? '';
    const first = ['label_request_id', 'label_url'].flatMap((name) => fields.filter(([other]) => other === name));
    const rest = signedFields(fields).filter((pair) => !first.includes(pair));
    const withSignature = (pairs: typeof rest) => [...pairs, [SIGNATURE_FIELD, signature] as const];
    const tracking = rest.filter(([name]) => TRACKING_FIELDS.includes(name));
    const own = signedFields(fields).filter(([name]) =>
      LABEL_CALLBACK_FIELDS.some((documented) => documented === name),
    );
    const readings = [[...first, ...rest], [...first, ...tracking], own];
    if (readings.some((pairs) => isSigned(scene, withSignature(pairs)) === true)) {
      notes.keeps(SIGNED, n);
      if (hasTracking) notes.keeps(TRACKING, n);
      return;
    }
    const without = withSignature(signedFields(fields).filter(([name]) => !TRACKING_FIELDS.includes(name)));
    const turned = withSignature([...first, ...tracking.toReversed()]);
    const partly = [without, withSignature(first), turned].some((pairs) => isSigned(scene, pairs) === true);
    if (!hasTracking || !partly) {
      judgeSignature(scene, SIGNED, signed);
      return;
    }
    notes.keeps(SIGNED, n);
    notes.breaks(TRACKING, n, {
      message:
        'the signature of the success callback leaves the tracking fields out, or has them in another order than they are sent',
      pointer: 'query signature',
      expected: `base64 of HMAC-SHA-256 ${expects}, under the API key`,
      actual: signature,
    });
  }
}
