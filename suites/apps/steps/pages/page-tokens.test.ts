import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasVanished } from './page-tokens.ts';

const markIn = (html: string): string | undefined => /pm-\w+/.exec(html)?.[0];

test('what another installation has on the page at both visits has not vanished; a former snippet has', () => {
  const [other, former] = ['<div>pm-2</div><div>pm-2</div>', '<div>pm-1</div>'];
  assert.equal(hasVanished(markIn, '<p>Home</p>', `<p>Home</p>${former}`), false);
  assert.equal(hasVanished(markIn, `<p>Home</p>${other}`, `<p>Home</p>${other}<div>pm-3</div>`), false);
  assert.equal(hasVanished(markIn, `<p>Home</p>${former}`, '<p>Home</p><div>pm-3</div>'), true);
  assert.equal(hasVanished(markIn, `${other}${former}`, `${other}<div>pm-3</div>`), true);
});
