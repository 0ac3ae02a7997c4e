import { plainTest as test, testsOf } from '../../harness/runner/playwright-tests.ts';
import { SUITES } from '../index.ts';

for (const [title, details, body] of testsOf(SUITES, 'properties')) test(title, details, body);
