/**
 * Checks whose installation was replaced. Where a website holds one installation of an app at a time, installing the app through the
 * driver ends the one of the profile: what its code meets from then on says nothing about the target.
 */
import type { Resources } from '../../resources/resources.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Check } from '../check.ts';
import type { Ending } from '../ending.ts';
import type { MissingNeed } from '../needs.ts';

const CODE = 'apps.authCode';
/** The end of an installation explains neither of these, and an error is ours. */
const KEPT: ReadonlySet<string> = new Set(['pass', 'observed', 'not-applicable', 'error']);

const ENDED: MissingNeed = {
  verdict: 'inconclusive',
  attribution: 'configuration',
  reason: `installing the app through the driver ended the installation of "${CODE}": give the profile the authCode of another website than the one on which the driver installs`,
};

const usesCode = ({ needs }: Check): boolean => needs.includes(CODE);

/** What keeps a check from running once the installation of the profile was replaced; undefined before, and for other checks. */
export const missingInstallation = (check: Check, { installation }: Pick<Resources, 'installation'>) =>
  usesCode(check) && installation.hasEnded ? ENDED : undefined;

/** The ending of a check that ran while the installation was replaced: a call that was served still decides. */
export async function withInstallation(
  check: Check,
  ending: Ending,
  { installation }: Pick<Resources, 'installation'>,
): Promise<Ending> {
  if (!usesCode(check) || KEPT.has(ending.verdict)) return ending;
  const response = ending.evidence?.response;
  if (response !== undefined && isServed(response)) return ending;
  await installation.settled();
  return installation.hasEnded ? ENDED : ending;
}
