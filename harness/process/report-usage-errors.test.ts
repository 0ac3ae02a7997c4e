import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const HERE = import.meta.dirname;

function endOf(thrown: string): { status: number | null; stderr: string } {
  const script = `
    import { reportUsageErrors } from ${JSON.stringify(join(HERE, 'report-usage-errors.ts'))};
    import { UsageError } from ${JSON.stringify(join(HERE, 'usage-error.ts'))};
    import { parseArgs } from 'node:util';
    reportUsageErrors('tool');
    await Promise.resolve();
    ${thrown}`;
  const options = ['--no-warnings', '--input-type=module', '--eval', script];
  return spawnSync(process.execPath, options, { encoding: 'utf8' });
}

test('a mistake of the caller is one sentence with exit code 2, anything else keeps its stack', () => {
  const known = endOf("throw new UsageError('No reading has the answer x.');");
  assert.deepEqual([known.status, known.stderr], [2, 'tool: No reading has the answer x.\n']);
  const option = endOf("parseArgs({ args: ['--foo'], options: {} });");
  assert.equal(option.status, 2);
  assert.match(option.stderr, /^tool: Unknown option '--foo'[^\n]*\n$/);
  const other = endOf("throw new Error('a bug');");
  assert.equal(other.status, 1);
  assert.match(other.stderr, /Error: a bug\n {4}at /);
});
