import { plainTest as test, testsOf } from '../../harness/runner/lane.ts';
import { SUITES } from '../index.ts';

// Each check makes its own methods: any number of workers, in any order. Those that judge the list of all methods run alone.
test.describe.configure({ mode: 'parallel' });
for (const [title, details, body] of testsOf(SUITES, 'delivery')) test(title, details, body);
