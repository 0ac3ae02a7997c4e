import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate } from 'selfsigned';
import { parseProfile } from '../index.ts';
import { PROFILE_SHAPE, type Shape } from '../shape/index.ts';
import { exampleValues, profileText } from './template.ts';

const source = (env: Record<string, string> = {}, folder = '/') => ({ file: 'p.jsonc', folder, env });

/** Each `// "key": …` line, on its own, made a value. */
function uncommented(text: string): string {
  return text.replaceAll(/^( *)\/\/ ("[^"]+": .*,)$/gm, '$1$2');
}

test('a profile of examples is valid, explains each key, and contains no secret', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const made = await generate([{ name: 'commonName', value: 'a.example' }]);
  const files = { 'staging-ca.pem': made.cert, 'client.pem': made.cert, 'client-key.pem': made.private };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, 'staging.driver.ts'), 'export default {};');
  const text = profileText(exampleValues());
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  const env = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  const profile = parseProfile(text, source(env, folder));
  assert.equal(profile.apps?.authCode?.reveal(), 'value of AUTH_CODE');
  assert.deepEqual([...profile.allow], ['write']);
  assert.throws(() => parseProfile(text, source({}, folder)), /The environment variable STORE_KEY is not set/);
  const undocumented = (shape: Shape): string[] =>
    shape.type === 'object'
      ? Object.entries(shape.fields).flatMap(([key, field]) => [
          ...(new RegExp(`^ *// .+\n *(// )?"${key.replace('$', '\\$')}": `, 'm').test(text) ? [] : [key]),
          ...undocumented(field),
        ])
      : [];
  assert.deepEqual(undocumented(PROFILE_SHAPE), []);
});

test('keys without a value are comments that one keystroke makes valid', () => {
  const text = profileText({ name: 'a', v1: 'https://a.example/v1/' });
  const profile = parseProfile(text, source());
  assert.deepEqual(profile.toShareable(), {
    name: 'a',
    v1: 'https://a.example/v1/',
    delivery: { private: {}, public: {} },
    website: {},
    apps: {},
    reseller: {},
    listen: {},
    limits: {},
    tls: {},
  });
  assert.equal(uncommented(text), profileText({ ...exampleValues(), name: 'a', v1: 'https://a.example/v1/' }));
});

test('a note of any text stays a comment', () => {
  const note = 'seen:\n"x": 1,\u2028*/ }\r{';
  const text = profileText({}, { notes: { 'website.languages': [note] }, heading: ['a\nb'] });
  assert.match(text, /^ {4}\/\/ seen: "x": 1, \*\/ \} \{$/m);
  assert.doesNotThrow(() => parseProfile(text, source()));
});
