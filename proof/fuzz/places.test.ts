/** Wrong paths, machines that lack something, and modules that exit or hang: each gives a sentence and exit code 2. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { proofmark } from '../../cli/common/command.fixture.ts';
import { describeError } from '../../cli/common/failure.ts';
import { judgeCommand } from '../../cli/judge/index.ts';
import { mockCommand } from '../../cli/mock/index.ts';
import { precheckCommand } from '../../cli/precheck/index.ts';
import { reportCommand } from '../../cli/report/index.ts';
import { runCommand } from '../../cli/run/index.ts';
import { probeDriver } from '../../cli/run/target/driver-probe.ts';
import { sweepCommand } from '../../cli/sweep/index.ts';
import { verifyCommand } from '../../cli/verify/index.ts';
import { createRedaction } from '../../harness/evidence/redaction/index.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { captureRun, judgeMessage } from './kind.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-places-'));
after(() => rmSync(home, { recursive: true, force: true }));

const at = (name: string): string => join(home, name);
mkdirSync(at('a-folder'));
writeFileSync(at('empty.json'), '');
writeFileSync(at('binary.json'), Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 37) % 256)));
symlinkSync(at('gone'), at('dangling.json'));
symlinkSync(at('circle.json'), at('circle.json'));
// A sparse file: three gigabytes that take no disk space.
writeFileSync(at('huge.json'), '{');
truncateSync(at('huge.json'), 3 * 1024 ** 3);
writeFileSync(at('manifest.json'), '{}');

const PLACES = ['a-folder', 'empty.json', 'binary.json', 'dangling.json', 'circle.json', 'huge.json', 'nowhere.json'];

const READERS: ReadonlyArray<readonly [name: string, run: (file: string) => Promise<number>, but?: readonly string[]]> =
  [
    ['run --target', (file) => runCommand(['--target', file])],
    ['run --out', (file) => runCommand(['--out', join(file, 'x')]), ['a-folder', 'nowhere.json', 'dangling.json']],
    ['precheck --manifest', (file) => precheckCommand(['app', '--manifest', file, '--wait', '0'])],
    ['precheck --ca', (file) => precheckCommand(['app', '--manifest', at('manifest.json'), '--ca', file])],
    ['judge', (file) => judgeCommand([file, '--out', at('out')])],
    ['judge --keys', (file) => judgeCommand([at('manifest.json'), '--keys', file])],
    ['verify', (file) => verifyCommand([file])],
    ['report', (file) => reportCommand([file])],
    ['report --diff', (file) => reportCommand(['--diff', file, file])],
    ['mock --fixtures', (file) => mockCommand(['--port', '0', '--fixtures', file])],
    ['sweep', (file) => sweepCommand([file])],
  ];

describe('wrong paths', () => {
  for (const [name, run, but = []] of READERS) {
    test(name, async () => {
      for (const place of PLACES.filter((one) => !but.includes(one))) {
        const file = at(place);
        let thrown: unknown;
        try {
          const { code, printed } = await captureRun(() => run(file));
          // A run is refused in a child process, which prints the sentence.
          if (code === 2) {
            judgeMessage(printed.trim(), file);
            continue;
          }
          // A file that is not a package is refused, which is a valid result.
          assert.ok(code === 1 && /^REFUSED/.test(printed), `${place}: exit ${code}: ${printed}`);
          continue;
        } catch (error) {
          thrown = error;
        }
        const { message, exitCode } = describeError(thrown);
        assert.equal(exitCode, 2, `${place}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
        judgeMessage(message, file);
      }
    });
  }
});

describe('the command line of a machine that lacks something', () => {
  test('an error of the operating system is a sentence with the path and the remedy; an internal error asks for a report', () => {
    const system = (code: string, path?: string) => Object.assign(new Error(`${code}: said`), { code, path });
    const temporary = describeError(system('ENOENT', '/no-such-folder/proofmark-1'));
    assert.match(
      temporary.message,
      /^\/no-such-folder\/proofmark-1 can't be used, it does not exist \(ENOENT\): .*TMPDIR/,
    );
    assert.equal(temporary.exitCode, 2);
    const full = describeError(system('ENOSPC'));
    assert.match(full.message, /^the disk is full: make room/);
    assert.equal(full.exitCode, 4);
    for (const own of [new TypeError('x is undefined'), system('ENOENT'), Object.create(null), undefined]) {
      const description = describeError(own);
      assert.match(description.message, /^an error of Proofmark itself, please report it: /);
      assert.equal(description.exitCode, 4);
    }
  });

  test('without HOME, PATH and a terminal, help is still printed and nonsense is still refused', async () => {
    const env = { HOME: '', PATH: '', USER: '', LANG: '', TERM: '', PROOFMARK_BROWSER: '/nowhere' };
    const helped = await proofmark(['run', '--help'], { env });
    assert.equal(helped.code, 0, helped.stderr);
    const refused = await proofmark(['rūn', '\u001b[31m--tärget', '🍯'], { env });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /^proofmark: There is no command "rūn"\. .*Use one of /);
    assert.ok(!/\n\s+at /.test(refused.stderr));
  });

  test('the content of a file cannot move the cursor of a terminal', async () => {
    writeFileSync(at('escape.json'), JSON.stringify({ '\u001b[2J\u202e': 1 }));
    const { code, stderr } = await proofmark(['run', '--target', at('escape.json')]);
    assert.equal(code, 2);
    assert.match(stderr, /escape\.json:1:2: The profile has no key "/);
    assert.ok(!stderr.includes('\u001b') && !stderr.includes('\u202e'), JSON.stringify(stderr));
  });
});

describe('a driver is tested in a child process', () => {
  const cases: ReadonlyArray<readonly [what: string, text: string, message: RegExp]> = [
    [
      'that waits for ever',
      'await new Promise(() => {});\nexport default {};',
      /waits for something that never happens/,
    ],
    ['that keeps the process busy', 'for (;;);', /was still loading after/],
    ['that ends the process', 'process.exit(0);', /it called process\.exit\(0\)/],
    [
      'that throws later',
      'setTimeout(() => { throw new Error("late") }, 0); await new Promise((r) => setTimeout(r, 60_000));',
      /late/,
    ],
  ];
  for (const [what, text, message] of cases) {
    test(`one ${what}`, async () => {
      const file = at(`driver-${what.replaceAll(' ', '-')}.mjs`);
      writeFileSync(file, text);
      // Only the busy one waits for the limit, which is short here.
      await assert.rejects(probeDriver(file, createRedaction(), what.includes('busy') ? 1_500 : undefined), (error) => {
        assert.ok(error instanceof UsageError, String(error));
        assert.match(error.message, message);
        judgeMessage(error.message, file);
        return true;
      });
    });
  }

  test('one that works and keeps timers', async () => {
    const file = at('driver-good.mjs');
    writeFileSync(file, 'setInterval(() => {}, 1000);\nexport default { async openOrder() {}, extra: 1 };');
    assert.deepEqual(await probeDriver(file, createRedaction()), ['openOrder']);
  });
});
