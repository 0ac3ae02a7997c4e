import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileText } from './file-text.ts';

test('text is read in the encodings that editors and shells leave', () => {
  const text = 'ž 🐝\r\n';
  for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), Buffer.from(`\uFEFF${text}`, 'utf16le')])
    assert.equal(fileText(bytes, 'a.json'), text);
  assert.equal(fileText(Buffer.alloc(0), 'a.json'), '');
});

test('text in another encoding is refused instead of read with replacement characters', () => {
  for (const bytes of [Buffer.from('Bücher', 'latin1'), Buffer.from([0x61, 0xc3])])
    assert.throws(() => fileText(bytes, '.env'), /^UsageError: \.env is not UTF-8 text: save it as UTF-8\.$/);
});
