/**
 * What one recorded exchange shows by itself, independent of other calls: the parts of an envelope, and whether a call
 * was served. A verdict whose exchange shows the opposite is refused.
 */
import { ERROR_NAMES, type InterfaceName, isJsonContentType } from '../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../contracts/json/object.ts';
import type { BodyText, Exchange } from '../../contracts/run/events.ts';
import { readJson } from '../../harness/target/response/response.ts';

/** Clauses that require every probe to be refused (spec: Authentication; Limits): a served probe is never a matter of interpretation. */
const REFUSED =
  /^(?:(?:delivery|apps)\.credentials\.(?!.*accepted|code-401)|reseller\.token\.(?!code-401)|delivery\.batch\.refuses-101-points)/;

const ENVELOPE = /^envelope\.(v1|reseller)\.([a-z0-9-]+)$/;

type ShownResponse = Readonly<{
  status: number;
  contentType: string | undefined;
  body: Readonly<Record<string, unknown>>;
}>;

/** By the last segment of the clause id: whether a response meets the clause. */
const SHOWN: Readonly<Record<string, (response: ShownResponse, of: InterfaceName) => boolean>> = {
  'body-is-object': () => true,
  'json-content-type': ({ contentType }) => isJsonContentType(contentType),
  'success-error-false': ({ body }) => body.error === false,
  'error-true': ({ body }) => body.error === true,
  'error-code-integer': ({ body }, of) => Number.isInteger(body[ERROR_NAMES[of].code]),
  'error-message-string': ({ body }, of) => typeof body[ERROR_NAMES[of].message] === 'string',
  'success-status': ({ status }) => status === 200,
  'failure-status': ({ status }) => status >= 400 && status <= 599,
};

/** True if the response meets a clause about envelopes or statuses; false if one response can't show that. */
export function showsClauseKept(clause: string, exchange: Exchange): boolean {
  const [, of, end = ''] = ENVELOPE.exec(clause) ?? [];
  const shown = Object.hasOwn(SHOWN, end) ? SHOWN[end] : undefined;
  const response = responseOf(exchange);
  return shown !== undefined && response !== undefined && shown(response, of === 'v1' ? 'v1' : 'api');
}

/** By clause: whether the fetched label contradicts a passed check of that clause. */
const LABELS: Readonly<Record<string, (response: NonNullable<Exchange['response']>) => boolean>> = {
  'provider.label.is-pdf': ({ status, body }) => status >= 400 || beginsOtherwise(body),
  'provider.label.served-again': ({ status, body }) => status >= 400 || beginsOtherwise(body),
  'provider.label.content-type': ({ headers }) =>
    !headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /^\s*application\/pdf\b/i.test(value)),
};

/** A PDF has its signature within its first bytes. */
const PDF_MARK_WITHIN_BYTES = 1024;

function beginsOtherwise(body: BodyText | undefined): boolean {
  const text = body?.text ?? (body?.base64 === undefined ? '' : Buffer.from(body.base64, 'base64').toString('latin1'));
  return text !== '' && !text.slice(0, PDF_MARK_WITHIN_BYTES).includes('%PDF-');
}

/** Whether a clause is decided by a label that was fetched. */
export const isLabelClause = (clause: string): boolean => Object.hasOwn(LABELS, clause);

/** True if the fetched response contradicts a passed check of this clause. */
export function showsBroken(clause: string, { response }: Exchange): boolean {
  const broken = isLabelClause(clause) ? LABELS[clause] : undefined;
  return response !== undefined && broken?.(response) === true;
}

/** Whether a pass of this clause requires refused probes and an accepted control. */
export const requiresRefusal = (clause: string): boolean => REFUSED.test(clause);

/** Whether a call was served: a 2xx without an error; undefined when the recording does not show it. */
export function wasServed(exchange: Exchange): boolean | undefined {
  const { response } = exchange;
  if (response === undefined) return undefined;
  if (response.status < 200 || response.status > 299) return false;
  if ((response.body?.truncated ?? 0) > 0 || response.body?.base64 !== undefined) return undefined;
  const error = responseOf(exchange)?.body.error;
  return error !== true && error !== 'true' && error !== 1;
}

/** The response, if it is a complete and unambiguous JSON object. */
function responseOf({ response }: Exchange): ShownResponse | undefined {
  if (response?.body?.text === undefined || (response.body.truncated ?? 0) > 0) return undefined;
  const { json: body, fault } = readJson(Buffer.from(response.body.text, 'utf8'));
  if (fault !== undefined || !isJsonObject(body)) return undefined;
  const contentType = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return { status: response.status, contentType, body };
}
