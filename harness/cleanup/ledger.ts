/**
 * The ledger of a run: what it is about to create or change on the target, with the old value, on disk before it happens.
 * After a crash `proofmark sweep` reads it and puts things right. One line of JSON an event; several workers append to one file.
 */

import {
  accessSync,
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { RecordId } from '../../contracts/json/record-ids.ts';
import { whyUnusable } from '../process/file-error.ts';
import { UsageError } from '../process/usage-error.ts';
import type { AppRegistration } from '../target/driver/target-driver.ts';
import type { Secret } from '../target/secrets/secret.ts';
import { type SealedCode, sealSecrets, unsealSecrets } from './ledger-secrets.ts';
import { createdProblem, entryProblem, lineProblem, RUN_ID } from './ledger-shape.ts';

export type MethodOwner = 'private' | 'other' | 'public';
/** Which of the profile's two installations: `authCode` or `otherAuthCode`. */
export const INSTALLATIONS = ['own', 'other'] as const;
export type Installation = (typeof INSTALLATIONS)[number];

/** Objects that the run brings into the world. */
export type Creation =
  | {
      readonly kind: 'delivery-method';
      readonly owner: MethodOwner;
      /** Carries the run's mark, so that the method is found by listing when its handle is not known. */
      readonly reference: string;
      readonly handle?: string;
      /** References without the mark that the run gives it later, each written down before. */
      readonly given?: readonly string[];
    }
  /** Attached by the run; a domain that was there before must never be listed here. */
  | { readonly kind: 'domain'; readonly website: RecordId; readonly domain: string }
  /** An installation of the app that the run made through the driver; it is the run's own, never one of the profile's. */
  | { readonly kind: 'installation'; readonly sealedCode?: SealedCode };

/** Things that were there before, with what they were. */
export type Change =
  | {
      readonly kind: 'pickup-points';
      readonly owner: MethodOwner;
      readonly handle: string;
      readonly country?: string;
      /** The whole list as it was listed (of that country, when one is named). */
      readonly old: readonly unknown[];
    }
  /** `old: null`: none was set. */
  | {
      readonly kind: 'snippet';
      readonly installation: Installation;
      readonly language?: string;
      readonly old: string | null;
    }
  /** `old: null`: none was set. */
  | {
      readonly kind: 'app-data';
      readonly installation: Installation;
      readonly old: unknown;
      /** The JSON text of `old`, where it has numbers that JavaScript can't hold. */
      readonly text?: string | undefined;
    }
  | { readonly kind: 'reseller-settings'; readonly old: Readonly<Record<string, string | number>> }
  | { readonly kind: 'website-status'; readonly website: RecordId; readonly old: 'enabled' | 'disabled' }
  /** Only a website without a subscription is upgraded. */
  | { readonly kind: 'website-premium'; readonly website: RecordId; readonly old: 'none' }
  /** The temporary password is derived from the old one (`temporaryPassword`); neither is written down. */
  | { readonly kind: 'password' }
  | { readonly kind: 'app-uninstalled'; readonly installation: Installation }
  /** The app's addresses lead to the harness for a while. `old` is missing where the driver does not report them. */
  | { readonly kind: 'registered-app'; readonly old?: AppRegistration };

export type LedgerEntry = Creation | Change;

/** What is known of a created object afterwards. */
export interface Created {
  readonly handle?: string;
  readonly given?: readonly string[];
  readonly sealedCode?: SealedCode;
  readonly old?: AppRegistration;
}

export interface LedgerRun {
  /** The run's id: letters, digits and `-`. */
  readonly run: string;
  /** The text that every object of the run carries. */
  readonly mark: string;
  readonly proofmark: string;
  readonly startedAt: string;
  readonly target: { readonly name: string; readonly v1: string | null; readonly api: string | null };
  /** The profile file, absolute, so that `sweep` finds it again; null for the embedded mock. */
  readonly profile: string | null;
}

export interface OpenEntry {
  readonly id: string;
  readonly entry: LedgerEntry;
  /** Names of secrets in the old value that were not given to `readLedger`: it can't be put back without them. */
  readonly missing?: readonly string[];
}

export interface Ledger {
  readonly file: string;
  /** Flushed to disk before it returns, unless the target is the embedded mock. Returns the entry's id. */
  willCreate(entry: Creation): string;
  created(id: string, known: Created): void;
  /** Flushed to disk before it returns. Returns the entry's id. */
  willChange(entry: Change): string;
  restored(id: string): void;
  removed(id: string): void;
  /** Entries of this process that are neither removed nor restored. */
  orphans(): OpenEntry[];
  /** The same of all processes of the run. */
  openEntries(): readonly OpenEntry[];
  /** Closes the file. `settleLedger` then forgets the old values, when nothing is left open. */
  close(): void;
}

export interface LedgerFile {
  readonly file: string;
  readonly run: LedgerRun;
  /** Everything was cleaned up and the old values were removed. */
  readonly settled: boolean;
  /** What is still to be undone, in the order in which it was done. */
  readonly open: readonly OpenEntry[];
  /** Processes of this machine that opened the ledger and have not closed it. */
  readonly openedBy: ReadonlyArray<{ readonly pid: number; readonly at: number }>;
}

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

type Line =
  | ({ readonly type: 'ledger' } & LedgerRun)
  | { readonly type: 'opened' | 'closed'; readonly pid: number; readonly host: string; readonly at: number }
  | { readonly type: 'will'; readonly id: string; readonly entry: unknown }
  | { readonly type: 'created'; readonly id: string; readonly known: unknown }
  | { readonly type: 'removed' | 'restored'; readonly id: string }
  | { readonly type: 'settled' };

let opened = 0;

/**
 * Opens (or continues) the ledger `FOLDER/RUN`; file and folder are the owner's alone. Values of `secrets` in
 * an old value are written as their names.
 */
export function openLedger(folder: string, run: LedgerRun, secrets: readonly Secret[] = []): Ledger {
  if (!RUN_ID.test(run.run)) throw new Error(`"${run.run}" is not a valid run id: use letters, digits and "-" only.`);
  const file = join(folder, run.run);
  const fd = openForOwner(folder, file);
  opened += 1;
  const origin = `${process.pid}-${opened}`;
  const entries = new Map<string, LedgerEntry>();
  // The embedded mock ends with this machine, and a flush costs more than a request to it.
  const outlivesMachine = run.profile !== null;
  let isOpen = true;

  const append = (line: Line, flush: boolean): void => {
    if (!isOpen) throw new Error(`The ledger ${file} is closed already.`);
    writeSync(fd, `${endsInLine(fd) ? '' : '\n'}${JSON.stringify(line)}\n`);
    if (flush && outlivesMachine) fdatasyncSync(fd);
  };
  const will = (entry: LedgerEntry): string => {
    const id = `${origin}-${entries.size + 1}-${process.hrtime.bigint().toString(36)}`;
    append({ type: 'will', id, entry: sealSecrets(entry, secrets) }, true);
    entries.set(id, entry);
    return id;
  };
  const settle = (id: string, type: 'removed' | 'restored'): void => {
    append({ type, id }, false);
    entries.delete(id);
  };

  if (fstatSync(fd).size === 0) {
    append({ type: 'ledger', ...run }, true);
    flushFolder(folder);
  }
  append({ type: 'opened', ...hereAndNow() }, false);
  return {
    file,
    willCreate: will,
    willChange: will,
    created: (id, known) => {
      // What is about to be sent has to be there after a crash.
      // A target may name an object by a key that it was sent.
      append({ type: 'created', id, known: sealSecrets(known, secrets) }, known.given !== undefined);
      const entry = entries.get(id);
      if (entry !== undefined) entries.set(id, { ...entry, ...known } as LedgerEntry);
    },
    removed: (id) => settle(id, 'removed'),
    restored: (id) => settle(id, 'restored'),
    orphans: () => [...entries].map(([id, entry]) => ({ id, entry })),
    openEntries: () => readLedger(file, secrets).open,
    close: () => {
      if (!isOpen) return;
      append({ type: 'closed', ...hereAndNow() }, false);
      isOpen = false;
      closeSync(fd);
    },
  };
}

/** Makes the folder of the ledgers. Throws a UsageError if none can be written into it: a run finds that out before it sends anything. */
export function makeLedgerFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

const unwritable = (place: string, error: unknown): UsageError =>
  new UsageError(
    `The ledger ${place} can't be written, ${whyUnusable(error)}: run from a folder with write permission.`,
  );

function openForOwner(folder: string, file: string): number {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    return openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, OWNER_ONLY_FILE);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Reads a ledger; lines torn by a crash are skipped, because what they announced had not happened yet.
 * `secrets` put the values back where an entry names them. Throws a `UsageError` when the file is not a ledger, or one that
 * was changed: nothing is done to a target because of a line that no run wrote.
 */
export function readLedger(file: string, secrets: readonly Secret[] = []): LedgerFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The ledger ${file} can't be read: ${whyUnusable(error)}.`);
  }
  const lines = text
    .split('\n')
    .map((one, index) => lineOf(one, `Line ${index + 1} of the ledger ${file}`))
    .filter((line) => line !== undefined);
  const header = lines.find((line) => line.type === 'ledger');
  if (header === undefined) throw new UsageError(`${file} is not the ledger of a run: it has no header line.`);
  const { type: _type, ...run } = header;
  const open = new Map<string, LedgerEntry>();
  const missing = new Map<string, string[]>();
  const opens = new Map<number, { count: number; at: number }>();
  let settled = false;
  for (const line of lines) {
    // Who writes on after a ledger was settled opens it again.
    if (line.type === 'settled' || line.type === 'will') settled = line.type === 'settled';
    if (line.type === 'will') {
      const lacks: string[] = [];
      const entry = unsealSecrets(line.entry, secrets, (name) => lacks.push(name));
      const problem = entryProblem(entry);
      if (problem !== undefined) throw changedLedger(`The entry ${line.id} of the ledger ${file}`, problem);
      open.set(line.id, entry as LedgerEntry);
      if (lacks.length > 0) missing.set(line.id, lacks);
    }
    if (line.type === 'removed' || line.type === 'restored') open.delete(line.id);
    if (line.type === 'created') {
      const entry = open.get(line.id);
      const lacks: string[] = [];
      const known = unsealSecrets(line.known, secrets, (name) => lacks.push(name));
      const problem = createdProblem(known);
      if (problem !== undefined)
        throw changedLedger(`What was created by entry ${line.id} of the ledger ${file}`, problem);
      if (entry !== undefined) open.set(line.id, { ...entry, ...(known as Created) } as LedgerEntry);
      if (lacks.length > 0) missing.set(line.id, [...(missing.get(line.id) ?? []), ...lacks]);
    }
    if ((line.type === 'opened' || line.type === 'closed') && line.host === hostname()) {
      const { count = 0, at = line.at } = opens.get(line.pid) ?? {};
      opens.set(line.pid, { count: count + (line.type === 'opened' ? 1 : -1), at });
    }
  }
  return {
    file,
    run,
    settled,
    open: [...open].map(([id, entry]) => {
      const lacks = missing.get(id);
      return { id, entry, ...(lacks === undefined ? {} : { missing: lacks }) };
    }),
    openedBy: [...opens].filter(([, { count }]) => count > 0).map(([pid, { at }]) => ({ pid, at })),
  };
}

/**
 * Forgets the old values of a ledger in which nothing is left open; to be called when no process writes it any more. The ledger
 * of a run on the embedded mock is removed: what it describes ended with its process.
 */
export function settleLedger(file: string): LedgerFile {
  const ledger = readLedger(file);
  if (ledger.open.length > 0 || ledger.settled) return ledger;
  if (ledger.run.profile === null) {
    rmSync(file);
    return { ...ledger, settled: true };
  }
  writeSettled(file, ledger.run);
  return { ...ledger, settled: true };
}

/** Closes a ledger whatever is open in it, and takes the old values out: the user has said that nothing more is to be put back. */
export function forgetLedger(file: string): void {
  const { run } = readLedger(file);
  writeSettled(file, run);
}

function writeSettled(file: string, run: LedgerRun): void {
  const short = `${file}.${process.pid}.short`;
  const lines: Line[] = [{ type: 'ledger', ...run }, { type: 'settled' }];
  writeFileSync(short, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, { mode: OWNER_ONLY_FILE });
  renameSync(short, file);
}

const hereAndNow = () => ({ pid: process.pid, host: hostname(), at: Date.now() });

/** Undefined for an empty line and for one that was torn by a crash, which is not JSON. */
function lineOf(text: string, place: string): Line | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  const problem = lineProblem(line);
  if (problem !== undefined) throw changedLedger(place, problem);
  return line as Line;
}

const changedLedger = (what: string, problem: string): UsageError =>
  new UsageError(
    `${what} ${problem}: the file was changed, or another version of Proofmark wrote it. Sweep it with that version, or undo its entries by hand and delete it.`,
  );

/** Whether the file is empty or ends with a line break: after a crash it may end with half a line. */
function endsInLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

/** A new file is only safe when its folder's entry is on disk too; not every system can flush a folder. */
function flushFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // Windows has no way to open a folder for this.
  }
}
