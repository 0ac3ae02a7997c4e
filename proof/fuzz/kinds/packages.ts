/** Approval packages: with changed bytes in the zip, and with changed parts whose digests were recomputed. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { verifyCommand } from '../../../cli/verify/index.ts';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { NEEDED_PARTS, PACKAGE_FILE } from '../../../harness/evidence/package/format.ts';
import { writePackage } from '../../../harness/evidence/package/write.ts';
import { sampleRun } from '../../../reports/sample.fixture.ts';
import { writeReports } from '../../../reports/write.ts';
import { commandPlainly, type Kind } from '../kind.ts';
import { anyValue, changedBytes, changedValue } from '../mutate.ts';
import type { Chance } from '../prng.ts';

interface Good {
  readonly zip: Buffer;
  readonly parts: Readonly<Record<string, Buffer>>;
}

let made: Promise<Good> | undefined;

async function goodPackage(folder: string): Promise<Good> {
  const run = join(folder, 'good');
  mkdirSync(run, { recursive: true });
  const events = sampleRun().map((event) => (event.type === 'header' ? { ...event, command: 'run' } : event));
  writeFileSync(join(run, 'events.ndjson'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await writeReports(run, join(run, 'events.ndjson'), CLAUSES);
  await writePackage(run, join(run, 'good.zip'));
  return {
    zip: readFileSync(join(run, 'good.zip')),
    parts: Object.fromEntries(NEEDED_PARTS.map((name) => [name, readFileSync(join(run, name))])),
  };
}

/** A zip of these parts as Proofmark writes it: every digest is right. */
function packed(parts: Readonly<Record<string, Buffer>>, chance: Chance): Buffer {
  const list = Object.entries(parts).map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  let facts: unknown = {};
  try {
    facts = JSON.parse(String(parts['results.json']));
  } catch {
    // Then it has none.
  }
  const info: unknown = { format: 1, ...(facts as object), parts: list };
  const named = chance.oneIn(3) ? changedValue(info, chance) : info;
  return Buffer.from(zipSync({ [PACKAGE_FILE]: Buffer.from(JSON.stringify(named) ?? ''), ...parts }));
}

function changedPart(bytes: Buffer, chance: Chance): Buffer {
  if (chance.oneIn(3)) return changedBytes(bytes, chance);
  const lines = bytes.toString('utf8').split('\n');
  const at = chance.below(lines.length);
  try {
    lines[at] = JSON.stringify(changedValue(JSON.parse(lines[at] ?? ''), chance)) ?? '';
  } catch {
    lines[at] = JSON.stringify(anyValue(chance)) ?? '';
  }
  return Buffer.from(lines.join('\n'));
}

export const packages: Kind = {
  name: 'packages',
  few: 60,
  async tried(chance, folder) {
    made ??= goodPackage(folder);
    const { zip, parts } = await made;
    const file = join(folder, 'package.zip');
    const name = chance.pick(Object.keys(parts));
    const changed = chance.oneIn(2)
      ? changedBytes(zip, chance)
      : packed({ ...parts, [name]: changedPart(parts[name] ?? Buffer.alloc(0), chance) }, chance);
    writeFileSync(file, changed);
    return commandPlainly(() => verifyCommand([file]), file);
  },
};
