import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CheckResult, Exchange, RunEvent, RunFooter, RunHeader } from '../../../contracts/run/events.ts';
import { createRedaction } from '../redaction/index.ts';
import { asRedacted, type Redacted } from '../redaction/redacted.ts';
import { makeSpoolFolder, openSpool, removeSpools } from './spool.ts';
import { EventWriter } from './writer.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-events-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;
const place = () => join(home, String(count++));

const header = (selected: string[]): RunHeader => ({
  type: 'header',
  proofmark: '0.1.0',
  contract: '1',
  command: 'proofmark run',
  run: 'r1',
  target: { name: 'mock', kind: 'mock' },
  party: 'service',
  startedAt: '2026-01-01T00:00:00.000Z',
  seed: 1,
  selected,
  node: 'v24',
});
const footer: RunFooter = {
  type: 'footer',
  endedAt: '2026-01-01T00:00:01.000Z',
  durationMs: 1000,
  requests: 3,
  allowInconclusive: false,
  notices: [],
  timings: {},
};
const exchange = (n: number, check: string, text = 'ok'): Redacted<Exchange> =>
  asRedacted({
    type: 'exchange',
    n,
    check,
    role: 'probe',
    direction: 'sent',
    at: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    request: { method: 'GET', url: 'http://127.0.0.1/v1/', headers: [] },
    response: { status: 200, headers: [], body: { text } },
  });
const result = (id: string, exchanges: number[], more: Partial<CheckResult> = {}): Redacted<CheckResult> =>
  asRedacted({
    type: 'check',
    id,
    title: `MUST do ${id}`,
    level: 'MUST',
    suite: 'delivery',
    clauses: [],
    verdict: 'pass',
    exchanges,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    ...more,
  });
const linesOf = (file: string): RunEvent[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunEvent);
const open = (selected: string[], redact: (value: unknown) => unknown = (value) => value) => {
  const file = join(place(), 'events.ndjson');
  return { file, writer: new EventWriter(file, header(selected), { redact }) };
};
const textOf = (event: RunEvent | undefined) => (event?.type === 'exchange' ? event.response?.body?.text : undefined);

test('two workers with the same numbers of their own come out with one numbering, and results follow it', () => {
  const folder = place();
  const [one, two] = [openSpool(folder, '0'), openSpool(folder, '1')];
  one.append(exchange(1, 'a', 'a1'), exchange(2, 'a', 'a2'));
  two.append(exchange(1, 'b', 'b1'), result('b', [1], { decisive: 1 }));
  one.append(result('a', [1, 2]));
  const observation = asRedacted({
    type: 'observation' as const,
    id: 'o',
    question: 'Which?',
    seen: 1,
    check: 'b',
    exchanges: [1],
  });
  two.append(observation);
  const { file, writer } = open(['a', 'b']);
  const report = writer.merge(folder);
  writer.close(footer);

  assert.deepEqual(report, { exchanges: 3, results: 2, tornLines: 0, missing: [] });
  const lines = linesOf(file);
  const numbered = new Map(lines.flatMap((line) => (line.type === 'exchange' ? [[line.n, textOf(line)]] : [])));
  assert.deepEqual([...numbered.keys()].sort(), [1, 2, 3]);
  const of = (id: string) => lines.find((line): line is CheckResult => line.type === 'check' && line.id === id);
  assert.deepEqual(
    of('a')?.exchanges.map((n) => numbered.get(n)),
    ['a1', 'a2'],
  );
  assert.deepEqual(
    of('b')?.exchanges.map((n) => numbered.get(n)),
    ['b1'],
  );
  assert.equal(numbered.get(of('b')?.decisive ?? 0), 'b1');
  const seen = lines.find((line) => line.type === 'observation');
  assert.deepEqual(seen?.exchanges, of('b')?.exchanges);
  assert.equal(lines.at(0)?.type, 'header');
  assert.equal(lines.at(-1)?.type, 'footer');
});

test('results are in the order of the header, whatever order they arrived in; a missing one can be supplied', () => {
  const folder = place();
  const spool = openSpool(folder, '0');
  for (const id of ['d', 'stranger', 'b', 'a']) spool.append(result(id, []));
  const { file, writer } = open(['a', 'b', 'c', 'd', 'e']);
  const report = writer.merge(folder, (id) => (id === 'c' ? result('c', [], { verdict: 'error' }) : undefined));
  writer.close(footer);
  const ids = linesOf(file).flatMap((line) => (line.type === 'check' ? [line.id] : []));
  assert.deepEqual(ids, ['a', 'b', 'c', 'd', 'stranger']);
  assert.deepEqual(report.missing, ['c', 'e']);
});

test('a number named before its exchange arrives is kept for it', () => {
  const folder = place();
  const spool = openSpool(folder, '0');
  spool.append(exchange(7, 'a', 'seven'), result('a', [9, 7]), exchange(9, 'a', 'nine'));
  const { file, writer } = open(['a']);
  writer.close(footer); // nothing followed yet: no spool is read
  assert.equal(linesOf(file).length, 2);

  const again = open(['a']);
  again.writer.merge(folder);
  again.writer.close(footer);
  const lines = linesOf(again.file);
  const found = lines.find((line) => line.type === 'check');
  const texts = found?.exchanges.map((n) => textOf(lines.find((line) => line.type === 'exchange' && line.n === n)));
  assert.deepEqual(texts, ['nine', 'seven']);
});

test('the file grows while the workers run', async () => {
  const folder = place();
  const spool = openSpool(folder, '0');
  const { file, writer } = open(['a', 'b']);
  writer.follow(folder);
  spool.append(exchange(1, 'a'), result('a', [1]));
  const deadline = Date.now() + 5000;
  while (linesOf(file).length < 3 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(
    linesOf(file).map((line) => line.type),
    ['header', 'exchange', 'check'],
  );
  spool.append(exchange(2, 'b'), result('b', [2]));
  writer.close(footer);
  assert.deepEqual(
    linesOf(file).map((line) => line.type),
    ['header', 'exchange', 'check', 'exchange', 'check', 'footer'],
  );
});

test('a spool that is not JSON is said by the writer, not thrown from a timer', async () => {
  const folder = place();
  const spool = openSpool(folder, '0');
  const { writer } = open([]);
  writer.follow(folder);
  appendFileSync(spool.file, 'not json\n');
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.throws(() => writer.merge(), /JSON/);
});

const footerOf = (file: string) => linesOf(file).findLast((line): line is RunFooter => line.type === 'footer');

test('a secret that a source left in an event is an error of the run, and is not written', () => {
  const redact = createRedaction();
  redact.add({ name: 'KEY', value: 'delivery' });
  const { file, writer } = open(['delivery.a'], (value) => redact.value(value));
  writer.append(exchange(1, 'delivery.a', 'the key is delivery'));
  const breach = { clause: 'delivery.b', exchange: 1, reason: 'it is delivery' };
  writer.append(result('delivery.a', [1], { actual: { key: [1, 'delivery'] } }));
  writer.append(result('delivery.b', [1], { breaches: [breach] }));
  writer.append(asRedacted({ type: 'ledger', what: 'created', object: 'of delivery' }));
  writer.close({ ...footer, notices: ['delivery'] });
  const lines = linesOf(file);
  assert.equal(textOf(lines[1]), 'the key is $KEY');
  assert.equal(lines[1]?.type === 'exchange' && lines[1].check, 'delivery.a');
  const found = lines.flatMap((line) => (line.type === 'check' ? [line] : []));
  assert.deepEqual([found[0]?.id, found[0]?.actual], ['delivery.a', { key: [1, '$KEY'] }]);
  assert.deepEqual(found[1]?.breaches, [{ ...breach, reason: 'it is $KEY' }]);
  assert.deepEqual(footerOf(file)?.notices, ['$KEY']);
  assert.deepEqual(
    footerOf(file)?.errors?.map((sentence) => /^a secret was left in the (.*) and was removed/.exec(sentence)?.[1]),
    [
      'exchange of delivery.a (response.body.text)',
      'check of delivery.a (actual.key.1)',
      'check of delivery.b (breaches.0.reason)',
      'ledger (object)',
    ],
  );
});

test('an event that its source has redacted is not an error, whatever its words and labels are', () => {
  const redaction = createRedaction();
  redaction.add({ name: 'RESELLER_PASSWORD', value: 'password' });
  redaction.add({ name: 'WORD', value: 'MUST do delivery.a' });
  const { file, writer } = open(['delivery.a', 'delivery.b'], (value) => redaction.value(value));
  const seen = redaction.value({ text: 'password: password', list: [1, null, true], deep: [[{}]] });
  assert.match(seen.text, /\$RESELLER_PASSWORD/);
  writer.append(exchange(1, 'delivery.a', redaction.text('password=password&x=1')));
  writer.append(result('delivery.a', [1], { actual: seen, screenshots: [{ title: 'a page', png: 'cGFzc3dvcmQ=' }] }));
  writer.merge(undefined, (id) => result(id, [], { verdict: 'error', reason: 'its password is password' }));
  writer.close(footer);
  assert.equal(footerOf(file)?.errors, undefined);
  const absent = linesOf(file).find((line) => line.type === 'check' && line.id === 'delivery.b');
  assert.equal(absent?.type === 'check' && absent.reason, 'its $RESELLER_PASSWORD is $RESELLER_PASSWORD');
});

test('line separators of other alphabets, lone surrogates and evidence that is not JSON survive', () => {
  const folder = place();
  const circle: Record<string, unknown> = { big: 10n };
  circle.self = circle;
  let deep: unknown = 0;
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  openSpool(folder, '0').append(
    exchange(1, 'a', 'one\u2028two\rthree\n\ud800'),
    result('a', [1], { expected: circle, actual: deep }),
  );
  const { file, writer } = open(['a']);
  writer.merge(folder);
  writer.close(footer);
  const lines = linesOf(file);
  assert.equal(textOf(lines[1]), 'one\u2028two\rthree\n\ud800');
  assert.deepEqual(lines[2]?.type === 'check' && lines[2].expected, {
    big: '10',
    self: '[a reference to an enclosing object]',
  });
});

test('a spool is private, and a folder open to others is refused', {
  skip: process.platform === 'win32' && 'not on Windows',
}, () => {
  const folder = makeSpoolFolder();
  const { file } = openSpool(folder, '../../0');
  assert.ok(file.startsWith(folder));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.notEqual(openSpool(folder, '../../0').file, file);
  chmodSync(folder, 0o755);
  assert.throws(() => openSpool(folder, '1'), /is not private/);
  removeSpools(folder);
  assert.ok(!existsSync(folder));
});

/** Runs TypeScript in another process and kills it without warning as soon as it has printed a line. */
async function killedAfterFirstLine(script: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
}

test('a worker that is killed loses nothing that it had appended', async () => {
  const folder = place();
  await killedAfterFirstLine(`
    import { openSpool } from './spool.ts';
    const spool = openSpool(${JSON.stringify(folder)}, '0');
    for (let n = 1; n <= 500; n += 1) spool.append({ ...${JSON.stringify(exchange(0, 'a'))}, n });
    console.log('appended');
    setInterval(() => {}, 1000);
  `);
  appendFileSync(join(folder, '0.spool'), '{"type":"check","id":"half of a l');
  const { file, writer } = open(['a']);
  assert.deepEqual(writer.merge(folder), { exchanges: 500, results: 0, tornLines: 1, missing: ['a'] });
  writer.close(footer);
  assert.equal(linesOf(file).length, 502);
});

test('a killed main process leaves whole lines and no footer', async () => {
  const folder = place();
  const file = join(place(), 'events.ndjson');
  await killedAfterFirstLine(`
    import { EventWriter } from './writer.ts';
    import { openSpool } from './spool.ts';
    const spool = openSpool(${JSON.stringify(folder)}, '0');
    const writer = new EventWriter(${JSON.stringify(file)}, ${JSON.stringify(header(['a', 'b']))}, { redact: (v) => v });
    writer.follow(${JSON.stringify(folder)});
    spool.append(${JSON.stringify(exchange(1, 'a'))}, ${JSON.stringify(result('a', [1]))});
    writer.take();
    console.log('written');
    setInterval(() => spool.append(${JSON.stringify(exchange(2, 'b'))}), 1);
  `);
  const types = linesOf(file).map((line) => line.type);
  assert.deepEqual(types.slice(0, 3), ['header', 'exchange', 'check']);
  assert.ok(!types.includes('footer'));
});

test('memory stays flat over 20,000 exchanges', () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const folder = place();
  const spool = openSpool(folder, '0');
  const writer: EventWriter = open(['a']).writer;
  writer.follow(folder);
  const text = 'x'.repeat(2000);
  const append = (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      spool.append(exchange(n, 'a', text));
      if (n % 1000 === 0) writer.take();
    }
    writer.take();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = append(0, 2000);
  const grownBytes = append(2000, 20_000) - before;
  writer.close(footer);
  // 18,000 numbers take about 1 MB; the exchanges themselves would take 36.
  assert.ok(grownBytes < 6_000_000, `grew by ${grownBytes} bytes`);
});
