/** Why a callback of an integrator was refused. */
import { verifySignature } from '../../contracts/signing/index.ts';
import { APP_CALLBACK_PATH } from '../apps/installs.ts';
import { keyOf } from '../orders/labels.ts';
import type { MockService } from '../types/service.ts';
import type { RefusedRequest } from './request.ts';

/** What is wrong with a callback of a label page; undefined if nothing is found. */
export function labelCallbackHint(service: MockService, { method, query }: RefusedRequest): string | undefined {
  if (method !== 'GET') return `the callback is a GET with its fields in the query, not ${method}`;
  const pairs = [...new URLSearchParams(query)];
  const id = pairs.find(([name]) => name === 'label_request_id')?.[1];
  const request = id === undefined ? undefined : service.state.labelRequests.get(id);
  if (request === undefined)
    return id === undefined
      ? 'label_request_id is missing: send back the one that was received'
      : 'there is no label request with this label_request_id: send back the one that was received, unchanged';
  if (request.outcome !== 'waiting' && !service.rules.mayRespondAgain(request))
    return 'this label request has been answered already: each is answered once';
  const others = Object.fromEntries(
    service.state.websites.all().map((row) => [`the key of the store ${row.id}`, row.apiKey]),
  );
  if (!service.rules.callbackNeedsSignature(pairs)) return undefined;
  const judged = verifySignature(pairs, keyOf(service, request), others);
  return judged.authentic ? undefined : judged.diagnosis;
}

/** What is wrong with the return redirect of an app; undefined if nothing is found. */
export function appCallbackHint(service: MockService, { path, query }: RefusedRequest): string | undefined {
  const visit = service.state.visits.get(path.slice(APP_CALLBACK_PATH.length).replace(/(?<!\/)\/+$/, ''));
  if (visit === undefined)
    return 'this callback belongs to no visit: redirect to the address in the parameter callback, unchanged';
  const received = [...new URLSearchParams(query)];
  const sent = visit.sent.filter(([name]) => name !== 'callback' && name !== 'hash');
  const names = (pairs: readonly (readonly [string, string])[]): string => pairs.map(([name]) => name).join(', ');
  const isIn = (list: readonly (readonly [string, string])[], [name, value]: readonly [string, string]): boolean =>
    list.some((pair) => pair[0] === name && pair[1] === value);
  const missing = sent.filter((pair) => !isIn(received, pair));
  const added = received.filter((pair) => !isIn(sent, pair));
  const parts = [
    ...(missing.length === 0 ? [] : [`missing or changed: ${names(missing)}`]),
    ...(added.length === 0 ? [] : [`not as received: ${names(added)}`]),
  ];
  return parts.length === 0
    ? undefined
    : `the redirect contains all received parameters except callback and hash, and no others (${parts.join('; ')})`;
}
