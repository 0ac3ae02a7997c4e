/** What `npm run new` writes for an id. */

/** A file that is written, or text that is put into one. */
export interface Stub {
  /** From the root of the project. */
  readonly file: string;
  readonly text: string;
  /** A file of its own, the end of one that exists, or the line before the last, which closes a table. */
  readonly place: 'new file' | 'end' | 'before the last line';
  /** What a person has to do there. */
  readonly next: string;
}

export interface Stubs {
  readonly files: readonly Stub[];
  /** The command that proves the check once it is written. */
  readonly proof: string;
}

/** An id, in its parts. */
export interface Address {
  readonly id: string;
  readonly folder: string;
  readonly second: string;
  /** The rest of the id, as the name of a file. */
  readonly name: string;
}

/** Whether a file or folder exists. */
export type Exists = (file: string) => boolean;
