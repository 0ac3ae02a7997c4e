/** The installations of the profile: what the contract says of one holds for each. */
import type { Context } from '../../../harness/check/context.ts';
import type { Installation } from '../../../harness/cleanup/ledger.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';

/** Whether the profile has a second installation that this run can use. */
export const hasSecondInstallation = ({ profile, resources }: Pick<Context, 'profile' | 'resources'>): boolean =>
  profile.apps?.otherAuthCode !== undefined &&
  !('apps.otherAuthCode' in resources.run.unusable) &&
  (!resources.installation.hasEnded('other') || resources.installation.replacement('other') !== undefined);

/** The interface of an installation. */
export const appsOf = (context: Pick<Context, 'apps' | 'otherApps'>, installation: Installation): Apps =>
  installation === 'own' ? context.apps : context.otherApps;

/** Every installation with its interface, and its name for sentences. */
export const installationsOf = (context: Context): readonly (readonly [apps: Apps, name: string])[] => [
  [context.apps, 'the installation'],
  ...(hasSecondInstallation(context) ? [[context.otherApps, 'the other installation'] as const] : []),
];
