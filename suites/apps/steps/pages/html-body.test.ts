import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInBody } from './html-body.ts';

const SNIPPET = '<div id="s">a &amp; $&</div><script>let x = "<b>";</script>';

const inside: Readonly<Record<string, string>> = {
  'before the end of the body': `<!doctype html><html><head><title>t</title></head><body><p>x</p>${SNIPPET}</body></html>`,
  'at its beginning, tags in capitals': `<HTML><HEAD></HEAD><BODY class="a > b" onload='f(">")'>${SNIPPET}</BODY></HTML>`,
  'behind the end tag, where the standard still parses it into the body': `<body><p>x</p></body>${SNIPPET}</html>`,
  'in a body without tags of its own': `<!doctype html><title>t</title><p>x</p>${SNIPPET}`,
  'after text alone': `<!doctype html>\n<link rel=x>\nHello ${SNIPPET}`,
  'twice, once in a comment': `<body><!-- ${SNIPPET} -->${SNIPPET}</body>`,
  'behind a comment that looks like a body': `<html><head><!-- <body> --></head><body>${SNIPPET}</body>`,
  'behind a script that looks like a comment': `<body><script>"<!--"</script>${SNIPPET}</body>`,
  'behind a quoted bracket': `<body><a title="x > <!-- y">${SNIPPET}</a></body>`,
  'behind a short comment': `<body><!-->${SNIPPET}</body>`,
  'behind a lone angle bracket': `<body>1 < 2 ${SNIPPET}</body>`,
};

const outside: Readonly<Record<string, string>> = {
  escaped: `<body>${SNIPPET.replaceAll('<', '&lt;')}</body>`,
  'cut off': `<body>${SNIPPET.slice(0, -3)}</body>`,
  'in a comment': `<body><p>x</p><!-- ${SNIPPET} --></body>`,
  'in a script': `<body><script type="text/plain">${SNIPPET.replace('</script>', '')}</script>`,
  'in a text field': `<body><textarea>${SNIPPET}</textarea></body>`,
  'in a template': `<body><template>${SNIPPET}</template></body>`,
  'in an attribute': `<body><p data-x='${SNIPPET}'></p></body>`,
  'behind a comment without an end': `<body><!-- x ${SNIPPET}</body>`,
  nowhere: '<body><p>x</p></body>',
};

for (const [where, page] of Object.entries(inside)) {
  test(`a snippet ${where} is in the body`, () => assert.equal(isInBody(page, SNIPPET), true));
}
for (const [where, page] of Object.entries(outside)) {
  test(`a snippet ${where} is not in the body`, () => assert.equal(isInBody(page, SNIPPET), false));
}

test('a script in the head is not in the body, though an element that ends the head is', () => {
  const script = '<script>window.a = 1;</script>';
  assert.equal(isInBody(`<html><head>${script}</head><body></body></html>`, script), false);
  assert.equal(isInBody('<html><head></head><body></body></html>', '<head>'), false);
  assert.equal(isInBody(`<html><head><div>x</div>${script}</head><body></body></html>`, script), true);
});

test('a large page is read to its end', () => {
  const page = `<body>${'<p class="x">text &amp; text</p>\n'.repeat(50_000)}${SNIPPET}</body>`;
  assert.equal(isInBody(page, SNIPPET), true);
});
