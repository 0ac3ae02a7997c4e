import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { SelftestFile } from '../../contracts/run/selftest.ts';
import { folderFor, proofmark } from '../common/command.fixture.ts';
import { selftestCommand } from './index.ts';

const fileIn = (folder: string): SelftestFile =>
  JSON.parse(readFileSync(join(folder, 'selftest.json'), 'utf8')) as SelftestFile;

describe('proofmark selftest', () => {
  test('one fault against some checks: found, written as data and as a page, exit 0', async (t) => {
    const folder = folderFor(t);
    const globs = ['--fault', 'keys.first-eight-*', '--check', 'delivery.credentials.*'];
    const { code, stdout, stderr } = await proofmark(['selftest', ...globs, '--out', folder]);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /faults +1 of 1 found/);
    const file = fileIn(folder);
    const [row, ...others] = file.rows;
    assert.deepEqual(others, []);
    assert.equal(row?.id, 'keys.first-eight-characters');
    const failed = file.checks.filter((_, at) => row?.cells[at] === 'f').map(({ id }) => id);
    assert.deepEqual(failed, ['delivery.credentials.near-miss-key-refused']);
    assert.deepEqual([file.ok, file.faultPattern, file.checkPattern], [true, globs[1], globs[3]]);
    assert.match(readFileSync(join(folder, 'selftest.html'), 'utf8'), /keys\.first-eight-characters/);
  });

  test('correct services, variants and controls without the faults, from one process', async (t) => {
    const folder = folderFor(t);
    const flags = [
      '--no-faults',
      '--check',
      'delivery.settings.*',
      '--combinations',
      '3',
      '--seed',
      '5',
      '--workers',
      '1',
    ];
    const { code, stdout, stderr } = await proofmark(['selftest', ...flags, '--out', folder]);
    assert.equal(code, 0, stdout + stderr);
    const file = fileIn(folder);
    assert.deepEqual([file.counts.faults, file.counts.combinations, file.counts.controls, file.seed], [0, 3, 6, 5]);
    const kinds = new Set(file.rows.map(({ kind }) => kind));
    assert.deepEqual([...kinds], ['correct', 'independent', 'variant', 'combination', 'control']);
  });

  test('a glob that matches nothing, and flags that do not exist, are refused in a sentence', async (t) => {
    const folder = folderFor(t);
    for (const [flags, sentence] of [
      [['--fault', 'no.such'], /--fault "no\.such" matches no fault:/],
      [['--check', 'no.such'], /--check "no\.such" matches no check:/],
      [['--fault', 'keys.*', '--fault', 'no.such'], /--fault "no\.such" matches no fault:/],
      [['--fault', 'keys.*', '--no-faults'], /give one of the two/],
      [['--every-pair', '--sample', '3'], /--every-pair and --sample exclude each other/],
      [['--every-pair', '--fault-sample', '3'], /--every-pair and --fault-sample exclude each other/],
      [['--workers', '0'], /--workers must be a whole number from 1 to 16/],
      [['--nonsense'], /[Ss]ee proofmark selftest --help/],
    ] as const)
      await assert.rejects(selftestCommand([...flags, '--out', folder]), { name: 'UsageError', message: sentence });
    // This once as a user does.
    const { code, stderr } = await proofmark(['selftest', '--workers', '0', '--out', folder]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /--workers must be a whole number from 1 to 16/);
    assert.ok(!existsSync(join(folder, 'selftest.json')));
    assert.match((await proofmark(['selftest', '--help'])).stdout, /--combinations N/);
  });
});
