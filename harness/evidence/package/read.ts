/** Reads an approval package that may come from an untrusted sender: each part once, in bounded memory, against its size and digest. */
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import {
  MAX_PACKAGE_FILE_BYTES,
  MAX_PART_BYTES,
  PACKAGE_FILE,
  type PackageInfo,
  type PackagePart,
  packageInfoProblem,
} from './format.ts';
import { PackageError, readAt, type ZipEntry, zipEntries } from './zip-entries.ts';

export { PackageError } from './zip-entries.ts';

export interface OpenPackage {
  readonly info: PackageInfo;
  /** Text of `results.json`. */
  readonly results: string;
  /** Text of `manifest.json`, where there is one. */
  readonly manifest: string | undefined;
  /** Where `events.ndjson` was unpacked: a private file that `close` removes. */
  readonly eventsFile: string;
  close(): void;
}

/** JSON and HTML shrink some twentyfold; what shrinks more than this is made to burst its reader. */
const MAX_RATIO = 250;
const ALWAYS_ALLOWED_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Opens a package and checks the digest of every part. Throws a `PackageError`; nothing is left behind then. */
export async function openPackage(file: string): Promise<OpenPackage> {
  const fd = openSync(file, 'r');
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-package-'));
  try {
    const entries = zipEntries(fd);
    const info = await infoIn(fd, entries);
    const texts = new Map<string, string>();
    const eventsFile = join(folder, 'events.ndjson');
    for (const part of info.parts) {
      const entry = entryOf(entries, part);
      if (part.name === 'events.ndjson') await unpack(fd, entry, part, fileSink(eventsFile));
      else {
        // The report is compared by its digest, and need not be held.
        const sink = textSink(part.name !== 'report.html');
        await unpack(fd, entry, part, sink);
        texts.set(part.name, sink.text());
      }
    }
    const listed = new Set<string>([PACKAGE_FILE, ...info.parts.map(({ name }) => name)]);
    const extra = entries.find(({ name }) => !listed.has(name));
    if (extra !== undefined) throw new PackageError(`contains ${extra.name}, which ${PACKAGE_FILE} does not list`);
    return {
      info,
      results: texts.get('results.json') ?? '',
      manifest: texts.get('manifest.json'),
      eventsFile,
      close: () => rmSync(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

async function infoIn(fd: number, entries: readonly ZipEntry[]): Promise<PackageInfo> {
  const entry = entries.find(({ name }) => name === PACKAGE_FILE);
  if (entry === undefined) throw new PackageError(`is not a package: it contains no ${PACKAGE_FILE}`);
  const sink = textSink(true);
  await inflate(fd, entry, MAX_PACKAGE_FILE_BYTES, sink);
  let value: unknown;
  try {
    value = JSON.parse(sink.text());
  } catch {
    throw new PackageError(`is not a package: its ${PACKAGE_FILE} is not JSON`);
  }
  const problem = packageInfoProblem(value);
  if (problem !== undefined) throw new PackageError(`is not a package: its ${PACKAGE_FILE} ${problem}`);
  return value as PackageInfo;
}

function entryOf(entries: readonly ZipEntry[], { name }: PackagePart): ZipEntry {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) throw new PackageError(`contains no ${name}, which ${PACKAGE_FILE} lists`);
  return entry;
}

interface Sink {
  write(chunk: Buffer): void;
  close(): void;
}

function textSink(keeps: boolean): Sink & { text(): string } {
  const parts: Buffer[] = [];
  return {
    write: (chunk) => {
      if (keeps) parts.push(chunk);
    },
    close: () => undefined,
    text: () => Buffer.concat(parts).toString('utf8'),
  };
}

function fileSink(file: string): Sink {
  const fd = openSync(file, 'wx', 0o600);
  return {
    write: (chunk) => {
      for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written, chunk.length - written);
    },
    close: () => closeSync(fd),
  };
}

async function unpack(fd: number, entry: ZipEntry, part: PackagePart, sink: Sink): Promise<void> {
  const digest = createHash('sha256');
  try {
    const bytes = await inflate(fd, entry, Math.min(part.bytes, MAX_PART_BYTES[part.name]), {
      write: (chunk) => {
        digest.update(chunk);
        sink.write(chunk);
      },
      close: () => undefined,
    });
    if (bytes !== part.bytes)
      throw new PackageError(`contains ${part.name} with ${bytes} bytes instead of the listed ${part.bytes}`);
  } finally {
    sink.close();
  }
  if (digest.digest('hex') !== part.sha256)
    throw new PackageError(
      `contains a part ${part.name} that does not match its listed digest: it was changed afterwards`,
    );
}

/** Unpacks an entry and returns its bytes; stops as soon as there are more than `most`. */
async function inflate(fd: number, entry: ZipEntry, most: number, sink: Sink): Promise<number> {
  const { name, compressedBytes, method, bytes: declared, crc } = entry;
  const tooMuch = (): PackageError =>
    new PackageError(`contains a part ${name} that is larger than its listed size, or than a part can be`);
  if (declared > most) throw tooMuch();
  if (declared > ALWAYS_ALLOWED_BYTES && declared > compressedBytes * MAX_RATIO)
    throw new PackageError(
      `contains a part ${name} that would grow more than ${MAX_RATIO}-fold when unpacked, so it was not unpacked`,
    );
  const raw = Readable.from(piecesOf(fd, entry));
  const inflater = method === 0 ? undefined : createInflateRaw();
  const unpacked = inflater === undefined ? raw : raw.pipe(inflater);
  raw.on('error', (error) => void unpacked.destroy(error));
  let bytes = 0;
  let sum = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > most) throw tooMuch();
      sum = crc32(chunk, sum);
      sink.write(chunk);
    }
  } catch (error) {
    if (error instanceof PackageError) throw error;
    throw new PackageError(`contains a part ${name} that can't be unpacked: the file was damaged, so fetch it again`);
  } finally {
    raw.destroy();
  }
  // Bytes after the end of the packed data would belong to no entry.
  const isWhole = inflater === undefined || inflater.bytesWritten === compressedBytes;
  if (bytes !== declared || sum !== crc || !isWhole)
    throw new PackageError(`contains a part ${name} whose bytes do not match its directory entry`);
  return bytes;
}

function* piecesOf(fd: number, { offset, compressedBytes }: ZipEntry): Generator<Buffer> {
  for (let at = 0; at < compressedBytes; at += CHUNK_BYTES)
    yield readAt(fd, offset + at, Math.min(CHUNK_BYTES, compressedBytes - at));
}
