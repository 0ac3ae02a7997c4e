/** `proofmark doctor`: what a run needs, what is missing, and which checks would be inconclusive. It only reads. */
import { join, resolve } from 'node:path';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { readLedger } from '../../harness/cleanup/ledger.ts';
import { isRunning } from '../../harness/cleanup/sweep.ts';
import { TRUSTABLE } from '../../harness/probe/trustable.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { loadProfile } from '../../harness/target/profile/index.ts';
import { oneLine } from '../../reports/words/text.ts';
import { flagsOf } from '../common/flags.ts';
import { trustedKeys } from '../run/options.ts';
import { LEDGER_FOLDER, ledgerNames } from '../run/target/leftovers.ts';
import { isMockTarget } from '../run/target/mock-target.ts';
import { openTarget, type Target } from '../run/target/target.ts';
import { outlook, outlookLines } from './checks.ts';
import { type Line, machine } from './machine.ts';
import { driverLine, inspectTarget, keysByReason, listenerLine, NOT_PROBED, secretLines } from './target.ts';

const HELP = `Usage: proofmark doctor [--target TARGET]

Prints what a run needs, what is missing, and which checks would be inconclusive without it. It only reads: a profile's
credentials and values are tried with read calls and one login of the reseller: whom each key belongs to, orders, custom
field values, languages, pages, the reseller's website and domain. That takes 10 to 45 requests.

  --target TARGET  a profile FILE.json, or mock (the default)
  --trust KEY      the profile's value of this key is verified: it is not probed (may be given several times)

Exit codes: 0 nothing is missing, 2 usage or a profile that can't be read, 3 something is missing, 4 an error of Proofmark.`;

/** `proofmark doctor`: prints what a run needs and lacks. Returns the exit code; throws a UsageError for wrong options. */
export async function doctorCommand(argv: string[]): Promise<number> {
  const { values } = flagsOf('doctor', argv, {
    target: { type: 'string', default: 'mock' },
    trust: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const lines: Line[] = [];
  const print = (...more: readonly Line[]): void => {
    lines.push(...more);
    for (const line of more) console.log(inWords(line));
  };
  print({ kind: 'good', what: 'Proofmark', says: `${PROOFMARK_VERSION}, contract ${CONTRACT_VERSION}` });
  const here = await machine();
  print(...here.lines, ...openLedgers(resolve(LEDGER_FOLDER)));
  const isMock = isMockTarget(values.target);
  if (!isMock) print(...secretLines(values.target));
  const target = isMock ? await openTarget(values.target) : ofProfile(values.target);
  try {
    const { profile } = target;
    print({
      kind: 'good',
      what: 'Target',
      says: isMock ? `${target.name}, embedded` : `${target.name}: its profile is readable`,
    });
    const looked = await inspectTarget(profile, isMock ? TRUSTABLE : trustedKeys(values.trust));
    const { driver, line } = await driverLine(profile);
    print(...looked.lines, line, await listenerLine(profile));
    const run = { unusable: looked.unusable, ...(here.browser === undefined ? {} : { browser: here.browser }) };
    print(...outlookLines(outlook({ profile, run, driver }), keysByReason(looked.unusable)));
  } finally {
    await target.close();
  }
  const isWhole = lines.every(({ kind }) => kind !== 'missing');
  const isProbed = lines.every(({ what }) => what !== NOT_PROBED);
  console.log(
    isWhole
      ? `\nNothing is missing${isProbed ? '' : ' in what was probed'}.`
      : '\nItems marked with ! are missing. A run works without them and reports it.',
  );
  return isWhole ? EXIT.conformant : EXIT.inconclusive;
}

/** Without what a run refuses at its start: here it is a line among others. */
function ofProfile(file: string): Pick<Target, 'name' | 'profile' | 'close'> {
  const profile = loadProfile(file);
  return { name: profile.name, profile, close: async () => undefined };
}

const MARKS = { good: ' ', missing: '!', note: ' ' } as const;
/** Wide enough for most keys of a profile. */
const COLUMN = 12;

/** On one line, whatever a target or a file said. */
const inWords = ({ kind, what, says }: Line): string =>
  `${MARKS[kind]} ${oneLine(what.padEnd(COLUMN))} ${oneLine(says)}`;

/** Not those of runs that are still going on. */
function isLeftOpen(file: string): boolean {
  const ledger = readLedger(file);
  return ledger.open.length > 0 && !isRunning(ledger);
}

/** What interrupted runs left open. */
function openLedgers(folder: string): Line[] {
  const open = ledgerNames(folder).filter((name) => {
    try {
      return isLeftOpen(join(folder, name));
    } catch {
      return true;
    }
  });
  if (open.length === 0) return [];
  return [{ kind: 'note', what: 'Ledgers', says: `left open by ${open.join(', ')}: \`proofmark sweep\` cleans it up` }];
}
