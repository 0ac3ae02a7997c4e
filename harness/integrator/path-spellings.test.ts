import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  PATH_SPELLINGS,
  withDoubleSlash,
  withEncodedLetter,
  withFormat,
  withIndex,
  withOtherPathCase,
  withOtherSlash,
  withPathParameter,
} from './path-spellings.ts';

const APP = 'https://App.example:8443/v2/settings';

test('a slash at the end of a path comes and goes', () => {
  assert.equal(withOtherSlash(`${APP}?a=/b#c/`), `${APP}/?a=/b#c/`);
  assert.equal(withOtherSlash(`${APP}/?a=/b`), `${APP}?a=/b`);
  assert.equal(withOtherSlash(APP), `${APP}/`);
  assert.equal(withOtherSlash('https://app.example/?a=b'), 'https://app.example/?a=b');
  assert.equal(withOtherSlash('https://app.example'), 'https://app.example');
});

test('only the last part of a path changes its letters', () => {
  assert.equal(withOtherPathCase(`${APP}?a=/b`), 'https://App.example:8443/v2/SETTINGS?a=/b');
  assert.equal(withOtherPathCase('https://app.example/a/Set.php/#x'), 'https://app.example/a/sET.PHP/#x');
  assert.equal(withOtherPathCase('https://app.example/a%2fb'), 'https://app.example/a%2fb');
  assert.equal(withOtherPathCase('https://app.example'), 'https://app.example');
});

test('what frameworks take away from the last part of a path is added to it', () => {
  assert.equal(withPathParameter(`${APP}?a=/b`), 'https://App.example:8443/v2/settings;v=1?a=/b');
  assert.equal(withPathParameter(`${APP}/?a=/b`), 'https://App.example:8443/v2/settings;v=1/?a=/b');
  assert.equal(withDoubleSlash(`${APP}?a=/b`), 'https://App.example:8443/v2//settings?a=/b');
  assert.equal(withEncodedLetter(`${APP}?a=/b`), 'https://App.example:8443/v2/%73ettings?a=/b');
  assert.equal(withFormat(`${APP}?a=/b`), 'https://App.example:8443/v2/settings.json?a=/b');
  assert.equal(withFormat('https://app.example/a/set.php?a'), 'https://app.example/a/set.php?a');
  assert.equal(withIndex('https://app.example/a/set.php?a=/b'), 'https://app.example/a/set.php/index?a=/b');
  assert.equal(withIndex('https://app.example/set/?a'), 'https://app.example/set/index/?a');
});

test('the path of a host has no other spelling', () => {
  for (const url of ['https://app.example', 'https://app.example/?a=/b'])
    for (const [, spell] of PATH_SPELLINGS) assert.equal(spell(url), url);
});
