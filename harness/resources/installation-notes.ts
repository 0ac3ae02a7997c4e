/** What is known in a run about the installation of `apps.authCode`, which another one may replace. */
export interface InstallationNotes {
  /** Whether an installation that the run made has ended that of the profile. */
  readonly hasEnded: boolean;
  noteEnd(): void;
  /** States that an installation begins, which may end that of the profile. Returns what states that this is known. */
  begin(): () => void;
  /** Settles when no other process is in the middle of an installation, or after a minute. */
  settled(): Promise<void>;
}

/** The notes of a run that has one process. */
export const notesOfOneProcess = (): InstallationNotes => {
  let hasEnded = false;
  return {
    get hasEnded() {
      return hasEnded;
    },
    noteEnd: () => {
      hasEnded = true;
    },
    begin: () => () => undefined,
    settled: () => Promise.resolve(),
  };
};
