import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../harness/process/usage-error.ts';
import { folderFor } from '../common/command.fixture.ts';
import { parseManifest, readManifestFile } from './manifest.ts';

const TEXT = `{
  "app_type": "APP",
  "app_vendor": {
    "company_name": "Example",
    "a/b~c": [
      1,
      2
    ]
  }
}
`;

test('every value knows its line, and a missing one that of what would hold it', () => {
  const { lineOf } = parseManifest(Buffer.from(TEXT), 'm.json');
  const lines = [
    '',
    '/app_type',
    '/app_vendor',
    '/app_vendor/company_name',
    '/app_vendor/a~1b~0c/1',
    '/app_vendor/tos_url',
    '/app_icon',
  ];
  assert.deepEqual(lines.map(lineOf), [1, 2, 3, 4, 7, 3, 1]);
});

test('what is not a manifest is refused in one sentence that says where', () => {
  const refused = (bytes: Buffer, pattern: RegExp): void =>
    assert.throws(
      () => parseManifest(bytes, 'm.json'),
      (error) => error instanceof UsageError && pattern.test(error.message),
    );
  refused(Buffer.from('{\n  "app_type": "APP",\n}'), /m\.json is not JSON, line 3, column 1/);
  refused(Buffer.from('{"a": 1, "a": 2}'), /line 1, column 10: Duplicate key "a"/);
  refused(Buffer.from('[{"app_type": "APP"}]'), /The manifest m\.json is a JSON list: a manifest is one JSON object/);
  refused(Buffer.from('null'), /is the JSON value null: a manifest/);
  refused(Buffer.from('"APP"'), /is a JSON string: a manifest/);
  refused(Buffer.from('{"v1": "https://a.example/v1/"}'), /m\.json is not a manifest: .* Correct --manifest/);
  refused(Buffer.from(''), /line 1, column 1/);
  refused(Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8/);
});

test('a byte order mark is not a fault', () => {
  assert.equal(parseManifest(Buffer.from(`\uFEFF${TEXT}`), 'm.json').value.app_type, 'APP');
});

test('a file that is not there is refused', (t) => {
  const folder = folderFor(t);
  assert.throws(() => readManifestFile(join(folder, 'none.json')), /There is no manifest file/);
  assert.throws(() => readManifestFile(folder), /is not a file: correct --manifest/);
  writeFileSync(join(folder, 'm.json'), TEXT);
  assert.equal(readManifestFile(join(folder, 'm.json')).value.app_type, 'APP');
});
