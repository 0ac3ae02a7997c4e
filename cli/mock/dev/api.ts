/** The development server's own interface below `/_dev/api/`: JSON, and forms of its page. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import { faults, UnknownDeviation, variants } from '../../../mock/deviations.ts';
import { Refusal } from '../../../mock/http/refusal.ts';
import type { MockService } from '../../../mock/types/service.ts';
import type { RequestLog } from './log.ts';
import type { Order, Sender } from './sending.ts';

export const API_PATH = '/_dev/api/';

/** What the server does besides serving. */
export interface DevSettings {
  /** Faults and variants that are switched on. */
  active: readonly string[];
  /** How long calls wait before they are served. */
  latencyMs: number;
}

export interface DevParts {
  readonly service: MockService;
  readonly log: RequestLog;
  readonly sending: Sender;
  readonly settings: DevSettings;
}

export const MAX_LATENCY_MS = 60_000;

/** What a call says: fields of JSON or of a form. */
type Fields = Readonly<Record<string, unknown>>;

/** A sentence for a caller that uses it wrongly. */
class Unusable extends Error {}

/** The calls, by method and path; what each answers is JSON. */
const CALLS: Readonly<Record<string, (parts: DevParts, fields: Fields) => unknown>> = {
  'GET log': ({ log }, { after }) => ({
    entries: log.entries(numberOf(after ?? 0, 'after is the number of a request.')),
  }),
  'POST log/clear': ({ log, sending }) => {
    log.clear();
    sending.clear();
    return { done: true };
  },
  'GET state': async ({ service, log }) => log.redaction.value(await service.control.state()),
  'POST reset': async ({ service, log, sending, settings }) => {
    await service.control.reset();
    log.clear();
    sending.clear();
    settings.active = [];
    settings.latencyMs = 0;
    return { done: true };
  },
  'GET deviations': ({ settings }) => ({
    active: settings.active,
    faults: faults.map(({ id, about, clause, clauses }) => ({ id, about, clauses: clauses ?? [clause] })),
    variants: variants.map(({ id, about }) => ({ id, about })),
  }),
  'POST deviations': async ({ service, settings }, { ids, add, remove }) => {
    const areIds = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
    if (ids === undefined ? typeof (add ?? remove) !== 'string' : !areIds)
      throw new Unusable('Send {"ids": [ID, …]}, {"add": ID} or {"remove": ID}: GET deviations lists the ids.');
    const wanted = areIds ? [...ids] : [...settings.active];
    if (typeof add === 'string' && add !== '') wanted.push(add);
    const next = [...new Set(wanted)].filter((id) => id !== remove);
    await service.control.deviate(next);
    settings.active = next;
    return { active: next };
  },
  'GET latency': ({ settings }) => ({ ms: settings.latencyMs }),
  'POST latency': ({ settings }, { ms }) => {
    const range = `ms is a whole number from 0 to ${MAX_LATENCY_MS}.`;
    const value = numberOf(ms, range);
    if (value > MAX_LATENCY_MS) throw new Unusable(range);
    settings.latencyMs = value;
    return { ms: value };
  },
  'GET sent': ({ sending, log }) => ({ sent: log.redaction.value(sending.all()) }),
  'POST send': async ({ service, sending, log }, fields) =>
    log.redaction.value(await sending.send(orderOf(service, fields))),
  'POST resend': async ({ sending, log }, { n }) => {
    const sent = await sending.resend(Number(n));
    if (sent === undefined) throw new Unusable(`No sent request has the number ${String(n)}: see GET sent.`);
    return log.redaction.value(sent);
  },
};

/** Answers a call. A form of the page goes back to the page. */
export async function serveApi(parts: DevParts, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const name = `${request.method} ${pathname.slice(API_PATH.length).replace(/\/$/, '')}`;
  const one = /^GET log\/(\d+)$/.exec(name);
  if (one !== null) {
    const entry = parts.log.entry(Number(one[1]));
    return entry === undefined ? failed(404, `The log has no request ${one[1]}.`) : json(entry);
  }
  const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (call === undefined) return failed(404, `There is no call ${name}; there are ${Object.keys(CALLS).join(', ')}.`);
  const isForm = /^application\/x-www-form-urlencoded/i.test(request.headers.get('content-type') ?? '');
  try {
    const fields = request.method === 'GET' ? Object.fromEntries(searchParams) : await fieldsOf(request, isForm);
    const response = await call(parts, fields);
    return isForm ? new Response(null, { status: 303, headers: { location: '/_dev/' } }) : json(response);
  } catch (error) {
    const isExpected = error instanceof Unusable || error instanceof UnknownDeviation || error instanceof Refusal;
    if (!isExpected) throw error;
    return failed(400, error.message);
  }
}

async function fieldsOf(request: Request, isForm: boolean): Promise<Fields> {
  const text = await request.text();
  if (isForm) return Object.fromEntries(new URLSearchParams(text));
  if (text.trim() === '') return {};
  const value = jsonIn(text);
  if (isJsonObject(value)) return { ...value };
  throw new Unusable('The body is a JSON object, or a form.');
}

/** A whole number from 0, also as the text of a form or a query. */
function numberOf(value: unknown, sentence: string): number {
  if (/^\d{1,15}$/.test(typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''))
    return Number(value);
  throw new Unusable(sentence);
}

function orderOf({ state }: MockService, fields: Fields): Order {
  const text = (name: string): string => {
    const value = typeof fields[name] === 'number' ? String(fields[name]) : fields[name];
    if (typeof value !== 'string' || value === '') throw new Unusable(`Name ${name}: GET state lists what there is.`);
    return value;
  };
  const website = (): number => numberOf(text('website'), 'website is the number of a store: GET state lists them.');
  switch (fields.kind) {
    case 'label':
      return { kind: 'label', order: text('order') };
    case 'checkout':
      return { kind: 'checkout', handle: text('handle'), website: website() };
    case 'install':
      return { kind: 'install', app: text('app'), website: website() };
    case 'settings':
      return { kind: 'settings', authCode: codeOf(state.installations.all(), fields.installation) ?? text('authCode') };
    default:
      throw new Unusable('kind is label, checkout, install or settings.');
  }
}

/** Of an installation by its place in the state: the page shows no codes. */
function codeOf(installations: readonly { readonly authCode: string }[], place: unknown): string | undefined {
  return place === undefined || place === '' ? undefined : installations[Number(place)]?.authCode;
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
const json = (value: unknown, status = 200): Response => Response.json(value, { status, headers: HEADERS });
const failed = (status: number, message: string): Response => json({ error: true, message }, status);
