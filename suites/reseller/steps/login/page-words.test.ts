import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from './page-words.ts';

test('words are outside of tags, comments, scripts and styles, each once', () => {
  const page = `<!DOCTYPE html><title>Shop</title><style>a{b:c}</style><STYLE x>no</STYLE >
    <!-- hidden <p> words --><script src="x">if (1 < 2) hide("</p>")</script><p class="bold">Hello <b>shop</b>, 12 hello</p>
    <scripture>read</scripture> é`;
  assert.deepEqual(wordsOf(page), ['shop', 'hello', 'read']);
});

test('unclosed markup reaches to the end, as in a browser', () => {
  assert.deepEqual(wordsOf('seen <!-- not seen'), ['seen']);
  assert.deepEqual(wordsOf('seen <script>not seen'), ['seen']);
  assert.deepEqual(wordsOf('seen <p class='), ['seen']);
});

const SIZE = 2 * 1024 * 1024;
for (const start of ['<!--', '<script>', '<style', '<', '<!-->', '</script', '<a ', '<!--<script>']) {
  test(`a page that repeats ${start} is parsed quickly`, () => {
    const page = start.repeat(SIZE / start.length);
    const started = process.cpuUsage();
    wordsOf(page);
    const { user, system } = process.cpuUsage(started);
    assert.ok((user + system) / 1000 < 2_000, `${(user + system) / 1000} ms`);
  });
}
