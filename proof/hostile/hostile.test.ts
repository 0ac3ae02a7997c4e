/**
 * A zoo of targets, each led past the real `proofmark run`: what every check comes to and who is named for it is written in
 * the animals' tables. `PROOFMARK_SOAK=1` opens the large cages too.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { folderFor } from '../../cli/common/command.fixture.ts';
import { filesBelow, leaksIn, placesOf } from '../canaries/canary.ts';
import type { Animal } from './hostile-target.ts';
import { type Seen, visit } from './serve-target.ts';
import { bodies } from './targets/bodies.ts';
import { busy } from './targets/busy.ts';
import { connections } from './targets/connections.ts';
import { encodings } from './targets/encodings.ts';
import { framing } from './targets/framing.ts';
import { manners } from './targets/rate-limits.ts';
import { elsewhere } from './targets/redirects.ts';
import { tls } from './targets/tls.ts';

const ANIMALS: readonly Animal[] = [
  ...connections,
  ...framing,
  ...encodings,
  ...bodies,
  ...busy,
  ...elsewhere,
  ...manners,
  ...tls,
];
const isLargeRun = process.env.PROOFMARK_SOAK === '1';

/** What is kept of one exchange at the most: two bodies of 64 KiB, escaped, and two sets of headers. */
const MAX_OF_AN_EXCHANGE_BYTES = 600 * 1024;
const MAX_OF_A_REPORT_BYTES = 8 * 1024 * 1024;

/** Whatever a target does: no error of ours, no key in anything that was written, and files of a size that can be sent around. */
function assertSound({ results, file, out, printed, cage }: Seen): void {
  const errors = results.checks.filter(({ verdict }) => verdict === 'error');
  assert.deepEqual(
    errors.map(({ id, reason }) => `${id}: ${reason}`),
    [],
  );
  const places = placesOf(filesBelow(out)).set('the terminal', printed);
  assert.deepEqual(leaksIn(places, [...cage.service.secrets()]).slice(0, 10), []);
  for (const name of readdirSync(out)) {
    const { length } = file(name);
    const most =
      name === 'events.ndjson' ? (1 + cage.server.asked.length) * MAX_OF_AN_EXCHANGE_BYTES : MAX_OF_A_REPORT_BYTES;
    assert.ok(length < most, `${name} has ${length} characters`);
  }
}

// Side by side: most of them are waited for, not worked with.
describe('the zoo', { concurrency: 8 }, () => {
  for (const animal of ANIMALS) {
    const skip = animal.isLarge === true && !isLargeRun ? 'large: with PROOFMARK_SOAK=1' : false;
    test(`${animal.id}: ${animal.does}`, { skip, timeout: 120_000 }, async (t) => {
      const seen = await visit(animal, folderFor(t));
      const got = Object.keys(animal.expects).map((id) => {
        const { verdict, attribution, reason } = seen.check(id);
        return { id, verdict, attribution: attribution ?? undefined, reason: reason ?? '' };
      });
      for (const { id, verdict, attribution, reason } of got) {
        const expected = animal.expects[id]!;
        const told = `${id}: ${verdict} (${attribution}): ${reason}`;
        assert.equal(verdict, expected.verdict, told);
        if (expected.attribution !== undefined) assert.equal(attribution, expected.attribution, told);
        if (expected.reason !== undefined) assert.match(reason, expected.reason, told);
      }
      const left = seen.results.ledger.orphans.length;
      if (animal.orphans !== 'any') assert.equal(left, animal.orphans ?? 0, 'objects left behind');
      assertSound(seen);
      assert.equal(seen.cage.elsewhere.asked.length, 0, 'nothing goes to a stranger');
      animal.afterwards?.(seen.cage);
    });
  }
});

if (isLargeRun) {
  after(() => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpu = Math.round((userCPUTime + systemCPUTime) / 1e6);
    console.log(`zoo: ${ANIMALS.length} targets, at most ${Math.round(maxRSS / 1024)} MB of memory, ${cpu} s of CPU`);
  });
}
