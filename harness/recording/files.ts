/** A recording on disk: written whole at the end of a run, and read only when it is whole and made by these checks. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyUnusable } from '../process/file-error.ts';
import { makeFolders } from '../process/make-folders.ts';
import { UsageError } from '../process/usage-error.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../process/version.ts';
import { checksDigest } from './checks-digest.ts';
import { RECORDING_FILE, RECORDING_FORMAT, type RecordingHeader, type RecordingLine } from './format.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Refuses (UsageError) a folder that holds something: neither a recording nor anything else is overwritten. */
export function checkRecordingFolder(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new UsageError(`--record ${folder} is a file: name a new folder.`);
  if (readdirSync(folder).length > 0)
    throw new UsageError(`--record ${folder} is not empty: name a new folder, or remove what is in it.`);
}

type HeaderParts = Omit<RecordingHeader, 'format' | 'proofmark' | 'contract' | 'checks' | 'workers'>;

/** Puts the files of the workers that ended in order into the folder, and the header last: without it there is no recording. */
export function writeRecording(folder: string, workersFolder: string, parts: HeaderParts): void {
  makeFolders(folder);
  const files = existsSync(workersFolder) ? readdirSync(workersFolder).filter((name) => name.endsWith('.ndjson')) : [];
  const workers = files.sort().map((file) => {
    copyFileSync(join(workersFolder, file), join(folder, file));
    const bytes = readFileSync(join(folder, file));
    return { file, lines: bytes.toString('utf8').split('\n').length - 1, sha256: sha256(bytes) };
  });
  const header: RecordingHeader = {
    format: RECORDING_FORMAT,
    proofmark: PROOFMARK_VERSION,
    contract: CONTRACT_VERSION,
    checks: checksDigest(),
    ...parts,
    workers,
  };
  const plain = JSON.parse(JSON.stringify(header)) as RecordingHeader;
  const text = JSON.stringify({ sha256: sha256(JSON.stringify(plain)), ...plain }, null, 1);
  const half = join(folder, `${RECORDING_FILE}.half`);
  writeFileSync(half, `${text}\n`);
  renameSync(half, join(folder, RECORDING_FILE));
}

export interface ReadRecording {
  readonly header: RecordingHeader;
  /** The lines of each worker's file. */
  readonly workers: readonly (readonly RecordingLine[])[];
}

/** Reads a recording. Throws a UsageError that says what is wrong with it and what to do. */
export function readRecording(folder: string): ReadRecording {
  const header = readHeader(folder);
  const workers = header.workers.map(({ file, lines, sha256: expected }) => {
    const path = join(folder, file);
    if (!/^[\w-]+\.ndjson$/.test(file) || !existsSync(path)) {
      throw new UsageError(`The recording ${folder} lacks its file ${file}: copy the whole folder, or record again.`);
    }
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8');
    const all = text.split('\n').slice(0, -1);
    if (sha256(bytes) !== expected) {
      const short = all.length < lines ? ` (it has ${all.length} lines of ${lines})` : '';
      throw new UsageError(
        `${path} differs from the recording${short}: it was changed or truncated. Copy the whole folder again, or record again.`,
      );
    }
    return all.map((line) => JSON.parse(line) as RecordingLine);
  });
  return { header, workers };
}

function readHeader(folder: string): RecordingHeader {
  const path = join(folder, RECORDING_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const missing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR';
    const why = missing
      ? `it has no ${RECORDING_FILE} (a run that was killed leaves none)`
      : `${RECORDING_FILE} can't be read, ${whyUnusable(error)}`;
    throw new UsageError(`${folder} is not a recording: ${why}. Make one with proofmark run --record DIR.`);
  }
  const broken = (why: string): UsageError =>
    new UsageError(`${path} ${why}: copy the whole folder again, or record again.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw broken('is not whole');
  }
  if (typeof parsed !== 'object' || parsed === null || !('format' in parsed)) throw broken('is not from a recording');
  const { sha256: expected, ...header } = parsed as RecordingHeader & { readonly sha256?: string };
  if (header.format !== RECORDING_FORMAT) {
    throw new UsageError(
      `The recording ${folder} has the format ${String(header.format)}; this Proofmark reads format ${RECORDING_FORMAT}. Record again.`,
    );
  }
  if (sha256(JSON.stringify(header)) !== expected) throw broken('differs from the recording');
  if (
    header.proofmark !== PROOFMARK_VERSION ||
    header.contract !== CONTRACT_VERSION ||
    header.checks !== checksDigest()
  ) {
    const theirs = `Proofmark ${header.proofmark}, checks ${header.checks.slice(0, 12)}`;
    const ours = `Proofmark ${PROOFMARK_VERSION}, checks ${checksDigest().slice(0, 12)}`;
    throw new UsageError(
      `The recording ${folder} was made by other checks (${theirs}; here: ${ours}): it is not valid for these. Replay it with the version that made it, or record again.`,
    );
  }
  return header;
}
