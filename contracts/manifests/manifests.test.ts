import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeAppManifest, judgeDeliveryManifest, judgeIcon } from './index.ts';

const SECRET = 'q7Rk2"vN9x/T4bW8mZ';

test('no message and no pointer contains the secret, wherever it appears', () => {
  const everywhere = (value: unknown) => ({
    app_type: value,
    app_title: { en: value },
    app_icon: `icon-${SECRET}`,
    app_version: value,
    app_display_title: { [SECRET]: value },
    app_description_short: value,
    app_screenshots: `${'x'.repeat(65)}${SECRET}`,
    app_vendor: { developer_email: value, company_url: value, [SECRET]: value },
    app_permissions: [value],
    app_tab_mode: value,
    app_install_url: `https://app.example:bad/?key=${encodeURIComponent(SECRET)}`,
    app_settings_url: `ftp://${SECRET}`,
    app_secret: SECRET,
  });
  for (const value of [SECRET, ` ${SECRET}`, [SECRET], { a: SECRET }]) {
    const said = JSON.stringify(judgeAppManifest(everywhere(value)));
    // A masked text leaves no run of six characters of the secret, whole or cut off, quoted or encoded.
    for (const form of [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1)]) {
      for (let i = 0; i + 6 <= form.length; i++) assert.ok(!said.includes(form.slice(i, i + 6)), said);
    }
  }
});

test('a weak secret is not shown either', () => {
  const faults = judgeAppManifest({ app_secret: 'hunter2' });
  assert.ok(faults.some(({ rule }) => rule === 'manifest.secret-weak'));
  assert.ok(!JSON.stringify(faults).includes('hunter2'));
});

test('any JSON at all is judged without an exception', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('app_vendor', 'app_title', 'delivery_api_data_fields', 'x'),
      (value, name) => {
        for (const judge of [judgeAppManifest, judgeDeliveryManifest]) {
          assert.ok(judge(value).length > 0);
          assert.ok(judge({ [name]: value }).length > 0);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('any bytes at all are judged without an exception', () => {
  const start = fc.constantFrom(
    '',
    '\x89PNG\r\n\x1a\n',
    'GIF89a',
    '\xff\xd8\xff',
    'RIFF....WEBPVP8 ',
    '<svg ',
    '<?xml',
    '\0\0\0\x0cJXL ',
    'icns',
  );
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 64 }), (magic, rest) => {
      judgeIcon(Buffer.concat([Buffer.from(magic, 'latin1'), rest]));
    }),
    { numRuns: 500 },
  );
});

test('crafted files that once kept a reader busy without end have their fault', () => {
  const crafted = [
    Buffer.from('69636e73000000106973333200000000', 'hex'),
    Buffer.from(`${'<svg a="'.repeat(2_000_000)}`),
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(4_000_000)]),
  ];
  for (const bytes of crafted) assert.equal(judgeIcon(bytes).length, 1, bytes.subarray(0, 8).toString('hex'));
});

test('the operator may have another idea of brief', () => {
  const rules = (value: number) =>
    judgeAppManifest({ app_description_short: 'x'.repeat(50) }, { maxShortDescriptionCharacters: value }).map(
      ({ rule }) => rule,
    );
  assert.ok(rules(40).includes('manifest.description-brief'));
  assert.ok(!rules(50).includes('manifest.description-brief'));
});

test('an icon of SVG is judged as the contract can be read for it', () => {
  const judge = (attributes: string) =>
    judgeIcon(Buffer.from(`<svg ${attributes}/>`)).map(({ rule, level }) => `${level} ${rule}`);
  assert.deepEqual(judge('viewBox="0 0 1 1"'), []);
  assert.deepEqual(judge('width="79" height="79"'), ['SHOULD icon.size']);
  assert.deepEqual(judge('width="80" viewBox="0 0 24 24"'), []);
  assert.deepEqual(judge('width="80" viewBox="0 0 24 12"'), ['MUST icon.square', 'SHOULD icon.size']);
  assert.deepEqual(judge('width="50%" viewBox="0 0 24 12"'), ['MUST icon.square']);
});
