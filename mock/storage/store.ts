/**
 * The state in a SQLite file. Every request that changes something is one transaction, written before its response is sent, so
 * that a kill -9 loses no change with a response. Points are separate rows: a portion writes only its own points, and
 * later writes remove the points of a replaced list, a few at a time.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseStored } from '../http/json.ts';
import type { State } from '../state/state.ts';
import type { StoredList } from './point-list.ts';
import type { Sink, Table } from './table.ts';

/** Identifies the file as a database of this service ("PRMK"). */
const APPLICATION_ID = 0x50_52_4d_4b;
const FORMAT_VERSION = 1;
/** Replaced points removed with each write: more than a portion holds, so that the rest shrinks. */
const SWEPT_ROWS_PER_WRITE = 250;

/** The file can't be used as a database of this service; the message is one sentence that says why. */
export class StoreError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreError';
  }
}

export interface Store extends Sink {
  /** Whether the file held a state. */
  readonly isNew: boolean;
  load(state: State): void;
  wipe(): void;
  close(): void;
}

/** Opens or creates the file. Throws a StoreError when it is foreign, damaged, or in use by another process. */
export function openStore(file: string): Store {
  try {
    return open(file);
  } catch (error) {
    throw explained(file, error);
  }
}

function explained(file: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const reason = (error as Error).message;
  if (/not a database|malformed|corrupt/i.test(reason)) {
    return new StoreError(`${file} is not a database of the mock, or it is damaged: name another file, or delete it.`);
  }
  if (/locked|busy/i.test(reason)) {
    return new StoreError(`${file} is in use by another process: stop that one, or name another file.`);
  }
  return new StoreError(`${file} can't be used as a database: ${reason}.`);
}

function open(file: string): Store {
  // SQLite would take a temporary file, and nothing would be kept.
  if (file === '') throw new StoreError('The name of the database file is empty: an unset variable?');
  // Loaded here only: Node 22 warns of its experimental module, and most commands keep no file.
  const sqlite = process.getBuiltinModule('node:sqlite');
  const db = new sqlite.DatabaseSync(file);
  try {
    // One process at a time: two services on one file would overwrite each other's state.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    const isNew = prepareSchema(db, file);
    return new SqliteStore(db, file, isNew);
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepareSchema(db: DatabaseSync, file: string): boolean {
  const id = (db.prepare('PRAGMA application_id').get() as { application_id: number }).application_id;
  const version = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  const tables = (db.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number }).n;
  if (id === 0 && tables === 0) {
    db.exec(`BEGIN IMMEDIATE;
      CREATE TABLE rows (name TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (name, key));
      CREATE TABLE points (segment INTEGER NOT NULL, seq INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (segment, seq)) WITHOUT ROWID;
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${FORMAT_VERSION};
      COMMIT;`);
    return true;
  }
  if (id !== APPLICATION_ID) {
    throw new StoreError(`${file} is a database of another program: name another file.`);
  }
  if (version !== FORMAT_VERSION) {
    throw new StoreError(`${file} was written by another version of the mock (format ${version}): name another file.`);
  }
  const check = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (check.quick_check !== 'ok') throw new StoreError(`${file} is damaged: name another file, or delete it.`);
  return (db.prepare('SELECT count(*) AS n FROM rows').get() as { n: number }).n === 0;
}

class SqliteStore implements Store {
  readonly isNew: boolean;
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #putPoint: StatementSync;
  readonly #removePoint: StatementSync;
  readonly #sweep: StatementSync;
  /** Unlisted segments that still have rows. */
  #garbage: number[] = [];
  #garbageBefore: number[] = [];

  constructor(db: DatabaseSync, file: string, isNew: boolean) {
    this.#db = db;
    this.#file = file;
    this.isNew = isNew;
    this.#put = db.prepare(
      'INSERT INTO rows (name, key, value) VALUES (?, ?, ?) ON CONFLICT (name, key) DO UPDATE SET value = excluded.value',
    );
    this.#remove = db.prepare('DELETE FROM rows WHERE name = ? AND key = ?');
    this.#putPoint = db.prepare('INSERT OR REPLACE INTO points (segment, seq, value) VALUES (?, ?, ?)');
    this.#removePoint = db.prepare('DELETE FROM points WHERE segment = ? AND seq = ?');
    this.#sweep = db.prepare(
      'DELETE FROM points WHERE segment = ?1 AND seq IN (SELECT seq FROM points WHERE segment = ?1 LIMIT ?2)',
    );
  }

  begin(): void {
    this.#garbageBefore = [...this.#garbage];
    this.#db.exec('BEGIN IMMEDIATE');
  }
  commit(): void {
    this.#sweepSome();
    this.#db.exec('COMMIT');
  }
  rollback(): void {
    this.#garbage = this.#garbageBefore;
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
  }

  row(table: string, key: string, value: unknown): void {
    if (value === undefined) this.#remove.run(table, key);
    else this.#put.run(table, key, JSON.stringify(value));
  }
  points(segment: number, points: readonly { seq: number; value: unknown }[]): void {
    for (const { seq, value } of points) this.#putPoint.run(segment, seq, JSON.stringify(value));
  }
  dropPoints(segment: number, seqs?: readonly number[]): void {
    if (seqs === undefined) this.#garbage.push(segment);
    else for (const seq of seqs) this.#removePoint.run(segment, seq);
  }

  load(state: State): void {
    try {
      this.#load(state);
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new StoreError(`${this.#file} is damaged: name another file, or delete it.`);
      throw explained(this.#file, error);
    }
  }

  #load(state: State): void {
    const { points, ...tables } = state;
    const lists: [string, StoredList][] = [];
    for (const row of this.#db.prepare('SELECT name, key, value FROM rows ORDER BY rowid').iterate()) {
      const { name, key, value } = row as { name: string; key: string; value: string };
      const parsed: unknown = parseStored(value);
      if (name === 'lists') lists.push([key, parsed as StoredList]);
      else (tables as unknown as Record<string, Table<unknown> | undefined>)[name]?.load(key, parsed);
    }
    const read = this.#db.prepare('SELECT seq, value FROM points WHERE segment = ? ORDER BY seq');
    for (const [handle, list] of lists) points.load(handle, list, (segment) => parsedPoints(read, segment));
    const used = new Set(
      lists.flatMap(([, list]) => [...list.segments.map(({ id }) => id), list.upload?.segment ?? 0]),
    );
    for (const { segment } of this.#db.prepare('SELECT DISTINCT segment FROM points').all() as { segment: number }[]) {
      points.numbers.segment = Math.max(points.numbers.segment, segment);
      if (!used.has(segment)) this.#garbage.push(segment);
    }
  }

  wipe(): void {
    this.#db.exec('DELETE FROM rows; DELETE FROM points;');
    this.#garbage = [];
  }
  close(): void {
    this.#db.close();
  }

  #sweepSome(): void {
    const segment = this.#garbage[0];
    if (segment === undefined) return;
    const { changes } = this.#sweep.run(segment, SWEPT_ROWS_PER_WRITE);
    if (Number(changes) < SWEPT_ROWS_PER_WRITE) this.#garbage.shift();
  }
}

function* parsedPoints(read: StatementSync, segment: number): Generator<{ seq: number; value: unknown }> {
  for (const row of read.iterate(segment)) {
    const { seq, value } = row as { seq: number; value: string };
    yield { seq, value: parseStored(value) };
  }
}
