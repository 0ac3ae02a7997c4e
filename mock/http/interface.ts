/** Serves one call of an interface: parses it, decides, changes the state as one unit, and responds with the envelope of the interface. */

import { OPERATIONS, type OperationsOf, operationsOf } from '../../contracts/operations/index.ts';
import type { ServiceResponse } from '../rules/common.ts';
import type { MockService } from '../types/service.ts';
import type { Interface, Pairs, ServiceRequest } from './call.ts';
import type { PlainRequest, PlainResponse } from './messages.ts';
import { Refusal } from './refusal.ts';
import { formOf, objectOf, pairsOf, type Route, routeOf, segmentsOf, textOf, unknownCall } from './request.ts';

/** Serves an operation: returns the body of a success, throws a Refusal otherwise. Synchronous, so that no other call interferes. */
export type Run = (service: MockService, call: ServiceRequest) => Record<string, unknown>;

/** How the service answers an operation; method and path are those of the documents. */
export interface OperationHandler {
  /** Whether it may change the state. */
  readonly changes: boolean;
  readonly run: Run;
}

export interface Operation extends Route<Run>, OperationHandler {}

/** The handlers of all operations of an interface: a missing one does not compile. */
export type ServedOperations<I extends Interface> = Readonly<Record<OperationsOf<I>, OperationHandler>>;

export interface Routes {
  readonly iface: Interface;
  /** `/v1` or `/api`. */
  readonly base: string;
  readonly operations: readonly Operation[];
}

/** The routes of an interface, with the methods and paths of the documents. */
export function routesOf<I extends Interface>(iface: I, base: string, served: ServedOperations<I>): Routes {
  const operations = operationsOf(iface).map((id): Operation => {
    const { methods, template } = OPERATIONS[id as OperationsOf<Interface>];
    return { operation: id, methods, path: template, ...served[id] };
  });
  return { iface, base, operations };
}

/** Answers any request below the base, also a malformed or unknown one, with the envelope. */
export async function serveInterface(
  service: MockService,
  routes: Routes,
  request: PlainRequest,
): Promise<PlainResponse> {
  const path = request.path.slice(routes.base.length);
  let call = unknownCall(routes.iface, request, path);
  let response: ServiceResponse;
  try {
    const { route, values } = routeOf(routes.operations, request.method, segmentsOf(path));
    call = { ...call, operation: route.operation, segments: values, params: pairsOf(request.query) };
    call = routes.iface === 'reseller' ? await withForm(call, request) : withBody(call, textOf(request));
    throttle(service, call);
    const served = call;
    const run = (): Record<string, unknown> => route.run(service, served);
    const changes = (route as Operation).changes;
    response = { status: 200, body: changes ? service.change(run) : run(), headers: {} };
  } catch (error) {
    response = refused(service, call, error);
  }
  return finished(service, call, response);
}

/** The response with its final form and content type. */
export function finished(service: MockService, call: ServiceRequest, response: ServiceResponse): PlainResponse {
  const { status, body, headers } = service.rules.finish(call, response);
  return written(service, call, { status, body, headers });
}

function written(
  service: MockService,
  call: ServiceRequest,
  { status, body, headers }: ServiceResponse,
): PlainResponse {
  const text = call.method === 'HEAD' ? null : JSON.stringify(body);
  return { status, headers: { 'content-type': service.rules.contentType(call), ...headers }, body: text };
}

/** Answers an address that was meant for an interface but is not below its base: `//v1/store/`, `/V1/store/`. */
export function serveMisspelled(service: MockService, routes: Routes, request: PlainRequest): PlainResponse {
  const call = unknownCall(routes.iface, request, request.path);
  const refusal = new Refusal('not-found', `The addresses of this interface begin with ${routes.base}/.`);
  return written(service, call, refused(service, call, refusal));
}

async function withForm(call: ServiceRequest, request: PlainRequest): Promise<ServiceRequest> {
  const form: Pairs = request.method === 'POST' ? await formOf(request) : [];
  return { ...call, params: [...call.params, ...form] };
}

/** The body is parsed on first access: a caller without a key learns nothing about its JSON. */
function withBody(call: ServiceRequest, text: string): ServiceRequest {
  let parsed: Record<string, unknown> | undefined;
  return {
    ...call,
    get body() {
      parsed ??= objectOf(text);
      return parsed;
    },
  };
}

function throttle(service: MockService, call: ServiceRequest): void {
  const seconds = service.rules.retryAfterSeconds(call);
  if (seconds === null) return;
  throw new Refusal('too-often', `Too many calls: wait ${seconds} s.`, { 'retry-after': String(seconds) });
}

/** A refusal in the words of the interface. Any other exception is a bug of the mock and says so, also in the envelope. */
export function refused(service: MockService, call: ServiceRequest, error: unknown): ServiceResponse {
  const { rules } = service;
  if (!(error instanceof Refusal)) {
    console.error(`proofmark mock: ${call.operation}: ${(error as Error).stack ?? error}`);
    return { status: 500, body: rules.errorEnvelope(call.iface, 500, 'The service failed.'), headers: {} };
  }
  const status = rules.errorStatus(error.kind);
  const code = rules.errorCode(error.kind, status);
  return { status, body: rules.errorEnvelope(call.iface, code, error.message), headers: { ...error.headers } };
}
