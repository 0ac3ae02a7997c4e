/** Installing an app, its settings, and what ends an installation. In the order of the report. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as deletion } from '../apps/delete.ts';
import { checks as installed } from '../apps/installed/installed.ts';
import { checks as hash } from './hash.ts';
import { checks as observed } from './observed.ts';
import { checks as parameters } from './parameters/parameters.ts';
import { checks as sequence } from './sequence/sequence.ts';
import { checks as tabMode } from './tab-mode.ts';

export const INSTALL_SUITES: readonly Suite[] = [
  { name: 'install/sequence', lane: 'browser', checks: [...sequence, ...tabMode] },
  { name: 'install/parameters', lane: 'browser', checks: [...parameters, ...hash] },
  { name: 'install/installations', lane: 'browser', checks: [...installed, ...deletion] },
  { name: 'install/observed', lane: 'browser', checks: observed },
];
