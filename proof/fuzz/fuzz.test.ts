/**
 * No input crashes Proofmark: each input is accepted, or refused with a sentence that names the file.
 * A few inputs of each kind in every run; `PROOFMARK_SOAK=1` tries ten thousand of each and prints the counts.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Kind, SOAK_INPUTS } from './kind.ts';
import { commandLines } from './kinds/command-lines.ts';
import { drivers } from './kinds/drivers.ts';
import { ledgers } from './kinds/ledgers.ts';
import { manifests } from './kinds/manifests.ts';
import { packages } from './kinds/packages.ts';
import { profiles } from './kinds/profiles.ts';
import { eventsFiles, harFiles, resultsFiles } from './kinds/recordings.ts';
import { smallFiles } from './kinds/small-files.ts';
import { prngOf } from './prng.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-fuzz-'));
after(() => rmSync(home, { recursive: true, force: true }));

const isSoak = process.env.PROOFMARK_SOAK === '1';
const seed = Number(process.env.PROOFMARK_FUZZ_SEED ?? '1');

const KINDS: readonly Kind[] = [
  profiles,
  manifests,
  smallFiles,
  harFiles,
  eventsFiles,
  resultsFiles,
  packages,
  drivers,
  ledgers,
  commandLines,
];

describe('fuzz', () => {
  for (const kind of KINDS) {
    test(kind.name, async (t) => {
      const folder = join(home, kind.name.replaceAll(' ', '-'));
      mkdirSync(folder);
      const inputs = isSoak ? SOAK_INPUTS : kind.few;
      const counts = { taken: 0, refused: 0 };
      for (let input = 0; input < inputs; input += 1) {
        try {
          counts[await kind.tried(prngOf(seed * 1_000_003 + input), folder)] += 1;
        } catch (error) {
          const again = `PROOFMARK_FUZZ_SEED=${seed}, input ${input} of ${kind.name}`;
          throw new Error(`${again}: ${error instanceof Error ? error.stack : String(error)}`);
        }
      }
      t.diagnostic(`fuzz ${kind.name}: ${inputs} inputs, ${counts.taken} taken, ${counts.refused} refused, no crash`);
      if (isSoak)
        console.log(`fuzz ${kind.name}: ${inputs} inputs, ${counts.taken} taken, ${counts.refused} refused, no crash`);
      assert.ok(counts.taken > 0 && counts.refused > 0, `not both were met: ${JSON.stringify(counts)}`);
    });
  }
});
