/** Label printing: the signed request to the provider's page, and the callback with its result. */
import { isWebAddress } from '../http/addresses.ts';
import { type Pairs, param, type ServiceRequest } from '../http/call.ts';
import { finished, refused } from '../http/interface.ts';
import type { PlainRequest, PlainResponse } from '../http/messages.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { pairsOf, unknownCall } from '../http/request.ts';
import type { ServiceResponse } from '../rules/common.ts';
import type { LabelContext } from '../rules/labels.ts';
import { timestamp } from '../state/clock.ts';
import { domainOf } from '../state/sites.ts';
import { type LabelRequest, type Method, type Order, ownerOf } from '../state/state.ts';
import type { MockService } from '../types/service.ts';

/** The callback path. It has no query, because providers append one. */
export const LABEL_CALLBACK_PATH = '/label_callback/';

/** A form that a page posts at once: the address, and the fields in order with their signature. */
export interface SignedForm {
  readonly action: string;
  readonly fields: Pairs;
}

/** The current method of an order, or its copy in the order if it was deleted. */
export function methodOf(service: MockService, order: Order): Method {
  return service.state.methods.get(order.method.handle) ?? order.method;
}

export function mayPrintLabel(service: MockService, order: Order): boolean {
  return service.rules.mayPrintLabel(methodOf(service, order));
}

/** What one press of the Print Label button sends. Each press is a request of its own. */
export function pressPrintLabel(service: MockService, orderUuid: string): SignedForm {
  const { rules, state } = service;
  const order = state.orders.get(orderUuid);
  if (!order) return refuse('not-found', 'There is no such order.');
  const method = methodOf(service, order);
  if (!mayPrintLabel(service, order) || method.print_label_url === null) {
    return refuse('invalid', 'The delivery method of this order does not print labels.');
  }
  const request = service.change(() => {
    const id = rules.newRequestId(service.random);
    const sentAt = timestamp(service.now());
    return state.labelRequests.set(id, { id, orderUuid, owner: order.owner, sentAt, outcome: 'waiting' });
  });
  const fields = rules.labelFields(contextOf(service, request, order, method));
  const form = { action: method.print_label_url, fields: signed(service, 'label', fields, keyOf(service, order)) };
  service.onSent?.({ kind: 'label', url: form.action, fields: form.fields });
  return form;
}

/** The fields as a browser transmits them, and their signature. */
export function signed(service: MockService, kind: 'label' | 'checkout', fields: Pairs, key: string): Pairs {
  const { rules } = service;
  const sent = fields.map(([name, value]) => [name, rules.transmitted(value)] as const);
  return rules.withSignature(sent, rules.formSignature(kind, sent, key));
}

/** The key that signs for the owner of an order's method. */
export function keyOf(service: MockService, order: Pick<Order, 'owner'>): string {
  const owner = ownerOf(service.state, order.owner);
  return owner ? owner.apiKey : refuse('not-found', 'The owner of this delivery method no longer exists.');
}

function contextOf(service: MockService, request: LabelRequest, order: Order, method: Method): LabelContext {
  const website = service.state.websites.get(String(order.websiteId));
  if (!website) return refuse('not-found', 'The store of this order no longer exists.');
  const [kind, number] = order.owner.split(':') as [string, string];
  return {
    requestId: request.id,
    order,
    method,
    website,
    websiteDomain: domainOf(service, website),
    provider: kind === 'provider' ? (service.state.providers.get(number) ?? null) : null,
    callbackUrl: `${service.origin}${LABEL_CALLBACK_PATH}`,
  };
}

/** Answers a provider's callback: success and refusal in the envelope of the delivery interface. */
export function serveLabelCallback(service: MockService, request: PlainRequest): PlainResponse {
  const call: ServiceRequest = { ...unknownCall('delivery', request, request.path), operation: 'reportLabel' };
  let response: ServiceResponse;
  try {
    if (request.method !== 'GET') throw new Refusal('wrong-method', 'The callback is a GET.', { allow: 'GET' });
    storeCallback(service, pairsOf(request.query));
    response = { status: 200, body: service.rules.successEnvelope('delivery'), headers: {} };
  } catch (error) {
    response = refused(service, call, error);
  }
  return finished(service, call, response);
}

/** Stores a provider's report in the order. Refuses reports that are unknown, incomplete or not signed correctly. */
function storeCallback(service: MockService, params: Pairs): void {
  const { rules, state } = service;
  const id = param(params, 'label_request_id');
  if (!id) refuse('invalid', 'label_request_id is missing.');
  const request = state.labelRequests.get(id);
  const order = request && state.orders.get(request.orderUuid);
  if (!request || !order) refuse('not-found', 'There is no such label request.');
  checkSignature(service, request, params);
  if (!rules.mayRespondAgain(request)) refuse('gone', 'This label request has been answered already.');
  const label = reported(service, params, order);
  service.change(() => {
    state.orders.patch(order.uuid, { label });
    state.labelRequests.patch(id, { outcome: params.some(([name]) => name === 'error_msg') ? 'error' : 'label' });
  });
}

function checkSignature(service: MockService, request: LabelRequest, params: Pairs): void {
  const { rules } = service;
  if (!rules.callbackNeedsSignature(params)) return;
  const received = params.filter(([name]) => name === 'signature').map(([, value]) => value);
  if (received.length !== 1) refuse('unauthorized', 'Send one field signature.');
  const key = keyOf(service, request);
  const right = rules.callbackSignature(
    params.filter(([name]) => name !== 'signature'),
    key,
  );
  if (!rules.signatureMatches(received[0]!, right)) refuse('unauthorized', 'The signature is wrong.');
}

function reported(service: MockService, params: Pairs, order: Order): Order['label'] {
  const error = param(params, 'error_msg');
  const url = param(params, 'label_url');
  if (error !== null && url !== null) return refuse('invalid', 'Send label_url or error_msg, not both.');
  if (error !== null) return service.rules.errorKept(params, order.label);
  if (url === null || !isWebAddress(url)) return refuse('invalid', 'label_url must be the address of a PDF.');
  const tracking = param(params, 'tracking_url');
  if (tracking && !isWebAddress(tracking)) return refuse('invalid', 'tracking_url must be an address.');
  return service.rules.labelKept(params);
}
