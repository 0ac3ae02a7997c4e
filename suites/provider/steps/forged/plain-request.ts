/** Label requests as they are sent without a browser: their address, headers and body, and what their response can lead to. */
import type { Request as BrowserRequest } from '@playwright/test';
import { type Fields, formEncode } from '../../../../contracts/signing/index.ts';
import type { Fetched } from '../../../../harness/integrator/fetch/fetcher.ts';
import { NoResponse } from '../../../../harness/target/client/no-response.ts';
import type { DeliverySession } from '../../session.ts';
import { judgePdf } from '../documents/pdf.ts';
import type { ProgramRequest } from '../visit/open-form.ts';

/** The fields of a label request, and how they travel. */
export interface SentForm {
  readonly fields: Fields;
  /** In the address, beside the form or, with `byGet`, instead of it: many frameworks read both from one place. */
  readonly query?: Fields;
  readonly byGet?: true;
  /** Another spelling of the page's own address. */
  readonly spelling?: (url: string) => string;
  /** How the fields are written; urlencoded by default. Frameworks read each encoding with a parser of its own. */
  readonly encoding?: 'multipart' | 'json';
  /** Says nothing of the page that it comes from: neither `Referer` nor an origin. */
  readonly isBare?: true;
  /** A program sends it: no browser leaves the origin of a form out. */
  readonly isFromProgram?: true;
  /** Of a program, in place of POST: frameworks route each method by itself. */
  readonly method?: 'PUT' | 'PATCH';
  /** Of a program, beside those of the form. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** What of a response could lead to a report: forms, scripts, frames, a link that reports the label. */
const LEADS_ON = /<form|<button|<script|<iframe|<frame|<object|<embed|http-equiv|\son\w+\s*=|javascript:|label_url=/i;

const BOUNDARY = '----proofmark-label-request';

/** The content type and the body of fields in their encoding. */
function written({ fields, encoding }: Pick<SentForm, 'fields' | 'encoding'>): readonly [type: string, body: string] {
  if (encoding === 'json') return ['application/json', JSON.stringify(Object.fromEntries(fields))];
  if (encoding === undefined) return ['application/x-www-form-urlencoded', formEncode(fields)];
  const parts = fields.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return [`multipart/form-data; boundary=${BOUNDARY}`, `${parts.join('')}--${BOUNDARY}--\r\n`];
}

/** The address of the label page with the fields that a request has there. */
export function addressOf(
  { provider }: DeliverySession,
  { query = [], spelling = (same) => same }: Pick<SentForm, 'query' | 'spelling'>,
): string {
  const address = spelling(provider.labelUrl);
  if (query.length === 0) return address;
  const url = new URL(address);
  url.search = url.search === '' ? formEncode(query) : `${url.search}&${formEncode(query)}`;
  return url.href;
}

/** What the headers of a form say of where it comes from. */
function sourceOf(
  { isBare, isFromProgram, headers = [] }: SentForm,
  origin: string,
): readonly (readonly [string, string])[] {
  if (isFromProgram) return headers;
  if (isBare) return [['Origin', 'null']];
  return [
    ['Origin', origin],
    ['Referer', `${origin}/`],
  ];
}

/** What only browsers say of a form. */
const OF_BROWSERS = /^(?:origin|referer|content-type|content-length|sec-|upgrade-insecure-requests$)/;

/** What is sent in place of the form that a browser posts. */
export const asProgramsSend =
  (sent: SentForm) =>
  (form: BrowserRequest): ProgramRequest => {
    const [type, body] = written(sent);
    const kept = Object.entries(form.headers()).filter(([name]) => !OF_BROWSERS.test(name));
    const { origin = '' } = form.headers();
    const source = sourceOf(sent, origin).map(([name, value]) => [name.toLowerCase(), value]);
    const headers = Object.fromEntries([...kept, ...source, ['content-type', type]]);
    return { method: methodOf(sent), headers, postData: body };
  };

const methodOf = ({ byGet, method }: SentForm): string => (byGet ? 'GET' : (method ?? 'POST'));

interface PlainResponse {
  /** Whether it could lead on to something. */
  readonly leadsOn: boolean;
  /** The response itself, where it is a PDF. */
  readonly label?: Fetched;
}

interface PlainOptions {
  readonly timeoutMs: number;
  readonly role?: string;
  /** How many redirects are followed; by default as many as a browser would. */
  readonly redirects?: number;
}

/** Sends a form as a browser would, without one, as often as the page allows. Throws `NoResponse`. */
export function requestPlain(session: DeliverySession, sent: SentForm, options: PlainOptions): Promise<Fetched> {
  const origin = session.counterpart.pagesOrigin;
  const [type, body] = written(sent);
  const form = { headers: [['Content-Type', type], ...sourceOf(sent, origin)], body } as const;
  const post = () =>
    session.fetcher.fetch(addressOf(session, sent), {
      method: methodOf(sent),
      role: 'label request',
      ...options,
      ...(sent.byGet ? { headers: [['Referer', `${origin}/`]] } : form),
    });
  return session.rateLimit.send(post, (response) => ({
    status: response.status,
    retryAfter: response.header('retry-after'),
  }));
}

/** Sends a form in this way, and says what its response can lead to. */
export async function sendPlain(
  session: DeliverySession,
  sent: SentForm,
  options: PlainOptions,
): Promise<PlainResponse> {
  try {
    const response = await requestPlain(session, sent, options);
    const text = Buffer.from(response.bytes).toString('utf8');
    session.watch.snapshot('a page', text, response.url, response.exchange);
    const isLabel = response.status >= 200 && response.status <= 299 && judgePdf(response.bytes).isPdf;
    return isLabel ? { leadsOn: false, label: response } : { leadsOn: LEADS_ON.test(text) };
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    return { leadsOn: false };
  }
}
