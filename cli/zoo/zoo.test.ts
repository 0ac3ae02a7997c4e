/**
 * A zoo of targets, each led past the real `proofmark run`: what every check comes to and who is named for it is written in
 * the animals' tables. `PROOFMARK_SOAK=1` opens the large cages too.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { folderFor } from '../testing.ts';
import type { Animal } from './animal.ts';
import { bodies } from './animals/bodies.ts';
import { connections } from './animals/connections.ts';
import { elsewhere } from './animals/elsewhere.ts';
import { encodings } from './animals/encodings.ts';
import { framing } from './animals/framing.ts';
import { manners } from './animals/manners.ts';
import { tls } from './animals/tls.ts';
import { visit } from './keeper.ts';

const ANIMALS: readonly Animal[] = [
  ...connections,
  ...framing,
  ...encodings,
  ...bodies,
  ...elsewhere,
  ...manners,
  ...tls,
];
const isLargeRun = process.env.PROOFMARK_SOAK === '1';

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
      assert.equal(seen.cage.elsewhere.asked.length, 0, 'nothing goes to a stranger');
      animal.afterwards?.(seen.cage);
    });
  }
});
