import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { unzipSync, zipSync } from 'fflate';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import type { CheckResult, Exchange, RunEvent, RunFooter, RunHeader } from '../../contracts/run/events.ts';
import { writePackage } from '../../harness/evidence/package/write.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { writeReports } from '../../reports/write.ts';
import { type CommandResult, proofmark, resultsIn } from '../common/command.fixture.ts';
import { verifyCommand } from './index.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-verify-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** A part of a run that takes a moment: lists, envelopes and refusals of the embedded service, and what refused calls leave. */
const ONLY = [
  ...['--only', 'envelope.delivery.reading.*', '--only', 'delivery.lists.methods.page-size'],
  ...['--only', 'delivery.credentials.missing-key-refused', '--only', 'reseller.token.logout-needs-its-token'],
];
const good = join(home, 'good.zip');
const bad = join(home, 'bad.zip');
let events: readonly RunEvent[] = [];
let failing: readonly RunEvent[] = [];

before(async () => {
  const ran = await proofmark(['run', ...ONLY, '--out', join(home, 'good'), '--package', good]);
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.match(ran.stdout + ran.stderr, /Package: /);
  events = eventsIn(join(home, 'good', 'events.ndjson'));
  const failed = await proofmark([
    'run',
    ...ONLY,
    '--target',
    'mock:fault=envelopes.code-with-fraction',
    '--out',
    join(home, 'bad'),
    '--package',
    bad,
  ]);
  assert.equal(failed.code, 1, failed.stdout + failed.stderr);
  failing = eventsIn(join(home, 'bad', 'events.ndjson'));
});

const eventsIn = (file: string): RunEvent[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);

let packages = 0;
/** A package over changed events, whose other parts and digests were all made again: what an author with this tool could do. */
async function forged(list: readonly RunEvent[], change: (event: RunEvent) => RunEvent | undefined): Promise<string> {
  packages += 1;
  const folder = join(home, `forged-${packages}`);
  mkdirSync(folder);
  const file = join(folder, 'events.ndjson');
  writeFileSync(
    file,
    list
      .flatMap((event) => change(event) ?? [])
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  );
  await writeReports(folder, file, CLAUSES);
  const zip = join(folder, 'package.zip');
  await writePackage(folder, zip);
  return zip;
}

/** The same with one part put in the place of another, digests of the old ones kept or made again. */
function withPart(zip: string, name: string, text: string): string {
  packages += 1;
  const file = join(home, `changed-${packages}.zip`);
  const parts = unzipSync(readFileSync(zip));
  writeFileSync(file, zipSync({ ...parts, [name]: Buffer.from(text) }));
  return file;
}

/** The command in this process: another one each time would take most of the test's time. */
async function verify(...args: readonly string[]): Promise<CommandResult> {
  const log = console.log;
  let stdout = '';
  console.log = (line: string) => {
    stdout += `${line}\n`;
  };
  try {
    return { code: await verifyCommand([...args]), stdout, stderr: '' };
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return { code: 2, stdout, stderr: error.message };
  } finally {
    console.log = log;
  }
}

async function refused(zip: string, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await verify(zip);
  assert.equal(code, 1, stdout + stderr);
  assert.match(stdout, /^REFUSED {2}.*\.\n$/);
  assert.match(stdout, message);
}

const isCheck = (event: RunEvent, id: string): event is CheckResult => event.type === 'check' && event.id === id;
const CODE = 'envelope.delivery.reading.error-code';
const passed = (check: CheckResult): CheckResult => {
  const { attribution: _a, reason: _r, expected: _e, actual: _c, pointer: _p, ...rest } = check;
  return { ...rest, verdict: 'pass' };
};

describe('proofmark verify', () => {
  test('takes a package as it was written, conformant or not, and says consistent and never more', async () => {
    for (const [zip, outcome] of [
      [good, 'conformant (exit 0)'],
      [bad, 'non-conformant (exit 1)'],
    ] as const) {
      // This once as a user does.
      const { code, stdout, stderr } = await proofmark(['verify', zip]);
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /^CONSISTENT {2}/);
      assert.match(stdout, /[1-9]\d* were confirmed by an exchange/);
      assert.ok(stdout.includes(outcome), stdout);
      assert.ok(!/authentic/i.test(stdout));
    }
  });

  for (const [fault, only, about] of [
    // A check that fails for a clause which is not among its own.
    ['owners.all-methods-listed', ['delivery.owner.methods-not-changeable'], 'delivery.owner.methods-not-listed'],
    // A check of many clauses, of which one is broken.
    ['status.create-is-201', ['envelope.delivery.other-store'], 'envelope.v1.success-status'],
    // Calls that show what another check finds: what one installation stores, the other one gets.
    ['apps.snippet-shared', ['apps.isolation.snippets', 'properties.apps.snippets'], 'apps.isolation.snippets'],
  ] as const) {
    test(`takes a run on a service with the fault ${fault}`, async () => {
      const [out, zip] = [join(home, fault), join(home, `${fault}.zip`)];
      const selection = only.flatMap((id) => ['--only', id]);
      const of = ['--target', `mock:fault=${fault}`, '--out', out, '--package', zip];
      assert.equal((await proofmark(['run', ...selection, ...of])).code, 1);
      const failed = resultsIn(out).checks.filter(({ verdict }) => verdict === 'fail');
      assert.deepEqual(
        failed.map(({ clauses }) => clauses),
        [[about]],
      );
      const { code, stdout } = await verify(zip);
      assert.equal(code, 0, stdout);
    });
  }

  test('takes what this test would forge, when nothing is changed', async () => {
    const { code, stdout } = await verify(await forged(events, (event) => event));
    assert.equal(code, 0, stdout);
  });

  test('refuses a fail that was turned into a pass, with everything else made to fit', async () => {
    const zip = await forged(failing, (event) => (isCheck(event, CODE) ? passed(event) : event));
    await refused(
      zip,
      /claims a pass of envelope\.delivery\.reading\.error-code that its exchanges do not support: exchange \d+ breaks/,
    );
  });

  test('refuses a pass whose exchanges were taken away', async () => {
    await refused(
      await forged(failing, (event) =>
        isCheck(event, CODE)
          ? ({ ...passed(event), exchanges: [], decisive: undefined } as unknown as RunEvent)
          : event,
      ),
      /without an exchange that shows it/,
    );
    const gone = (events.find((event) => isCheck(event, CODE)) as CheckResult).exchanges[0];
    await refused(
      await forged(events, (event) => (event.type === 'exchange' && event.n === gone ? undefined : event)),
      /bases the verdict of .* on exchange \d+, which it does not contain/,
    );
  });

  test('refuses a fail that its exchange does not show', async () => {
    // An error response that keeps the clause: a response that says nothing of it contradicts no fail.
    const isError = (n: number): boolean =>
      events.some((event) => event.type === 'exchange' && event.n === n && (event.response?.status ?? 0) >= 400);
    const zip = await forged(events, (event) => {
      if (!isCheck(event, CODE)) return event;
      const decisive = event.exchanges.findLast(isError) as number;
      return { ...event, verdict: 'fail', attribution: 'target', reason: 'x', decisive };
    });
    await refused(zip, /claims a fail of .* that its exchanges do not support/);
  });

  test('refuses a pass of a refusal that was served, or that has no accepted control', async () => {
    const REFUSAL = 'delivery.credentials.missing-key-refused';
    const probes = new Set((events.find((event) => isCheck(event, REFUSAL)) as CheckResult).exchanges);
    const inRole = (event: RunEvent, role: string): event is Exchange =>
      event.type === 'exchange' && probes.has(event.n) && event.role === role;
    const served: NonNullable<Exchange['response']> = {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: { text: '{"delivery_methods":[]}' },
    };
    await refused(
      await forged(events, (event) => (inRole(event, 'probe') ? { ...event, response: served } : event)),
      /exchange \d+ should have been refused and was served|breaks the clause/,
    );
    const controls = new Set(events.flatMap((event) => (inRole(event, 'control') ? [event.n] : [])));
    assert.ok(controls.size > 0);
    const without = (event: RunEvent): RunEvent | undefined => {
      if (event.type === 'exchange' && controls.has(event.n)) return undefined;
      if (!isCheck(event, REFUSAL)) return event;
      return { ...event, exchanges: event.exchanges.filter((n) => !controls.has(n)) };
    };
    await refused(await forged(events, without), /without a refused call and its accepted control request/);
  });

  test('refuses a fail that was turned into something that was not to be judged', async () => {
    const absent = (reason: string) => (event: RunEvent) =>
      isCheck(event, CODE)
        ? ({ ...passed(event), verdict: 'not-applicable', attribution: 'configuration', reason } as CheckResult)
        : event;
    await refused(
      await forged(failing, absent('the profile declares "delivery" absent')),
      /not applicable because delivery is missing, but contains exchanges of it/,
    );
    const [gone] = failing.filter((event): event is CheckResult => isCheck(event, CODE));
    // Exchanges that it shares with other checks stay, or those would rest on nothing.
    const others = failing.flatMap((event) => (event.type === 'check' && event.id !== CODE ? event.exchanges : []));
    const own = new Set(gone?.exchanges.filter((n) => !others.includes(n)));
    const bare = (event: RunEvent): RunEvent | undefined => {
      if (event.type === 'exchange' && own.has(event.n)) return undefined;
      const { decisive: _, ...rest } = absent('the profile declares "delivery" absent')(event) as CheckResult;
      return isCheck(event, CODE) ? { ...rest, exchanges: [] } : event;
    };
    await refused(await forged(failing, bare), /because delivery is missing, but ran /);
    await refused(
      await forged(failing, absent('the profile declares "reseller" absent')),
      /because reseller is missing, but it does not depend on that part/,
    );
    await refused(
      await forged(failing, (event) => (isCheck(event, CODE) ? { ...passed(event), verdict: 'observed' } : event)),
      /reports .* as observed, which needs a decision/,
    );
  });

  test('refuses checks that are left out, made up or changed', async () => {
    const without =
      (id: string) =>
      (event: RunEvent): RunEvent | undefined => {
        if (event.type === 'header')
          return {
            ...event,
            selected: event.selected.filter((one) => one !== id),
            plan: (event.plan ?? []).filter((one) => one.id !== id),
          };
        return isCheck(event, id) ? undefined : event;
      };
    const whole = (event: RunEvent): RunEvent => {
      if (event.type !== 'header') return event;
      const { onlyPattern: _, ...rest } = event as RunHeader;
      return rest;
    };
    await refused(await forged(events, whole), /omits the check .* without declaring it/);
    const unselected = await forged(events, without(CODE));
    assert.equal((await verify(unselected)).code, 0, 'a part of a run that says so');
    const renamed = (event: RunEvent): RunEvent =>
      isCheck(event, CODE) ? { ...event, title: 'MUST do nothing' } : event;
    await refused(await forged(events, renamed), /describes the check .* differently from its definition/);
    const milder = (event: RunEvent): RunEvent =>
      isCheck(event, CODE) ? { ...event, level: 'SHOULD', verdict: 'warn' } : event;
    await refused(await forged(failing, milder), /describes the check .* differently from its definition/);
    const stranger = (event: RunEvent): RunEvent => (isCheck(event, CODE) ? { ...event, id: 'no.such-check' } : event);
    await refused(await forged(events, stranger), /not a check of this version/);
  });

  test('refuses parts that do not belong together', async () => {
    const results = JSON.parse(readFileSync(join(home, 'good', 'results.json'), 'utf8'));
    await refused(
      withPart(good, 'results.json', JSON.stringify({ ...results, exitCode: 1 })),
      /bytes instead of|digest/,
    );
    await refused(withPart(good, 'events.ndjson', '{}'), /bytes instead of|digest/);
    const folder = join(home, 'mixed');
    mkdirSync(folder);
    for (const [name, from] of [
      ['results.json', 'good'],
      ['events.ndjson', 'good'],
      ['report.html', 'bad'],
    ] as const)
      writeFileSync(join(folder, name), readFileSync(join(home, from, name)));
    await writePackage(folder, join(folder, 'a.zip'));
    await refused(join(folder, 'a.zip'), /contains a report\.html that does not follow from its events/);
    writeFileSync(join(folder, 'report.html'), readFileSync(join(home, 'good', 'report.html')));
    writeFileSync(
      join(folder, 'results.json'),
      JSON.stringify({ ...results, counts: { ...results.counts, pass: 999 } }),
    );
    await writePackage(folder, join(folder, 'b.zip'));
    await refused(join(folder, 'b.zip'), /results that do not follow from its events: they differ at \/counts\/pass/);
    writeFileSync(join(folder, 'results.json'), readFileSync(join(home, 'good', 'results.json')));
    writeFileSync(join(folder, 'events.ndjson'), '{"type":"nothing"}\n');
    await writePackage(folder, join(folder, 'c.zip'));
    await refused(join(folder, 'c.zip'), /events or results that can't be read: Line 1 of events\.ndjson/);
  });

  test('refuses a duplicate exchange, and a command that writes no packages', async () => {
    const [exchange] = events.filter((event): event is Exchange => event.type === 'exchange');
    const doubled: RunEvent[] = events.flatMap((event) => (event === exchange ? [event, event] : [event]));
    await refused(await forged(doubled, (event) => event), /two exchanges with the number/);
    await refused(
      await forged(events, (event) => (event.type === 'header' ? { ...event, command: 'judge' } : event)),
      /a run of the command "judge"/,
    );
  });

  test('is not sure about another version', async () => {
    const zip = await forged(events, (event) => (event.type === 'header' ? { ...event, proofmark: '9.9.9' } : event));
    const { code, stdout } = await verify(zip);
    assert.equal(code, 3);
    assert.match(stdout, /^INCONCLUSIVE .*Proofmark 9\.9\.9 .*verify it with that version\.\n$/);
  });

  test('a run that was cut off is a package of one, and says so', async () => {
    const zip = await forged(events, (event) =>
      event.type === 'footer' ? ({ ...event, interrupted: 'Ctrl-C' } satisfies RunFooter) : event,
    );
    const { code, stdout } = await verify(zip);
    assert.equal(code, 0);
    assert.match(stdout, /inconclusive \(exit 3\)/);
  });

  test('bad input is one sentence', async () => {
    writeFileSync(join(home, 'text.zip'), 'hello');
    for (const [args, message] of [
      [[], /needs a package/],
      [['nowhere.zip'], /There is no file nowhere\.zip/],
      [[join(home, 'text.zip')], /is not a zip/],
      [[good, '--keys', 'nowhere.json'], /correct --keys/],
    ] as const) {
      const { code, stderr } = await verify(...args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
    const cut = join(home, 'cut.zip');
    writeFileSync(cut, readFileSync(good).subarray(0, 5_000));
    await refused(cut, /truncated or damaged/);
  });
});
