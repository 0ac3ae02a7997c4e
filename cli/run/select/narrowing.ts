/** What narrows a selection beside the globs of `--only`. */
export interface Narrowing {
  readonly suites: readonly string[];
  readonly interfaces: readonly string[];
  readonly clauses: readonly string[];
  /** Only what failed in the run whose reports are in the folder. */
  readonly lastFailed: boolean;
}
