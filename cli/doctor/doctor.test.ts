import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freePort } from '../../harness/process/free-port.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { serve } from '../../mock/http/serve.ts';
import { profileOf } from '../../mock/profile.ts';
import { folderFor, writeProfile } from '../common/command.fixture.ts';
import { outlookLines } from './checks.ts';
import { doctorCommand } from './index.ts';
import { keysByReason } from './target.ts';

/** The exit code of the command and what it printed; a usage error as main() reports it. */
async function doctor(...argv: string[]): Promise<{ code: number; printed: string }> {
  const log = console.log;
  let printed = '';
  console.log = (line: string) => {
    printed += `${line}\n`;
  };
  try {
    return { code: await doctorCommand(argv), printed };
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return { code: 2, printed: `${printed}${error.message}\n` };
  } finally {
    console.log = log;
  }
}

/** As a profile names a variable of the environment. */
const reference = (name: string): string => `$\{${name}}`;

describe('proofmark doctor', () => {
  test('finds nothing missing on the embedded mock but what the machine lacks', async () => {
    const { code, printed } = await doctor();
    assert.match(printed, /^ {2}Target +mock, embedded$/m);
    assert.match(printed, /^. Checks +\d+ can be decided/m);
    const noBrowser = /^! Browser/m.test(printed);
    assert.equal(code, noBrowser ? 3 : 0, printed);
  });

  test('names what a small profile lacks, key by key, and shows no secret', async (t) => {
    const folder = folderFor(t);
    const served = await serve({}, { port: 0, https: false });
    t.after(() => served.close());
    const whole = JSON.parse(JSON.stringify(profileOf(served.service))) as {
      v1: string;
      delivery: { private: { apiKey: string } };
    };
    process.env.DOCTOR_KEY = whole.delivery.private.apiKey;
    t.after(() => delete process.env.DOCTOR_KEY);
    const small = {
      name: 'small',
      v1: whole.v1,
      delivery: { private: { apiKey: reference('DOCTOR_KEY') } },
      absent: ['reseller'],
    };
    const { code, printed } = await doctor('--target', writeProfile(folder, 'small.json', small));
    assert.equal(code, 3, printed);
    assert.match(printed, /^ {2}Secrets +set: DOCTOR_KEY$/m);
    assert.match(printed, /^ {2}Requests +1 were sent/m);
    assert.match(printed, /^! \d+ more +"allow" in the profile does not contain "write"/m);
    assert.match(printed, /^! \d+ more +the profile has no "apps\.apiKey"/m);
    assert.match(printed, /[1-9]\d* not applicable$/m);
    assert.ok(!printed.includes(whole.delivery.private.apiKey), 'a secret was printed');

    const wrong = writeProfile(folder, 'wrong.json', {
      ...small,
      delivery: { private: { apiKey: 'no-such-key-0123' } },
    });
    const refused = await doctor('--target', wrong);
    assert.match(
      refused.printed,
      /^! delivery\.private\.apiKey +The target refuses "delivery\.private\.apiKey" in every call \(status 401\).* Either the key/m,
    );
    assert.ok(!refused.printed.includes('no-such-key-0123'));
  });

  test('no line steers a terminal, whatever the profile and the target say', async (t) => {
    const folder = folderFor(t);
    const file = writeProfile(folder, 'odd.json', { driver: './odd.mjs' });
    writeFileSync(join(folder, 'odd.mjs'), "throw new Error('\\u001b[2J\\u202e ##vso[x]');");
    const { printed } = await doctor('--target', file);
    assert.match(printed, /\\u001b\[2J\\u202e/);
    assert.ok(!/[\u0000-\u0009\u000b-\u001f]|^::/m.test(printed), JSON.stringify(printed));
  });

  test('asks for no address of what the target does not have', async (t) => {
    const absent = ['delivery', 'apps', 'website', 'reseller', 'portals'];
    const file = writeProfile(folderFor(t), 'nothing.json', { absent });
    const { printed } = await doctor('--target', file);
    assert.ok(!/^! (v1|api) /m.test(printed), printed);
  });

  test('reports a dead target, a public address that leads elsewhere, and one that leads here', async (t) => {
    const folder = folderFor(t);
    const [dead, port] = [await freePort(), await freePort()];
    const other = createServer((_request, response) => response.end('somebody else'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    t.after(() => other.close());
    const profile = (publicUrl: string) => ({
      v1: `http://127.0.0.1:${dead}/v1/`,
      delivery: { private: { apiKey: 'key-of-nobody-77' } },
      listen: { host: '127.0.0.1', port, publicUrl },
    });
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const first = await doctor('--target', writeProfile(folder, 'a.json', profile(elsewhere)));
    assert.equal(first.code, 3);
    assert.match(first.printed, /^! v1 +.*\(network\)$/m);
    assert.match(first.printed, /^! Listener +.* does not lead to 127\.0\.0\.1:\d+ \(status 200, something else/m);
    const second = await doctor('--target', writeProfile(folder, 'b.json', profile(`http://127.0.0.1:${port}/`)));
    assert.match(second.printed, /^ {2}Listener +.* leads to it$/m);
  });

  test('an unset variable is named before the profile is refused with its place', async (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'unset.jsonc');
    writeFileSync(
      file,
      `{ // ${reference('OF_A_COMMENT')}\n "delivery": { "private": { "apiKey": "${reference('DOCTOR_UNSET')}" } } }`,
    );
    const { code, printed } = await doctor('--target', file);
    assert.equal(code, 2);
    assert.match(printed, /^! Secrets +not set, or empty: DOCTOR_UNSET: set them, or give --env-file FILE$/m);
    assert.match(printed, /unset\.jsonc:2:\d+: The environment variable DOCTOR_UNSET is not set/);
  });

  test('a driver that cannot be loaded is reported, not thrown', async (t) => {
    const folder = folderFor(t);
    const file = writeProfile(folder, 'driver.json', { driver: './broken.mjs' });
    writeFileSync(join(folder, 'broken.mjs'), 'export default {');
    const { code, printed } = await doctor('--target', file);
    assert.equal(code, 3);
    assert.match(printed, /^! Driver +The driver .*broken\.mjs can't be loaded/m);
  });

  test('what such a driver throws is printed without the secrets of the profile', async (t) => {
    const folder = folderFor(t);
    const apiKey = 'key-of-the-driver-test-4711';
    const local = { v1: 'http://127.0.0.1:9/v1/', delivery: { private: { apiKey } } };
    const file = writeProfile(folder, 'driver.json', { ...local, driver: './secret.mjs' });
    writeFileSync(join(folder, 'secret.mjs'), `throw new Error('refused with ${apiKey}');`);
    const { printed } = await doctor('--target', file);
    assert.match(printed, /^! Driver .*refused with \$\w+/m);
    assert.ok(!printed.includes(apiKey));
  });
});

test('a sentence about two keys is printed once, and what waits for them refers to it', () => {
  const reason = 'the two look swapped: swap them';
  const about = { attribution: 'configuration', reason } as const;
  const refused = { attribution: 'configuration', reason: 'refused' } as const;
  const explained = keysByReason({ 'a.key': about, 'b.key': about, reseller: refused, 'reseller.email': refused });
  assert.deepEqual(
    [...explained],
    [
      [reason, ['a.key', 'b.key']],
      ['refused', ['reseller.email']],
    ],
  );
  const missingNeeds = [
    { reason, checks: 3 },
    { reason: 'no browser', checks: 1 },
  ];
  const says = outlookLines({ runnable: 1, estimate: '', notApplicable: 0, missingNeeds }, explained).map(
    (line) => line.says,
  );
  assert.deepEqual(says.slice(2), ['wait for "a.key" and "b.key", see above', 'no browser']);
});
