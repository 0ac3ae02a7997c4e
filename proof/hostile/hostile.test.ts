/**
 * Hostile targets against the real `proofmark run`: the tables of the targets state the verdict of every check and who has to
 * act. `PROOFMARK_SOAK=1` includes the large targets.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { folderFor } from '../../cli/common/command.fixture.ts';
import { filesBelow, leaksIn, placesOf } from '../canaries/canary.ts';
import type { HostileTarget } from './hostile-target.ts';
import { type Seen, visit } from './serve-target.ts';
import { bodies } from './targets/bodies.ts';
import { busy } from './targets/busy.ts';
import { connections } from './targets/connections.ts';
import { encodings } from './targets/encodings.ts';
import { framing } from './targets/framing.ts';
import { rateLimits } from './targets/rate-limits.ts';
import { redirects } from './targets/redirects.ts';
import { tls } from './targets/tls.ts';

const TARGETS: readonly HostileTarget[] = [
  ...connections,
  ...framing,
  ...encodings,
  ...bodies,
  ...busy,
  ...redirects,
  ...rateLimits,
  ...tls,
];
const isLargeRun = process.env.PROOFMARK_SOAK === '1';

/** The most that a run keeps of one exchange: two escaped bodies of 64 KiB and two sets of headers. */
const MAX_OF_AN_EXCHANGE_BYTES = 600 * 1024;
const MAX_OF_A_REPORT_BYTES = 8 * 1024 * 1024;

/** Holds for every target: no error in Proofmark, no key in any output, and no file too large to send by e-mail. */
function assertSound({ results, file, out, printed, context }: Seen): void {
  const errors = results.checks.filter(({ verdict }) => verdict === 'error');
  assert.deepEqual(
    errors.map(({ id, reason }) => `${id}: ${reason}`),
    [],
  );
  const places = placesOf(filesBelow(out)).set('the terminal', printed);
  assert.deepEqual(leaksIn(places, [...context.service.secrets()]).slice(0, 10), []);
  for (const name of readdirSync(out)) {
    const { length } = file(name);
    const most =
      name === 'events.ndjson' ? (1 + context.server.asked.length) * MAX_OF_AN_EXCHANGE_BYTES : MAX_OF_A_REPORT_BYTES;
    assert.ok(length < most, `${name} has ${length} characters`);
  }
}

// In parallel, because most of them only wait.
describe('hostile targets', { concurrency: 8 }, () => {
  for (const target of TARGETS) {
    const skip = target.isLarge === true && !isLargeRun ? 'large: with PROOFMARK_SOAK=1' : false;
    test(`${target.id}: ${target.does}`, { skip, timeout: 120_000 }, async (t) => {
      const seen = await visit(target, folderFor(t));
      const got = Object.keys(target.expects).map((id) => {
        const { verdict, attribution, reason } = seen.check(id);
        return { id, verdict, attribution: attribution ?? undefined, reason: reason ?? '' };
      });
      for (const { id, verdict, attribution, reason } of got) {
        const expected = target.expects[id]!;
        const message = `${id}: ${verdict} (${attribution}): ${reason}`;
        assert.equal(verdict, expected.verdict, message);
        if (expected.attribution !== undefined) assert.equal(attribution, expected.attribution, message);
        if (expected.reason !== undefined) assert.match(reason, expected.reason, message);
      }
      const left = seen.results.ledger.orphans.length;
      if (target.orphans !== 'any') assert.equal(left, target.orphans ?? 0, 'objects left behind');
      assertSound(seen);
      assert.equal(seen.context.stranger.asked.length, 0, 'no request reaches a stranger');
      target.afterwards?.(seen.context);
    });
  }
});

if (isLargeRun) {
  after(() => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpu = Math.round((userCPUTime + systemCPUTime) / 1e6);
    console.log(
      `hostile: ${TARGETS.length} targets, at most ${Math.round(maxRSS / 1024)} MB of memory, ${cpu} s of CPU`,
    );
  });
}
