import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { guardOutput, safeText } from './safe-output.ts';

const ROWS: readonly (readonly [name: string, text: string, printed: string])[] = [
  ['plain text', 'a\tb: c::d # x ## y [z]\n', 'a\tb: c::d # x ## y [z]\n'],
  [
    'our own colours',
    '\u001b[31mfail\u001b[0m \u001b[1mx\u001b[0m\r\n',
    '\u001b[31mfail\u001b[0m \u001b[1mx\u001b[0m\r\n',
  ],
  ['a line over another', '\r\u001b[2K3 of 4', '\r\u001b[2K3 of 4'],
  ['a cleared screen', 'a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['a title and a link', '\u001b]0;owned\u0007\u001b]8;;x\u0007', '\\u001b]0;owned\\u0007\\u001b]8;;x\\u0007'],
  ['hidden text', '\u001b[8mx\u009b5n\b', '\\u001b[8mx\\u009b5n\\u0008'],
  ['a line written over', 'FAIL\rPASS', 'FAIL\\u000dPASS'],
  ['text turned around', '\u202efdp', '\\u202efdp'],
  ['a variable of Azure', 'x ##vso[task.setvariable variable=A]b', 'x # #vso[task.setvariable variable=A]b'],
  ['a group of Azure', '##[error]x ##VSO[y]', '# #[error]x # #VSO[y]'],
  ['a command of TeamCity', "##teamcity[buildStatus text='x']", "# #teamcity[buildStatus text='x']"],
  [
    'a command of GitHub',
    '::error::x\n  ::set-output name=a::b\na ::debug::',
    ': :error::x\n  : :set-output name=a::b\na ::debug::',
  ],
  ['a command of GitHub behind many blanks', `${' '.repeat(200)}::error::x`, `${' '.repeat(200)}: :error::x`],
  ['a command of GitHub behind other blanks', ' \u2028\u2003 ::error::x', ' \u2028\u2003 : :error::x'],
  ['a command behind a colour', '\u001b[31m\n::stop-commands::x', '\u001b[31m\n: :stop-commands::x'],
];

for (const [name, text, printed] of ROWS) {
  test(`${name} is printed so that it does nothing`, () => assert.equal(safeText(text), printed));
}

test('a stream that is guarded knows where a line begins', () => {
  let written = '';
  const stream = Object.assign(new EventEmitter(), {
    write: (chunk: string | Uint8Array) => {
      written += String(chunk);
      return true;
    },
  });
  guardOutput(stream as never);
  for (const chunk of ['a ', '::error::b\n', '::error::c\n', ' ', '::error::d']) stream.write(chunk);
  assert.equal(written, 'a ::error::b\n: :error::c\n : :error::d');
});

test('what cannot be written ends nothing, and is reported unless only the reader has gone', () => {
  const stream = Object.assign(new EventEmitter(), { write: () => true });
  const lost: string[] = [];
  guardOutput(stream as never, ({ code }) => lost.push(code ?? ''));
  for (const code of ['EPIPE', 'EIO', 'ENOSPC']) stream.emit('error', Object.assign(new Error(code), { code }));
  assert.deepEqual(lost, ['ENOSPC']);
});

const FULL = '/dev/full';
test('a command whose output is not complete says so and does not end with 0', {
  skip: existsSync(FULL) ? false : `there is no ${FULL} here`,
}, () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [main, 'help'], {
    stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
    encoding: 'utf8',
  });
  assert.match(stderr, /^proofmark: the output is not complete: the disk is full: .*\n$/);
  assert.equal(status, 4);
});

test('blanks without end are looked through once', () => {
  const text = `${'\u2028'.repeat(200_000)}${' '.repeat(200_000)}x`;
  const started = process.cpuUsage().user;
  assert.equal(safeText(text), text);
  assert.ok(process.cpuUsage().user - started < 5_000_000);
});
