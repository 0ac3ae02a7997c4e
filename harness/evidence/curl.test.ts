import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { ServiceResponse } from '../target/client/types.ts';
import { nearMissesOf, nearMissOf } from '../target/near-miss.ts';
import { Secret, sealed } from '../target/secrets/secret.ts';
import { curlOf, quote, scriptOf } from './curl.ts';
import { createRedaction } from './redaction/index.ts';
import { derivationOf } from './shell-derivation.ts';

const BASE = 'https://s.example/v1/store/';
const KEY = new Secret('STORE_KEY', 'a-key-of-a-store');

function redaction() {
  const known = createRedaction();
  known.add({ name: KEY.name, value: KEY.reveal() });
  return known;
}

const responseTo = (method: string, path: string, json: unknown = {}, body?: string): ServiceResponse =>
  ({
    json,
    request: {
      method,
      url: `${BASE}${path}`,
      headers: [['Authorization', sealed`ApiKey ${KEY}`]],
      ...(body === undefined ? {} : { body }),
    },
  }) as unknown as ServiceResponse;

test('a request as a command: texts in single quotes, secrets as names that the shell fills in', () => {
  const { request } = responseTo('POST', 'delivery_method/', {}, '{"title":"it\'s $5"}');
  assert.equal(
    curlOf(request, redaction()),
    `curl -sS -g -i -X POST '${BASE}delivery_method/' -H 'Authorization: ApiKey '"$STORE_KEY" --data-raw '{"title":"it'\\''s $5"}'`,
  );
  assert.equal(quote(''), "''");
  assert.equal(quote("$HOME it's"), "'$HOME it'\\''s'");
});

test('a HEAD is sent by the option that expects no body', () => {
  assert.equal(curlOf({ method: 'HEAD', url: BASE }, redaction()), `curl -sS -g -I '${BASE}'`);
});

test('a sequence: what the target made up is a variable, with a line that says whose', () => {
  const lines = scriptOf(
    [
      responseTo('POST', 'delivery_method/', { error: false, handle: 'h1' }),
      responseTo('POST', 'delivery_method/', { error: false, handle: 'idle' }),
      responseTo('POST', 'delivery_method/', { error: false }),
      responseTo('DELETE', 'delivery_method/h2,h1/pickup_point/1/'),
      responseTo('GET', 'delivery_methods/'),
    ],
    redaction(),
  ).split('\n');
  assert.deepEqual(
    lines.map((line) => line.replace(/ -H .*/, '')),
    [
      `curl -sS -g -i -X POST '${BASE}delivery_method/'`,
      '# METHOD_2=… (the handle in this response)',
      `curl -sS -g -i -X POST '${BASE}delivery_method/'`,
      '# METHOD_1=… (the handle of a method created above)',
      `curl -sS -g -i -X DELETE '${BASE}delivery_method/'"$METHOD_1"','"$METHOD_2"'/pickup_point/1/'`,
      `curl -sS -g -i -X GET '${BASE}delivery_methods/'`,
    ],
  );
});

test('of a sequence that is too long, the beginning is shown', () => {
  const lines = scriptOf(Array(100).fill(responseTo('GET', 'delivery_methods/')), redaction()).split('\n');
  assert.equal(lines.length, 61);
  assert.equal(lines.at(-1), '# and 40 more requests');
});

/** What curl is called with when a shell runs the command. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = {
    ...process.env,
    STORE_KEY: KEY.reveal(),
    HOME: '/home/of/user',
    AWS_SECRET_ACCESS_KEY: 'a-secret-of-the-user',
  };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

const skip = process.platform === 'win32' && 'not on Windows';

test('a shell repeats the request to the letter, whatever the target wrote into it', { skip }, () => {
  const url = `${BASE}delivery_methods/?from=$AWS_SECRET_ACCESS_KEY&page=[1-99999]{a,b}&\`id\`$(id)'"\\&key=${KEY.reveal()}`;
  const body = `@/etc/passwd\n$HOME $STORE_KEY "${KEY.reveal()}" !! \\n '`;
  const request = {
    method: 'POST',
    url,
    headers: [
      ['X-Odd', '$HOME'],
      ['Authorization', sealed`ApiKey ${KEY}`],
      ['X-None', ''],
    ],
    body,
  };
  const command = curlOf(request as never, redaction());
  assert.ok(!command.includes(KEY.reveal()));
  assert.deepEqual(argumentsOf(command), [
    ...['-sS', '-g', '-i', '-X', 'POST', url],
    ...['-H', 'X-Odd: $HOME', '-H', `Authorization: ApiKey ${KEY.reveal()}`, '-H', 'X-None;', '--data-raw', body],
  ]);
});

test('a shell makes each near miss of the right key, and the command gives neither away', { skip }, () => {
  for (const key of [
    'a-key-of-a-store',
    'kQq7Zz-0hA9vB3xXyY',
    '0123456789012345678',
    'sk_live_qQzZ',
    'ABCDEFGHIJKLMNOPQR9',
    'key-of-store-41',
    'aB3xKm',
    'Zq8LrT-xYv',
    '3f2b8c1e-0b57-4b1c-9a1f-6d0277c14e55',
  ]) {
    const wrong = [...key].map(nearMissOf).join('');
    const misses = [
      ...nearMissesOf(key).map(({ value }) => value),
      key.slice(1),
      ...(/^\w+$/.test(key) && !key.includes('_') ? [wrong] : []),
    ];
    for (const [at, value] of misses.entries()) {
      const known = createRedaction();
      const right = new Secret('STORE_KEY', key);
      known.add({ name: 'STORE_KEY', value: key });
      const name = `STORE_KEY_NEAR_MISS_${at + 1}`;
      known.add({ name, value, shell: derivationOf('STORE_KEY', key, value) });
      const request = {
        method: 'GET',
        url: 'http://127.0.0.1/',
        headers: [['Authorization', sealed`ApiKey ${new Secret(name, value)}`]],
      };
      const command = curlOf(request as never, known);
      assert.doesNotMatch(command, /NEAR_MISS/, `${key}: ${value}`);
      for (let from = 0; from + 4 <= key.length; from += 1) assert.ok(!command.includes(key.slice(from, from + 4)));
      const script = `STORE_KEY='${right.reveal()}'; ${command}`;
      assert.equal(argumentsOf(script).at(-1), `Authorization: ApiKey ${value}`, command);
    }
  }
});
