/** Why a call has no response that can be judged, in a sentence each. */
import { NoResponse } from './no-response.ts';
import type { OutgoingRequest, ServiceResponse } from './types.ts';

/** Deeper than any response of these interfaces, shallow enough for every reader that goes down level by level. */
export const MAX_RESPONSE_LEVELS = 500;

/** A request that may have been executed and got no response. */
export function notRepeated(lost: NoResponse): NoResponse {
  const failure = new NoResponse(
    `${lost.message} The request may have been executed, so it was not repeated.`,
    lost.attribution,
    lost.cause,
  );
  failure.exchange = lost.exchange;
  failure.isLost = true;
  return failure;
}

/** A write that a gateway answered while its service was away. */
export function lostAtGateway({ status, request, exchange }: ServiceResponse): NoResponse {
  const { host } = new URL(request.url);
  const failure = new NoResponse(
    `${host} was away (${status}) when ${request.method} was sent. The request may have been executed, so it was not repeated.`,
    'network',
  );
  return Object.assign(failure, { exchange, isLost: true });
}

/** A write that a gateway answered while its service was there: the gateway may only have given up waiting for it. */
export function unanswered(response: ServiceResponse): NoResponse {
  const { status, request, exchange } = response;
  const { host } = new URL(request.url);
  const failure = new NoResponse(
    `${host} answered ${status} to ${request.method} without an error envelope, as a gateway does that waited too long. The request may have been executed, so it was not repeated.`,
    'network',
  );
  return Object.assign(failure, { exchange, isLost: true, gatewayResponse: response });
}

/** A gateway whose service is away. */
export function outOfReach({ status, request, exchange }: ServiceResponse): NoResponse {
  const { host } = new URL(request.url);
  const failure = new NoResponse(
    `${host} answers ${status}, also to calls that it served before: run again when it is back.`,
    'network',
  );
  return Object.assign(failure, { exchange });
}

/** A target that only asks for fewer requests can't be judged now; 429 is a matter of the rate, 503 of the service. */
export function throttled(response: ServiceResponse, request: OutgoingRequest): NoResponse {
  const { host } = new URL(request.url);
  const failure =
    response.status === 429
      ? new NoResponse(
          `${host} still requests a lower rate (429) after all pauses: lower limits.requestsPerSecond in the profile, or have the target's limit raised for this account.`,
          'configuration',
        )
      : new NoResponse(
          `${host} is out of service for now (503 with Retry-After): run again when it is back.`,
          'network',
        );
  failure.exchange = response.exchange;
  return failure;
}

export const notSent = ({ message, attribution, mayBeFull }: NoResponse): NoResponse =>
  Object.assign(new NoResponse(`${message} This request was not sent.`, attribution), { mayBeFull });

/** A response that is nested too deeply to be judged. */
export function tooDeep(request: OutgoingRequest): NoResponse {
  const { host } = new URL(request.url);
  return new NoResponse(
    `${request.method} ${host}: the response is nested deeper than ${MAX_RESPONSE_LEVELS} levels; it was not judged.`,
    'target',
  );
}
