/** What a label page does with label requests, as far as its callbacks are in the traffic (spec: Events, Provider behaviour). */
import { isFullAddress } from '../../../fields/forms.ts';
import { isJsonObject } from '../../../json/object.ts';
import { SIGNATURE_FIELD } from '../../../signing/index.ts';
import type { RuleContext, ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { fieldOf, type LabelCallback, type LabelRequest } from '../../reading/pages.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { comparable, type SeenExchange } from '../../reading/seen.ts';
import { named, say } from '../../service/responses.ts';
import { isSigned } from '../../signatures.ts';
import { isSecure } from '../bodies.ts';
import { judgeCallbackSignature, SIGNED, TRACKING } from './callback-signature.ts';
import { CONTENT_TYPE, IS_PDF, judgeLabelDocument } from './label-document.ts';
import { isTracking, misnamed, trackingFault } from './tracking.ts';

const ORDER = 'provider.callback.parameter-order';
const TRACKING_VALUES = 'provider.callback.tracking-values';
const ONE_OUTCOME = 'provider.callback.one-outcome';
const UNSIGNED = 'provider.refusals.unsigned';
const TAMPERED = 'provider.refusals.tampered';
const ORDER_UUID = 'provider.calls.wrapped-bodies';

export const LABEL_PAGE_CLAUSES = [
  'provider.label.https',
  'provider.callback.by-get',
  'provider.callback.same-id',
  'provider.callback.label-url',
  'provider.callback.signed',
  SIGNED,
  TRACKING,
  ORDER,
  TRACKING_VALUES,
  'provider.callback.error-same-id',
  'provider.callback.error-message',
];
/** A pass of these needs a forged request with its control; recorded traffic can only break them. */
export const LABEL_PAGE_CLAUSES_BROKEN = [UNSIGNED, TAMPERED, ONE_OUTCOME, IS_PDF, CONTENT_TYPE];

/** Requests that are remembered. */
const REMEMBERED = 5_000;

/** A rule with memory: call `request` and `callback` with what the traffic holds, in its order. */
export class LabelPageRule {
  readonly #scene: RuleContext;
  readonly #notes: RuleContext['notes'];
  /** Whether any request under an id carried a signature. */
  readonly #signedById = new Memory<boolean>({ entries: REMEMBERED });
  /** Whether the signature of the requests under an id is right, if the keys are known. */
  readonly #rightById = new Memory<boolean>({ entries: REMEMBERED });
  readonly #control = { hasRight: false };
  /** Other ids of label requests, which a client may send in place of the order_uuid. */
  readonly #otherIds = new Memory<string>({ entries: REMEMBERED });
  readonly #orders = new Memory<true>({ entries: REMEMBERED });
  readonly #labels = new Memory<true>({ entries: REMEMBERED });
  /** The ids whose success callback the service has accepted. */
  readonly #printed = new Memory<true>({ entries: REMEMBERED });

  constructor(scene: RuleContext) {
    this.#scene = scene;
    this.#notes = scene.notes;
  }

  request({ seen, fields, isJson }: LabelRequest): void {
    const address = seen.exchange.request.url;
    // A JSON request may be one that the provider forwarded to a server of its own.
    if (!isJson)
      say(this.#scene, 'provider.label.https', seen.n, isSecure(address), {
        message: 'the label page uses plain http',
        pointer: 'address',
        expected: 'an https address',
        actual: seen.origin,
      });
    const id = fieldOf(fields, 'label_request_id');
    if (id === undefined) return;
    const isSignedNow = (fieldOf(fields, SIGNATURE_FIELD) ?? '') !== '';
    this.#signedById.set(id, isSignedNow || this.#signedById.get(id) === true);
    const isRight = isSignedNow ? isSigned(this.#scene, fields) : undefined;
    if (isRight === true) this.#control.hasRight = true;
    if (isRight !== undefined) this.#rightById.set(id, isRight || this.#rightById.get(id) === true);
    const order = fieldOf(fields, 'order_uuid');
    if (order !== undefined) this.#orders.set(order, true);
    for (const name of ['label_request_id', 'invoice_id']) this.#otherIds.set(fieldOf(fields, name) ?? '', name);
  }

  /** Settings are requested with the order_uuid of a label request, and not with another of its ids. */
  call(call: ServiceRequest): void {
    const { operation, seen } = call;
    const body = seen.requestBody.kind === 'json' ? seen.requestBody.value : undefined;
    const requested = isJsonObject(body) ? body.order_uuid : undefined;
    if (operation?.id !== 'readProviderSettings' || typeof requested !== 'string' || isRedacted(requested)) return;
    if (requested === '' || this.#orders.get(requested) === true) return;
    const name =
      this.#otherIds.get(requested) ?? (this.#hasInOtherForm(requested) ? 'order_uuid in another form' : undefined);
    if (name === undefined) return;
    this.#notes.breaks(ORDER_UUID, seen.n, {
      message: `${named(call)} requests an order by the ${name} of its label request`,
      pointer: '/order_uuid',
      expected: 'the order_uuid of the label request, as it was received',
      actual: requested,
    });
  }

  /** Any other request; it may fetch a label. */
  other(seen: SeenExchange): void {
    if (seen.method !== 'GET' || this.#labels.get(comparable(seen.exchange.request.url)) !== true) return;
    judgeLabelDocument(this.#scene, seen);
  }

  callback(callback: LabelCallback): void {
    const { seen, fields } = callback;
    say(this.#scene, 'provider.callback.by-get', seen.n, seen.method === 'GET', {
      message: `the callback was a ${seen.method} instead of a GET`,
      pointer: 'method',
      expected: 'GET',
      actual: seen.method,
    });
    const hasLabel = (fieldOf(fields, 'label_url') ?? '') !== '';
    if (fields.some(([name]) => name === 'error_msg') && !hasLabel) this.#judgeError(callback);
    else this.#judgeSuccess(callback);
    if (!hasLabel || (fieldOf(fields, 'error_msg') ?? '') === '') return;
    this.#notes.advises(ONE_OUTCOME, seen.n, {
      message: 'the callback contains both label_url and error_msg, so it is not clear whether there is a label',
      pointer: 'query error_msg',
      expected: 'label_url for a success, or error_msg for a failure',
    });
  }

  #judgeId({ seen, fields, ids }: LabelCallback, clause: string): void {
    const id = fieldOf(fields, 'label_request_id');
    const finding = { pointer: 'query label_request_id', expected: 'the id that the page received' };
    if (id === undefined || id === '') {
      this.#notes.breaks(clause, seen.n, {
        ...finding,
        message: 'the callback contains no label_request_id',
        actual: 'none',
      });
    } else if (this.#signedById.get(id) !== undefined) this.#notes.keeps(clause, seen.n);
    else if (ids === undefined || isRedacted(id)) {
      this.#notes.undecided(clause, seen.n, 'the label request of the callback is not in the traffic');
    } else {
      this.#notes.breaks(clause, seen.n, {
        ...finding,
        message: 'the callback contains a label_request_id that no label request for this address had',
        actual: id,
      });
    }
  }

  #judgeError(callback: LabelCallback): void {
    const { seen, fields } = callback;
    this.#judgeId(callback, 'provider.callback.error-same-id');
    const message = fieldOf(fields, 'error_msg') ?? '';
    say(this.#scene, 'provider.callback.error-message', seen.n, message.trim() !== '', {
      message: 'the error callback contains an empty error_msg',
      pointer: 'query error_msg',
      expected: 'a text that describes what went wrong',
      actual: 'empty',
    });
    const id = fieldOf(fields, 'label_request_id') ?? '';
    if (this.#printed.get(id) !== true) return;
    this.#notes.advises(ONE_OUTCOME, seen.n, {
      message:
        'the label request had a success callback before this error callback, so it is not clear whether there is a label',
      pointer: 'query error_msg',
      expected: 'no error callback once the label is printed',
      actual: message,
    });
  }

  #judgeSuccess(callback: LabelCallback): void {
    const { seen, fields } = callback;
    const { n } = seen;
    this.#judgeId(callback, 'provider.callback.same-id');
    const url = fieldOf(fields, 'label_url');
    say(this.#scene, 'provider.callback.label-url', n, isRedacted(url) || isFullAddress(url), {
      message: `the success callback contains ${url === undefined ? 'no label_url' : 'a label_url that is not a full address'}`,
      pointer: 'query label_url',
      expected: 'an https or http address with a host',
      actual: url ?? 'none',
    });
    const signature = fieldOf(fields, SIGNATURE_FIELD) ?? '';
    say(this.#scene, 'provider.callback.signed', n, signature !== '', {
      message: 'the success callback contains no signature',
      pointer: 'query signature',
      expected: 'a signature',
      actual: 'none',
    });
    const names = fields.map(([name]) => name);
    const [idAt, urlAt] = [names.indexOf('label_request_id'), names.indexOf('label_url')];
    if (idAt >= 0 && urlAt >= 0) {
      say(this.#scene, ORDER, n, idAt < urlAt, {
        message:
          'the success callback sends label_url before label_request_id, so the signed message can be read in two ways',
        pointer: 'query label_request_id',
        expected: 'label_request_id before label_url',
        actual: names,
      });
    }
    this.#judgeTracking(callback);
    if (signature !== '' && url !== undefined) judgeCallbackSignature(this.#scene, callback);
    const id = fieldOf(fields, 'label_request_id');
    if (url !== undefined && !isRedacted(url)) this.#labels.set(comparable(url), true);
    if (id !== undefined && !isRedacted(id) && isFullAddress(url) && seen.status < 400) this.#printed.set(id, true);
    // A right signature of another request proves the keys, and that the recording has the fields as they were sent.
    if (
      id !== undefined &&
      this.#signedById.get(id) === true &&
      this.#rightById.get(id) === false &&
      this.#control.hasRight
    ) {
      this.#notes.breaks(TAMPERED, n, {
        message: 'a label request whose signature is wrong was answered with success',
        pointer: 'query label_request_id',
        expected: 'no success callback',
        actual: id,
      });
    }
    if (id !== undefined && this.#signedById.get(id) === false && !isRedacted(id)) {
      this.#notes.breaks(UNSIGNED, n, {
        message: 'an unsigned label request received a success callback',
        pointer: 'query label_request_id',
        expected: 'no success callback',
        actual: id,
      });
    }
  }

  #judgeTracking({ seen, fields }: LabelCallback): void {
    const sent = fields.filter((field) => isTracking(field) && !isRedacted(field[1]));
    const wrong = misnamed(fields);
    if (sent.length === 0 && wrong.length === 0) return;
    const fault = trackingFault([...sent, ...fields.filter(([name]) => wrong.includes(name))]);
    say(this.#scene, TRACKING_VALUES, seen.n, fault === undefined, {
      message: `the success callback ${fault ?? ''}`,
      pointer: 'query tracking_url',
      expected: 'tracking fields with a value, or none',
      actual: Object.fromEntries(sent),
    });
  }

  #hasInOtherForm(requested: string): boolean {
    const plain = (uuid: string): string => uuid.toLowerCase().replaceAll(/[^a-z\d]/g, '');
    return plain(requested) !== '' && this.#orders.keys().some((order) => plain(order) === plain(requested));
  }
}
