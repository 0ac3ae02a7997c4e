/** The command line of `proofmark selftest`. */
import { UsageError } from '../../harness/process/usage-error.ts';
import { flagsOf, seedOf, wholeNumber } from '../common/flags.ts';

export const SELFTEST_HELP = `Usage: proofmark selftest [OPTION …]

Runs the checks against every fault of the embedded service, and against services that must not fail them, and writes the
matrix: selftest.json and selftest.html.

  --fault GLOB           only the faults whose id matches (may be given several times); then nothing else is run
                         'integrator.*' are the example integrators, each a whole precheck in a browser
  --no-faults            only what must not fail the checks: the correct services, variants, combinations and controls
  --check GLOB           only the checks whose id matches (may be given several times)
  --combinations N       random combinations of conformant variants (default: 12)
  --runs N               runs of each property on each service (default: 0, properties are left out)
  --seed N|random        seed of the combinations and of the sample (default: 1)
  --every-pair           run every check on every fault, even if it sends no call that the fault affects
  --sample N             on a fault run one check in N, and at least one of each clause that it breaks (default: 1)
  --fault-sample N       try one fault in N, and others where a MUST check has failed on none (default: 1)
  --no-browser           leave out the checks and faults that need a browser
  --workers N            processes that run checks (default: 2)
  --out DIR              where the files go (default: reports/latest)

Exit codes: 0 no problems, 1 a problem, 2 usage, 4 an error of Proofmark.`;

export interface SelftestOptions {
  /** Globs; none: all faults. */
  readonly faults: readonly string[];
  readonly withFaults: boolean;
  readonly checks: readonly string[];
  readonly combinations: number;
  readonly propertyRuns: number;
  readonly seed: number;
  readonly everyPair: boolean;
  /** One in so many of the checks that can notice a fault; at least one of each clause that it breaks. */
  readonly sample: number;
  /** One in so many of the faults, and those without which a MUST check would fail on none. */
  readonly faultSample: number;
  readonly browser: boolean;
  readonly workers: number;
  readonly out: string;
  readonly help: boolean;
}

/** A glance at combinations in every test run; the long runs ask for 200. */
const DEFAULT_COMBINATIONS = 12;

/** Parses the flags; throws a UsageError with one sentence. */
export function selftestOptionsOf(argv: readonly string[]): SelftestOptions {
  const { values } = flagsOf('selftest', argv, {
    fault: { type: 'string', multiple: true, default: [] },
    'no-faults': { type: 'boolean', default: false },
    check: { type: 'string', multiple: true, default: [] },
    combinations: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'every-pair': { type: 'boolean', default: false },
    sample: { type: 'string' },
    'fault-sample': { type: 'string' },
    'no-browser': { type: 'boolean', default: false },
    workers: { type: 'string' },
    out: { type: 'string', default: 'reports/latest' },
    help: { type: 'boolean', short: 'h', default: false },
  });
  for (const flag of ['sample', 'fault-sample'] as const)
    if (values['every-pair'] && values[flag] !== undefined)
      throw new UsageError(`--every-pair and --${flag} exclude each other: give one of them.`);
  return {
    faults: values.fault,
    withFaults: !values['no-faults'],
    checks: values.check,
    propertyRuns: wholeNumber('runs', values.runs, 0, 100_000) ?? 0,
    combinations: wholeNumber('combinations', values.combinations, 0, 10_000) ?? DEFAULT_COMBINATIONS,
    seed: seedOf(values.seed),
    everyPair: values['every-pair'],
    sample: wholeNumber('sample', values.sample, 1, 1_000) ?? 1,
    faultSample: wholeNumber('fault-sample', values['fault-sample'], 1, 1_000) ?? 1,
    browser: !values['no-browser'],
    workers: wholeNumber('workers', values.workers, 1, 16) ?? 2,
    out: values.out,
    help: values.help,
  };
}
