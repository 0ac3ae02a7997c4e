import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { unzipSync, type Zippable, zipSync } from 'fflate';
import { UsageError } from '../../process/usage-error.ts';
import { PACKAGE_FILE, type PackageInfo, packageInfoProblem } from './format.ts';
import { openPackage, PackageError } from './read.ts';
import { checkPackagePath, writePackage } from './write.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-packages-'));
after(() => rmSync(home, { recursive: true, force: true }));
// Only what these tests leave behind is looked for.
process.env.TMPDIR = join(home, 'tmp');
mkdirSync(process.env.TMPDIR);

const RESULTS = {
  proofmark: '0.1.0',
  contract: 'c',
  command: 'precheck app',
  party: 'integrator',
  target: { name: 'App', kind: 'app' },
  run: 'r1',
  startedAt: '2026-01-02T03:04:05.000Z',
  outcome: 'conformant',
  exitCode: 0,
};
const EVENTS = '{"type":"header"}\n'.repeat(50);

let folders = 0;
/** A folder as a run leaves it. */
function runFolder(): string {
  folders += 1;
  const folder = join(home, `run-${folders}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'results.json'), JSON.stringify(RESULTS));
  writeFileSync(join(folder, 'report.html'), '<!doctype html><p>ü');
  writeFileSync(join(folder, 'events.ndjson'), EVENTS);
  return folder;
}

async function packed(options: { manifest?: string } = {}): Promise<string> {
  const folder = runFolder();
  const file = join(folder, 'package.zip');
  await writePackage(folder, file, options);
  return file;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A zip of these parts whose digests are right. */
function zipped(
  parts: Readonly<Record<string, Uint8Array>>,
  change: (info: PackageInfo) => unknown = (info) => info,
  more: Zippable = {},
): Buffer {
  const listed = Object.entries(parts).map(([name, bytes]) => ({ name, bytes: bytes.length, sha256: sha256(bytes) }));
  const info = change({ format: 1, ...RESULTS, parts: listed } as unknown as PackageInfo);
  return Buffer.from(zipSync({ [PACKAGE_FILE]: Buffer.from(JSON.stringify(info)), ...parts, ...more }));
}

const PARTS = {
  'results.json': Buffer.from(JSON.stringify(RESULTS)),
  'report.html': Buffer.from('<p>'),
  'events.ndjson': Buffer.from(EVENTS),
};

let files = 0;
function fileOf(bytes: Uint8Array): string {
  files += 1;
  const file = join(home, `p${files}.zip`);
  writeFileSync(file, bytes);
  return file;
}

/** Opens and closes; nothing may be left behind. */
async function open(bytes: Uint8Array): Promise<void> {
  const file = fileOf(bytes);
  const before = leftovers();
  try {
    (await openPackage(file)).close();
  } finally {
    rmSync(file);
    assert.deepEqual(leftovers(), before);
  }
}

const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('proofmark-package-'));
const refuses = (bytes: Uint8Array, message: RegExp) =>
  assert.rejects(open(bytes), (error) => {
    assert.ok(error instanceof PackageError, String(error));
    assert.match(error.message, message);
    return true;
  });

describe('a package', () => {
  test('contains what the run left, and reads back the same', async () => {
    const file = await packed({ manifest: '{"app_type": "APP"}' });
    const opened = await openPackage(file);
    try {
      assert.equal(opened.results, JSON.stringify(RESULTS));
      assert.equal(readFileSync(opened.eventsFile, 'utf8'), EVENTS);
      assert.deepEqual(JSON.parse(opened.manifest ?? ''), { app_type: 'APP' });
      const { format, parts, ...facts } = opened.info;
      assert.deepEqual([format, facts], [1, RESULTS]);
      assert.deepEqual(
        parts.map(({ name }) => name),
        ['results.json', 'report.html', 'events.ndjson', 'manifest.json'],
      );
      assert.equal(parts[2]?.sha256, sha256(Buffer.from(EVENTS)));
    } finally {
      opened.close();
    }
  });

  test('is the same each time, and a zip that any program opens', async () => {
    const [first, second] = [readFileSync(await packed()), readFileSync(await packed())];
    assert.ok(first.equals(second));
    assert.deepEqual(Object.keys(unzipSync(first)), [PACKAGE_FILE, 'results.json', 'report.html', 'events.ndjson']);
  });

  test('contains no secret of the manifest, of any kind and at any place', async () => {
    const manifestIn = async (value: unknown): Promise<string> => {
      const unpacked = unzipSync(readFileSync(await packed({ manifest: JSON.stringify(value) })));
      return Buffer.from(unpacked['manifest.json'] ?? []).toString('utf8');
    };
    const secret = 'CANARY-secret-ä"7';
    const text = await manifestIn({
      app_secret: secret,
      app_title: `App ${secret}`,
      url: `https://a.test/?s=${encodeURIComponent(secret)}`,
    });
    assert.equal(JSON.parse(text).app_secret, '$APP_SECRET');
    assert.ok(!/CANARY/.test(text), text);
    assert.equal(JSON.parse(await manifestIn({ app_secret: 'abc' })).app_secret, '$APP_SECRET');
    assert.equal(JSON.parse(await manifestIn({ app_secret: ['CANARY'] })).app_secret, null);
    const unpacked = unzipSync(readFileSync(await packed({ manifest: '{app_secret: CANARY' })));
    assert.equal(unpacked['manifest.json'], undefined);
  });

  test('is refused a path where none can be written, before anything is run', () => {
    for (const file of ['a.tar', join(home, 'no-such-folder', 'a.zip'), home])
      assert.throws(() => checkPackagePath(file), UsageError);
    checkPackagePath(undefined);
    checkPackagePath(join(home, 'new.ZIP'));
  });
});

describe('a file that is not a package, or a changed one, is refused in a sentence', () => {
  const good = zipped(PARTS);

  test('while the right one is taken', () => open(good));

  const cases: ReadonlyArray<readonly [what: string, bytes: () => Uint8Array, message: RegExp]> = [
    ['another zip', () => zipSync({ 'a.txt': Buffer.from('x') }), /contains no proofmark-package\.json/],
    [
      'a part changed',
      () =>
        zipped({ ...PARTS }, (info) => ({
          ...info,
          parts: info.parts.map((part) => ({ ...part, sha256: '0'.repeat(64) })),
        })),
      /results\.json that does not match its listed digest/,
    ],
    [
      'a part of another size',
      () =>
        zipped(PARTS, (info) => ({ ...info, parts: info.parts.map((part) => ({ ...part, bytes: part.bytes + 1 })) })),
      /bytes instead of/,
    ],
    [
      'a part that is not there',
      () =>
        zipped(PARTS, (info) => ({
          ...info,
          parts: [...info.parts, { name: 'manifest.json', bytes: 1, sha256: '0'.repeat(64) }],
        })),
      /contains no manifest\.json/,
    ],
    [
      'a part that is not named',
      () => zipped(PARTS, (info) => info, { 'manifest.json': Buffer.from('{}') }),
      /contains manifest\.json, which/,
    ],
    ['an unknown part', () => zipped(PARTS, (info) => info, { 'extra.bin': Buffer.from('x') }), /contains extra\.bin/],
    ['a needed part missing', () => zipped({ 'results.json': PARTS['results.json'] }), /names no report\.html/],
    ['no JSON inside', () => Buffer.from(zipSync({ [PACKAGE_FILE]: Buffer.from('x') })), /is not JSON/],
    ['another format', () => zipped(PARTS, (info) => ({ ...info, format: 2 })), /a format other than 1/],
    ...['../events.ndjson', '/etc/passwd', 'a/b.txt', '..\\x.txt', 'C:x.txt', 'x', '.hidden.txt', 'a\u0000.txt'].map(
      (name) =>
        [
          `the name ${JSON.stringify(name)}`,
          () => zipped(PARTS, (info) => info, { [name]: Buffer.from('x') }),
          /contains an entry named ".*", which is not a part/,
        ] as const,
    ),
    [
      'too many entries',
      () =>
        zipped(
          PARTS,
          (info) => info,
          Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`a${i}.txt`, Buffer.from('x')])),
        ),
      /entries, more than any package has/,
    ],
    ['something before it', () => Buffer.concat([Buffer.from('PK?'), good]), /truncated or damaged/],
    ['something behind it', () => Buffer.concat([good, Buffer.from('x')]), /truncated or damaged/],
    ['two zips in one', () => Buffer.concat([good, good]), /truncated or damaged/],
    ['an encrypted entry', () => patched(good, 'PK\u0001\u0002', 8, 1), /encrypted/],
    [
      'another compression',
      () => patched(good, 'PK\u0001\u0002', 10, 12),
      /a compression method that packages do not use/,
    ],
    ['sizes of four gigabytes', () => patched(good, 'PK\u0001\u0002', 24, 0xffffffff, 4), /four gigabytes/],
    ['two names for one entry', () => patched(good, 'PK\u0003\u0004', 30, 0x78), /differently in its directory/],
    ['entries that overlap', () => patched(good, 'PK\u0001\u0002', 42, 1, 4), /overlap/],
    [
      'a size that is too small',
      () => patched(good, 'PK\u0001\u0002', 24, 3, 4),
      /larger than its listed size|do not match its directory entry/,
    ],
    ['a wrong sum', () => patched(good, 'PK\u0001\u0002', 16, 7, 4), /do not match its directory entry/],
  ];
  for (const [what, bytes, message] of cases) test(what, () => refuses(bytes(), message));

  test('bombs, before they are unpacked', async () => {
    const zeros = Buffer.alloc(40 * 1024 * 1024);
    await refuses(zipped({ ...PARTS, 'results.json': zeros }), /grow more than 250-fold/);
    const info = Buffer.alloc(20 * 1024 * 1024, 0x20);
    await refuses(
      Buffer.from(zipSync({ [PACKAGE_FILE]: info, ...PARTS })),
      /larger than its listed size, or than a part can be/,
    );
  });

  test('cut off anywhere', async () => {
    for (let end = 0; end < good.length; end += 7) await refuses(good.subarray(0, end), /./);
  });

  test('changed anywhere: refused, or what it says is still the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const file = fileOf(bytes);
        try {
          const opened = await openPackage(file);
          opened.close();
          assert.equal(opened.results, JSON.stringify(RESULTS));
          // Only its own file has no digest: what it repeats is held against the results.
          assert.equal(packageInfoProblem(opened.info), undefined);
        } catch (error) {
          assert.ok(error instanceof PackageError, String(error));
        } finally {
          rmSync(file);
        }
      }),
      { numRuns: 250 },
    );
  });
});

/** The zip with a number written over, counted from the last header of a kind. */
function patched(bytes: Buffer, signature: string, offset: number, value: number, width = 2): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.lastIndexOf(signature, undefined, 'latin1') + offset;
  if (width === 4) changed.writeUInt32LE(value, at);
  else changed.writeUInt16LE(value, at);
  return changed;
}
