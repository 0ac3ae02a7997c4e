/** How each command in the documents is tested: parsed by the command itself, looked up, or run against the mock. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { COMMANDS } from '../../cli/commands.ts';
import { filesOf } from '../../cli/init/files.ts';
import { matchesAny } from '../../contracts/run/glob.ts';
import { examples } from '../../examples/integrators/index.ts';
import { PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { faults } from '../../mock/deviations.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';
import { type Command, ROOT } from './blocks.fixture.ts';

/** Throws a sentence if the command would not do what the document says. `undefined`: the rule does not cover this command. */
export type Rule = (command: Command) => Promise<void> | void;

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const IDS = CHECKS.map(({ id }) => id);

/** Throws the sentence where the condition does not hold. */
export function hold(condition: boolean, sentence: string): void {
  if (!condition) throw new Error(sentence);
}

/** The command parses its own options; `--help` then prevents it from doing anything. */
async function proofmark([name = '', ...args]: readonly string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (name === '--version' || name === '--help' || name === 'completion') return;
  hold(command !== undefined, `there is no command ${name}`);
  const own = args.filter((arg, at) => arg !== '--env-file' && args[at - 1] !== '--env-file');
  const valuesOf = (flag: string): string[] => own.filter((_arg, at) => own[at - 1] === flag);
  for (const glob of name === 'run' ? valuesOf('--only') : [])
    hold(
      IDS.some((id) => matchesAny(id, [glob])),
      `--only ${glob} matches no check`,
    );
  for (const glob of name === 'selftest' ? valuesOf('--fault') : [])
    hold(
      [...faults.map(({ id }) => id), ...(await examples()).map(({ id }) => `integrator.${id}`)].some((id) =>
        matchesAny(id, [glob]),
      ),
      `--fault ${glob} matches no fault`,
    );
  for (const suite of valuesOf('--suite'))
    hold(
      SUITES.some((each) => each.name === suite),
      `there is no suite ${suite}`,
    );
  for (const file of ['--target', '--env-file'].flatMap((flag) => args.filter((_arg, at) => args[at - 1] === flag)))
    hold(!file.startsWith('examples/') || existsSync(join(ROOT, file)), `${file} does not exist`);
  if (name === 'explain') hold(IDS.includes(own[0] ?? ''), `there is no check ${own[0]}`);
  const { log } = console;
  console.log = () => undefined;
  try {
    const run = await command?.load();
    // The command looks for a recording while it reads its options: a counterexample is parsed in its place.
    const parsed = own.map((arg, at) => (own[at - 1] === '--replay' ? '1:1' : arg));
    hold(
      (await run?.([...parsed, ...(own.includes('--replay') ? ['--only', 'x'] : []), '--help'])) === 0,
      'it refuses its options',
    );
  } finally {
    console.log = log;
  }
}

function npm([what = '', ...args]: readonly string[]): void {
  if (what === 'ci') {
    hold(existsSync(join(ROOT, 'package-lock.json')), 'there is no lock file');
    return;
  }
  if (what === 'i') {
    const file = args.find((arg) => arg.endsWith('.tgz')) ?? '';
    hold(file === `./proofmark-${PROOFMARK_VERSION}.tgz`, `npm run package does not write ${file}`);
    return;
  }
  const script = what === 'run' ? (args[0] ?? '') : what;
  hold(packageJson.scripts[script] !== undefined, `there is no script ${script}`);
  const after = args.includes('--') ? args.slice(args.indexOf('--') + 1) : [];
  if (script !== 'test' && script !== 'soak') return;
  for (const part of after.filter((arg) => !/^-|^[A-Z]+$/.test(arg)))
    hold(
      globSync('{bench,cli,contracts,examples,harness,mock,proof,reports,scripts,suites}/**/*.test.ts', {
        cwd: ROOT,
      }).some((file) => file.includes(part)),
      `no test file has ${part} in its path`,
    );
}

let playwrightHelp: string | undefined;

/** The options that Playwright lists; tags and projects of ours. */
function playwright([command = '', ...args]: readonly string[]): void {
  if (command === 'install') {
    hold(args.includes('chromium') || args.length === 0, 'the suites use Chromium');
    return;
  }
  if (command === 'merge-reports') return;
  if (command === 'show-trace') {
    hold(args.length === 1 && /^traces\/[\w.-]+\.zip$/.test(args[0] ?? ''), 'a run writes its traces as traces/ID.zip');
    return;
  }
  hold(command === 'test', `there is no command ${command} here`);
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  playwrightHelp ??= spawnSync(process.execPath, [cli, 'test', '--help'], { encoding: 'utf8' }).stdout;
  for (const [, flag = ''] of args.join(' ').matchAll(/(--[a-z-]+)/g))
    hold(
      playwrightHelp.includes(`${flag} `) || playwrightHelp.includes(`${flag}\n`),
      `Playwright has no option ${flag}`,
    );
  const titles = CHECKS.map(
    ({ id, title, tags = [] }: { id: string; title: string; tags?: readonly string[] }) =>
      `${id} ${title} ${tags.join(' ')}`,
  );
  for (const [at, arg] of args.entries())
    if (arg === '--grep' && !(args[at + 1] ?? '').startsWith('@'))
      hold(
        titles.some((title) => title.includes(args[at + 1] ?? '')),
        `no test matches ${args[at + 1]}`,
      );
}

/** Files that a command starts or reads in the checkout. */
const file = (path: string): void => hold(existsSync(join(ROOT, path)), `${path} does not exist`);

const node: Rule = ({ words: [, ...rest] }) => rest.filter((word) => /\.[mc]?[jt]s$/.test(word)).forEach(file);

/** By the first word. A command without a rule fails the test. */
export const RULES: Readonly<Record<string, Rule>> = {
  npx: ({ words: [, program = '', ...rest] }) => {
    if (program === 'proofmark') return proofmark(rest);
    if (program === 'playwright') return playwright(rest);
    throw new Error(`no rule for npx ${program}`);
  },
  proofmark: ({ words: [, ...rest] }) => proofmark(rest),
  npm: ({ words: [, ...rest] }) => npm(rest),
  node,
  'node_modules/.bin/node': node,
  // Runs in `precheck/examples`, where the language is installed.
  python3: ({ words: [, path = ''] }) => file(path),
  php: ({ words }) => words.filter((word) => word.endsWith('.php')).forEach(file),
  cp: ({ words: [, from = ''] }) => {
    const plan = { name: 'x', v1: undefined, api: undefined, credentials: [], allow: [], absent: [], hasDriver: true };
    hold(
      filesOf('x.jsonc', plan).some((each) => each.file === from),
      `proofmark init does not write ${from}`,
    );
  },
  git: ({ words }) => hold(words[1] === 'clone', 'only a clone is expected'),
  cd: ({ words: [, folder = ''] }) => hold(folder === 'proofmark', `nothing makes ${folder}`),
};

/** Names of variables that the documents ask readers to set: each must be read somewhere. */
export const VARIABLES = [
  'PROOFMARK_API_KEY',
  'PROOFMARK_TARGET',
  'PROOFMARK_OUT',
  'API_KEY',
  'APP_SECRET',
  'SERVICE_BASE',
  'PORT',
  'STORE_KEY',
];
