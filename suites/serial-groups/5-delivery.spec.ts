import { groupsOf, plainTest as test } from '../../harness/runner/playwright-tests.ts';
import { SUITES } from '../index.ts';

// Each check makes its own methods: any number of workers, in any order. Those that share something run in one worker.
test.describe.configure({ mode: 'parallel' });
for (const group of groupsOf(SUITES, 'delivery')) {
  test.describe(() => {
    test.describe.configure({ mode: group.length > 1 ? 'default' : 'parallel' });
    for (const [title, details, body] of group) test(title, details, body);
  });
}
