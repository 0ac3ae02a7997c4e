/** What the checks of Apps have in common: the app's key and the installations that the profile names. */
import type { CheckOptions } from '../../../harness/check/facts.ts';

type Shared = Pick<CheckOptions, 'needs' | 'effects' | 'part'>;

/** Reads what an installation may read. */
export const READING: Shared = { needs: ['apps.apiKey', 'apps.authCode'], effects: 'read', part: 'apps' };

/** Sets snippets or data of the profile's installation, and puts back what was there. */
export const WRITING: Shared = { needs: ['apps.apiKey', 'apps.authCode'], effects: 'write', part: 'apps' };

/** Looks at the public pages of the website as well. */
export const ON_PAGES: Shared = {
  ...WRITING,
  needs: [...WRITING.needs, 'website.pages'],
  part: ['apps', 'website'],
};

/** Two installations of one app, which must not get at each other's. */
export const TWO_INSTALLATIONS: Shared = { ...WRITING, needs: [...WRITING.needs, 'apps.otherAuthCode'] };
