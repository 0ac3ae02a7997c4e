/**
 * Status and envelope of every response (spec: Endpoints, "Common rules for A and B" and "C. Reseller endpoints"; Errors).
 * Which code a refusal has is not judged.
 */
import { ERROR_NAMES, isErrorEnvelope, isJsonContentType } from '../../envelopes/index.ts';
import { isJsonObject } from '../../json/object.ts';
import { inWords, shortened } from '../../json/words.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { isFaultyRequest, isUnexpectedBody } from '../reading/requests.ts';
import type { Finding } from '../tally.ts';

/** The clauses of one interface, whose ids are its name and what each is about. */
const clausesOf = (name: string) => ({
  bodyIsObject: `envelope.${name}.body-is-object`,
  jsonContentType: `envelope.${name}.json-content-type`,
  successErrorFalse: `envelope.${name}.success-error-false`,
  errorTrue: `envelope.${name}.error-true`,
  errorCodeInteger: `envelope.${name}.error-code-integer`,
  errorMessageString: `envelope.${name}.error-message-string`,
  unknownPathEnvelope: `envelope.${name}.unknown-path-envelope`,
  badInputIs4xx: `envelope.${name}.bad-input-is-4xx`,
  successStatus: `envelope.${name}.success-status`,
  failureStatus: `envelope.${name}.failure-status`,
});
const CLAUSES_OF = { v1: clausesOf('v1'), api: clausesOf('reseller') } as const;
const MALFORMED_INPUT = 'envelope.v1.malformed-input';

/** Clauses that these rules decide. */
export const RESPONSE_CLAUSES = [...Object.values(CLAUSES_OF).flatMap((of) => Object.values(of)), MALFORMED_INPUT];

/** Statuses by which a service says that it has no such path or method; others on unknown paths may be another interface's. */
const NO_SUCH_PATH = new Set([404, 405, 410, 501]);

/** Whether a path that the contract does not have would be one of its interfaces: others of the service share the base of v1. */
const isOfThese = ({ document, behind }: ServiceRequest): boolean =>
  document === 'api' || /^\/?(store\/delivery_|apps\/)/.test(behind);

/** Judges the response to one call. */
export function judgeResponse(call: ServiceRequest, scene: RuleContext): void {
  const kind = responseKind(call);
  if (kind === 'skipped') return;
  if (call.match === undefined) {
    if (kind === 'refused' && NO_SUCH_PATH.has(call.seen.status) && isOfThese(call))
      judgeRefusedPage(call, scene, CLAUSES_OF[call.document].unknownPathEnvelope);
    return;
  }
  if (kind === 'served') judgeServed(call, scene);
  else judgeRefused(call, scene);
}

function judgeServed(call: ServiceRequest, scene: RuleContext): void {
  const { seen, document, operation } = call;
  // A method that the contract does not have may be one of the service's own.
  if (operation === undefined) return;
  const { status, n } = seen;
  const clauses = CLAUSES_OF[document];
  say(scene, clauses.successStatus, n, status === 200, () => ({
    message: `${named(call)} was served with status ${status} instead of 200`,
    pointer: 'status',
    expected: 200,
    actual: status,
  }));
  const response = objectOf(call, scene);
  if (response === undefined) return;
  judgeContentType(call, scene);
  const returnsNothing = document === 'api' || operation.response === 'SuccessEnvelope';
  const finding = (): Finding => ({
    message: `${named(call)} was served with error as ${inWords(response.error)} instead of the boolean false`,
    pointer: '/error',
    expected: false,
    actual: response.error,
  });
  if (returnsNothing || (response.error !== undefined && response.error !== null))
    say(scene, clauses.successErrorFalse, n, response.error === false, finding);
}

function judgeRefused(call: ServiceRequest, scene: RuleContext): void {
  const { seen, document, match } = call;
  const { status, n } = seen;
  const clauses = CLAUSES_OF[document];
  say(scene, clauses.failureStatus, n, status >= 400 && status <= 599, () => ({
    message: `${named(call)} was refused with status ${status}`,
    pointer: 'status',
    expected: '4XX or 5XX',
    actual: status,
  }));
  const isBad = isFaultyRequest(call);
  if (isBad) {
    say(scene, clauses.badInputIs4xx, n, status < 500, () => ({
      message: `${named(call)} contained invalid input and was answered with status ${status}`,
      pointer: 'status',
      expected: 'a 4XX status',
      actual: status,
    }));
  }
  // A path that can't be decoded, or lacks its slash, is answered by many frameworks before any code of the interface.
  if (match?.exact === false || /%(?![0-9a-f]{2})/i.test(seen.path)) return;
  if (isUnexpectedBody(call)) {
    judgeRefusedPage(call, scene, MALFORMED_INPUT);
    if (!isEnvelope(call)) return;
  }
  const response = objectOf(call, scene);
  if (response === undefined) return;
  judgeContentType(call, scene);
  const { code, message } = ERROR_NAMES[document];
  say(scene, clauses.errorTrue, n, response.error === true, () => ({
    message: `${named(call)} was refused with error as ${inWords(response.error)} instead of the boolean true`,
    pointer: '/error',
    expected: true,
    actual: response.error,
  }));
  say(scene, clauses.errorCodeInteger, n, Number.isInteger(response[code]), () => ({
    message: `${named(call)} was refused with ${code} as ${inWords(response[code])} instead of an integer`,
    pointer: `/${code}`,
    expected: 'an integer',
    actual: response[code],
  }));
  say(scene, clauses.errorMessageString, n, typeof response[message] === 'string', () => ({
    message: `${named(call)} was refused with ${message} as ${inWords(response[message])} instead of a string`,
    pointer: `/${message}`,
    expected: 'a string',
    actual: response[message],
  }));
}

/** A refusal that a framework may have built: it must have the envelope, too. For a known path, its parts have clauses of their own. */
function judgeRefusedPage(call: ServiceRequest, scene: RuleContext, clause: string): void {
  const { seen, document } = call;
  const body = seen.responseBody;
  if (body.kind === 'unknown') {
    scene.notes.undecided(clause, seen.n, `the refusal of ${named(call)} can't be judged: ${body.why}`);
    return;
  }
  const { code, message } = ERROR_NAMES[document];
  const value = body.kind === 'json' ? body.value : undefined;
  const isKept = call.match === undefined ? isErrorEnvelope(document, value) : isEnvelope(call);
  say(scene, clause, seen.n, isKept, () => ({
    message: `${named(call)} was refused with something other than the error envelope`,
    pointer: '',
    expected: `a JSON object with error, ${code} and ${message}`,
    actual: value === undefined ? body.kind : inWords(value),
  }));
}

/** A response that means to be the error envelope, even with a wrong part. */
export function isEnvelope({ seen, document }: ServiceRequest): boolean {
  const { code, message } = ERROR_NAMES[document];
  const value = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
  return isJsonObject(value) && (value.error === true || code in value || message in value);
}

function judgeContentType({ seen, document }: ServiceRequest, scene: RuleContext): void {
  if ((seen.exchange.response?.headers ?? []).length === 0) return;
  const type = seen.responseHeader('content-type');
  say(scene, CLAUSES_OF[document].jsonContentType, seen.n, isJsonContentType(type), () => ({
    message: `the response to ${seen.method} ${seen.path} is JSON ${type === undefined ? 'without a content type' : `with the content type ${JSON.stringify(type)}`}`,
    pointer: 'header content-type',
    expected: 'application/json',
    actual: type ?? 'none',
  }));
}

/** The response as a JSON object; else its fault is noted. */
function objectOf(call: ServiceRequest, { notes }: RuleContext): Readonly<Record<string, unknown>> | undefined {
  const { seen, document } = call;
  const clause = CLAUSES_OF[document].bodyIsObject;
  const body = seen.responseBody;
  if (body.kind === 'unknown') {
    notes.undecided(clause, seen.n, `the response to ${named(call)} can't be judged: ${body.why}`);
    return undefined;
  }
  if (body.kind === 'json' && isJsonObject(body.value)) {
    notes.keeps(clause, seen.n);
    return body.value;
  }
  const actual = body.kind === 'json' ? inWords(body.value) : body.kind === 'none' ? 'an empty body' : 'no JSON';
  notes.breaks(clause, seen.n, {
    message: `${named(call)} was answered with ${actual} instead of a JSON object`,
    pointer: '',
    expected: 'a JSON object',
    actual,
  });
  return undefined;
}

/** Notes that an exchange keeps a clause or breaks it. `finding` is made only for a breach: nearly every exchange keeps nearly every clause. */
export function say(
  { notes }: RuleContext,
  clause: string,
  n: number,
  holds: boolean,
  finding: Finding | (() => Finding),
): void {
  if (holds) notes.keeps(clause, n);
  else notes.breaks(clause, n, typeof finding === 'function' ? finding() : finding);
}

/** The call in words: method and path of the document, which contain no values. */
export function named({ seen, match, behind }: ServiceRequest): string {
  return `${seen.method} ${match?.template ?? `/${shortened(behind, SHOWN_CHARACTERS)}`}`;
}

const SHOWN_CHARACTERS = 80;
