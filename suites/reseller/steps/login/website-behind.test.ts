import assert from 'node:assert/strict';
import { test } from 'node:test';
import { websiteBehind } from './website-behind.ts';

const own = { websiteID: 55090, websiteAlias: 'quiet-harbour', websiteBrandname: 'Quiet Harbour', userName: 'Ann Lee' };
const other = { websiteID: 55091, websiteAlias: 'bee-farm', websiteBrandname: 'Bee & Farm', userName: 'Bo Berg' };
const records = [own, other];
const FRONT = '<h1>This link does not exist.</h1>';
const behind = (page: string, front = FRONT) => websiteBehind(page, front, records, '55090');

test('a page that names another website is about that one', () => {
  assert.equal(behind('<h1>Editor of website 55091</h1>'), '55091');
  assert.equal(behind('<h1>Editor of Bee &amp; Farm</h1><p>Bo Berg</p>'), '55091');
});

test('names are read as they are escaped for HTML and in scripts', () => {
  const quoted = { ...other, websiteBrandname: 'Müller\'s "Honey" & Wax' };
  const named = (page: string, mine = own) => websiteBehind(page, FRONT, [mine, quoted], '55090');
  for (const brand of [
    'Müller&#039;s &quot;Honey&quot; &amp; Wax',
    'Müller&#39;s "Honey" &amp; Wax',
    'M\\u00fcller\'s \\"Honey\\" & Wax',
  ])
    assert.equal(named(`<h1>${brand}</h1><p>bee-farm</p>`), '55091', brand);
  const quotedOwn = { ...own, websiteBrandname: 'The "Quiet" Harbour' };
  assert.equal(named('<h1>The &quot;Quiet&quot; Harbour</h1><a>Bo Berg</a><a>bee-farm</a>', quotedOwn), undefined);
});

test('a website that is listed twice is one website', () => {
  assert.equal(websiteBehind('<h1>Quiet Harbour</h1>', FRONT, [own, other, { ...own }], '55090'), undefined);
  assert.equal(websiteBehind('<p>55090</p>', FRONT, [own, { ...own }], '55090'), undefined);
});

test('the name of a user who owns both websites says nothing', () => {
  const second = { ...other, userName: own.userName };
  const page = (text: string) => websiteBehind(text, FRONT, [own, second], '55090');
  assert.equal(page('<h1>Editor of Bee &amp; Farm</h1><p>bee-farm</p><p>Ann Lee</p>'), '55091');
  assert.equal(page('<h1>Editor</h1><p>Ann Lee</p>'), undefined);
  assert.equal(page('<h1>Quiet Harbour</h1><p>Ann Lee</p><a>Bee &amp; Farm</a> <a>bee-farm</a>'), undefined);
  assert.equal(page('<h1>Bee &amp; Farm</h1><p>Ann Lee</p>'), undefined, 'the brand of the reseller, and the user');
});

test('a page that names the own website, or none for certain, is about no other one', () => {
  assert.equal(behind('<h1>Quiet Harbour</h1><select><option>55090<option>55091</select>'), undefined);
  assert.equal(behind('<h1>Editor</h1>'), undefined);
  assert.equal(behind('<h1>Bee &amp; Farm</h1>'), undefined, 'the brand of the reseller itself');
  assert.equal(behind('<p>Order 1550917</p>'), undefined, 'a part of a number');
  assert.equal(
    behind('<p>Call 55091</p>', '<p>Call 55091</p>'),
    undefined,
    'a page that says so in front of the login too',
  );
});
