/** Installing an app. In the order of the report. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as settings } from '../settings/request.ts';
import { checks as hash } from './hash.ts';
import { checks as parametersObserved } from './parameters/observed.ts';
import { checks as parameters } from './parameters/parameters.ts';
import { checks as repeated } from './sequence/repeated.ts';
import { checks as sequence } from './sequence/sequence.ts';
import { checks as tabMode } from './tab-mode.ts';

export const INSTALL_SUITES: readonly Suite[] = [
  { name: 'install/sequence', serialGroup: 'browser', checks: [...sequence, ...tabMode] },
  { name: 'install/parameters', serialGroup: 'browser', checks: [...parameters, ...hash] },
  { name: 'settings/request', serialGroup: 'browser', checks: settings },
  { name: 'install/observed', serialGroup: 'browser', checks: [...parametersObserved, ...repeated] },
];
