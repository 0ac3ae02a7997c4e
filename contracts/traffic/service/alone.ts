/**
 * What one response shows by itself, whatever came before it: its status, its content type, its envelope, the types of its members. A run judges
 * every response that any of its checks gets, by whichever key, method, order, page or place in a sequence.
 */
import type { InterfaceName } from '../../envelopes/index.ts';
import { isJsonObject } from '../../json/object.ts';
import { matchPath } from '../../operations/match.ts';
import type { Breach, Exchange } from '../../run/events.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import type { JsonTexts } from '../reading/json-texts.ts';
import { behindBase, SeenExchange } from '../reading/seen.ts';
import type { Notes } from '../tally.ts';
import { judgeData } from './data.ts';
import { isEnvelope, judgeResponse } from './responses.ts';
import { RESPONSE_SHAPES } from './shapes.ts';

/**
 * Clauses that such a response can break. Of Delivery only what the service itself chooses: the other members return what was
 * sent, and a check may have sent anything.
 */
const JUDGED: ReadonlySet<string> = new Set([
  'envelope.v1.body-is-object',
  'envelope.v1.json-content-type',
  'envelope.v1.success-status',
  'envelope.v1.success-error-false',
  'envelope.v1.failure-status',
  'envelope.v1.error-true',
  'envelope.v1.error-code-integer',
  'envelope.v1.error-message-string',
  'envelope.reseller.body-is-object',
  'envelope.reseller.json-content-type',
  'envelope.reseller.success-status',
  'envelope.reseller.success-error-false',
  'envelope.reseller.failure-status',
  'envelope.reseller.error-true',
  'envelope.reseller.error-code-integer',
  'envelope.reseller.error-message-string',
  'delivery.method.handle-string',
  'delivery.method.handle-unique',
  'delivery.method.name-string',
  'delivery.method.list-contains-own',
  'delivery.method.country-lists-are-codes',
  'delivery.point.list-contains',
  'delivery.point.id-unique',
  'delivery.lists.page-size-respected',
  'delivery.settings.returns-fields',
  'apps.user.wrapped',
  'apps.user.email',
  'apps.user.email-confirmed',
  'apps.website.wrapped',
  'apps.website.url',
  'apps.website.brandname',
  'apps.languages.array',
  'apps.languages.exactly-website-languages',
  'reseller.authorize.token',
  'reseller.website.array',
  'reseller.website.list-contains-own',
  'reseller.website.id',
  'reseller.website.strings',
  'reseller.website.user-country',
  'reseller.website.timestamps',
  'reseller.website.accessed',
  'reseller.website.booleans',
  'reseller.website.type-and-status',
  'reseller.login.link',
  'reseller.domain.array',
  'reseller.domain.id',
  'reseller.domain.id-unique',
  'reseller.domain.name',
  'reseller.settings.reseller-id',
  'reseller.settings.strings',
  'reseller.settings.country',
  'reseller.settings.tlds',
  'reseller.settings.credit-limit',
  'reseller.balance.premium-websites',
  'reseller.balance.current',
  'reseller.balance.threshold',
]);

/** The service did a part of the call: whether that is a success or a failure is open. */
const mayBePartial = ({ seen, match }: ServiceRequest): boolean =>
  match?.template.includes('batch_replace') === true || /,|%2c/i.test(seen.path);

/**
 * Breaches of clauses by one response; none where it was refused by something else than the interface's own code. `texts`: JSON texts
 * that were parsed before.
 */
export function breachesIn(
  exchange: Exchange,
  document: InterfaceName,
  base: string,
  texts?: Pick<JsonTexts, 'parse'>,
): Breach[] {
  const seen = new SeenExchange(exchange, texts);
  const behind = behindBase(seen, base);
  const match = matchPath(document, behind);
  const operation = match?.operations.get(seen.method);
  // Another spelling may be a path that does not exist, which a service may serve with whatever it likes.
  if (operation === undefined || match?.exact === false) return [];
  const call: ServiceRequest = { seen, document, base, behind, match, operation };
  if (responseKind(call) === 'refused' && (mayBePartial(call) || !(isOfInterface(call) || isPlainCall(call))))
    return [];
  const breaches: Breach[] = [];
  const scene: RuleContext = { notes: collecting(breaches, seen), facts: FACTS };
  judgeResponse(call, scene);
  judgeData(call, scene);
  return breaches;
}

/** By these an interface refuses what a well-formed call asks for; a proxy in front of it uses others (403, 413, 429, 5XX). */
const OWN_REFUSALS: ReadonlySet<number> = new Set([400, 401, 404, 409, 410, 422]);
/** Nothing that a firewall, a router or a parser would take offence at. */
const PLAIN_PATH = /^[\w/-]{0,200}$/;
const PLAIN_BODY = /^[\w .,:;@/+\-{}[\]"=&%]{0,2000}$/;

/**
 * A page, a text, nothing, or JSON without any member of the envelope. Proxies and frameworks refuse on their own, each in its form, so
 * only what leaves them no reason to counts: a call in plain characters, with a body that can be read.
 */
function isPlainCall({ seen, behind, match }: ServiceRequest): boolean {
  const { requestBody: body, responseBody: response } = seen;
  const { text = '' } = seen.exchange.request.body ?? {};
  return (
    response.kind !== 'unknown' &&
    (OWN_REFUSALS.has(seen.status) || isOwnRedirect(seen)) &&
    match?.exact === true &&
    PLAIN_PATH.test(behind) &&
    PLAIN_BODY.test(text) &&
    (body.kind === 'none' || (body.kind === 'json' ? isJsonObject(body.value) : /^\w+=/.test(text)))
  );
}

/** To another page of the same origin, such as a page for logging in; a gateway sends a caller to one of its own. */
function isOwnRedirect(seen: SeenExchange): boolean {
  const { url } = seen.exchange.request;
  const location = seen.status >= 300 && seen.status < 400 ? seen.responseHeader('location') : undefined;
  return location !== undefined && URL.canParse(location, url) && new URL(location, url).origin === new URL(url).origin;
}

/** It means to be an envelope, the one of a success included, or has what a success returns. */
function isOfInterface(call: ServiceRequest): boolean {
  const { responseBody } = call.seen;
  const body = responseBody.kind === 'json' && isJsonObject(responseBody.value) ? responseBody.value : undefined;
  return isEnvelope(call) || (body !== undefined && (body.error === false || hasResult(call, body)));
}

/** A list or a resource, or the one value that the operation returns. Gateways use such names as well, but beside other members. */
function hasResult({ operation, match }: ServiceRequest, body: Json): boolean {
  if (operation === undefined) return false;
  const { name = '', asked } = RESPONSE_SHAPES[operation.id] ?? {};
  if (typeof body[name] === 'object' && body[name] !== null) return true;
  if (asked !== undefined) return body[asked.member] === match?.params[asked.param];
  const value = ONE_VALUE[operation.id];
  return value !== undefined && (body[value] ?? null) !== null && Object.keys(body).every((key) => key === value);
}

/** What the other operations return it under. */
const ONE_VALUE: Partial<Record<string, string>> = {
  getLanguages: 'languages',
  getSnippet: 'snippet',
  getLanguageSnippet: 'snippet',
  getData: 'data',
  readProviderSettings: 'fields',
  authorize: 'apiToken',
  createLoginLink: 'loginUrl',
};

const FACTS: RuleContext['facts'] = { keys: {}, headersComplete: true, complete: false, languages: [] };

function collecting(breaches: Breach[], seen: SeenExchange): Notes {
  return {
    keeps: () => undefined,
    advises: () => undefined,
    undecided: () => undefined,
    breaks: (clause, exchange, { message, ...finding }) => {
      // What is in a list of countries was sent; that an empty one is a list is the service's affair.
      if (clause === 'delivery.method.country-lists-are-codes' && !isEmptyObject(memberAt(seen, finding.pointer)))
        return;
      if (JUDGED.has(clause)) breaches.push({ clause, exchange, reason: message, ...finding });
    },
  };
}

const isEmptyObject = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

/** The value that a pointer leads to in the body of a response. */
function memberAt({ responseBody }: SeenExchange, pointer = ''): unknown {
  const names = pointer.split('/').slice(1);
  const body = responseBody.kind === 'json' ? responseBody.value : undefined;
  return names.reduce((value, name) => (typeof value === 'object' ? (value as Json | null)?.[name] : undefined), body);
}

type Json = Readonly<Record<string, unknown>>;
