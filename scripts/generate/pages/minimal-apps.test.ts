import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFiles } from './minimal-apps.ts';

const place = (file: string, inside: string): string =>
  `<!-- begin examples/minimal/${file} -->\n${inside}\n<!-- end ${file} -->\n`;
const FILES = ['app.ts', 'app.php', 'app.py', 'manifest.json'];

test('each block holds its file, and what is around it stays', () => {
  const page = `Before\n${FILES.map((file) => place(file, 'STALE')).join('between\n')}After\n`;
  const filled = withFiles(page, (file) => `the text of ${file}\n`);
  assert.ok(!filled.includes('STALE'));
  for (const file of FILES) assert.ok(filled.includes(`\nthe text of ${file}\n\`\`\`\n\n<!-- end ${file} -->`), file);
  assert.match(filled, /^Before\n[\s\S]*between\n[\s\S]*After\n$/);
  assert.equal(
    withFiles(filled, (file) => `the text of ${file}\n`),
    filled,
  );
});

test('a page without a place for a file says so', () => {
  assert.throws(() => withFiles(place('app.ts', ''), () => ''), /no place for app\.php/);
});
