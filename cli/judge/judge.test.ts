import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderFor, proofmark, resultsIn } from '../common/command.fixture.ts';

const V1 = 'https://service.test/v1/';
/** Found in no file that the command writes. */
const SECRETS = {
  key: 'CANARY-key-7f3a9c1e55d2',
  code: 'CANARY-code-1b2c3d4e5f60',
  cookie: 'CANARY-cookie-99aa88bb77cc',
  token: 'CANARY-token-0011223344ff',
  password: 'CANARY pass/word+%ü 42',
};

interface Entry {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly type?: string;
  readonly status?: number;
  readonly response?: unknown;
}

function harOf(entries: readonly Entry[]): string {
  const listed = entries.map(
    ({ method = 'GET', url, headers = {}, body, type = 'application/json', status = 200, response }, i) => {
      const text = JSON.stringify(response ?? {});
      return {
        startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString(),
        time: 20,
        request: {
          method,
          url,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          bodySize: body === undefined ? 0 : Buffer.byteLength(body),
          ...(body === undefined ? {} : { postData: { mimeType: type, text: body } }),
        },
        response: {
          status,
          headers: [
            { name: 'Content-Type', value: 'application/json' },
            { name: 'Set-Cookie', value: `session=${SECRETS.cookie}; path=/` },
          ],
          content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
        },
      };
    },
  );
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries: listed } });
}

const method = { handle: 'm-1', title: { en: 'Courier' } };
const GOOD: readonly Entry[] = [
  { url: `${V1}store/delivery_methods/?page_size=2`, response: { delivery_methods: [method] } },
  {
    url: `${V1}store/delivery_method/none/`,
    status: 404,
    response: { error: true, error_code: 404, error_message: 'Not found' },
  },
];

/** Writes a recording and judges it. */
async function judge(
  t: Parameters<typeof folderFor>[0],
  text: string,
  args: readonly string[] = [],
  name = 'recorded.har',
) {
  const folder = folderFor(t);
  const file = join(folder, name);
  writeFileSync(file, text);
  const out = join(folder, 'out');
  const ran = await proofmark(['judge', file, '--out', out, ...args]);
  return { ...ran, out, file, results: () => resultsIn(out) };
}

describe('proofmark judge', () => {
  test('passes what the traffic shows, reports the rest as inconclusive with reasons, and exits 3 or as the options say', async (t) => {
    const { code, results, stdout } = await judge(t, harOf(GOOD));
    assert.equal(code, 3, stdout);
    const { checks, clauses, party, command, target, requests } = results();
    assert.deepEqual(
      [party, command, target, requests],
      ['service', 'judge', { name: 'recorded.har', kind: 'har' }, 2],
    );
    const verdictOf = (id: string) => clauses.find((clause) => clause.id === id)?.verdict;
    assert.equal(verdictOf('envelope.v1.body-is-object'), 'pass');
    assert.equal(verdictOf('envelope.v1.error-true'), 'pass');
    assert.equal(verdictOf('delivery.point.update-applies'), 'inconclusive');
    for (const check of checks) assert.notEqual(check.reason ?? '', '', check.id);
    assert.deepEqual(
      checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error'),
      [],
    );
    const again = await judge(t, harOf(GOOD), ['--allow-inconclusive', '--only', 'envelope.v1.error-*']);
    assert.equal(again.code, 0);
    assert.deepEqual(
      again
        .results()
        .clauses.filter(({ excluded }) => excluded === undefined)
        .map(({ id, verdict }) => [id, verdict]),
      [
        ['envelope.v1.error-true', 'pass'],
        ['envelope.v1.error-code-integer', 'pass'],
        ['envelope.v1.error-message-string', 'pass'],
      ],
    );
  });

  test('finds a fault, with the exchange that shows it', async (t) => {
    const bad: Entry = {
      url: `${V1}store/delivery_methods/?page_size=1`,
      response: { delivery_methods: [method, { handle: 7 }] },
    };
    const { code, results, out, stdout } = await judge(t, harOf([...GOOD, bad]));
    assert.equal(code, 1);
    const failed = results().checks.filter(({ verdict }) => verdict === 'fail');
    assert.deepEqual(failed.flatMap(({ clauses }) => clauses).sort(), [
      'delivery.lists.page-size-respected',
      'delivery.method.handle-string',
    ]);
    const events = readFileSync(join(out, 'events.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shown = events.find(({ type, n }) => type === 'exchange' && n === failed[0]?.decisive);
    assert.equal(shown.role, 'entry 3');
    assert.match(stdout, /exchange #\d+/);
  });

  test('does not blame a party for what browsers omit, and judges the right party', async (t) => {
    const calls: Entry[] = [
      {
        method: 'POST',
        url: `${V1}apps/set_data/?authcode=abc`,
        body: '{"data":[1]}',
        headers: { 'content-type': 'application/json' },
        response: { error: false },
      },
    ];
    const { code, results } = await judge(t, harOf(calls), ['--party', 'integrator']);
    assert.equal(code, 1);
    const of = (clause: string) => results().checks.find(({ id }) => id === `traffic.${clause}`);
    assert.equal(of('app.calls.data-string-or-object')?.verdict, 'fail');
    assert.equal(of('app.calls.auth-code-spelling')?.verdict, 'warn');
    assert.equal(of('app.calls.authorization-header')?.verdict, 'inconclusive');
    assert.match(of('app.calls.authorization-header')?.reason ?? '', /browsers omit it/);
    assert.match(of('app.manifest.icon-square')?.reason ?? '', /a manifest is not traffic/);
  });

  test('writes no secret of the recording anywhere', async (t) => {
    const entries: Entry[] = [
      // The page that shows the fault comes first: its secrets are learned from what follows.
      {
        url: `${V1}store/delivery_methods/?page_size=1&note=${SECRETS.key}`,
        response: { delivery_methods: [{ handle: SECRETS.token }, { handle: 7, name: SECRETS.password }] },
      },
      {
        url: `${V1}store/delivery_methods/`,
        headers: { Authorization: `ApiKey ${SECRETS.key}`, Cookie: `a=b; s=${SECRETS.cookie}` },
        response: { delivery_methods: [] },
      },
      {
        url: `${V1}apps/user/?authCode=${SECRETS.code}`,
        headers: { Authorization: 'ApiKey x' },
        response: { user: { email: 'somebody@people.test', email_confirmed: SECRETS.code } },
      },
      {
        url: 'https://service.test/api/authorize/',
        method: 'POST',
        type: 'application/x-www-form-urlencoded',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `email=a%40b.test&password=${encodeURIComponent(SECRETS.password)}`,
        response: { apiToken: SECRETS.token },
      },
    ];
    const { code, out, stdout, stderr } = await judge(t, harOf(entries));
    assert.equal(code, 1);
    const files = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'));
    assert.equal(files.length, 6);
    for (const [name, secret] of Object.entries(SECRETS)) {
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64'),
        JSON.stringify(secret).slice(1, -1),
      ])
        for (const text of [...files, stdout, stderr])
          assert.ok(!text.includes(form), `${name} as ${form.slice(0, 20)}`);
    }
    for (const text of files) assert.ok(!text.includes('somebody@people.test'));
  });

  test('judges signatures with the keys, read from the environment', async (t) => {
    const folder = folderFor(t);
    const keys = join(folder, 'keys.json');
    writeFileSync(keys, JSON.stringify({ API_KEY: ['$', '{MY_KEY}'].join('') }));
    const file = join(folder, 'a.har');
    const callback = `https://service.test/back/?label_request_id=1&label_url=https%3A%2F%2Fa.test%2F1.pdf&signature=${'A'.repeat(43)}%3D`;
    writeFileSync(file, harOf([{ url: callback }]));
    const args = ['judge', file, '--party', 'integrator', '--out', join(folder, 'out'), '--keys', keys];
    const missing = await proofmark(args);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /the environment has no MY_KEY\.\n$/);
    const ran = await proofmark(args, { env: { MY_KEY: SECRETS.key } });
    assert.equal(ran.code, 1);
    assert.match(ran.stdout, /not correct with any of the keys API_KEY/);
    assert.ok(!ran.stdout.includes(SECRETS.key));
  });

  test('an address of --base to which no call goes is named', async (t) => {
    const [used, unused] = [V1, 'https://servcie.test/v1/'];
    const { results } = await judge(t, harOf(GOOD), ['--base', used, '--base', unused]);
    const notices = results().notices?.join(' ') ?? '';
    assert.match(notices, /no call in the recording goes to https:\/\/servcie\.test\/v1\/: correct --base/);
    assert.ok(!notices.includes(`goes to ${used}`), notices);
  });

  test('its own events, which hold some exchanges only, are refused, and so is a folder whose events it judges', async (t) => {
    const { out, results } = await judge(t, harOf(GOOD));
    const before = JSON.stringify(results());
    const events = join(out, 'events.ndjson');
    const again = await proofmark(['judge', events, '--out', join(out, 'again')]);
    assert.equal(again.code, 2);
    assert.match(
      again.stderr,
      /is the record of `proofmark judge`, with only some exchanges of recorded\.har: give that/,
    );
    const ofRun = readFileSync(events, 'utf8').replace('"command":"judge"', '"command":"run"');
    writeFileSync(events, ofRun);
    const replaced = await proofmark(['judge', events, '--out', out]);
    assert.equal(replaced.code, 2);
    assert.match(
      replaced.stderr,
      /^proofmark: The reports would replace .*events\.ndjson, .* --out reports\/judged\.\n$/,
    );
    assert.equal(readFileSync(events, 'utf8'), ofRun);
    assert.equal(JSON.stringify(results()), before);
  });

  test('bad input is one sentence with its place, and leaves older reports alone', async (t) => {
    const cut = await judge(t, harOf(GOOD).slice(0, -30));
    assert.equal(cut.code, 2);
    assert.match(cut.stderr, /^proofmark: .*recorded\.har ends in the middle at byte \d+ \(line 1\): .*\n$/);
    assert.throws(() => cut.results());
    const broken = await judge(t, '{"log":{"entries":[{"request":{}}]}}');
    assert.match(broken.stderr, /the request of entry 1 at byte 19 \(line 1\) has no method and url\.\n$/);
    const events = await judge(t, `${JSON.stringify({ type: 'header' })}\n`, [], 'events.ndjson');
    assert.equal(events.code, 2);
    assert.match(events.stderr, /^proofmark: Line 1 of .*\n$/);
    const cases: ReadonlyArray<readonly [args: readonly string[], message: RegExp]> = [
      [['judge'], /needs a file/],
      [['judge', 'nowhere.har'], /There is no file nowhere\.har/],
      [['judge', '.'], /is not a file/],
      [['judge', broken.file, '--party', 'reseller'], /--party must be service or integrator/],
      [['judge', broken.file, '--base', 'https://a.test/'], /--base takes an address/],
      [['judge', broken.file, '--only', 'no.such'], /matches no clause/],
      [['judge', broken.file, '--keys', 'nowhere.json'], /correct --keys/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await proofmark(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
    }
  });
});
