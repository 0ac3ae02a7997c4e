/** Writes the approval package of a run or precheck from what it left in its folder. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Zip, ZipDeflate } from 'fflate';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import { UsageError } from '../../process/usage-error.ts';
import { createRedaction } from '../redaction/index.ts';
import {
  MAX_PART_BYTES,
  NEEDED_PARTS,
  PACKAGE_FILE,
  PACKAGE_FORMAT,
  type PackageInfo,
  type PackagePart,
  type PartName,
  REPEATED_FACTS,
} from './format.ts';

export const PACKAGE_HELP =
  '  --package FILE.zip     write results, report, exchanges and digests into one file, for `proofmark verify`';

export interface PackageOptions {
  /** Text of the manifest as it was read; its secrets are taken out here. */
  readonly manifest?: string;
}

/** The same in every package: when it was made is in the results, and a zip's times are local. */
const NO_TIME = new Date(1980, 0, 1);
/** Large enough to be fast, small enough to be nothing. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Throws a UsageError when no package can be written there: to be called before a run, which takes minutes.
 */
export function checkPackagePath(file: string | undefined): void {
  if (file === undefined) return;
  if (!/\.zip$/i.test(file)) throw new UsageError(`--package takes a file that ends with .zip, not "${file}".`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UsageError(`The folder ${folder} for --package does not exist: create it first.`);
  if (existsSync(file) && !statSync(file).isFile())
    throw new UsageError(`--package ${file} is not a file: name another.`);
}

/**
 * Packs results, report and events of `outDir`, and the manifest if there is one, into `file`. The same folder gives the same
 * bytes. The file is whole or not there.
 */
export async function writePackage(outDir: string, file: string, options: PackageOptions = {}): Promise<void> {
  checkPackagePath(file);
  const manifest = options.manifest === undefined ? undefined : withoutSecrets(options.manifest);
  const sources: Source[] = [
    ...NEEDED_PARTS.map((name): Source => ({ name, file: join(outDir, name) })),
    ...(manifest === undefined ? [] : [{ name: 'manifest.json' as const, content: Buffer.from(manifest, 'utf8') }]),
  ];
  const parts = sources.map(partOf);
  for (const { name, bytes } of parts) {
    if (bytes > MAX_PART_BYTES[name])
      throw new UsageError(
        `${name} has ${bytes} bytes, more than a package can contain: choose fewer checks with --only.`,
      );
  }
  const info = infoOf(join(outDir, 'results.json'), parts);
  const temporary = `${file}.${process.pid}.new`;
  try {
    zipTo(temporary, [
      { name: PACKAGE_FILE, content: Buffer.from(`${JSON.stringify(info, null, 2)}\n`, 'utf8') },
      ...sources,
    ]);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

type Source =
  | { readonly name: PartName; readonly file: string }
  | { readonly name: PartName; readonly content: Buffer };
type Entry = Source | { readonly name: typeof PACKAGE_FILE; readonly content: Buffer };

/** The manifest with its secrets under their names; undefined when it is not JSON and nothing can be taken out for sure. */
function withoutSecrets(text: string): string | undefined {
  const value = jsonIn(text.replace(/^\uFEFF/, ''));
  if (value === undefined) return undefined;
  const secret = isJsonObject(value) ? value.app_secret : undefined;
  const redaction = createRedaction();
  if (typeof secret === 'string') redaction.add({ name: 'APP_SECRET', value: secret });
  const shown = redaction.value(value);
  // Whatever it holds instead of a text, it was meant to be secret.
  const hidden = isJsonObject(shown) && shown.app_secret !== undefined && typeof secret !== 'string';
  return `${JSON.stringify(hidden ? { ...shown, app_secret: null } : shown, null, 2)}\n`;
}

function infoOf(resultsFile: string, parts: readonly PackagePart[]): PackageInfo {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, unknown>;
  const facts = Object.fromEntries(REPEATED_FACTS.map((name) => [name, results[name]]));
  return { format: PACKAGE_FORMAT, ...facts, parts } as PackageInfo;
}

function partOf(source: Source): PackagePart {
  const digest = createHash('sha256');
  let bytes = 0;
  for (const chunk of chunksOf(source)) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { name: source.name, bytes, sha256: digest.digest('hex') };
}

/** A chunk is valid until the next one is requested. */
function* chunksOf(source: Entry): Generator<Uint8Array> {
  if ('content' in source) {
    yield source.content;
    return;
  }
  const fd = openSync(source.file, 'r');
  try {
    for (let left = fstatSync(fd).size; left > 0; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, left));
      const read = readSync(fd, chunk, 0, chunk.length, null);
      if (read === 0) return;
      left -= read;
      yield chunk.subarray(0, read);
    }
  } finally {
    closeSync(fd);
  }
}

function zipTo(file: string, entries: readonly Entry[]): void {
  const fd = openSync(file, 'w');
  try {
    let failed: unknown;
    const zip = new Zip((error, data) => {
      failed ??= error ?? undefined;
      for (let written = 0; failed === undefined && written < data.length; )
        written += writeSync(fd, data, written, data.length - written);
    });
    for (const entry of entries) {
      const stream = new ZipDeflate(entry.name, { level: 6 });
      stream.mtime = NO_TIME;
      zip.add(stream);
      for (const chunk of chunksOf(entry)) stream.push(chunk);
      stream.push(new Uint8Array(0), true);
      if (failed !== undefined) throw failed;
    }
    zip.end();
    if (failed !== undefined) throw failed;
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
