/** Screenshots of pages that draw a secret in every way that a page has: each is compared with the page without the secret. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import { findBrowser } from '../../../cli/common/browser.ts';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { launchQuietly } from '../launch.ts';
import { takeScreenshot } from './screenshot.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;
const KEY = 'Key-4f1A9c77e0B2d6';
const OTHER = [...KEY].reverse().join('');
const svg = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text y="20">${text}</text></svg>`).toString('base64')}`;
const shadow = (mode: string, inner: string): string =>
  `<div id="h"></div><script>document.getElementById('h').attachShadow({mode:'${mode}'}).innerHTML=${JSON.stringify(inner).replaceAll('</', '<\\/')};</script>`;
const drawn = (text: string): string =>
  `const c=document.createElement('canvas');c.getContext('2d').fillText('${text}',5,20);`;

/** Ways to show a text; each as the page's HTML. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  text: (text) => `<p>${text}</p>`,
  'text larger than its element': (text) => `<p style="width:1px;white-space:nowrap">${text}</p>`,
  'open shadow root': (text) => shadow('open', `<b>${text}</b>`),
  'closed shadow root': (text) => shadow('closed', `<b>${text}</b>`),
  frame: (text) => `<iframe srcdoc="<p>${text}</p>"></iframe>`,
  'frame in a closed shadow root': (text) => shadow('closed', `<iframe srcdoc="<p>${text}</p>"></iframe>`),
  object: (text) => `<object data="data:text/html,${text}"></object>`,
  field: (text) => `<input value="${text}">`,
  placeholder: (text) => `<input placeholder="${text}"><textarea placeholder="${text}"></textarea>`,
  'generated content': (text) => `<style>p::before{content:"${text}"}</style><p>shown</p>`,
  'generated from an attribute': (text) => `<style>p::after{content:attr(data-x)}</style><p data-x="${text}">shown</p>`,
  canvas: (text) => `<script>${drawn(text)}document.body.append(c)</script>`,
  'canvas in a closed shadow root': (text) =>
    `<div id="h"></div><script>${drawn(text)}document.getElementById('h').attachShadow({mode:'closed'}).append(c)</script>`,
  'split text': (text) => `<b>${text.slice(0, 9)}</b><i>${text.slice(9)}</i>`,
  picture: (text) => `<img src="${svg(text)}">`,
  background: (text) => `<div style="width:300px;height:40px;background:url(${svg(text)})"></div>`,
  svg: (text) =>
    `<svg width="300" height="40"><text y="20" textLength="180" lengthAdjust="spacingAndGlyphs">${text}</text></svg>`,
  'alternative text': (text) => `<img alt="${text}" src="http://127.0.0.1:1/none.png">`,
};

describe('screenshots', { skip }, () => {
  let browser: Browser;
  const redaction = createRedaction();
  redaction.add({ name: 'API_KEY', value: KEY });
  const holdsSecret = (text: string): boolean => redaction.text(text) !== text;
  before(async () => {
    browser = await launchQuietly(found!.path);
  });
  after(() => browser?.close());

  const shot = async (body: string, covered: readonly string[], coversAll = false): Promise<Buffer | undefined> => {
    const page = await browser.newPage({ viewport: { width: 360, height: 200 } });
    try {
      await page.setContent(
        `<!doctype html><style>*{font:16px monospace}</style><body>${body}<p>plain words</p></body>`,
      );
      return await takeScreenshot(page, { covered, coversAll, holdsSecret, timeoutMs: 15_000 });
    } finally {
      await page.close();
    }
  };

  for (const [way, html] of Object.entries(WAYS)) {
    test(`show no secret: ${way}`, async () => {
      // The same letters in another order must look the same: then nothing of the secret is to be seen.
      let other: Buffer | undefined;
      for (const covered of [[KEY], []]) {
        const taken = await shot(html(KEY), covered);
        if (taken === undefined) continue;
        other ??= await shot(html(OTHER), [OTHER]);
        assert.ok(taken.equals(other!));
      }
    });
  }

  test('are taken of pages without a secret, and of those where it can be covered', async () => {
    assert.notEqual(await shot('<p>nothing secret</p><canvas></canvas>', []), undefined);
    for (const way of ['text', 'open shadow root', 'field', 'placeholder', 'canvas'] as const)
      assert.notEqual(await shot(WAYS[way]!(KEY), [KEY]), undefined, way);
  });

  test('cover whatever holds a secret in any encoding, where all is to be covered', async () => {
    for (const way of ['open shadow root', 'field'] as const) {
      for (const encoding of ['utf8', 'hex'] as const) {
        const [taken, other] = [KEY, OTHER].map((key) => WAYS[way]!(Buffer.from(key).toString(encoding)));
        const shown = await shot(taken!, [], true);
        const expected = await shot(other!, [Buffer.from(OTHER).toString(encoding)]);
        assert.ok(shown?.equals(expected!), `${way}, ${encoding}`);
      }
    }
  });
});
