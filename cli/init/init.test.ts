import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { createRedaction } from '../../harness/evidence/redaction/index.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { loadProfile } from '../../harness/target/profile/index.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { folderFor } from '../common/command.fixture.ts';
import { readEnvFiles } from '../env-file.ts';
import { probeDriver } from '../run/target/driver-probe.ts';
import type { Dialog } from './dialog.ts';
import { driverSkeleton, STEPS } from './driver-skeleton.ts';
import { initCommand } from './index.ts';

const ORIGIN = 'http://127.0.0.1:4010';
const service = createService({ origin: ORIGIN });
const OF_MOCK = profileOf(service) as {
  delivery: { private: { apiKey: string } };
  apps: { apiKey: string; authCode: string };
  reseller: { email: string; password: string };
};
const ENV = {
  STORE_KEY: OF_MOCK.delivery.private.apiKey,
  APP_KEY: OF_MOCK.apps.apiKey,
  AUTH_CODE: OF_MOCK.apps.authCode,
  RESELLER_EMAIL: OF_MOCK.reseller.email,
  RESELLER_PASSWORD: OF_MOCK.reseller.password,
};

interface Session {
  readonly code: number;
  readonly said: string;
  readonly folder: string;
  readonly file: string;
}

interface Setup {
  /** Answers by a part of the question; without them the session is not interactive. */
  readonly responses?: ReadonlyArray<readonly [RegExp, string]>;
  readonly env?: Record<string, string>;
  readonly folder?: string;
  readonly transport?: (request: Request) => Promise<Response>;
}

async function init(t: TestContext, args: readonly string[], setup: Setup = {}): Promise<Session> {
  const folder = setup.folder ?? folderFor(t);
  const said: string[] = [];
  const open = [...(setup.responses ?? [])];
  const dialog: Dialog = {
    isInteractive: setup.responses !== undefined,
    say: (line) => void said.push(line),
    ask: async (question, byDefault) => {
      said.push(`? ${question}`);
      if (setup.responses === undefined) return byDefault;
      const [expected, response] = open.shift() ?? [/$^/, ''];
      assert.match(question, expected);
      return response === '' ? byDefault : response;
    },
    close: () => undefined,
  };
  const file = join(folder, 'staging.jsonc');
  const transport = setup.transport ?? ((request: Request) => service.fetch(request));
  const code = await initCommand([file, ...args], { dialog, transport, env: setup.env ?? {} });
  assert.deepEqual(open, [], 'every answer was asked for');
  return { code, said: said.join('\n'), folder, file };
}

const textsIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

describe('proofmark init', () => {
  test('in CI: three files from flags, which a run can read once the variables are set', async (t) => {
    const { code, said, folder, file } = await init(t, ['--v1', `${ORIGIN}`, '--api', '127.0.0.1:4010/api']);
    assert.equal(code, 0, said);
    assert.match(said, /the Delivery interface responds and asks for credentials \(status 401\)/);
    assert.match(said, /the Reseller interface responds/);
    assert.deepEqual(readdirSync(folder).sort(), ['.env.example', 'staging.driver.ts', 'staging.jsonc']);
    assert.throws(() => loadProfile(file, {}), /staging\.jsonc:\d+:\d+: The environment variable STORE_KEY is not set/);
    const example = join(folder, '.env.example');
    assert.match(readFileSync(example, 'utf8'), /^# the API key of a test store\nSTORE_KEY=$/m);
    assert.match(readFileSync(example, 'utf8'), /^# AUTH_CODE=$/m);
    const profile = loadProfile(file, ENV);
    assert.equal(profile.v1, `${ORIGIN}/v1/`);
    assert.equal(profile.api, `${ORIGIN}/api/`);
    assert.equal(profile.delivery?.private?.apiKey?.reveal(), ENV.STORE_KEY);
    assert.equal(profile.apps?.authCode, undefined);
    assert.deepEqual(await probeDriver(profile.driver ?? '', createRedaction()), []);
    assert.match(said, /proofmark doctor --target \S*staging\.jsonc --env-file \S*\.env$/m);
  });

  test('with credentials in the environment it reads languages and websites, takes neither for granted, and writes no secret', async (t) => {
    const { said, folder, file } = await init(t, ['--v1', ORIGIN, '--api', ORIGIN, '--allow', 'write,drive'], {
      env: ENV,
    });
    assert.match(said, /shows the languages en, lv, de/);
    const profile = loadProfile(file, ENV);
    assert.equal(profile.website?.languages, undefined);
    assert.equal(profile.reseller?.website, undefined);
    assert.deepEqual([...profile.allow], ['write', 'drive']);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /\/\/ The service shows these.*\n *\/\/ "languages": \["en", "lv", "de"\],/);
    assert.match(text, /\/\/ Without a subscription: .*\n *\/\/ "website": \d+,/);
    for (const secret of Object.values(ENV)) assert.ok(!`${textsIn(folder)}${said}`.includes(secret), 'a secret');
  });

  test('prints no command that overwrites an env file, and names only variables that are not set', async (t) => {
    const folder = folderFor(t);
    const args = ['--v1', ORIGIN, '--with', 'store,app'];
    const { AUTH_CODE: _unset, ...env } = ENV;
    assert.match((await init(t, args, { env, folder })).said, /^ {2}cp \S+ \S+$/m);
    writeFileSync(join(folder, '.env'), `STORE_KEY=${ENV.STORE_KEY}\n`);
    const some = await init(t, [...args, '--force'], { env, folder });
    assert.doesNotMatch(some.said, /^ {2}cp /m);
    assert.match(some.said, /^ {2}fill in AUTH_CODE in /m);
    assert.doesNotMatch((await init(t, [...args, '--force'], { env: ENV, folder })).said, /fill in/);
  });

  test('on a terminal it asks until what responds is an interface, and takes confirmed values over', async (t) => {
    const { code, said, file } = await init(t, [], {
      env: ENV,
      responses: [
        [/Name/, 'a/shop'],
        [/Name/, 'shop'],
        [/v1/, 'ftp://shop.example/'],
        [/v1/, `${ORIGIN}/site/nordic-honey/`],
        [/address anyway/, ''],
        [/v1/, ORIGIN],
        [/api/, `${ORIGIN}/api/`],
        [/have/, 'store, app resellr'],
        [/have/, 'store, app, reseller'],
        [/beyond reading/, 'none'],
        [/these languages/, 'y'],
        [/default language/, 'en'],
        [/may a run use/, '55003'],
      ],
    });
    assert.equal(code, 0);
    assert.match(said, /! The name "a\/shop" has characters/);
    assert.match(said, /! "v1" must begin with https:/);
    assert.match(said, /! http:\S+honey\/v1\/: responds with a web page/);
    assert.match(said, /"resellr" is not known: did you mean "reseller"\?/);
    const { website, reseller, name, allow } = loadProfile(file, ENV);
    assert.equal(name, 'shop');
    assert.deepEqual(
      [website?.languages, website?.defaultLanguage, reseller?.website],
      [['en', 'lv', 'de'], 'en', '55003'],
    );
    assert.equal(allow.size, 0);
  });

  test('it overwrites nothing unasked', async (t) => {
    const folder = folderFor(t);
    writeFileSync(join(folder, '.env.example'), 'MINE=1\n');
    await assert.rejects(init(t, ['--v1', ORIGIN], { folder }), /\.env\.example exists: nothing was written/);
    assert.deepEqual(readdirSync(folder), ['.env.example']);
    const answers = [
      [/Name/, ''],
      [/api/, ''],
      [/have/, ''],
      [/beyond/, ''],
      [/^Overwrite \S+\.env\.example\?/, ''],
    ] as const;
    await assert.rejects(init(t, ['--v1', ORIGIN], { folder, responses: answers }), UsageError);
    assert.equal((await init(t, ['--v1', ORIGIN, '--force'], { folder })).code, 0);
    assert.match(readFileSync(join(folder, '.env.example'), 'utf8'), /^STORE_KEY=$/m);
    // The same files again are no loss.
    assert.equal((await init(t, ['--v1', ORIGIN], { folder })).code, 0);
  });

  test('an unexpected response is reported, the files are still written, and the exit code is 3', async (t) => {
    const responses: readonly (readonly [Response, RegExp])[] = [
      [new Response('<!doctype html><p>Hello', { headers: { 'content-type': 'text/html' } }), /a web page/],
      [
        new Response('', { status: 302, headers: { location: 'https://login.example/' } }),
        /redirects to https:\/\/login/,
      ],
      [Response.json({ error: true, errorCode: 401, errorMsg: 'no' }, { status: 401 }), /two addresses swapped/],
      [Response.json({ hello: 1 }), /not with the error envelope/],
      [Response.json({ error: true, error_code: 500, error_message: 'no' }, { status: 500 }), /fails with status 500/],
      [new Response('nothing', { status: 404 }), /status 404 and no JSON object/],
    ];
    for (const [response, says] of responses) {
      const { code, said, file } = await init(t, ['--v1', 'https://a.example'], { transport: async () => response });
      assert.equal(code, 3);
      assert.match(said, says);
      assert.ok(existsSync(file));
    }
  });

  test('mistakes of the command line are one sentence, and nothing is written', async (t) => {
    for (const [args, message] of [
      [[], /needs the address of a service/],
      [['--v1', ORIGIN, '--with', 'resellr'], /--with: "resellr" is not known: did you mean "reseller"\?/],
      [['--v1', ORIGIN, '--with', 'store,nonsense'], /"nonsense" is not known\. Use store/],
      [['--v1', ORIGIN, '--with', 'reseller'], /--with reseller needs --api URL/],
      [['--v1', ORIGIN, '--allow', 'writes'], /did you mean "write"\?/],
      [['--v1', 'https://user:word@a.example/v1/'], /contains a user name or password/],
      [['--v1', ORIGIN, '--name', '../x'], /letters, digits/],
    ] as const) {
      const folder = folderFor(t);
      await assert.rejects(init(t, args, { folder }), { name: 'UsageError', message });
      assert.deepEqual(readdirSync(folder), []);
    }
    await assert.rejects(initCommand(['staging.yaml', '--v1', ORIGIN]), /name it staging\.jsonc/);
  });
});

/** Types what its arguments say into a program on a terminal of its own, and prints what that shows. */
const ON_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:4] + ['--offline'])
for answer in sys.argv[4:]: os.write(terminal, (answer + chr(10)).encode())
shown = b''
try:
    while True: shown += os.read(terminal, 4096)
except OSError: pass
sys.stdout.write(shown.decode())`;

test('its questions show on a real terminal as they are', {
  skip:
    spawnSync('python3', ['-c', 'import pty']).status === 0
      ? false
      : 'python3, which makes the terminal, is not installed',
}, (t) => {
  const cwd = folderFor(t);
  const cli = join(import.meta.dirname, '../proofmark.mjs');
  const responses = ['shop', ORIGIN, 'none', '', 'none'];
  const { stdout, stderr } = spawnSync('python3', ['-c', ON_TERMINAL, process.execPath, cli, 'init', ...responses], {
    cwd,
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.match(stdout, /Name of the target \[staging\]: /);
  assert.doesNotMatch(stdout, /\\u001b|\u001b/);
  assert.match(stdout, /Wrote shop\.jsonc, \.env\.example, shop\.driver\.ts\./);
  assert.ok(existsSync(join(cwd, 'shop.jsonc')));
});

test('the driver lists every function, as a comment that becomes code by taking the // away', () => {
  const text = driverSkeleton('staging');
  for (const name of Object.keys(STEPS)) assert.match(text, new RegExp(`^ {2}// async ${name}\\(`, 'm'));
});

test('--env-file reads variables that are not set, and is taken out of the arguments', (t) => {
  const file = join(folderFor(t), 'a.env');
  writeFileSync(file, 'PROOFMARK_TEST_A=from file\nPROOFMARK_TEST_B="two words"\n');
  process.env.PROOFMARK_TEST_A = 'from outside';
  t.after(() => {
    delete process.env.PROOFMARK_TEST_A;
    delete process.env.PROOFMARK_TEST_B;
  });
  assert.deepEqual(readEnvFiles(['run', '--env-file', file, '--quiet', `--env-file=${file}`]), ['run', '--quiet']);
  assert.deepEqual([process.env.PROOFMARK_TEST_A, process.env.PROOFMARK_TEST_B], ['from outside', 'two words']);
  assert.throws(() => readEnvFiles(['run', '--env-file', 'none.env']), /none\.env can't be read: it does not exist/);
  assert.throws(() => readEnvFiles(['run', '--env-file']), /needs a file/);
  assert.throws(() => readEnvFiles(['run', '--env-file', folderFor(t)]), /it is a folder/);
});

test('--env-file reads files of Windows, and refuses a value that would be cut off', (t) => {
  const file = join(folderFor(t), 'a.env');
  const read = (text: string | Buffer): string | undefined => {
    delete process.env.PROOFMARK_TEST_C;
    writeFileSync(file, text);
    readEnvFiles(['run', '--env-file', file]);
    return process.env.PROOFMARK_TEST_C;
  };
  t.after(() => delete process.env.PROOFMARK_TEST_C);
  assert.equal(read('\uFEFFPROOFMARK_TEST_C=abc\r\n'), 'abc');
  assert.equal(read(Buffer.from('\uFEFFPROOFMARK_TEST_C=abc\r\n', 'utf16le')), 'abc');
  for (const whole of ['abc #def', '"abc#def"', "'abc#def' # note", '# note', '"abc\n#def"', '"a" b#c'])
    assert.doesNotThrow(() => read(`# it's a#b\nPROOFMARK_TEST_C=${whole}\n`), whole);
  assert.throws(
    () => read('A=1\nexport PROOFMARK_TEST_C = abc#def\n'),
    /a\.env:2: the value of PROOFMARK_TEST_C contains #/,
  );
  assert.throws(() => read('PROOFMARK_TEST_C="abc\nA=1\n'), /a\.env:1: the value of \S+ begins with a quote/);
});
