/**
 * The installations of the profile around one that the run makes. Where a website holds one installation of an app at a time, the
 * new one ends that of the profile and takes its place for the rest of the run.
 */
import type { Context } from '../../../harness/check/context.ts';
import { INSTALLATIONS, type Installation } from '../../../harness/cleanup/ledger.ts';
import { CODE_KEYS } from '../../../harness/resources/installation-notes.ts';
import { Apps } from '../../../harness/target/interfaces/apps.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../harness/target/secrets/secret.ts';

/** The codes that stand for the installations of the profile, of which a run may have replaced some, and whether each is served. */
export type ProfileCodes = ReadonlyMap<Installation, { readonly code: Secret; readonly isOpen: boolean }>;

/** The codes as they are before an installation. */
export async function codesNow(context: Context): Promise<ProfileCodes> {
  const codes = new Map<Installation, { code: Secret; isOpen: boolean }>();
  for (const one of INSTALLATIONS) {
    const code = context.resources.profile.apps?.[CODE_KEYS[one]];
    if (code !== undefined) codes.set(one, { code, isOpen: (await isOpen(context, code)) === true });
  }
  return codes;
}

/**
 * Notes which of the codes an installation that was just made has ended. Returns in whose place it is: also of those that a run had
 * replaced before, if nothing is there now.
 */
export async function noteEnds(
  context: Context,
  codes: ProfileCodes,
): Promise<{ readonly replaced: readonly Installation[]; readonly hasEndedProfiles: boolean }> {
  const { installation, kept } = context.resources;
  const replaced: Installation[] = [];
  let hasEndedProfiles = false;
  for (const [one, { code, isOpen: wasOpen }] of codes) {
    const isFirst = !installation.hasEnded(one);
    if ((isFirst && !wasOpen) || (await isOpen(context, code)) !== false) continue;
    replaced.push(one);
    installation.noteEnd(one);
    if (!isFirst) continue;
    hasEndedProfiles = true;
    const reason = `installing the app through the driver ended it, and the website has an installation of the run in its place: install the app again and set the new code in the profile as apps.${CODE_KEYS[one]}, and let the driver install on another website`;
    kept.notes.push({ what: 'orphan', object: `app installation (${CODE_KEYS[one]})`, reason });
  }
  return { replaced, hasEndedProfiles };
}

/** From now on the checks use the code of the new installation in place of those that it has ended, if it opens anything. */
export async function takePlaces(
  context: Context,
  replaced: readonly Installation[],
  apps: Apps | undefined,
): Promise<void> {
  if (replaced.length === 0 || apps === undefined || (await isOpen(context, apps.authCode)) !== true) return;
  for (const one of replaced) context.resources.installation.noteEnd(one, apps.authCode);
}

/** Whether a code is served; undefined where the target is not well, which says nothing about the code. */
async function isOpen(context: Context, code: Secret): Promise<boolean | undefined> {
  const key = context.given.configured(context.profile.apps?.apiKey, 'apps.apiKey');
  const response = await context.send(new Apps(key, code).getLanguages(), 'given');
  if (isServed(response)) return true;
  return response.status >= 500 || response.status === 429 ? undefined : false;
}
