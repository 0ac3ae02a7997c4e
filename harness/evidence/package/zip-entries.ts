/**
 * The entries of a zip that may come from an untrusted sender, from its central directory: plain files beside one another, each where the
 * one before ended, none encrypted, nothing else in the file. What a package does not need is refused.
 */
import { fstatSync, readSync } from 'node:fs';

/** Why a file is not a package; the message is the end of a sentence that begins with its name. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

export interface ZipEntry {
  readonly name: string;
  /** 0: stored, 8: deflated. */
  readonly method: 0 | 8;
  readonly compressedBytes: number;
  /** As the zip declares it. */
  readonly bytes: number;
  /** CRC-32 of the content, as the zip declares it. */
  readonly crc: number;
  /** Of the first byte of its data. */
  readonly offset: number;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** A package has five entries; a directory of a thousand is an attack. */
const MAX_ENTRIES = 16;
const MAX_DIRECTORY_BYTES = 64 * 1024;
/** A package ends with its directory; a zip may end with a remark, and ours has none. */
const NO_COMMENT = 0;
const NEEDS_ZIP64 = 0xffffffff;
const ENCRYPTED = 0x1;
const HAS_DESCRIPTOR = 0x8;

/** Reads the directory and compares it with the header of each entry. Throws a `PackageError`. */
export function zipEntries(fd: number): ZipEntry[] {
  const size = fstatSync(fd).size;
  const { count, directoryBytes, directoryOffset } = endOf(fd, size);
  const directory = readAt(fd, directoryOffset, directoryBytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  let expected = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw broken();
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const name = directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    const flags = directory.readUInt16LE(at + 8);
    const method = directory.readUInt16LE(at + 10);
    const [crc, compressedBytes, bytes, localOffset] = [16, 20, 24, 42].map((place) =>
      directory.readUInt32LE(at + place),
    ) as [number, number, number, number];
    checkName(name);
    if ((flags & ENCRYPTED) !== 0) throw new PackageError(`contains ${name} encrypted; packages are not encrypted`);
    if (method !== 0 && method !== 8)
      throw new PackageError(`contains ${name} with a compression method that packages do not use`);
    if ([compressedBytes, bytes, localOffset].includes(NEEDS_ZIP64))
      throw new PackageError('is a zip file of more than four gigabytes, more than any package has');
    if (entries.some((entry) => entry.name === name)) throw new PackageError(`contains ${name} twice`);
    if (localOffset !== expected)
      throw new PackageError(`has entries that overlap, or something between them before ${name}`);
    const offset = checkLocal(fd, { name, localOffset, method, flags });
    expected = offset + compressedBytes;
    if ((flags & HAS_DESCRIPTOR) !== 0) expected += descriptorBytes(fd, expected, directoryOffset);
    if (expected > directoryOffset) throw broken();
    entries.push({ name, method, compressedBytes, bytes, crc, offset });
    at += ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  if (at !== directory.length || expected !== directoryOffset)
    throw new PackageError('contains something beside the entries of its directory');
  return entries;
}

const broken = (): PackageError =>
  new PackageError('is not a complete zip file: it was truncated or damaged, so fetch it again');

function endOf(fd: number, size: number) {
  if (size < END_BYTES) throw broken();
  const end = readAt(fd, size - END_BYTES, END_BYTES);
  if (end.readUInt32LE(0) !== END_SIGNATURE) throw broken();
  const [disk, directoryDisk, here, count] = [4, 6, 8, 10].map((place) => end.readUInt16LE(place)) as [
    number,
    number,
    number,
    number,
  ];
  const [directoryBytes, directoryOffset] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  if (disk !== 0 || directoryDisk !== 0 || here !== count || end.readUInt16LE(20) !== NO_COMMENT) throw broken();
  if (count > MAX_ENTRIES || directoryBytes > MAX_DIRECTORY_BYTES)
    throw new PackageError(`has ${count} entries, more than any package has`);
  if (directoryOffset + directoryBytes !== size - END_BYTES) throw broken();
  return { count, directoryBytes, directoryOffset };
}

/** Names of parts are plain: nothing that could be a path. */
function checkName(name: string): void {
  if (/^[a-z][a-z0-9-]*\.[a-z]+$/.test(name)) return;
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  throw new PackageError(`contains an entry named ${shown}, which is not a part of a package`);
}

/** The header before the data says the same as the directory; returns where the data begin. */
function checkLocal(
  fd: number,
  entry: { readonly name: string; readonly localOffset: number; readonly method: number; readonly flags: number },
): number {
  const { name, localOffset, method, flags } = entry;
  const local = readAt(fd, localOffset, LOCAL_BYTES);
  const [nameBytes, extraBytes] = [local.readUInt16LE(26), local.readUInt16LE(28)];
  const isSame =
    local.readUInt32LE(0) === LOCAL_SIGNATURE &&
    local.readUInt16LE(6) === flags &&
    local.readUInt16LE(8) === method &&
    nameBytes === Buffer.byteLength(name, 'utf8') &&
    readAt(fd, localOffset + LOCAL_BYTES, nameBytes).toString('utf8') === name;
  if (!isSame) throw new PackageError(`describes ${name} differently in its directory and before its data`);
  return localOffset + LOCAL_BYTES + nameBytes + extraBytes;
}

/** Sizes that were unknown when the data began follow the data, with or without a signature. */
function descriptorBytes(fd: number, at: number, directoryOffset: number): number {
  if (at + 4 > directoryOffset) throw broken();
  return readAt(fd, at, 4).readUInt32LE(0) === DESCRIPTOR_SIGNATURE ? 16 : 12;
}

/** Exactly so many bytes. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const more = readSync(fd, bytes, read, length - read, offset + read);
    if (more === 0) throw broken();
    read += more;
  }
  return bytes;
}
