/**
 * How a target refuses a wrong password, seen while it served the right one. A service may limit logins, and it does not say how a
 * refusal for that looks: a login that is refused in another way than a wrong password says nothing about the password.
 */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { summary } from '../../../../harness/check/expect.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import { authorizeCall } from '../../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../../harness/target/secrets/secret.ts';
import { account, ask, tokenIn } from './session.ts';

const seen = new WeakMap<Resources, string>();

/**
 * Notes the refusal of a wrong password; the right one is accepted in the same check. The first one of a run counts: after more of them
 * the target may refuse all logins for a while.
 */
export function noteWrongPassword({ resources }: Context, refusal: ServiceResponse): void {
  if (!isServed(refusal) && !seen.has(resources)) seen.set(resources, shapeOf(refusal));
}

/** Makes sure that the refusal of a wrong password is known, before the password is changed. */
export async function learnWrongPassword(context: Context): Promise<void> {
  if (seen.has(context.resources)) return;
  const { email, password } = account(context);
  const wrong = context.secret('WRONG_PASSWORD', `Pm-${context.resources.newMark()}`);
  const refusal = await ask(context, (via) => authorizeCall(email, wrong, via), 'probe');
  const control = await ask(context, (via) => authorizeCall(email, password, via), 'control');
  if (tokenIn(control) !== undefined) noteWrongPassword(context, refusal);
}

/** Attempts after a login that was refused for another reason. A limit of a few calls ends with them; more could lock the account. */
const MORE_ATTEMPTS = 2;

/** Logs in with a password that was just set, and again where the login is refused for another reason than its password. */
export async function logInAfterChange(context: Context, password: Secret, role = 'login'): Promise<ServiceResponse> {
  const attempt = (): Promise<ServiceResponse> =>
    ask(context, (via) => authorizeCall(account(context).email, password, via), role);
  let response = await attempt();
  for (let more = 0; more < MORE_ATTEMPTS && isRefusedOtherwise(context, response); more += 1)
    response = await attempt();
  return response;
}

/** What a service that fails says: no limit does. */
const INTERNAL_ERROR = 500;

/** Whether a login is refused in another way than one with a wrong password. */
export function isRefusedOtherwise({ resources }: Context, response: ServiceResponse): boolean {
  const known = seen.get(resources);
  return !isServed(response) && known !== undefined && known !== shapeOf(response);
}

/** States that a login was not refused for another reason than its password. */
export function givenRefusedForPassword(context: Context, response: ServiceResponse): void {
  if (response.status === INTERNAL_ERROR || !isRefusedOtherwise(context, response)) return;
  throw new Inconclusive(
    `a login was refused in another way than one with a wrong password (${summary(response)}): the target may limit logins. Run again later, or have the limit of this account raised`,
    'configuration',
  );
}

/** Status, code and message, without numbers: a service may count the attempts that are left. */
function shapeOf({ status, json }: ServiceResponse): string {
  const { errorCode, errorMsg } = isJsonObject(json) ? json : {};
  return JSON.stringify([status, errorCode, typeof errorMsg === 'string' ? errorMsg.replaceAll(/\d+/g, '#') : null]);
}
