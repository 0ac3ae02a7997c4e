/** The scanner of pages against a browser's parser: parse5 builds the tree that the HTML standard prescribes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { isInBody } from './html-body.ts';

const SNIPPET = '<i id="snippet">x &amp; y</i>';

/** Pieces of pages that open and close what hides markup. No tables, selects or svg: they move elements away from their place. */
const PIECES = [
  '<html>',
  '<head>',
  '</head>',
  '<body class="a > b">',
  '</body>',
  '</html>',
  '<!doctype html>',
  '<title>t',
  '</title>',
  '<script>',
  '</script>',
  '<style>',
  '</style >',
  '<textarea>',
  '</textarea>',
  '<iframe>',
  '</iframe>',
  '<noscript>',
  '</noscript>',
  '<!--',
  '-->',
  '<!-->',
  '--!>',
  '<!x',
  '<?php',
  '</ a>',
  '<p>',
  '</p>',
  '<b x="',
  "'",
  '"',
  '>',
  '<',
  ' text ',
  '\n',
  '<div/>',
  '<meta charset=utf-8>',
  '<link rel=x>',
  '<p title="<!--">',
  '&lt;',
  '1 < 2',
  SNIPPET,
];

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document;

/** Whether the tree has the element of the snippet, whole, below its body. */
function hasSnippet(page: string): boolean {
  const waiting: [node: Node, isInBody: boolean][] = [[parse(page), false]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, within] = next;
    if (
      within &&
      node.nodeName === 'i' &&
      'attrs' in node &&
      node.attrs.some(({ name, value }) => name === 'id' && value === 'snippet')
    ) {
      const [text, ...more] = node.childNodes;
      if (more.length === 0 && text !== undefined && 'value' in text && text.value === 'x & y') return true;
    }
    if ('childNodes' in node)
      for (const child of node.childNodes) waiting.push([child, within || node.nodeName === 'body']);
  }
  return false;
}

test('a snippet is in the body where a browser puts it there', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
      const page = pieces.join('');
      assert.equal(isInBody(page, SNIPPET), hasSnippet(page), page);
    }),
    { numRuns: 3_000, seed: 1 },
  );
});
