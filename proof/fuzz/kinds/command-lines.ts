/** Command lines: flags and values of all commands, misspelled, repeated, without values, in any order. */
import { judgeCommand } from '../../../cli/judge/index.ts';
import { mockOptionsOf } from '../../../cli/mock/index.ts';
import { precheckCommand } from '../../../cli/precheck/index.ts';
import { reportCommand } from '../../../cli/report/index.ts';
import { runCommand } from '../../../cli/run/index.ts';
import { selftestOptionsOf } from '../../../cli/selftest/options.ts';
import { sweepCommand } from '../../../cli/sweep/index.ts';
import { verifyCommand } from '../../../cli/verify/index.ts';
import { commandPlainly, type Kind } from '../kind.ts';
import { ODD_TEXTS } from '../mutate.ts';
import type { Chance } from '../prng.ts';

type Command = (argv: string[]) => Promise<number>;

/** Safe only if nothing is started: `--list` and missing files prevent everything else. */
const LISTS = ['--list'];
const NOTHING = async (): Promise<number> => 0;

const COMMANDS: ReadonlyArray<readonly [run: Command, flags: readonly string[], last: readonly string[]]> = [
  [
    runCommand,
    [
      'target',
      'only',
      'out',
      'seed',
      'runs',
      'replay',
      'promote',
      'vectors',
      'workers',
      'shuffle',
      'package',
      'allow-inconclusive',
      'no-trace',
    ],
    LISTS,
  ],
  [
    precheckCommand,
    [
      'manifest',
      'api-key',
      'port',
      'https',
      'public-url',
      'ca',
      'driver',
      'out',
      'package',
      'hold',
      'wait',
      'only',
      'no-trace',
      'label-url',
    ],
    LISTS,
  ],
  [judgeCommand, ['party', 'keys', 'base', 'languages', 'only', 'out', 'show-personal-data'], ['nowhere.har']],
  [verifyCommand, ['keys'], ['nowhere.zip']],
  [reportCommand, ['diff'], ['nowhere']],
  [sweepCommand, ['target'], ['no-such-run']],
  [(argv) => NOTHING().finally(() => mockOptionsOf(argv)), ['port', 'https', 'db', 'fixtures', 'profile-out'], []],
  [
    (argv) => NOTHING().finally(() => selftestOptionsOf(argv)),
    ['fault', 'check', 'runs', 'seed', 'workers', 'no-browser'],
    [],
  ],
];

const VALUES = [
  'mock',
  'mock:fault=',
  'mock:variant=x',
  'service',
  '1',
  '0',
  '-1',
  '1e3',
  'random',
  'delivery.*',
  '**',
  'app',
  'delivery',
  '/',
  '.',
];

function argvOf(chance: Chance, flags: readonly string[]): string[] {
  return Array.from({ length: chance.below(6) }, (): string[] => {
    const flag = chance.pick(flags);
    const named = `--${chance.oneIn(6) ? `${flag}${chance.pick(['x', '-', ' ', 'Ü'])}` : flag}`;
    const value = chance.oneIn(2) ? chance.pick(VALUES) : chance.pick(ODD_TEXTS);
    return chance.pick([[named, value], [`${named}=${value}`], [named], [value], ['-h'], ['-', named], ['--', value]]);
  }).flat();
}

export const commandLines: Kind = {
  name: 'command lines',
  few: 250,
  async tried(chance, folder) {
    const [run, flags, last] = chance.pick(COMMANDS);
    const argv = [
      ...(run === precheckCommand ? [chance.pick(['app', 'delivery', 'x'])] : []),
      ...argvOf(chance, flags),
      ...last,
    ];
    // No operating system allows a NUL character in an argument.
    const before = process.cwd();
    process.chdir(folder);
    try {
      return await commandPlainly(() => run(argv.filter((arg) => !arg.includes('\u0000'))));
    } finally {
      process.chdir(before);
    }
  },
};
