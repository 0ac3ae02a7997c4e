import { plainTest as test, testsOf } from '../../harness/runner/lane.ts';
import { SUITES } from '../index.ts';

// Each check makes its own methods, and none is judged by what others have: any number of workers, in any order.
test.describe.configure({ mode: 'parallel' });
for (const [title, details, body] of testsOf(SUITES, 'delivery')) test(title, details, body);
