/**
 * The ledger of a run: what it is about to create or change on the target, with the old value, on disk before it happens.
 * After a crash `proofmark sweep` reads it and puts things right.
 */

export type MethodOwner = 'private' | 'other' | 'public';
/** Which of the profile's two installations: `authCode` or `otherAuthCode`. */
export type Installation = 'own' | 'other';

/** Objects that the run brings into the world. */
export type Creation =
  | {
      readonly kind: 'delivery-method';
      readonly owner: MethodOwner;
      /** Carries the run's mark, so that the method is found by listing when its handle is not known. */
      readonly reference: string;
      readonly handle?: string;
    }
  | { readonly kind: 'domain'; readonly website: number; readonly domain: string; readonly id?: number }
  | { readonly kind: 'registered-app'; readonly installUrl: string; readonly title: string };

/** Things that were there before, with what they were. */
export type Change =
  | {
      readonly kind: 'pickup-points';
      readonly owner: MethodOwner;
      readonly handle: string;
      readonly country?: string;
      /** The whole list as it was listed. */
      readonly old: readonly unknown[];
    }
  /** `old: null`: none was set. */
  | {
      readonly kind: 'snippet';
      readonly installation: Installation;
      readonly language?: string;
      readonly old: string | null;
    }
  | { readonly kind: 'app-data'; readonly installation: Installation; readonly old: unknown }
  | { readonly kind: 'reseller-settings'; readonly old: Readonly<Record<string, string | number>> }
  | { readonly kind: 'website-status'; readonly website: number; readonly old: 'enabled' | 'disabled' }
  /** Only a website without a subscription is upgraded. */
  | { readonly kind: 'website-premium'; readonly website: number; readonly old: 'none' }
  /** The temporary password is derived from the old one (`temporaryPassword`); neither is written down. */
  | { readonly kind: 'password' }
  | { readonly kind: 'app-uninstalled'; readonly installation: Installation };

export type LedgerEntry = Creation | Change;

/** What is known of a created object afterwards. */
export interface Created {
  readonly handle?: string;
  readonly id?: number;
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
}

export interface Ledger {
  readonly file: string;
  /** Flushed to disk before it returns. Returns the entry's id. */
  willCreate(entry: Creation): string;
  created(id: string, known: Created): void;
  /** Flushed to disk before it returns. Returns the entry's id. */
  willChange(entry: Change): string;
  restored(id: string): void;
  removed(id: string): void;
  /** Entries that are neither removed nor restored. */
  orphans(): OpenEntry[];
  /** Closes the file; a ledger without orphans is marked as settled and forgets the old values. */
  close(): void;
}

/** Opens (or goes on with) the ledger `FOLDER/RUN`. Several workers of one run may hold it open. */
export function openLedger(folder: string, run: LedgerRun, secrets?: ReadonlyArray<unknown>): Ledger {
  throw new Error(`not written yet: ${folder} ${run.run} ${secrets?.length}`);
}

export interface LedgerFile {
  readonly file: string;
  readonly run: LedgerRun;
  /** All entries were put right. */
  readonly settled: boolean;
  readonly open: readonly OpenEntry[];
}

/** Reads a ledger; a torn last line is passed over. Throws a `UsageError` when it is not one. */
export function readLedger(file: string): LedgerFile {
  throw new Error(`not written yet: ${file}`);
}
