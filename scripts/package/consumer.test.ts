/** The package as its users get it: packed, installed into an empty folder outside the checkout, and used there. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { freePort } from '../../harness/process/free-port.ts';
import { USER_FILES } from './consumer-files.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const HOME = mkdtempSync(join(tmpdir(), 'proofmark-consumer-'));
const PACKAGE = join(HOME, 'node_modules/proofmark');
const COMMAND = join(HOME, 'node_modules/.bin/proofmark');
/** The compiler that is still in wide use is written in JavaScript and takes five times as long: the soak tries it. */
const COMPILER = process.env.PROOFMARK_SOAK === '1' ? 'typescript' : 'ts7';
/** Installing takes seconds with npm's cache, and a minute without. */
const STEP_TIMEOUT_MS = 600_000;
/** What npm prints when it can't reach a registry: nothing is wrong with the package then. */
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ENOTCACHED/;

const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...rest } = process.env;
/** As in a shell of the user: no variables of the npm that runs this test, and our Node first. */
const ENV: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(rest).filter(([name]) => !/^(npm_(lifecycle|package|command)|INIT_CWD)/.test(name)),
  ),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  NO_COLOR: '1',
};

function ran(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const done = spawnSync(command, args, {
    cwd: options.cwd ?? HOME,
    env: { ...ENV, ...options.env },
    encoding: 'utf8',
    timeout: STEP_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: done.status, text: `${done.stdout}${done.stderr}`, stdout: done.stdout };
}

const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => ran(process.execPath, args, { env });
const proofmark = (...args: string[]) => node([COMMAND, ...args]);

let offline: string | undefined;
let tarball = '';
after(() => rmSync(HOME, { recursive: true, force: true }));

describe('the package in an empty folder', () => {
  before(() => {
    const packed = ran('npm', ['run', 'package', '--silent', '--', '--pack-destination', HOME], {
      cwd: ROOT,
    });
    assert.equal(packed.code, 0, packed.text);
    tarball = readdirSync(HOME).find((name) => name.endsWith('.tgz')) ?? '';
    writeFileSync(join(HOME, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
    const installed = ran('npm', ['install', '-D', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`]);
    if (installed.code !== 0 && NO_NETWORK.test(installed.text)) offline = 'npm could not reach a registry';
    else assert.equal(installed.code, 0, installed.text);
    // npm names here whatever it would run on installing.
    assert.doesNotMatch(installed.text, /install scripts/);
  });

  /** A test that needs the installation. */
  const it = (name: string, body: (t: TestContext) => void | Promise<void>): void => {
    test(name, async (t) => {
      if (offline === undefined) await body(t);
      else t.skip(offline);
    });
  };

  it('brings no Node, no loader, no tests and no sources to run', () => {
    assert.deepEqual(
      readdirSync(join(HOME, 'node_modules')).filter((name) => /^node-|^tsx$|^esbuild$|^typescript$/.test(name)),
      [],
    );
    assert.equal(existsSync(join(HOME, 'node_modules/.bin/node')), false);
    const files = readdirSync(PACKAGE, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      files.filter((file) => /\.test\.|\.fixture\./.test(file)),
      [],
    );
    const sources = files.filter((file) => /\.ts$/.test(file) && !/\.d\.ts$/.test(file));
    assert.deepEqual(
      sources.filter((file) => !file.startsWith('dist/examples/')),
      [],
    );
    for (const file of ['openapi/v1.yaml', 'contracts/vectors/signing.json', 'reports/schemas/results.schema.json'])
      assert.ok(files.includes(`dist/${file}`), file);
    assert.ok(files.includes('dist/cli/main.js.map'));
    assert.ok(files.some((file) => /^dist\/contracts\/clauses\/.+\.yaml$/.test(file)));
    assert.ok(files.some((file) => /^dist\/examples\/.+\.py$/.test(file)));
  });

  it('brings every file that its documents link to, except sources', () => {
    const documents = ['README.md', ...readdirSync(join(PACKAGE, 'docs')).map((name) => `docs/${name}`)];
    const broken = documents
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readFileSync(join(PACKAGE, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => ({
          file,
          to,
        })),
      )
      .filter(({ to }) => !/^\.\.\/(suites|examples)\//.test(to))
      .filter(({ file, to }) => !existsSync(join(PACKAGE, dirname(file), to)));
    assert.deepEqual(broken, []);
  });

  it('has nothing for publint and attw to report', () => {
    const publint = node([join(ROOT, 'node_modules/publint/src/cli.js'), tarball, '--strict']);
    assert.equal(publint.code, 0, publint.text);
    assert.match(publint.text, /All good!/);
    // ESM only: a caller of require() gets it by Node's own require(esm), which attw reports as a problem of its own kind.
    const attw = node([
      join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
      tarball,
      '--profile',
      'esm-only',
    ]);
    assert.equal(attw.code, 0, attw.text);
    for (const name of ['contracts', 'driver', 'mock', 'playwright'])
      assert.match(attw.text, new RegExp(`"proofmark/${name}"\\s+node16 \\(from ESM\\): 🟢`));
  });

  it('imports only what it depends on', () => {
    const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
    const known = new Set([...Object.keys(dependencies), 'proofmark']);
    const files = readdirSync(join(PACKAGE, 'dist'), { recursive: true, encoding: 'utf8' });
    const foreign = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => {
        const code = readFileSync(join(PACKAGE, 'dist', file), 'utf8');
        const imports = [...code.matchAll(/^(?:import|export)\s(?:[^'"`;]*\sfrom\s)?['"]([^'"]+)['"];?$/gm)];
        return imports.map(([, from = '']) => ({ file, from }));
      })
      .filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:'))
      .filter(({ from }) => !known.has(from.split('/', from.startsWith('@') ? 2 : 1).join('/')));
    assert.deepEqual(foreign, []);
  });

  it('judges its mock, and starts again from where the user is', () => {
    const { code, text } = proofmark('run', '--only', 'delivery.batch.*', '--workers', '1', '--out', 'reports');
    assert.equal(code, 0, text);
    const results = JSON.parse(readFileSync(join(HOME, 'reports/results.json'), 'utf8'));
    assert.ok(results.counts.pass >= 10, JSON.stringify(results.counts));
  });

  it('says what is here (doctor) and judges the events of a run again (judge)', () => {
    const doctor = proofmark('doctor');
    assert.equal(doctor.code, 0, doctor.text);
    assert.match(doctor.text, /Driver .*node_modules.proofmark.dist.mock.driver\.js: openOrder/);
    const judged = proofmark('judge', 'reports/events.ndjson', '--out', 'judged');
    assert.ok(existsSync(join(HOME, 'judged/results.json')), judged.text);
    assert.ok([0, 3].includes(judged.code ?? -1), judged.text);
  });

  it('type-checks, compiles and runs what a user writes', () => {
    for (const [name, text] of Object.entries(USER_FILES)) writeFileSync(join(HOME, name), text);
    // The user's own development dependency; Playwright's declarations need it as well.
    for (const name of ['@types/node', 'undici-types'])
      cpSync(join(ROOT, 'node_modules', name), join(HOME, 'node_modules', name), { recursive: true });
    const compiled = node([join(ROOT, 'node_modules', COMPILER, 'bin/tsc'), '-p', '.']);
    assert.equal(compiled.code, 0, compiled.text);
    const used = node(['out/library.js']);
    assert.equal(used.stdout.trim(), '200 /v1/store/delivery_methods/ true', used.text);
    const asked = ran(process.execPath, [COMMAND, 'doctor', '--target', 'profile.ts'], {
      env: { STORE_KEY: 'k'.repeat(20) },
    });
    assert.match(asked.text, /set: STORE_KEY/);
  });

  it('prechecks an example app that was copied out of it', async () => {
    cpSync(join(PACKAGE, 'dist/examples/integrators'), join(HOME, 'integrators'), { recursive: true });
    const [port, service, key] = [await freePort(), await freePort(), 'a-key-of-the-consumer'];
    const app = spawn(process.execPath, ['integrators/serve.ts', 'app'], {
      cwd: HOME,
      env: {
        ...ENV,
        PORT: String(port),
        SERVICE_BASE: `http://127.0.0.1:${service}/v1/`,
        API_KEY: key,
        APP_SECRET: '0f3c6d1e9ab84725',
      },
      stdio: 'inherit',
    });
    try {
      const manifest = `http://127.0.0.1:${port}/manifest.json`;
      const parts = process.env.PROOFMARK_BROWSER === 'none' ? ['manifest'] : ['manifest', 'install'];
      const { code, text } = proofmark(
        ...['precheck', 'app', '--manifest', manifest, '--api-key', key, '--port', String(service)],
        ...['--out', 'prechecked', ...parts.flatMap((part) => ['--only', `app.${part}.*`])],
      );
      assert.equal(code, 0, text);
      const { counts } = JSON.parse(readFileSync(join(HOME, 'prechecked/results.json'), 'utf8'));
      assert.ok(counts.pass >= 5, JSON.stringify(counts));
    } finally {
      app.kill();
    }
  });

  it('runs by itself under npx playwright test', () => {
    const { code, text } = ran('npx', ['playwright', 'test', '--grep', 'delivery.batch.', '--workers', '1']);
    assert.equal(code, 0, text);
    const results = JSON.parse(readFileSync(join(HOME, 'by-playwright/results.json'), 'utf8'));
    const alone = JSON.parse(readFileSync(join(HOME, 'reports/results.json'), 'utf8'));
    assert.deepEqual(results.counts, alone.counts);
  });

  it('loads nothing for --help but what prints it', () => {
    const loaded = join(HOME, 'loaded.mjs');
    writeFileSync(
      loaded,
      `import { registerHooks } from 'node:module';
      const urls = [];
      registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
      process.on('exit', () => console.log('loaded:' + JSON.stringify(urls)));`,
    );
    const { code, text } = node(['--import', loaded, COMMAND, '--help']);
    assert.equal(code, 0, text);
    const urls = JSON.parse(/^loaded:(.*)$/m.exec(text)?.[1] ?? '[]') as string[];
    const files = urls.filter((url) => url.includes('/dist/')).map((url) => url.replace(/^.*\/dist\//, ''));
    assert.deepEqual(files.toSorted(), ['cli/commands.js', 'cli/common/safe-output.js', 'cli/main.js']);
  });

  it('says so when it was packed without being compiled', () => {
    const bare = join(HOME, 'bare');
    for (const file of ['package.json', 'cli/proofmark.mjs']) cpSync(join(PACKAGE, file), join(bare, file));
    const { code, text } = node([join(bare, 'cli/proofmark.mjs'), '--help']);
    assert.equal(code, 2, text);
    assert.match(text, /^proofmark: This package was packed without being compiled: .*`npm run package`.*\n$/);
  });

  it('says in one sentence what to install where Node is too old', () => {
    const pretend = join(HOME, 'old.cjs');
    writeFileSync(
      pretend,
      "Object.defineProperty(process, 'version', { value: 'v20.19.0' }); Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });",
    );
    const { code, text } = node(['--require', pretend, COMMAND, 'doctor']);
    assert.equal(code, 2, text);
    assert.match(
      text,
      /^proofmark: Proofmark needs Node [\d.]+ or newer and is running on v20\.19\.0: install Node 24\.\n$/,
    );
  });
});
