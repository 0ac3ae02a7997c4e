/**
 * Checks whose installation was replaced. Where a website holds one installation of an app at a time, installing the app through the
 * driver ends the one of the profile: what its code meets from then on says nothing about the target. Such checks use the code of
 * the installation in its place, and are undecided where it is not known.
 */
import { INSTALLATIONS, type Installation } from '../../cleanup/ledger.ts';
import { attempt } from '../../plain/attempts.ts';
import type { Attempt } from '../../plain/plain-run.ts';
import { CODE_KEYS } from '../../resources/installation-notes.ts';
import type { Resources } from '../../resources/resources.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Check } from '../check.ts';
import type { Ending } from '../ending.ts';
import type { MissingNeed } from '../needs/index.ts';

/** The end of an installation explains none of these, and an error is ours. */
const KEPT: ReadonlySet<string> = new Set(['pass', 'observed', 'not-applicable', 'error']);
/** A run installs the app four times at most: twice to read the sequence, once to delete it, and once again. */
const MAX_ATTEMPTS = 5;

const ended = (installation: Installation): MissingNeed => ({
  verdict: 'inconclusive',
  attribution: 'configuration',
  reason: `installing the app through the driver ended the installation of "apps.${CODE_KEYS[installation]}", and no code of another one took its place: give the profile the authCode of another website than the one on which the driver installs`,
});

/** Whether a check has calls for installations of the profile: those with the second one use the first one as well. */
const usesCode = ({ needs }: Check): boolean => needs.includes('apps.authCode');

/** What keeps a check from running once an installation that it needs has ended; undefined before, and for other checks. */
export function missingInstallation(
  { needs }: Check,
  { installation }: Pick<Resources, 'installation'>,
): MissingNeed | undefined {
  const missing = INSTALLATIONS.find(
    (one) =>
      needs.includes(`apps.${CODE_KEYS[one]}`) &&
      installation.hasEnded(one) &&
      installation.replacement(one) === undefined,
  );
  return missing && ended(missing);
}

/** Runs the body of a check, and again with the code of the new installation when one was replaced meanwhile. */
export async function attemptInstalled(check: Check, resources: Resources): Promise<Attempt> {
  let ran = await attempt(check, resources);
  for (let attempts = 1; attempts < MAX_ATTEMPTS && (await wasReplaced(check, ran, resources)); attempts += 1) {
    const again = await attempt(check, resources);
    again.context.adopt(ran.context);
    ran = again;
  }
  return ran;
}

async function wasReplaced(check: Check, { context, ending }: Attempt, resources: Resources): Promise<boolean> {
  if (!usesCode(check) || KEPT.has(ending.verdict)) return false;
  await resources.installation.settled();
  const [used, known] = [context.profile.apps, resources.profile.apps];
  return Object.values(CODE_KEYS).some((name) => used?.[name]?.reveal() !== known?.[name]?.reveal());
}

/** The ending of a check that ran while an installation ended: a call that was served still decides. */
export async function withInstallation(
  check: Check,
  ending: Ending,
  resources: Pick<Resources, 'installation' | 'profile' | 'send'>,
): Promise<Ending> {
  if (!usesCode(check) || KEPT.has(ending.verdict)) return ending;
  const response = ending.evidence?.response;
  if (response !== undefined && isServed(response)) return ending;
  const { installation } = resources;
  await installation.settled();
  for (const one of INSTALLATIONS)
    if (installation.hasEnded(one) && !(await isReplaced(one, resources))) return ended(one);
  return ending;
}

/** Whether the installation in the place of one that has ended can be used. */
async function isReplaced(
  one: Installation,
  { installation, profile, send }: Pick<Resources, 'installation' | 'profile' | 'send'>,
): Promise<boolean> {
  const code = installation.replacement(one);
  const key = profile.apps?.apiKey;
  return code !== undefined && key !== undefined && isServed(await send(new Apps(key, code).getLanguages(), 'control'));
}
