/**
 * Rows, and the journal that makes the changes of a request atomic: all of them are kept (and written to the database), or
 * none is. Rows are values: replace a row with `set`, never change one in place, or a refused request would leave a trace.
 */

/** Where committed changes go. The memory-only service has none; `store.ts` writes them to SQLite. */
export interface Sink {
  row(table: string, key: string, value: unknown): void;
  /** Appends points to a segment of a pickup-point list. */
  points(segment: number, points: readonly { seq: number; value: unknown }[]): void;
  /** Removes points of a segment, or the whole segment when `seqs` is left out. */
  dropPoints(segment: number, seqs?: readonly number[]): void;
  begin(): void;
  commit(): void;
  rollback(): void;
}

type Write = (sink: Sink) => void;

export class Journal {
  readonly #sink: Sink | undefined;
  #undo: (() => void)[] = [];
  #writes: Write[] = [];
  #depth = 0;

  constructor(sink?: Sink) {
    this.#sink = sink;
  }

  /** Whether a change is in progress and may still be rolled back. */
  get active(): boolean {
    return this.#depth > 0;
  }

  /** Records one change: how to roll it back in memory, and how to store it. Only inside `change`. */
  note(undo: () => void, write: Write): void {
    if (this.#depth === 0)
      throw new Error('State may only be changed inside service.change(…): wrap the change in it.');
    this.#undo.push(undo);
    if (this.#sink) this.#writes.push(write);
  }

  /**
   * Runs `body` (synchronous) as one unit. When it throws, memory is as before and nothing is written; when it returns,
   * everything is in the database before the caller goes on.
   */
  change<T>(body: () => T): T {
    if (this.#depth > 0) return body();
    this.#depth += 1;
    try {
      const result = body();
      if (result instanceof Promise)
        throw new Error('A change must be synchronous: read the request before changing state.');
      this.#flush();
      return result;
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    } finally {
      this.#undo = [];
      this.#writes = [];
      this.#depth -= 1;
    }
  }

  #flush(): void {
    if (!this.#sink || this.#writes.length === 0) return;
    this.#sink.begin();
    try {
      for (const write of this.#writes) write(this.#sink);
      this.#sink.commit();
    } catch (error) {
      this.#sink.rollback();
      throw error;
    }
  }
}

/** One kind of rows by key, in order of insertion. */
export class Table<Row> {
  readonly name: string;
  readonly #journal: Journal;
  #rows = new Map<string, Row>();
  /** The insertion order of rows, so that undoing a deletion restores their position. */
  readonly #arrival = new Map<string, number>();
  #arrivals = 0;

  constructor(name: string, journal: Journal) {
    this.name = name;
    this.#journal = journal;
  }

  get size(): number {
    return this.#rows.size;
  }
  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }
  has(key: string): boolean {
    return this.#rows.has(key);
  }
  all(): Row[] {
    return [...this.#rows.values()];
  }
  entries(): [string, Row][] {
    return [...this.#rows];
  }
  find(wanted: (row: Row) => boolean): Row | undefined {
    for (const row of this.#rows.values()) if (wanted(row)) return row;
    return undefined;
  }
  filter(wanted: (row: Row) => boolean): Row[] {
    return this.all().filter(wanted);
  }

  set(key: string, row: Row): Row {
    const before = this.#rows.get(key);
    const known = this.#rows.has(key);
    this.#journal.note(
      () => (known ? this.#rows.set(key, before as Row) : this.#rows.delete(key)),
      (sink) => sink.row(this.name, key, row),
    );
    this.load(key, row);
    return row;
  }

  /** Changes some fields of a row that exists; throws when it does not. */
  patch(key: string, changes: Partial<Row>): Row {
    const row = this.#rows.get(key);
    if (row === undefined) throw new Error(`There is no row ${key} in ${this.name}.`);
    return this.set(key, { ...row, ...changes });
  }

  delete(key: string): boolean {
    if (!this.#rows.has(key)) return false;
    const row = this.#rows.get(key) as Row;
    const arrival = this.#arrival.get(key) as number;
    this.#journal.note(
      () => {
        this.#rows.set(key, row);
        this.#arrival.set(key, arrival);
        this.#rows = new Map([...this.#rows].sort(([a], [b]) => this.#arrival.get(a)! - this.#arrival.get(b)!));
      },
      (sink) => sink.row(this.name, key, undefined),
    );
    this.#rows.delete(key);
    this.#arrival.delete(key);
    return true;
  }

  /** Adds a stored row without recording a change, for loading. */
  load(key: string, row: Row): void {
    if (!this.#rows.has(key)) this.#arrival.set(key, ++this.#arrivals);
    this.#rows.set(key, row);
  }
}
