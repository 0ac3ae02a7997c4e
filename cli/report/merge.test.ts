/** A run in three parts, each in a process of its own as on three machines, joined to one: it comes to what one run comes to. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { RunHeader } from '../../contracts/run/events.ts';
import type { Results } from '../../reports/results/index.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';
import { folderFor, proofmark, resultsIn } from '../common/command.fixture.ts';
import { mergeShards } from './merge.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLAYWRIGHT = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
const TOTAL = 3;
const PARTS = Array.from({ length: TOTAL }, (_, at) => at + 1);
/** Some of every serial group, and of what runs in parallel; with a fault that one check finds. */
const SUITE_NAMES = ['delivery/batch', 'apps/data', 'reseller/login'];
const SCOPE = [
  ...['--target', 'mock:fault=batch.adds-instead-of-replacing'],
  ...SUITE_NAMES.flatMap((name) => ['--suite', name]),
];

const environment = (more: Readonly<Record<string, string>>) => {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...rest } = process.env;
  return { ...rest, PW_DISABLE_TS_ESM: '1', PROOFMARK_BROWSER: 'none', ...more };
};
const withoutTimes = ({ checks, clauses, counts, outcome, exitCode, onlyPattern }: Results) => ({
  checks: checks.map(({ id, verdict, clauses: ofCheck, expected, actual }) => ({
    id,
    verdict,
    ofCheck,
    // A part whose base has no check shows how that base is broken (harness/check/running/unselected.ts), and the whole what the check met.
    ...(verdict === 'inconclusive' ? {} : { expected, actual }),
  })),
  clauses: clauses.map(({ id, verdict, checks: ofClause }) => ({ id, verdict, ofClause })),
  counts,
  outcome,
  exitCode,
  onlyPattern,
});

/** The parts and the whole run, which several tests use. */
const home = mkdtempSync(join(tmpdir(), 'proofmark-parts-'));
const part = (n: number) => join(home, `part-${n}`);
const whole = join(home, 'whole');
before(async () => {
  const one = ['--workers', '1'];
  const runs = await Promise.all([
    proofmark(['run', ...SCOPE, ...one, '--out', whole]),
    ...PARTS.map((n) => proofmark(['run', ...SCOPE, ...one, '--shard', `${n}/${TOTAL}`, '--out', part(n)])),
  ]);
  assert.equal(runs[0]?.code, 1, runs[0]?.stderr);
});
after(() => rmSync(home, { recursive: true, force: true }));

test(`${TOTAL} parts come to the verdicts of one run, and what does not belong together is refused by name`, async (t) => {
  const folder = folderFor(t);
  const sizes = PARTS.map((n) => resultsIn(part(n)).checks.length);
  assert.ok(Math.min(...sizes) > 0, `no part is empty: ${sizes}`);

  const all = join(folder, 'all');
  const merged = await proofmark(['report', '--merge', ...PARTS.map(part).reverse(), '--out', all]);
  assert.equal(merged.code, 1, merged.stderr);
  assert.deepEqual(withoutTimes(resultsIn(all)), withoutTimes(resultsIn(whole)));
  assert.equal(
    resultsIn(all).requests,
    PARTS.reduce((sum, n) => sum + resultsIn(part(n)).requests, 0),
  );
  const failed = resultsIn(all).checks.find(({ verdict }) => verdict === 'fail');
  const events = readFileSync(join(all, 'events.ndjson'), 'utf8').trim().split('\n');
  const decisive = events.map((line) => JSON.parse(line)).find(({ n }) => n === failed?.decisive);
  assert.equal(decisive?.check, failed?.id, 'the numbers of exchanges lead to those of the check');

  const changed = (n: number, name: string, change: (header: RunHeader) => RunHeader): string => {
    const copy = join(folder, name);
    cpSync(part(n), copy, { recursive: true });
    const [first = '', ...rest] = readFileSync(join(copy, 'events.ndjson'), 'utf8').split('\n');
    writeFileSync(join(copy, 'events.ndjson'), [JSON.stringify(change(JSON.parse(first))), ...rest].join('\n'));
    return copy;
  };
  const others = PARTS.slice(1).map(part);
  const REFUSED: ReadonlyArray<readonly [what: string, folders: readonly string[], sentence: RegExp]> = [
    ['a part is missing', PARTS.slice(0, -1).map(part), /Part 3\/3 is missing/],
    [
      'a part is there twice',
      [...PARTS.map(part), changed(2, 'again', (same) => same)],
      /part-2 and .*again are both part 2\/3/,
    ],
    ['a whole run', [...others, whole], /whole is a whole run and not a part/],
    [
      'another version',
      [...others, changed(1, 'version', (header) => ({ ...header, proofmark: '0.0.9' }))],
      /version is not a part of the same run as .*part-2: Proofmark differs \("0\.0\.9" and "\d/,
    ],
    [
      'another target',
      [...others, changed(1, 'target', (header) => ({ ...header, target: { name: 'staging', kind: 'profile' } }))],
      /the target differs \("staging \(profile\)" and "mock:fault=/,
    ],
    [
      'another address',
      [
        ...others,
        changed(1, 'address', (header) => ({
          ...header,
          shard: { ...header.shard!, addresses: ['https://x.example/v1/', null] },
        })),
      ],
      /the addresses of the target differs? .*x\.example/,
    ],
    [
      'another pipeline',
      [...others, changed(1, 'pipeline', (header) => ({ ...header, shard: { ...header.shard!, group: '7' } }))],
      /the pipeline differs/,
    ],
    [
      'other checks',
      [...others, changed(1, 'checks', (header) => ({ ...header, shard: { ...header.shard!, only: 'delivery.*' } }))],
      /the selected checks differs/,
    ],
    [
      'a check of another part',
      [
        ...others,
        changed(1, 'foreign', (header) => ({
          ...header,
          selected: [...header.selected, resultsIn(part(2)).checks[0]!.id],
        })),
      ],
      /both contain the check/,
    ],
    [
      'a lost check',
      [...others, changed(1, 'lost', (header) => ({ ...header, selected: header.selected.slice(1) }))],
      /No part contains the check/,
    ],
    ['no run', [...others, folder], /There is no .*events\.ndjson/],
  ];
  for (const [what, folders, sentence] of REFUSED) {
    const out = join(folder, `refused ${what}`);
    await assert.rejects(mergeShards(folders, out), { name: 'UsageError', message: sentence }, what);
    assert.equal(existsSync(join(out, 'results.json')), false, what);
  }
});

test('each serial group is in one part, and the parts hold every check once', () => {
  const inParts = PARTS.map((n) => {
    const { stdout } = spawnSync(process.execPath, [PLAYWRIGHT, 'test', '--list', `--shard=${n}/${TOTAL}`], {
      cwd: ROOT,
      encoding: 'utf8',
      env: environment({}),
    });
    return [...stdout.matchAll(/ › (\S+) (?:MUST|SHOULD|MAY|OBSERVES) /g)].map(([, id]) => id ?? '');
  });
  assert.deepEqual(inParts.flat().sort(), CHECKS.map(({ id }) => id).sort());
  for (const serialGroup of ['apps', 'reseller', 'browser']) {
    const ids = new Set(
      SUITES.filter((suite) => suite.serialGroup === serialGroup).flatMap(({ checks }) => checks.map(({ id }) => id)),
    );
    assert.equal(inParts.filter((part) => part.some((id) => ids.has(id))).length, 1, serialGroup);
  }
  assert.ok(inParts.filter((part) => part.some((id) => id.startsWith('delivery.point.'))).length >= 1);
});

test('a part under Playwright itself is one as well, of which Playwright merges its own blob report', async (t) => {
  const folder = folderFor(t);
  const run = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<number | null> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [PLAYWRIGHT, ...args], {
        cwd: ROOT,
        stdio: 'ignore',
        env: environment(env),
      });
      child.on('close', resolve);
    });
  const [out, blobs] = [join(folder, 'out'), join(folder, 'blobs')];
  const selection = ['--grep', String.raw`delivery\.batch\.re|apps\.data\.|labels\.button\.`];
  const code = await run(
    ['test', '--workers=1', ...selection, '--reporter=blob', '--shard=1/2', '--output', join(folder, 'results')],
    { PROOFMARK_OUT: out, PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, '1.zip') },
  );
  // Without a browser some are undecided, which is not a failure.
  assert.equal(code, 0);
  const json = join(folder, 'all.json');
  assert.equal(await run(['merge-reports', '--reporter=json', blobs], { PLAYWRIGHT_JSON_OUTPUT_FILE: json }), 0);
  const { stats } = JSON.parse(readFileSync(json, 'utf8')) as { stats: { expected: number; skipped: number } };
  const { checks } = resultsIn(out);
  assert.ok(stats.expected > 0 && stats.skipped > 0, JSON.stringify(stats));
  assert.equal(stats.expected + stats.skipped, checks.length);
  const { shard } = JSON.parse(readFileSync(join(out, 'events.ndjson'), 'utf8').split('\n')[0] ?? '') as RunHeader;
  assert.deepEqual([shard?.current, shard?.total], [1, 2]);
});

test('a part that was cut off leaves what it had not decided inconclusive', async (t) => {
  const folder = folderFor(t);
  const cut = join(folder, 'cut');
  cpSync(part(TOTAL), cut, { recursive: true });
  const file = join(cut, 'events.ndjson');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  writeFileSync(file, `${lines.slice(0, 3).join('\n')}\n`);
  const { checks, interrupted } = await mergeShards([...PARTS.slice(0, -1).map(part), cut], join(folder, 'all'));
  assert.match(interrupted ?? '', /the part in .*cut was cut off/);
  const ofPart = new Set(resultsIn(part(TOTAL)).checks.map(({ id }) => id));
  const verdicts = checks.filter(({ id }) => ofPart.has(id)).map(({ verdict }) => verdict);
  assert.equal(verdicts.length, ofPart.size);
  assert.deepEqual([...new Set(verdicts)], ['inconclusive']);
});
