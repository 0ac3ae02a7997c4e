/** An authCode in base64: the contract names no alphabet, so a service may issue such codes, and they need to be encoded in an address. */
import { Skipped } from '../../../harness/check/failures.ts';
import type { AppContext } from '../session.ts';
import { arrivedSince, authCodeOf, exchangesOf, isAppsCall, isInstalledCall, mark } from './effects.ts';
import { givenInstalled, installWaitMs } from './given.ts';
import { secondLoads, UNALTERED } from './loads/index.ts';

/** Installs the app with such a code, and asserts that no call has another one in its place. An app may refuse the code, and call nothing. */
export async function expectEncodedCode(context: AppContext): Promise<void> {
  const { session } = context;
  await givenInstalled(context);
  const waitMs = await installWaitMs(context);
  const from = mark(session);
  const begin = session.counterpart.nextCodeInBase64();
  let right = '';
  const calls = () =>
    arrivedSince(session, from).filter((call) => isAppsCall(call) && authCodeOf(call)?.startsWith(begin) === true);
  const coded = (authCode: string): void => {
    right = authCode;
  };
  await secondLoads(context, [UNALTERED], { waitMs, coded, until: () => calls().some(isInstalledCall) }, 'alone');
  if (calls().length === 0) throw new Skipped('the app makes no call for an authCode in base64');
  const wrong = calls().find((call) => authCodeOf(call) !== right);
  context.restOn(exchangesOf([wrong ?? calls()[0]]));
  const [end, sent] = [right, (wrong && authCodeOf(wrong)) ?? ''].map((code) => code.slice(begin.length));
  context.expect.that(
    wrong === undefined,
    `a call for an installation whose authCode ends with “${end}” has one that ends with “${sent}”: percent-encode the code once when the address of a call is made`,
    {
      expected: `an authCode that ends with ${end}`,
      ...(wrong && { actual: `${wrong.method} ${wrong.path}`, exchange: wrong.exchange }),
    },
  );
}
