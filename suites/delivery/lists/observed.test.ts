import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkStyle } from './observed.ts';

test('the style of a link is recognized', () => {
  const styles: [unknown, string][] = [
    ['https://shop.example/v1/store/delivery_methods/?from=3', 'full address'],
    ['//shop.example/v1/store/', 'full address without its scheme'],
    ['/v1/store/delivery_methods/?from=3', 'from the root of the host'],
    ['/store/delivery_methods/?from=3', 'relative to the base, with a leading slash'],
    ['store/delivery_methods/?from=3', 'relative'],
    ['?from=3', 'query alone'],
    [null, 'none'],
    [undefined, 'none'],
  ];
  for (const [link, style] of styles) assert.equal(linkStyle(link, '/v1/'), style);
});
