/**
 * Every code block of every document is tested: commands are parsed by the command that they start (or sent to the mock), data is
 * read by its reader, code is compiled as far as Node does it, examples are compared with their files. A block or a command for which
 * no rule exists fails here, so that a new one gets its rule at once.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { parseFindings } from '../../cli/common/files/baseline-file.ts';
import { attachDevServer } from '../../cli/mock/dev/index.ts';
import { parseJsonText } from '../../harness/target/response/json-text.ts';
import { parseFixtures } from '../../mock/fixtures/file.ts';
import { serve } from '../../mock/http/serve.ts';
import { ALL_CHECKS } from '../../scripts/generate/coverage.ts';
import { CHECKS } from '../../suites/index.ts';
import { type Block, blocksIn, blocksOf, type Command, commandsIn, documents, ROOT } from './blocks.fixture.ts';
import { hold, RULES, VARIABLES } from './command-rules.fixture.ts';

const where = ({ document, line }: Block): string => `${document}:${line}`;

async function tryCommand(command: Command): Promise<void> {
  for (const name of command.env.keys()) hold(VARIABLES.includes(name), `nothing is known to read ${name}`);
  const [first = ''] = command.words;
  if (first === '') return;
  const rule = Object.hasOwn(RULES, first) ? RULES[first] : undefined;
  hold(rule !== undefined, `there is no rule for ${first} (proof/documents/command-rules.fixture.ts)`);
  await rule?.(command);
}

async function tryShell(block: Block): Promise<void> {
  for (const command of commandsIn(block.text)) {
    if (command.words[0] === 'curl') continue;
    await tryCommand(command).catch((error: unknown) => {
      throw new Error(`${where(block)}: ${command.text}: ${(error as Error).message}`);
    });
  }
}

const EXAMPLES = globSync('examples/**/*.{ts,php,py,json,yml,md}', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);
const isOfFile = ({ text }: Block): boolean => EXAMPLES.some((each) => each.includes(text.trim()));

/** Names that our own packages export. */
const MODULES: Readonly<Record<string, string>> = {
  'proofmark/contracts': 'contracts/index.ts',
  'proofmark/driver': 'harness/target/define.ts',
  'proofmark/mock': 'mock/index.ts',
  'proofmark/playwright': 'cli/run/playwright/config.ts',
};

async function tryTypeScript(block: Block): Promise<void> {
  if (isOfFile(block)) return;
  stripTypeScriptTypes(block.text, { mode: 'strip' });
  for (const [, names = '', from = ''] of block.text.matchAll(/import \{([^}]*)\} from '([^']+)'/g)) {
    const file = MODULES[from];
    hold(file !== undefined, `${where(block)}: there is no ${from}`);
    const module = (await import(`${ROOT}/${file}`)) as object;
    for (const name of names
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '' && !each.startsWith('type ')))
      hold(name in module, `${where(block)}: ${from} does not export ${name}`);
  }
}

/** Commands of CI files: `run: …` and `script: […]`. */
function commandsOfYaml(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsOfYaml);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'run' && typeof inner === 'string'
      ? [inner]
      : key === 'script'
        ? [(inner as string[]).join('\n')]
        : commandsOfYaml(inner),
  );
}

async function tryYaml(block: Block): Promise<void> {
  const value: unknown = parse(block.text);
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as { inputs: object };
  for (const step of Array.isArray(value) ? (value as { uses?: string; with?: object }[]) : [])
    if (step.uses?.includes('/proofmark@'))
      for (const input of Object.keys(step.with ?? {}))
        hold(input in action.inputs, `${where(block)}: the action has no input ${input}`);
  for (const text of commandsOfYaml(value))
    await tryShell({ ...block, text: text.replaceAll(/\$\{\{[^}]*\}\}|\$CI_\w+/g, '1') });
}

function tryData(block: Block): void {
  const node = parseJsonText(block.text, block.language === 'jsonc' ? 'jsonc' : 'json');
  if (isOfFile(block)) return;
  // The profile is generated, and read by the test of its template.
  if (block.language === 'jsonc') {
    hold(block.text.includes('"v1": '), `${where(block)}: there is no rule for this JSON`);
    return;
  }
  if (node.kind === 'object' && node.entries[0]?.key === 'apps') {
    parseFixtures(block.text, where(block));
    return;
  }
  hold(
    node.kind === 'object' && node.entries[0]?.key === 'findings',
    `${where(block)}: there is no rule for this JSON`,
  );
  for (const { check } of parseFindings(block.text, where(block)))
    hold(
      CHECKS.some(({ id }) => id === check),
      `${where(block)}: there is no check ${check}`,
    );
}

const BY_LANGUAGE: Readonly<Record<string, (block: Block) => Promise<void> | void>> = {
  sh: tryShell,
  ts: tryTypeScript,
  php: (block) => hold(isOfFile(block), `${where(block)}: no file of examples/ has this text`),
  python: (block) => hold(isOfFile(block), `${where(block)}: no file of examples/ has this text`),
  json: tryData,
  jsonc: tryData,
  yaml: tryYaml,
  mermaid: (block) => {
    for (const folder of block.text.match(/\b[a-z]+\b(?= *-->|$)/gm) ?? [])
      hold(globSync(folder, { cwd: ROOT }).length === 1, `${where(block)}: there is no folder ${folder}`);
  },
  // What a command prints: a finding names a check and its title.
  '': (block) => {
    const check = ALL_CHECKS.find(({ id, title }) => block.text.includes(`${title} ${id}`));
    hold(check !== undefined, `${where(block)}: no check has this title and id`);
  },
};

async function tryBlock(block: Block): Promise<void> {
  const rule = Object.hasOwn(BY_LANGUAGE, block.language) ? BY_LANGUAGE[block.language] : undefined;
  hold(rule !== undefined, `${where(block)}: there is no rule for blocks of "${block.language}"`);
  await rule?.(block);
}

describe('code blocks of the documents', () => {
  for (const document of documents()) {
    const blocks = blocksOf(document);
    if (blocks.length === 0) continue;
    test(document, async () => {
      for (const block of blocks) await tryBlock(block);
    });
  }

  test('commands in running text and tables', async () => {
    const problems: string[] = [];
    for (const document of documents().filter((each) => each !== 'docs/catalogue.md')) {
      const prose = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^( *)```[\s\S]*?^ *```$/gm, '');
      for (const [, span = ''] of prose.matchAll(/`((?:npx |npm run |npm test|proofmark )[^`]*)`/g))
        await tryShell({ document, line: 0, language: 'sh', text: span.replaceAll(/[[\]\n]|…/g, ' ') }).catch(
          (error: unknown) => problems.push((error as Error).message),
        );
    }
    assert.deepEqual(problems, []);
  });

  test('a command that does not work or has no rule is found', async () => {
    for (const [language, text, sentence] of [
      ['sh', 'npx proofmark run --tarpet x', /no option --tarpet/],
      ['sh', 'npx proofmark jump', /no command jump/],
      ['sh', "npx proofmark run --only 'nothing.*'", /matches no check/],
      ['sh', 'npm run nothing # a comment', /no script nothing/],
      ['sh', 'npm test -- no/such/test', /no test file/],
      ['sh', 'npm i -D ./proofmark-9.9.9.tgz', /does not write/],
      ['sh', 'npx playwright test --nothing', /no option --nothing/],
      ['sh', 'python3 examples/nothing.py', /does not exist/],
      ['sh', 'make all', /no rule for make/],
      ['sh', 'NOTHING_READS_THIS=1 npm test', /nothing is known to read/],
      ['ts', "import { nothing } from 'proofmark/contracts';", /does not export nothing/],
      ['ts', 'const = 1;', /./],
      ['json', '{ "a": 1 }', /no rule for this JSON/],
      ['yaml', 'a:\n  script:\n    - npx proofmark jump\n', /no command jump/],
      ['mermaid', 'graph LR\n  cli --> nowhere', /no folder nowhere/],
      ['', 'a finding of no check', /no check/],
      ['rust', 'fn main() {}', /no rule for blocks of "rust"/],
    ] as const) {
      const [block] = blocksIn('bad.md', `\`\`\`${language}\n${text}\n\`\`\``);
      await assert.rejects(tryBlock(block as Block), sentence, text);
    }
    assert.throws(() => blocksIn('bad.md', '```sh\nnpm test\n'), /not closed/);
  });

  test('the addresses that documents call with curl are those of the mock', async (t) => {
    const served = await serve({}, { port: 0, https: false });
    attachDevServer(served, { cors: [], latencyMs: 0, active: [] });
    t.after(() => served.close());
    const commands = documents()
      .flatMap((document) =>
        blocksOf(document).flatMap(({ text, language }) => (language === 'sh' ? commandsIn(text) : [])),
      )
      .filter(({ words }) => words[0] === 'curl');
    for (const { words, text } of commands) {
      const json = words[words.indexOf('--json') + 1];
      const isPost = words.includes('--json') || words.includes('POST');
      const url = words.find((word) => word.startsWith('http')) ?? '';
      const response = await fetch(url.replace('http://127.0.0.1:4010', served.origin), {
        method: isPost ? 'POST' : 'GET',
        ...(words.includes('--json') ? { body: json ?? '', headers: { 'content-type': 'application/json' } } : {}),
      });
      assert.ok(response.ok, `${text}: ${response.status}`);
    }
  });
});
