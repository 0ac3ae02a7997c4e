/** Pages and headers that a careless expression never comes to the end of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageIn } from './values/home-language.ts';

const SIZE = 1024 * 1024;
const PAGES = ['<html ', '<html lang ', 'lang ', `<html${' lang'.repeat(500)}`, `<html lang${' '.repeat(1_900)}`];

for (const page of PAGES) {
  test(`the language of a page of nothing but ${page.slice(0, 20)}… is looked for once`, () => {
    const started = process.cpuUsage();
    assert.equal(languageIn(page.repeat(SIZE / page.length)), undefined);
    const { user, system } = process.cpuUsage(started);
    assert.ok((user + system) / 1000 < 2_000, `${(user + system) / 1000} ms`);
  });
}

test('the language of a page is the one of its root', () => {
  assert.equal(languageIn('<!doctype html><html class="x" lang="LV-lv"><p lang="en">'), 'lv');
  assert.equal(languageIn("<html lang='pt_BR'>"), 'pt');
});
