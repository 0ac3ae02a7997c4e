/** Everything that an app is judged by, in the order of the report. The last suites look back at all the traffic before them. */
import type { IntegratorSuite } from '../../../harness/integrator/check.ts';
import { checks as icon } from './icon.ts';
import { checks as install } from './install.ts';
import { checks as manifest } from './manifest.ts';
import type { AppContext } from './session.ts';

export const APP_SUITES: readonly IntegratorSuite<AppContext>[] = [
  { name: 'app/manifest', checks: [...manifest, ...icon] },
  { name: 'app/install', checks: install },
];

/** What can only be said when everything else has happened. */
export const APP_SUITES_AFTER: readonly IntegratorSuite<AppContext>[] = [];

export const APP_CHECKS = [...APP_SUITES, ...APP_SUITES_AFTER].flatMap(({ checks }) => checks);
