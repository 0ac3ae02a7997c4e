import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReach, networkScopeOf } from './reach.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'shop.example': ['203.0.113.5'],
  'cdn.example': ['203.0.113.9', '2001:db8::9'],
  'inward.example': ['203.0.113.7', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'intranet.example': ['10.1.2.3'],
  'six.example': ['::ffff:192.168.1.1'],
};
const resolve = async (name: string): Promise<readonly string[]> => {
  const found = NAMES[name];
  if (found === undefined) throw new Error('ENOTFOUND');
  return found;
};
const reachOf = (...own: string[]) => createReach({ own: () => own, resolve });

test('a target elsewhere leads to no address of this machine or of a local network, however it is written', async () => {
  const reach = reachOf('https://shop.example/v1/');
  for (const host of [
    ...['127.0.0.1', '127.9.9.9', 'localhost', 'a.localhost', 'LOCALHOST.', '0.0.0.0', '0', '2130706433', '0x7f000001'],
    ...[
      '0177.0.0.1',
      '127.1',
      '10.0.0.1',
      '172.31.255.1',
      '192.168.0.1',
      '100.64.0.1',
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '[::1]',
      '[::]',
    ],
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::a9fe:a9fe]',
      '[2002:7f00:1::]',
      '[fe80::1]',
    ],
    ...['[fd12:3456::1]', '[fd00:ec2::254]', '[ff02::1]', 'inward.example', 'metadata.example', 'intranet.example'],
    ...['six.example', '①②⑦.0.0.1'],
  ])
    assert.match(
      (await reach.refuse(`http://${host}/x`)) ?? '(followed)',
      /address, and the target is not in that network/,
      host,
    );
});

test('it leads anywhere else, and to its own hosts', async () => {
  const reach = reachOf('https://shop.example/v1/', 'https://inward.example/');
  for (const host of [
    'shop.example',
    'cdn.example',
    '203.0.113.200',
    '[2001:db8::1]',
    '172.32.0.1',
    '100.128.0.1',
    'unknown.example',
  ])
    assert.equal(await reach.refuse(`https://${host}/x`), undefined, host);
  assert.equal(await reach.refuse('https://inward.example/x'), undefined, 'a host that the user named');
});

test('a target on this machine or in a private network may redirect within that network', async () => {
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'cdn.example'])
    assert.equal(await reachOf('http://127.0.0.1:4010/v1/').refuse(`http://${host}/`), undefined, host);
  const inside = reachOf('https://intranet.example/v1/');
  assert.equal(await inside.refuse('http://192.168.1.1/'), undefined);
  for (const host of ['127.0.0.1', 'localhost', 'metadata.example'])
    assert.notEqual(await inside.refuse(`http://${host}/`), undefined, host);
});

test('behind a proxy names are resolved elsewhere, but IP addresses are still judged', async () => {
  const reach = createReach({ own: () => ['https://shop.example/'], throughProxy: true, resolve: () => assert.fail() });
  assert.equal(await reach.refuse('https://intranet.example/'), undefined);
  assert.notEqual(await reach.refuse('http://169.254.169.254/'), undefined);
});

test('nearness by ranges', () => {
  assert.deepEqual(['8.8.8.8', '126.255.255.255', '128.0.0.0', '2600::1', 'fe80::1%eth0', '::2'].map(networkScopeOf), [
    'public',
    'public',
    'public',
    'public',
    'link-local',
    'loopback',
  ]);
});

test('the address is judged again when the connection is made', async () => {
  const reach = reachOf('https://shop.example/v1/');
  const guard = await reach.guard('https://cdn.example/x');
  assert.deepEqual(
    ['203.0.113.9', '127.0.0.1', '10.0.0.1', '::ffff:169.254.169.254'].map((one) => guard?.(one)),
    [...[true, false, false, false]],
  );
  assert.equal(await reach.guard('https://shop.example/x'), undefined, 'a host that the user named');
});
