import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { UsageError } from '../../harness/process/usage-error.ts';
import { folderFor } from '../common/command.fixture.ts';
import { flagsOf } from '../common/flags.ts';
import { COMMON_FLAGS, COMMON_HELP, commonOptionsOf, KEY_VARIABLE } from './options.ts';

const optionsOf = (...argv: string[]) =>
  commonOptionsOf(flagsOf('precheck app', ['--manifest', 'app.json', ...argv], COMMON_FLAGS).values);

afterEach(() => delete process.env[KEY_VARIABLE]);

test('the key comes from the environment or a file, where no other user of the machine sees it', (t) => {
  const file = join(folderFor(t), 'key');
  writeFileSync(file, 'key-of-the-file\n');
  assert.equal(optionsOf().apiKey, undefined);
  process.env[KEY_VARIABLE] = 'key-of-the-variable';
  const rows: [string[], string, string][] = [
    [[], 'key-of-the-variable', KEY_VARIABLE],
    [['--api-key-file', file], 'key-of-the-file', '--api-key-file'],
    [['--api-key', 'key-of-the-line'], 'key-of-the-line', '--api-key'],
  ];
  for (const [argv, apiKey, apiKeyFrom] of rows) {
    const options = optionsOf(...argv);
    assert.deepEqual([options.apiKey, options.apiKeyFrom], [apiKey, apiKeyFrom]);
  }
});

test('what is not a key is refused under the name of where it came from, and is not repeated', (t) => {
  const file = join(folderFor(t), 'key');
  writeFileSync(file, 'two words of it\n');
  const refused = (argv: string[], message: RegExp): void => {
    assert.throws(
      () => optionsOf(...argv),
      (error) => {
        assert.ok(error instanceof UsageError, String(error));
        assert.match(error.message, message);
        assert.ok(!/two words|shrt/.test(error.message));
        return true;
      },
    );
  };
  refused(['--api-key-file', file], /^--api-key-file takes a key of 8/);
  refused(['--api-key-file', `${file}.none`], /--api-key-file/);
  refused(['--api-key-file', file, '--api-key', 'key-of-the-line'], /give one of them/);
  process.env[KEY_VARIABLE] = 'shrt';
  refused([], /^PROOFMARK_API_KEY takes a key of 8/);
});

test('the help names the variable first, the file next, and the command line last', () => {
  const [variable, file, line] = [KEY_VARIABLE, '--api-key-file FILE', '--api-key KEY'].map((one) =>
    COMMON_HELP.indexOf(one),
  );
  assert.ok(variable! >= 0 && variable! < file! && file! < line!, COMMON_HELP);
});
