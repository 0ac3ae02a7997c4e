/** The text reports: junit.xml, summary.md and the terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderJunit } from './ci/junit.ts';
import { renderMarkdown } from './markdown.ts';
import { foldResults } from './results/index.ts';
import { CLAUSES, cleanRun, HOSTILE, sampleCheck, sampleFooter, sampleHeader, sampleRun } from './sample.fixture.ts';
import { renderTerminal, wantsColors } from './terminal.ts';

const results = foldResults(sampleRun(), CLAUSES);
const clean = foldResults(cleanRun(), CLAUSES);
const withReason = (reason: string) =>
  foldResults(
    [
      sampleHeader({ selected: ['a.b'] }),
      sampleCheck('a.b', { verdict: 'fail', attribution: 'target', reason, actual: reason, curl: reason }),
      sampleFooter(),
    ],
    CLAUSES,
  );

test('junit: a suite per folder, each verdict as CI systems know it', () => {
  const xml = renderJunit(results);
  assert.match(
    xml,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="proofmark staging" tests="8" failures="1" errors="0" time="4\.200">/,
  );
  assert.deepEqual(
    [...xml.matchAll(/<testsuite name="([^"]*)" tests="(\d+)"/g)].map((found) => [found[1], found[2]]),
    [
      ['delivery', '4'],
      ['reseller', '2'],
      ['apps', '2'],
    ],
  );
  assert.equal(xml.match(/<failure /g)?.length, 1);
  assert.equal(xml.match(/<skipped /g)?.length, 4);
  assert.match(xml, /<skipped message="inconclusive \(configuration\): The profile has no &quot;reseller\.email&quot;/);
  assert.match(xml, /<system-out>WARNING: /);
});

test('junit: nothing that XML 1.0 forbids, every tag closed', () => {
  const xml = renderJunit(withReason(`\u0000\u0008\u001b\ud800 \ufffe ]]> ${HOSTILE}\nnext\ttab 🇱🇻`));
  assert.doesNotMatch(xml, /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const open: string[] = [];
  for (const [, close, name, self] of xml.matchAll(/<(\/?)([a-z-]+)(?:\s[a-z]+="[^"<]*")*(\/?)>/g)) {
    if (close) assert.equal(open.pop(), name);
    else if (!self) open.push(name as string);
  }
  assert.deepEqual(open, []);
  assert.equal(xml.replace(/<\?xml[^>]*>|<\/?[a-z-]+(?:\s[a-z]+="[^"<]*")*\/?>/g, '').match(/[<>]/), null);
  assert.ok(xml.includes('🇱🇻'));
  assert.ok(xml.includes('\\u202e') && !xml.includes('\u202e'), 'nothing reorders the text of a CI page');
});

test('junit: a run that did not finish is not green', () => {
  for (const run of [cleanRun().slice(0, -1), [...cleanRun().slice(0, -1), sampleFooter({ interrupted: 'Ctrl-C' })]]) {
    assert.match(renderJunit(foldResults(run, CLAUSES)), /errors="1"[\s\S]*<error type="interrupted"/);
  }
  assert.doesNotMatch(renderJunit(clean), /<(error|failure|skipped)/);
});

test('markdown: outcome, figures, failures, remedies', () => {
  const text = renderMarkdown(results);
  assert.match(text, /^## ❌ Not conformant: staging\n/);
  assert.match(text, /\| checks \| 1 \| 3 \| 1 \| 1 \| 1 \| 1 \|/);
  assert.match(text, /first different at `\/title\/lv`/);
  assert.match(text, /- The profile has no "reseller\.email": add it and run again\. \(2 checks, configuration\)/);
  assert.ok(renderMarkdown(clean).split('\n').length < 12);
});

test('markdown: nothing of a target becomes HTML, a link, a mention, a heading or the end of a block', () => {
  const text = renderMarkdown(
    withReason('\n# big\n````\n```` @everyone https://evil.example www.evil.example ![x](y) <script> | $x$'),
  );
  const fence = text.match(/^(`{3,})sh\n/m)?.[1] ?? '';
  assert.ok(fence.length >= 5, 'the fence is longer than what it holds');
  const outside = text
    .replace(new RegExp(`^${fence}sh\\n[\\s\\S]*?^${fence}$`, 'm'), '')
    .replace(/(`+)[^`][\s\S]*?[^`]\1(?!`)/g, '');
  assert.doesNotMatch(outside, /<script|@everyone|https:\/\/|www\.evil|!\[|^# big/m);
});

test('terminal: without colours not one escape, whatever the target sent', () => {
  const text = renderTerminal(withReason(`\u001b[2J\u009b31m${HOSTILE}`), { colors: false });
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  assert.match(text, /\\u001b\[2J/);
});

test('terminal: with colours every escape is one of ours, and each is ended', () => {
  const text = renderTerminal(results, { colors: true });
  const codes = [...text.matchAll(/\u001b\[(\d+)m/g)].map((found) => Number(found[1]));
  assert.equal(text.replace(/\u001b\[\d+m/g, '').includes('\u001b'), false);
  assert.equal(codes.filter((code) => code === 0).length * 2, codes.length);
});

test('terminal: each failure in a few lines, what is missing in one, the verdict last', () => {
  const lines = renderTerminal(results, { colors: false, files: ['reports/latest/report.html'] })
    .trimEnd()
    .split('\n');
  const from = lines.findIndex((line) => line.startsWith('  ✕'));
  const failure = lines.slice(from, lines.indexOf('', from));
  assert.ok(failure.length >= 5 && failure.length <= 8, failure.join('\n'));
  for (const name of ['clause', 'expected', 'actual', 'where', 'repeat'])
    assert.ok(
      failure.some((line) => line.trim().startsWith(name)),
      name,
    );
  assert.ok(lines.some((line) => line.includes('"reseller.email"') && line.includes('(2 checks, configuration)')));
  assert.ok(lines.some((line) => line.includes('reports/latest/report.html')));
  assert.ok(lines.includes('Run the failed checks again: npx proofmark run --target PROFILE.json --last-failed'));
  assert.match(lines.slice(-4)[0] ?? '', /^NOT CONFORMANT {2}staging: 1 check of 8 failed/);
});

test('terminal: a command for the person who ran it has the path as it was given', () => {
  const text = renderTerminal(results, { colors: false, given: ['--target', '/etc/acme/staging.json'] });
  assert.match(text, /npx proofmark run --target \/etc\/acme\/staging\.json --last-failed/);
});

test('colours only on a terminal, and not where NO_COLOR is set', () => {
  const terminal = { isTTY: true };
  assert.ok(wantsColors(terminal, {}));
  assert.ok(wantsColors(terminal, { NO_COLOR: '' }));
  assert.ok(!wantsColors(terminal, { NO_COLOR: '1' }));
  assert.ok(!wantsColors(terminal, { TERM: 'dumb' }));
  assert.ok(!wantsColors({}, {}));
});

test('terminal: --quiet leaves the verdict, the counts and what was left behind', () => {
  const text = renderTerminal(results, { colors: false, quiet: true, files: ['report.html'] });
  assert.match(text, /NOT CONFORMANT/);
  assert.match(text, /Left behind on the target/);
  assert.doesNotMatch(text, /Failed: 1 check/);
  assert.ok(text.split('\n').length < 16, text);
});

test('terminal: FORCE_COLOR decides before the terminal and NO_COLOR', () => {
  assert.equal(wantsColors({}, { FORCE_COLOR: '1', NO_COLOR: '1' }), true);
  assert.equal(wantsColors({ isTTY: true }, { FORCE_COLOR: '0' }), false);
  assert.equal(wantsColors({ isTTY: true }, { FORCE_COLOR: '' }), true);
  assert.equal(wantsColors({}, {}), false);
});
