import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import type { CheckResult, Exchange, RunEvent } from '../../contracts/run/events.ts';
import { foldResults } from '../results/index.ts';
import {
  CLAUSES,
  cleanRun,
  sampleCheck,
  sampleExchange,
  sampleFooter,
  sampleHeader,
  sampleRun,
} from '../sample.fixture.ts';
import type { Archive } from './exchanges/archive.ts';
import { foldEvidence } from './exchanges/evidence.ts';
import { renderHtml } from './index.ts';
import { html } from './markup.ts';

function pageOf(events: readonly RunEvent[]): string {
  const results = foldResults(events, CLAUSES);
  return renderHtml(results, foldEvidence(events, results));
}
/** Numbers of the exchanges that are packed into a page. */
function numbersIn(page: string): number[] {
  const { parts } = JSON.parse(page.match(/id="archive">([^<]*)</)?.[1] ?? '') as Archive;
  return parts.flatMap(({ data }) =>
    (JSON.parse(inflateSync(Buffer.from(data, 'base64')).toString()) as Exchange[]).map(({ n }) => n),
  );
}
const runOf = (checks: CheckResult[], others: RunEvent[] = []): RunEvent[] => [
  sampleHeader({ selected: checks.map((check) => check.id) }),
  ...others,
  ...checks,
  sampleFooter(),
];

test('values in a template are text unless they are markup', () => {
  assert.equal(
    html`<b title="${'"<\u202e'}">${'<i>'}${html`<i>`}${[1, null, false, '&']}</b>`.text,
    '<b title="&quot;&lt;\\u202e">&lt;i&gt;<i>1&amp;</b>',
  );
});

test('the page loads nothing and runs only its own script', () => {
  const page = pageOf(sampleRun());
  assert.match(page, /placed 1 test order, which no interface removes: order-7/);
  const policy =
    page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1]?.replaceAll('&#39;', "'") ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  for (const tag of ['script', 'style']) {
    const inside = [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
      (found) => found[1] as string,
    );
    assert.equal(inside.length, 1);
    const digest = createHash('sha256')
      .update(inside[0] as string)
      .digest('base64');
    assert.ok(policy.includes(`${tag}-src 'sha256-${digest}'`), `${tag} is not the one the policy names`);
  }
  const tags = [...page.matchAll(/<[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*>/gi)].map((found) => found[0]);
  assert.ok(tags.length > 200);
  for (const tag of tags) {
    for (const [, name, value] of tag.replace(/^<\S+/, '').matchAll(/\s([a-z-]+)(?:="([^"]*)")?/gi)) {
      assert.ok(!/^(on|style$|action$|srcset$|formaction$|poster$)/i.test(name as string), tag);
      // A trace lies beside the report.
      if (name === 'href') assert.match(value ?? '', /^(?:#|traces\/[a-z0-9.-]+\.zip$)/);
      if (name === 'src') assert.match(value ?? '', /^data:image\/png;base64,[A-Za-z0-9+/=]+$/);
    }
  }
});

test('a failure shows clause, expected and actual, place, command and exchange', () => {
  const page = pageOf(sampleRun());
  const card = page.slice(page.indexOf('<article'), page.indexOf('</article>'));
  for (const part of [
    ...[
      'MUST create a method that reads back as it was sent',
      'A new method is created and readable.',
      '/method/title',
    ],
    ...['exchange #2', 'Copy curl', '&quot;LT&quot;', 'data:image/png;base64,iVBORw0KGgo', 'AEBT:K'],
  ]) {
    assert.ok(card.includes(part), part);
  }
  assert.match(card, /<mark> *&quot;title&quot;: /);
  assert.ok(card.includes('12345678901234567890.10'), 'numbers keep their digits');
});

test('a missing part has no section, and a clean page says so', () => {
  const page = pageOf(cleanRun());
  for (const id of ['failures', 'errors', 'inconclusive', 'warnings', 'observations'])
    assert.ok(!page.includes(`<section id="${id}"`), id);
  for (const id of ['contract', 'timings']) assert.ok(page.includes(`<section id="${id}"`), id);
  assert.match(page, /Conformant/);
});

test('an id appears once in the page, and every internal link has a target', () => {
  const page = pageOf(sampleRun());
  const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map((found) => found[1] as string);
  assert.equal(new Set(ids).size, ids.length);
  const packed = numbersIn(page).map((n) => `exchange-${n}`);
  for (const [, target] of page.matchAll(/\shref="#([^"]*)"/g))
    assert.ok(ids.includes(target as string) || packed.includes(target as string), target);
});

test('screenshots that are not PNG in base64 are omitted', () => {
  const png = `iVBORw0KGgo"><script>alert(1)</script>`;
  const page = pageOf(runOf([sampleCheck('a.b', { verdict: 'fail', screenshots: [{ title: 'x', png }] })]));
  assert.ok(!page.includes('<figure>'));
});

test('a finding leads to the trace of its browser steps, and nowhere else', () => {
  const pageWith = (file: string): string => pageOf(runOf([sampleCheck('a.b', { verdict: 'fail', trace: { file } })]));
  assert.match(pageWith('traces/a.b.zip'), /href="traces\/a\.b\.zip"/);
  assert.match(pageWith('traces/a.b.zip'), /npx playwright show-trace traces\/a\.b\.zip/);
  for (const file of [
    '../a.zip',
    'traces/../../a.zip',
    'javascript:alert(1)//.zip',
    'traces/a.b.zip;rm -r x',
    'traces/a.b.html',
  ])
    assert.ok(!pageWith(file).includes('show-trace'), file);
  const omitted = pageOf(runOf([sampleCheck('a.b', { verdict: 'fail', trace: { omitted: 'it was <b>lost' } })]));
  assert.ok(omitted.includes('It was &lt;b&gt;lost.'));
});

test('of very many exchanges the decisive one and those before it are shown', () => {
  const exchanges = Array.from({ length: 5000 }, (_, n) => sampleExchange(n + 1, 'a.b'));
  const check = sampleCheck('a.b', { verdict: 'fail', exchanges: exchanges.map(({ n }) => n), decisive: 4000 });
  const page = pageOf(runOf([check], exchanges));
  assert.ok(page.includes('#4000</span>') && page.includes('#3998</span>'));
  assert.ok(!page.includes('#4001</span>') && !page.includes('#3997</span>'));
  assert.match(page, /5,000 exchanges of this check: #1 to #5000/);
  assert.deepEqual(
    numbersIn(page),
    exchanges.map(({ n }) => n),
    'and all are packed',
  );
  assert.ok(page.length < 400_000, `${page.length}`);
});

test('bodies of megabytes and thousands of failures stay readable and small', () => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ id: `p${index}`, city: 'Rīga' })));
  const big = sampleExchange(1, 'a.0', { response: { status: 200, headers: [], body: { text } } });
  const checks = Array.from({ length: 500 }, (_, index) =>
    sampleCheck(`a.${index}`, {
      verdict: 'fail',
      expected: { list: text },
      actual: JSON.parse(text).slice(0, 2000),
      exchanges: index === 0 ? [1] : [],
      decisive: 1,
    }),
  );
  const page = pageOf(runOf(checks, [big]));
  assert.ok(page.length < 8_000_000, `${page.length}`);
});

test('one cause is one finding, with the checks that wait for it, and is not repeated among what is undecided', () => {
  const page = pageOf(sampleRun());
  const card = page.slice(page.indexOf('<article'), page.indexOf('</article>'));
  assert.match(card, /1 check waits for this/);
  assert.ok(card.includes('id="check-delivery.method.change"'));
  assert.ok(!page.includes('Waits for the clause delivery.method.add'));
});

test('the first screen names target, versions, profile, permissions and who has to act', () => {
  const header = sampleHeader({
    target: { name: 'staging', kind: 'profile', addresses: { v1: 'https://staging.example/v1/' } },
    profile: { digest: 'ab12'.repeat(16), file: 'staging.json', permissions: ['drive', 'write'] },
  });
  const page = pageOf([header, ...sampleRun().slice(1)]);
  const first = page.slice(page.indexOf('id="verdict"'), page.indexOf('<nav'));
  for (const part of [
    'https://staging.example/v1/',
    '2026-03',
    '0.1.0',
    'ab12ab12ab12ab12…',
    'staging.json',
    'drive, write',
  ])
    assert.ok(first.includes(part), part);
  for (const part of ['The service', 'Your profile', 'Delivery interface', '2026-03-01 10:00:00 UTC'])
    assert.ok(first.includes(part), part);
  assert.match(page, /npx proofmark run --target staging.json --only delivery.method.add.reads-back/);
});

test('a sequence is a timeline with the parameters of its hops', () => {
  const url = 'https://staging.example/label?hash=abc&shop_id=5';
  const received = sampleExchange(2, 'a.b', { direction: 'received', request: { method: 'POST', url, headers: [] } });
  const check = sampleCheck('a.b', { exchanges: [1, 2] });
  const page = pageOf(runOf([check], [sampleExchange(1, 'a.b'), received]));
  assert.match(page, /Sequence of 2 hops/);
  assert.match(page, /Service → Proofmark[\s\S]*?<dt>shop_id<\/dt><dd>5<\/dd>/);
});

test('a hop with many parameters shows its signature and says how many are missing', () => {
  const names = Array.from({ length: 20 }, (_, at) => `field_${at}=${at}`);
  const url = `https://staging.example/label?${[...names, 'signature=c2lnbmVk'].join('&')}`;
  const received = sampleExchange(2, 'a.b', { direction: 'received', request: { method: 'POST', url, headers: [] } });
  const page = pageOf(runOf([sampleCheck('a.b', { exchanges: [1, 2] })], [sampleExchange(1, 'a.b'), received]));
  assert.match(page, /<dt>field_11<\/dt>[\s\S]*?<dt>signature<\/dt><dd>c2lnbmVk<\/dd>/);
  assert.ok(!page.includes('<dt>field_12</dt>'));
  assert.match(page, /and 8 more parameters/);
});

test('a hop shows the parameter that the finding is about, wherever it is', () => {
  const names = Array.from({ length: 20 }, (_, at) => `field_${at}=${at}`);
  const url = `https://staging.example/label?${names.join('&')}`;
  const received = sampleExchange(2, 'a.b', { direction: 'received', request: { method: 'POST', url, headers: [] } });
  const check = sampleCheck('a.b', { verdict: 'fail', exchanges: [1, 2], pointer: 'field field_17' });
  const page = pageOf(runOf([check], [sampleExchange(1, 'a.b'), received]));
  assert.match(page, /<dt>field_11<\/dt>[\s\S]*?<dt>field_17<\/dt><dd>17<\/dd>/);
  assert.match(page, /and 7 more parameters/);
});

test('the hops of a timeline are in the order in which they began', () => {
  const early = sampleExchange(2, 'a.b', { at: '2026-03-01T09:59:59.000Z' });
  const page = pageOf(runOf([sampleCheck('a.b')], [sampleExchange(1, 'a.b', { direction: 'received' }), early]));
  const hops = [...page.matchAll(/class="hop [\s\S]*?href="#exchange-(\d+)"/g)].map((found) => found[1]);
  assert.deepEqual(hops, ['2', '1']);
});

test('a finding shows the sequence that its decisive exchange belongs to, whichever check met it first', () => {
  const received = sampleExchange(2, 'a.first', { direction: 'received' });
  const checks = [
    sampleCheck('a.first', { exchanges: [1, 2] }),
    sampleCheck('a.second', { verdict: 'fail', exchanges: [2], decisive: 2 }),
  ];
  const page = pageOf(runOf(checks, [sampleExchange(1, 'a.first'), received]));
  const card = page.slice(page.indexOf('<article'), page.indexOf('</article>'));
  assert.match(card, /Sequence of 2 hops/);
  assert.ok(!card.includes('exchange of this check:'), 'nothing more to unpack');
});
