import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOtherPathCase, withOtherSlash } from './path-spellings.ts';

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
