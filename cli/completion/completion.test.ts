/** The completion scripts in the shells that this machine has, as a person presses Tab; and the words around commands. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { folderFor, proofmark } from '../common/command.fixture.ts';

/** What a shell offers for a command line that ends in the word under the cursor. */
const ASK: Readonly<Record<string, (file: string, words: readonly string[]) => string>> = {
  bash: (file, words) =>
    `source '${file}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _proofmark; printf '%s\n' "\${COMPREPLY[@]}"`,
  fish: (file, words) => `source '${file}'; complete -C '${words.join(' ')}' | string replace -r '\t.*' ''`,
};

async function scriptFile(t: TestContext, shell: string): Promise<string> {
  const { code, stdout, stderr } = await proofmark(['completion', shell]);
  assert.equal(code, 0, stderr);
  const file = join(folderFor(t), `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

for (const [shell, ask] of Object.entries(ASK)) {
  const isHere = spawnSync(shell, ['-c', 'true']).status === 0;
  test(`${shell} completes commands, options and names`, {
    skip: isHere ? false : `${shell} is not installed`,
  }, async (t) => {
    const file = await scriptFile(t, shell);
    const offered = (...words: string[]): string[] => {
      const { stdout, stderr, status } = spawnSync(shell, ['-c', ask(file, words)], { encoding: 'utf8' });
      assert.equal(stderr, '', `status ${status}`);
      return stdout.split('\n').filter((line) => line !== '');
    };
    assert.ok(offered('proofmark', '').includes('baseline'));
    assert.ok(offered('proofmark', 'help', '').includes('run'));
    assert.ok(offered('proofmark', 'run', '--base').includes('--baseline'));
    assert.deepEqual(offered('proofmark', 'run', '--suite', 'delivery/li'), ['delivery/lists']);
    assert.ok(!offered('proofmark', 'sweep', '--').includes('--suite'));
    assert.ok(offered('proofmark', 'init', '--v').includes('--v1'));
    assert.ok(!offered('proofmark', 'run', '--m').includes('--merge'));
    assert.ok(offered('proofmark', 'precheck', '--li').includes('--list'));
    assert.deepEqual(offered('proofmark', 'precheck', 'd'), ['delivery']);
    assert.deepEqual(offered('proofmark', 'completion', 'z'), ['zsh']);
    const batch = ['delivery.batch.refuses-101-points', 'delivery.batch.refuses-101-points-in-a-portion'];
    assert.deepEqual(offered('proofmark', 'explain', 'delivery.batch.refuses-101').sort(), batch);
    assert.deepEqual(offered('proofmark', 'run', '--only', 'delivery.batch.refuses-101').sort(), batch);
    assert.ok(offered('proofmark', 'run', '--clause', 'reseller.token.ev').includes('reseller.token.every-write'));
  });
}

/**
 * zsh completes in its line editor alone, so that one runs in a pseudo terminal: each line is written, completed with Tab and
 * entered, where a function of the command's name prints what it was called with. The terminal echoes what is written, so
 * that the words which are waited for are written in two parts.
 */
const ZSH_SESSION = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='' PROMPT_EOL_MARK=''; autoload -Uz compinit; compinit -u -D; source $1"
zpty -w shell "proofmark() { print -r -- GO''T \\$*@ }; print REA''DY"
zpty -r -m shell seen '*READY*'
shift
for line in "$@"; do
  zpty -w shell "$line"$'\t'
  zpty -r -m shell seen '*GOT *@*'
  print -r -- "\${\${seen##*GOT }%%@*}"
done
zpty -d shell
`;
const ZSH_LINES: Readonly<Record<string, string>> = {
  'proofmark basel': 'baseline',
  'proofmark help swe': 'help sweep',
  'proofmark run --base': 'run --baseline',
  'proofmark run --suite delivery/li': 'run --suite delivery/lists',
  'proofmark sweep --su': 'sweep --su',
  'proofmark precheck d': 'precheck delivery',
  'proofmark explain reseller.logout.inv': 'explain reseller.logout.invalidates',
};

test('zsh completes commands, options and names', {
  skip: spawnSync('zsh', ['-c', 'zmodload zsh/zpty']).status === 0 ? false : 'zsh is not installed',
}, async (t) => {
  const session = join(folderFor(t), 'session.zsh');
  writeFileSync(session, ZSH_SESSION);
  const words = ['-f', session, await scriptFile(t, 'zsh'), ...Object.keys(ZSH_LINES)];
  const { stdout, stderr } = spawnSync('zsh', words, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(stderr, '');
  assert.deepEqual(stdout.trim().split(/\r?\n/), Object.values(ZSH_LINES));
});

test('every script is printed, and another shell is refused', async () => {
  for (const shell of [...Object.keys(ASK), 'zsh'])
    assert.match((await proofmark(['completion', shell])).stdout, /delivery\/lists/);
  const { code, stderr } = await proofmark(['completion', 'tcsh']);
  assert.equal(code, 2);
  assert.match(stderr, /supports bash, zsh, fish, not "tcsh"/);
});

test('--version, help COMMAND, and the nearest command', async () => {
  assert.equal((await proofmark(['--version'])).stdout, `${PROOFMARK_VERSION}\n`);
  const help = await proofmark(['help', 'baseline']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: proofmark baseline/);
  const wrong = await proofmark(['baselin']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /There is no command "baselin"\. Did you mean "baseline"\?/);
  assert.equal((await proofmark(['help', 'nothing-such'])).code, 2);
});
