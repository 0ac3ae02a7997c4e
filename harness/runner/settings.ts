/** What one run is asked for: the same for `proofmark run`, which parses it, and `npx playwright test`, which has it in its config. */

/** Handed to the runner and its workers as JSON in this environment variable. */
export const SETTINGS_VARIABLE = 'PROOFMARK_RUN';

export interface RunSettings {
  /** `mock`, `mock:fault=ID`, `mock:variant=ID,ID` or the path of a profile. */
  readonly target: string;
  /** Folder of the reports. */
  readonly out: string;
  /** The globs of `--only`; Playwright selects by them, and the report names them. */
  readonly only: readonly string[];
  /** The options that selected these ids, in words, where that were not globs alone. */
  readonly selection?: string;
  /** The run stops after so many new failures. */
  readonly bail?: number;
  /** Neither progress nor findings are printed. */
  readonly quiet: boolean;
  readonly seed: number;
  /** Whether the seed was drawn: then it is printed. */
  readonly drawn: boolean;
  /** Runs of each property; `undefined`: the default of the target. */
  readonly runs?: number;
  /** One counterexample of a property, to run just that. */
  readonly replay?: { readonly path: string; readonly replayPath?: string };
  /** Folder of a recording to be made. */
  readonly record?: string;
  /** Whether counterexamples are kept. */
  readonly promote: boolean;
  /** Folder or file of kept cases; `undefined`: the default folder. */
  readonly vectors?: string;
  readonly workers?: number;
  /** Seed of the order of the checks within their groups; as written without one. */
  readonly shuffle?: number;
  readonly allowInconclusive: boolean;
  readonly showPersonalData: boolean;
  /** Keys of the profile that the user vouches for. */
  readonly trust: readonly string[];
  /** Failed checks are repeated afterwards: the caller prints the summary. */
  readonly confirm?: true;
  /** The files of variables, as they were given: reports repeat them in the commands that they print. */
  readonly envFiles?: readonly string[];
  /** File of known findings. */
  readonly baseline?: string;
  /** `warn`: a check that warns fails the run. */
  readonly failOn?: 'warn';
  /** File of the package to be written. */
  readonly package?: string;
  /**
   * What a failed check does to its Playwright test. `thrown`: the test fails, and Playwright starts its worker again.
   * `recorded`: the test passes, and only the events and reports say that the check failed.
   */
  readonly failures: 'thrown' | 'recorded';
  /** Whether Playwright traces the browser steps. Its trace and its step titles hold whatever the driver types, unredacted. */
  readonly traced: boolean;
  /** Whether pictures and traces of browser steps that failed are kept. */
  readonly keepsTraces: boolean;
  /** Private folder of `proofmark run`, through which it stops the run and learns how it ended. */
  readonly handOver?: string;
  /** The process of `proofmark run`. */
  readonly commandPid?: number;
}

const DEFAULT_SETTINGS: RunSettings = {
  target: 'mock',
  out: 'reports/latest',
  only: [],
  quiet: false,
  seed: 1,
  drawn: false,
  promote: false,
  allowInconclusive: false,
  showPersonalData: false,
  trust: [],
  failures: 'thrown',
  traced: false,
  keepsTraces: true,
};

/** The settings in the environment, with defaults for those that are not set. */
export function settingsOf(env: Readonly<Record<string, string | undefined>> = process.env): RunSettings {
  const text = env[SETTINGS_VARIABLE];
  return text === undefined ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, ...(JSON.parse(text) as Partial<RunSettings>) };
}
