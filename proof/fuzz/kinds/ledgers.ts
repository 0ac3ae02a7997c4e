/** Ledgers of runs, as `proofmark sweep` finds them: truncated, edited, or unrelated files. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER_FOLDER } from '../../../cli/run/target/leftovers.ts';
import { sweepCommand } from '../../../cli/sweep/index.ts';
import { commandPlainly, type Kind } from '../kind.ts';
import { anyValue, changedBytes, changedValue } from '../mutate.ts';

/** No process has this number: process ids end far below. */
const NOBODY = 2 ** 30;

const linesOf = (profile: string | null): unknown[] => [
  {
    type: 'ledger',
    run: 'r1',
    mark: 'pm-r1',
    proofmark: '0.1.0',
    startedAt: '2026-01-01T00:00:00.000Z',
    target: { name: 'x', v1: 'http://127.0.0.1:9/v1/', api: null },
    profile,
  },
  { type: 'opened', pid: NOBODY, host: 'elsewhere', at: 1 },
  { type: 'will', id: '1', entry: { kind: 'delivery-method', owner: 'private', reference: 'pm-r1' } },
  { type: 'created', id: '1', known: { handle: 'a' } },
  { type: 'will', id: '2', entry: { kind: 'snippet', installation: 'own', old: null } },
  { type: 'will', id: '3', entry: { kind: 'pickup-points', owner: 'private', handle: 'a', old: [{ id: '1' }] } },
  { type: 'will', id: '4', entry: { kind: 'domain', website: 7, domain: 'check.example', id: 1 } },
  { type: 'will', id: '5', entry: { kind: 'website-status', website: 7, old: 'enabled' } },
  { type: 'removed', id: '3' },
];

export const ledgers: Kind = {
  name: 'ledgers',
  few: 60,
  async tried(chance, folder) {
    const own = join(folder, LEDGER_FOLDER);
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { recursive: true });
    const profile = join(folder, 'swept.json');
    // Nothing listens there: open entries stay open, and no request leaves the machine.
    writeFileSync(
      profile,
      JSON.stringify({
        v1: 'http://127.0.0.1:9/v1/',
        delivery: { private: { apiKey: 'key-of-store-1' } },
        allow: ['write'],
      }),
    );
    const lines = linesOf(chance.pick([null, profile, profile, '/nowhere.json']));
    const at = chance.below(lines.length);
    if (chance.oneIn(4)) lines.splice(at, 1);
    else lines[at] = chance.oneIn(5) ? anyValue(chance) : changedValue(lines[at], chance);
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    writeFileSync(join(own, 'r1'), chance.oneIn(3) ? changedBytes(bytes, chance) : bytes);
    const before = process.cwd();
    process.chdir(folder);
    try {
      return await commandPlainly(() => sweepCommand(chance.oneIn(2) ? ['r1'] : []));
    } finally {
      process.chdir(before);
    }
  },
};
