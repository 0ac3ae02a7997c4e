import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hiddenInputs, html, raw, toText } from './html.ts';

test('values are escaped for text and for quoted attributes', () => {
  const hostile = `"><img src=x onerror='a&b'>`;
  const escaped = '&quot;&gt;&lt;img src=x onerror=&#39;a&amp;b&#39;&gt;';
  assert.equal(toText(html`<a title="${hostile}">${hostile}</a>`), `<a title="${escaped}">${escaped}</a>`);
});

test('templates nest, lists are joined, empty values disappear, numbers are shown', () => {
  const items = ['a<', 'b'].map((text) => html`<li>${text}</li>`);
  assert.equal(toText(html`${items}${null}${undefined}${false}${0}${raw('<b>')}`), '<li>a&lt;</li><li>b</li>0<b>');
});

test('an object that imitates markup is text', () => {
  const pretender = { toString: () => '<b>' } as unknown as string;
  assert.equal(toText(html`${pretender}`), '&lt;b&gt;');
});

test('hidden inputs preserve every kind of line break until the browser submits it', () => {
  assert.equal(
    toText(hiddenInputs([['a"b', 'x\r\ny\n<']])),
    '<input type="hidden" name="a&quot;b" value="x&#13;&#10;y&#10;&lt;">\n',
  );
});
