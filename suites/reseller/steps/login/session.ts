/** Reseller calls by either GET or POST, and separate sessions for checks. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { RecordId } from '../../../../contracts/json/record-ids.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { summary } from '../../../../harness/check/expect.ts';
import { isSafe } from '../../../../harness/check/sending/reading-calls.ts';
import { TEMPORARY_FORMS } from '../../../../harness/cleanup/undo/reseller/temporary-passwords.ts';
import { fitsInQuery, type ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import { authorizeCall, Reseller, type Via } from '../../../../harness/target/interfaces/reseller.ts';
import { requestOf } from '../../../../harness/target/network/wire.ts';
import { isRefusalOfPromise, isServed, refusesMethod } from '../../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../../harness/target/secrets/secret.ts';

/** A call by either method. */
export type Build = (via: Via) => ServiceRequest;

export const TOKEN_WORKS = 'reseller.authorize.token-works';

/** Contexts that try GET first. */
const byGetFirst = new WeakSet<Context>();

/** Which of GET and POST `ask` tries first from now on, in this context. */
export function setFirstMethod(context: Context, via: Via): void {
  if (via === 'GET') byGetFirst.add(context);
  else byGetFirst.delete(context);
}

export const isGetFirst = (context: Context): boolean => byGetFirst.has(context);

/**
 * Sends a call by POST, and by GET if that is refused (or the reverse, see `setFirstMethod`): other checks judge that both methods work,
 * and the caller tests something else. Returns the successful response, or else the first refusal that is about the call:
 * if a service accepts a call only by GET, its refusal of POST is not about the call.
 */
export async function ask(context: Context, build: Build, role = 'read'): Promise<ServiceResponse> {
  const ways = byGetFirst.has(context) ? (['GET', 'POST'] as const) : (['POST', 'GET'] as const);
  // Parameters that are too long for an address go in a form only.
  const [first, other] = ways.map(build).filter(({ query }) => fitsInQuery(query));
  if (first === undefined || other === undefined) return context.send(first ?? build('POST'), role);
  // A change that was served by this method before is not refused because of the method. A read may be, now and then, and a login by a lock.
  if (!isSafe(first) && first.path !== 'authorize/' && wasServed(context, first)) return context.send(first, role);
  const [response, again] = await context.sendEither(first, other, role);
  return again !== undefined && (isServed(again) || refusesMethod(response)) ? again : response;
}

const wasServed = ({ resources }: Context, call: ServiceRequest): boolean =>
  resources.operations.wasServed(requestOf(call, resources.base(call.api)));

/** The token in a response to authorize. */
export function tokenIn(response: ServiceResponse): string | undefined {
  const token = isServed(response) && isJsonObject(response.json) ? response.json.apiToken : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** E-mail and password of the profile. */
export function account(context: Context): { readonly email: Secret; readonly password: Secret } {
  const { given, profile, resources } = context;
  resources.session.givenPassword();
  return {
    email: given.configured(profile.reseller?.email, 'reseller.email'),
    password: given.configured(profile.reseller?.password, 'reseller.password'),
  };
}

/**
 * Passwords of the account during a check of passwords: the usual one, one of letters and digits, and four with signs and outer
 * spaces, three of which have letters outside ASCII: a short, a usual and a long one. Derived from the old one and the run, so that they
 * are never stored. Cleanup tries all of them, so the redaction must know them before they are sent.
 */
export function temporaryPasswords(context: Context): Record<keyof typeof TEMPORARY_FORMS, Secret> {
  const { run } = context.resources.run;
  const { password } = account(context);
  const of = (form: keyof typeof TEMPORARY_FORMS, name = ''): Secret =>
    context.secret(`${name}TEMPORARY_PASSWORD`, TEMPORARY_FORMS[form](password, run));
  return {
    usual: of('usual'),
    plain: of('plain', 'PLAIN_'),
    // Sent instead of the usual one by a check that is tried once more.
    long: of('long', 'LONG_'),
    awkward: of('awkward', 'AWKWARD_'),
    lettered: of('lettered', 'LETTERED_'),
    longAwkward: of('longAwkward', 'LONG_AWKWARD_'),
    shortAwkward: of('shortAwkward', 'SHORT_AWKWARD_'),
  };
}

/** The usual one of them. */
export const temporary = (context: Context): Secret => temporaryPasswords(context).usual;

/** The website that the run may use. */
export function website({ given, profile }: Context): RecordId {
  return given.configured(profile.reseller?.website, 'reseller.website');
}

/** Logs in again, which may end the shared session. Use it only inside `withOwnSessions`. */
export async function login(context: Context, password = account(context).password): Promise<Reseller> {
  const { email } = account(context);
  const response = await ask(context, (via) => authorizeCall(email, password, via), 'login');
  const token = tokenIn(response);
  await context.given.accepted(response, 'reseller.authorize.token');
  context.given.holds(token !== undefined, 'reseller.authorize.token', 'logging in returned no token', {
    response,
  });
  return new Reseller(context.secret('API_TOKEN', token as string));
}

/**
 * States of a logout that is refused that its token is refused elsewhere as well: a logout with a valid token ends the session. States
 * nothing of one that is served.
 */
export async function givenTokenEnded(context: Context, reseller: Reseller, logout: ServiceResponse): Promise<void> {
  if (!isRefusalOfPromise(logout)) return;
  const read = await ask(context, (via) => reseller.listWebsites(via), 'control');
  const message = `a logout was refused although its token is served: ${summary(logout)}`;
  context.given.holds(!isServed(read), 'reseller.logout.invalidates', message, { response: logout });
}

/** Runs a body that logs in or out, or changes the password. The shared session is not used after it. */
export const withOwnSessions =
  <T>(body: (context: Context) => Promise<T>) =>
  async (context: Context): Promise<T> => {
    // A service may return the existing token: the check must not end the shared session.
    context.resources.session.forget();
    try {
      return await body(context);
    } finally {
      context.resources.session.forget();
    }
  };
