/** The suites of Apps, in report order. They share the installations of the profile, so that they run one after the other. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as everyOperation } from './credentials/every-operation.ts';
import { checks as credentials } from './credentials/refusals.ts';
import { checks as data } from './data/data.ts';
import { checks as isolation } from './isolation/isolation.ts';
import { checks as openQuestions } from './open-questions.ts';
import { checks as records } from './records.ts';
import { checks as pages } from './snippet/pages.ts';
import { checks as snippets } from './snippet/snippets.ts';

export const APPS_SUITES: readonly Suite[] = [
  // First, while nothing was set yet.
  { name: 'apps/open-questions', lane: 'apps', checks: openQuestions },
  { name: 'apps/records', lane: 'apps', checks: records },
  { name: 'apps/snippets', lane: 'apps', checks: snippets },
  { name: 'apps/pages', lane: 'apps', checks: pages },
  { name: 'apps/data', lane: 'apps', checks: data },
  { name: 'apps/isolation', lane: 'apps', checks: isolation },
  { name: 'apps/credentials', lane: 'apps', checks: [...credentials, ...everyOperation] },
];
