/**
 * How a target refuses a wrong password, seen while it served the right one. A service may limit logins, and it does not say how a
 * refusal for that looks: a login that is refused in another way than a wrong password says nothing about the password.
 */
import type { Context } from '../../../../harness/check/context.ts';
import { summary } from '../../../../harness/check/expect.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import { authorizeCall } from '../../../../harness/target/interfaces/reseller.ts';
import { isObject, isServed } from '../../../../harness/target/response/judge-response.ts';
import { account, ask, tokenIn } from './session.ts';

const seen = new WeakMap<Resources, string>();

/** Notes the refusal of a wrong password; the right one is accepted in the same check. */
export function noteWrongPassword({ resources }: Context, refusal: ServiceResponse): void {
  if (!isServed(refusal)) seen.set(resources, looksOf(refusal));
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

/** States that a login was not refused for another reason than its password. */
export function givenRefusedForPassword({ resources }: Context, response: ServiceResponse): void {
  const known = seen.get(resources);
  if (isServed(response) || known === undefined || known === looksOf(response)) return;
  throw new Inconclusive(
    `a login was refused in another way than one with a wrong password (${summary(response)}): the target may limit logins. Run again later, or have the limit of this account raised`,
    'configuration',
  );
}

/** Status, code and message, without numbers: a service may count the attempts that are left. */
function looksOf({ status, json }: ServiceResponse): string {
  const { errorCode, errorMsg } = isObject(json) ? json : {};
  return JSON.stringify([status, errorCode, typeof errorMsg === 'string' ? errorMsg.replaceAll(/\d+/g, '#') : null]);
}
