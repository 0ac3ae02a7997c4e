import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedaction } from '../evidence/redaction/index.ts';
import type { WireResponse } from '../target/network/network.ts';
import { Names } from './names.ts';
import { StandIns } from './stand-in.ts';

const KEY = 'store~key+with/slash=and*star-7Q';
const QUOTED = 'other&key<with>"quotes"-9Zr4Tx';
const MARK = 'pm-11200000abcdef';

function namesFor(secrets: Readonly<Record<string, string>>, showPersonalData = false): Names {
  const standIns = new StandIns(Buffer.from('of the test'));
  const names = new Names({ redaction: createRedaction(), standIns, mark: MARK, showPersonalData });
  for (const [name, value] of Object.entries(secrets)) names.redaction.add({ name, value });
  return names;
}

/** What a replay whose secrets have other values reads of a text. */
function replayed(text: string, secrets: Readonly<Record<string, string>>, others: Readonly<Record<string, string>>) {
  const names = namesFor(secrets);
  const sealed = names.sealed(text, names.time);
  return { ...sealed, opened: namesFor(others).opened(sealed.text, new Map(names.takeStandIns())) };
}

test('a secret comes back in the form in which it was, as the value of the replay', () => {
  const forms: ((value: string) => string)[] = [
    (value) => `before ${value} after`,
    (value) => JSON.stringify({ key: value }),
    (value) => JSON.stringify({ key: value }).replaceAll('/', '\\/'),
    (value) => `https://a.test/?key=${encodeURIComponent(value)}&b=1`,
    (value) => new URLSearchParams({ key: value }).toString(),
  ];
  for (const secret of [KEY, QUOTED, 'plain0123456789', 'šķērsiela/ķēde č 9']) {
    for (const form of forms) {
      const other = new StandIns(Buffer.from('k')).alike(secret);
      const { text, exact, opened } = replayed(form(secret), { A_KEY: secret }, { A_KEY: other });
      assert.ok(!text.includes(secret), text);
      assert.ok(exact, `${form(secret)} became ${text}`);
      assert.equal(opened, form(other));
    }
  }
});

test('a form that cannot be restored is removed as well, and reported as inexact', () => {
  for (const text of [
    Buffer.from(`x${KEY}y`).toString('base64'),
    Buffer.from(KEY).toString('hex'),
    KEY.toUpperCase(),
  ]) {
    const { text: sealed, exact } = replayed(text, { A_KEY: KEY }, {});
    assert.equal(exact, false, text);
    assert.ok(!sealed.includes(text.slice(4, 20)), sealed);
  }
});

test('a near miss is distinguished from its secret, whichever contains the other', () => {
  const secrets = { KEY, LONGER: `${KEY}q`, SHORTER: KEY.slice(0, -1), OTHER_CASE: KEY.toUpperCase() };
  for (const [name, value] of Object.entries(secrets)) {
    const { text, exact } = replayed(`[${value}]`, secrets, {});
    assert.deepEqual({ text, exact }, { text: `[⟦${name}#1⟧]`, exact: true });
  }
});

test('requests compare by names, whatever the values are', () => {
  const one = namesFor({ KEY, TOKEN: 'token-0123456789' });
  const two = namesFor({ KEY: QUOTED, TOKEN: 'other/9876 x' });
  const request = (key: string, token: string) => `Authorization: ApiKey ${key} & ${encodeURIComponent(token)}`;
  assert.equal(one.compared(request(KEY, 'token-0123456789')), two.compared(request(QUOTED, 'other/9876 x')));
});

test('a short secret is known by its field alone', () => {
  const { text, opened } = replayed(
    '{"password":"demo","title":"demo shop"}',
    { PASSWORD: 'demo' },
    { PASSWORD: 'p7x' },
  );
  assert.equal(text, '{"password":"⟦PASSWORD#1⟧","title":"demo shop"}');
  assert.equal(opened, '{"password":"p7x","title":"demo shop"}');
});

test('persons become others, everywhere the same; what the run itself sent stays', () => {
  const names = namesFor({});
  const own = names.compared(`contactName=Proofmark+${MARK}&contactPhone=%2B371+2`);
  const response = `{"contactName":"Proofmark ${MARK}","contactPhone":"+371 2","supportEmail":"anna@shop.test"}`;
  names.meet(response);
  const { text } = names.sealed(response, names.time);
  assert.ok(own.includes('contactPhone=%2B371+2'));
  assert.equal(text, response.replace('anna@shop.test', '⟦PERSON#1:json⟧'));
  const standIns = new Map(names.takeStandIns());
  assert.match(standIns.get('PERSON#1') ?? '', /^[a-z]{4}@[a-z]{4}\.[a-z]{4}$/);
  assert.notEqual(standIns.get('PERSON#1'), 'anna@shop.test');
  assert.equal(names.compared('supportEmail=anna%40shop.test'), 'supportEmail=⟦PERSON⟧');
  const shown = namesFor({}, true);
  shown.meet(response);
  assert.equal(shown.sealed(response, 0).text, response);
});

test('a stand-in is kept only for values of responses', () => {
  const names = namesFor({ KEY });
  const arrived = names.time;
  names.redaction.add({ name: 'API_TOKEN', value: 'aBc0123456789dEf' });
  names.sealed(`{"apiToken":"aBc0123456789dEf","echo":"${KEY}"}`, arrived);
  assert.deepEqual(
    names.takeStandIns().map(([id]) => id),
    ['API_TOKEN#1'],
  );
});

test('a text with the signs of a marker stays as it is', () => {
  const text = 'a ⟦KEY#1⟧ b ⟦ c ⟧';
  assert.equal(replayed(text, { KEY }, { KEY: 'something else' }).opened, text);
});

test('stand-ins have as many near misses, and nothing of a profile’s secret', () => {
  const standIns = new StandIns(Buffer.from('k'));
  assert.match(standIns.opaque(KEY), /^p[a-z0-9]{23}$/);
  assert.match(standIns.opaque('0123456789'), /^\d{24}$/);
  assert.match(standIns.opaque('me@shop.test'), /^p[a-z0-9]{12}@proofmark\.invalid$/);
  assert.notEqual(standIns.opaque('one-secret'), standIns.opaque('two-secret'));
  const link = 'https://shop.test:8443/login/once/?token=aB12345678cd';
  assert.match(standIns.alike(link), /^https:\/\/shop\.test:8443\/login\/once\/\?token=[a-f][A-F]\d{8}[a-f]{2}$/);
  assert.ok(standIns.alike(link).endsWith(standIns.alike('aB12345678cd')));
});

/** The response to a login, with its token. */
const loggedIn = (token: string): WireResponse => ({
  status: 200,
  headers: [],
  bytes: Buffer.from(JSON.stringify({ error: false, apiToken: token })),
});
const LOGIN = { method: 'POST', url: 'https://a.test/api/login' };

test('tokens that the target issued keep their ids in a replay where they arrive in another order', () => {
  const [first, second] = ['0f1e2d3c4b5a69788796a5b4c3d2e1f0', '91a2b3c4d5e6f70819a2b3c4d5e6f708'];
  const recording = namesFor({});
  const sealed = [first, second].map((token) => {
    const arrived = recording.time;
    recording.arrived(LOGIN, loggedIn(token), 0);
    return recording.sealed(JSON.stringify({ apiToken: token }), arrived).text;
  });
  const standIns = new Map(recording.takeStandIns());
  const replay = namesFor({});
  replay.expectStandIns(standIns);
  for (const text of sealed.toReversed()) {
    const opened: { apiToken: string } = JSON.parse(replay.opened(text, standIns));
    replay.arrived(LOGIN, loggedIn(opened.apiToken), 0);
  }
  const sent = (names: Names, token: string): string => names.compared(`apiToken=${token}`);
  assert.equal(sent(recording, first), 'apiToken=⟦API_TOKEN#1⟧');
  assert.equal(sent(recording, second), 'apiToken=⟦API_TOKEN#2⟧');
  assert.equal(sent(replay, standIns.get('API_TOKEN#1')!), sent(recording, first));
  assert.equal(sent(replay, standIns.get('API_TOKEN#2')!), sent(recording, second));
});

test('the sign in front of a value is not read as an escape of mail', () => {
  // `=34` is the digit 4 in a mail, so that the value without its first character is there as well.
  const token = '34a1ed5934661d752a7a9a9b9f08b1af';
  const names = namesFor({ TOKEN: token, BEHEADED: token.slice(1) });
  assert.equal(names.compared(`apiToken=${token}`), 'apiToken=⟦TOKEN⟧');
  assert.equal(names.compared(`apiToken=${token.slice(1)}`), 'apiToken=⟦BEHEADED⟧');
});
