/** The search for secrets finds them; otherwise every test of leaks would pass. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor } from '../../cli/common/command.fixture.ts';
import { filesBelow, leaksIn, placesOf } from './canary.ts';

const SECRET = 'key~of+the/app=and*"a"<star>&7Qx';
const base64 = (before: string): string => Buffer.from(`${before}${SECRET} and more`).toString('base64');
const WRITTEN: Readonly<Record<string, string>> = {
  'as it is': `x${SECRET}y`,
  'in an address': `?key=${encodeURIComponent(SECRET)}&b=1`,
  'in an address, small letters': encodeURIComponent(SECRET).toLowerCase(),
  'in an address within an address': encodeURIComponent(encodeURIComponent(SECRET)),
  'in a form': new URLSearchParams({ key: SECRET }).toString(),
  'in base64 at the first offset': base64(''),
  'in base64 at the second offset': base64('a'),
  'in base64 at the third offset': base64('ab'),
  'in base64 for addresses': base64('a').replaceAll('+', '-').replaceAll('/', '_'),
  'in hexadecimal': Buffer.from(SECRET).toString('hex'),
  'in hexadecimal, capitals': Buffer.from(SECRET).toString('hex').toUpperCase(),
  'in JSON': JSON.stringify({ key: SECRET }),
  'in HTML': '<p>key~of+the/app=and*&quot;a&quot;&lt;star&gt;&amp;7Qx</p>',
};

for (const [how, text] of Object.entries(WRITTEN)) {
  test(`a secret ${how} is found, and another is not`, () => {
    const places = new Map([['a file', text]]);
    assert.equal(leaksIn(places, [SECRET]).length > 0, true);
    assert.deepEqual(leaksIn(places, [SECRET.replace('the', 'thy'), 'nothing of the kind']), []);
  });
}

test('files of any name and depth are searched byte for byte', (t) => {
  const home = folderFor(t);
  mkdirSync(join(home, 'a/.hidden'), { recursive: true });
  writeFileSync(join(home, 'a/.hidden/.no-ending'), Buffer.concat([Buffer.of(0xff, 0x00), Buffer.from('ž-secret-ž')]));
  const leaks = leaksIn(placesOf(filesBelow(home)), ['ž-secret-ž']);
  assert.equal(leaks.length, 1, leaks.join());
  assert.match(leaks[0] ?? '', /\.no-ending/);
});
