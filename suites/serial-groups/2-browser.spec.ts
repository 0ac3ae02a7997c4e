import { pageTest as test, testsOf } from '../../harness/runner/playwright-tests.ts';
import { SUITES } from '../index.ts';

for (const [title, details, body] of testsOf(SUITES, 'browser')) test(title, details, body);
