/** A cut may fall anywhere into a secret, also into the middle of one of its escapes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedaction } from '../index.ts';

const KEY = 'p$(id)[a-z]+<b>&x~Zr8Kd2mWü';

const ESCAPED: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in an address': encodeURIComponent,
  'in an address in an address': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in JSON of ASCII': (text) =>
    text.replaceAll(/./gs, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in HTML': (text) => text.replaceAll(/[^a-z0-9]/gi, (char) => `&#${char.charCodeAt(0)};`),
  'in HTML, in hexadecimal': (text) =>
    text.replaceAll(/[^a-z0-9]/gi, (char) => `&#x${char.charCodeAt(0).toString(16)};`),
};

/** Characters that are left of a secret at most: what is shorter is not taken for a part of it. */
const MAX_LEFT_CHARS = 8;

for (const [where, written] of Object.entries(ESCAPED)) {
  test(`replaces what a cut leaves of a secret ${where}`, () => {
    const redaction = createRedaction();
    redaction.add({ name: 'KEY', value: KEY });
    const whole = written(KEY);
    const escapeOf = whole.length / KEY.length;
    for (let at = 1; at < whole.length; at += 1) {
      for (const text of [`${whole.slice(0, at)}…`, `…${whole.slice(at)}`, `${whole.slice(0, at)}... `]) {
        const output = redaction.text(text);
        if (!output.includes('$KEY')) assert.ok(output.length <= MAX_LEFT_CHARS * Math.max(6, escapeOf) + 4, output);
        else assert.ok(output.length <= '$KEY(part)… '.length + 6 + 4, output);
      }
    }
  });
}
