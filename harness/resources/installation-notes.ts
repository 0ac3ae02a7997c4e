/** What is known in a run about the installations of the profile, which one that the driver makes may replace. */
import type { Installation } from '../cleanup/ledger.ts';
import type { Secret } from '../target/secrets/secret.ts';

/** The keys of the profile, below `apps`, that hold the codes of its installations. */
export const CODE_KEYS = { own: 'authCode', other: 'otherAuthCode' } as const satisfies Record<Installation, string>;

export interface InstallationNotes {
  /** Whether an installation that the run made has ended this one of the profile. */
  hasEnded(installation: Installation): boolean;
  /** The code of the installation that took its place, which the run made; undefined without one. */
  replacement(installation: Installation): Secret | undefined;
  /** Notes that the installation has ended; `replacement`, once it is known to open anything, is the code of the one in its place. */
  noteEnd(installation: Installation, replacement?: Secret): void;
  /** States that installations begin, which may end those of the profile. Returns what states that this is known. */
  begin(): () => void;
  /** Settles when no other process is in the middle of an installation, or after a minute. */
  settled(): Promise<void>;
}

/** The notes of a run that has one process. */
export const notesOfOneProcess = (): InstallationNotes => {
  const ended = new Map<Installation, Secret | undefined>();
  return {
    hasEnded: (installation) => ended.has(installation),
    replacement: (installation) => ended.get(installation),
    noteEnd: (installation, replacement) => void ended.set(installation, replacement),
    begin: () => () => undefined,
    settled: () => Promise.resolve(),
  };
};
