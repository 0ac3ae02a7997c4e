/** The suites of Apps, in report order. They share the installations of the profile, so that they run one after the other. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as everyOperation } from './credentials/every-operation.ts';
import { checks as credentials } from './credentials/refusals.ts';
import { checks as data } from './data/data.ts';
import { checks as dataObserved } from './data/observed.ts';
import { checks as deletion } from './delete.ts';
import { checks as emptyBody } from './installed/empty-body.ts';
import { checks as installed } from './installed/installed.ts';
import { checks as isolationOnDelete } from './isolation/delete.ts';
import { checks as isolation } from './isolation/isolation.ts';
import { checks as ofSecond } from './isolation/second.ts';
import { checks as unchanged } from './isolation/unchanged.ts';
import { checks as languages } from './languages.ts';
import { checks as inBody } from './snippet/in-body.ts';
import { checks as snippetsObserved } from './snippet/observed.ts';
import { checks as pages } from './snippet/pages.ts';
import { checks as snippets } from './snippet/snippets.ts';
import { checks as user } from './user.ts';
import { checks as website } from './website.ts';

export const APPS_SUITES: readonly Suite[] = [
  // First, while nothing was set yet.
  { name: 'apps/observed', serialGroup: 'apps', checks: [...snippetsObserved, ...dataObserved, ...emptyBody] },
  { name: 'apps/records', serialGroup: 'apps', checks: [...user, ...website, ...languages] },
  { name: 'apps/snippets', serialGroup: 'apps', checks: snippets },
  { name: 'apps/pages', serialGroup: 'apps', checks: [...pages, ...inBody] },
  { name: 'apps/data', serialGroup: 'apps', checks: data },
  { name: 'apps/isolation', serialGroup: 'apps', checks: [...isolation, ...unchanged, ...ofSecond] },
  { name: 'apps/credentials', serialGroup: 'apps', checks: [...credentials, ...everyOperation] },
];

/** What begins and ends an installation: driven through the pages of the service. */
export const INSTALLATION_SUITES: readonly Suite[] = [
  { name: 'apps/installations', serialGroup: 'browser', checks: [...installed, ...deletion, ...isolationOnDelete] },
];
