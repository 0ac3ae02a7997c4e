/** The kill matrix as its faults double, and as a whole. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULT_IDS } from '../../proof/matrix/rows.ts';
import type { Measure } from '../measure.ts';
import { PROOFMARK, runCommand } from '../processes.ts';

const MAX_WHOLE_S = 60;

export const matrix: Measure = {
  id: 'growth-faults',
  title: 'The kill matrix without browser, as the number of faults doubles',
  goal: 'a straight line; all faults within 60 s',
  run: async () => {
    const ids = FAULT_IDS.filter((id) => /^(delivery|points|methods|batch)/.test(id));
    const points: [number, number][] = [];
    for (const share of [16, 8, 4]) {
      const chosen = ids.filter((_, at) => at % share === 0);
      points.push([chosen.length, await secondsOf(chosen.flatMap((id) => ['--fault', id]))]);
    }
    const whole = await secondsOf([]);
    const slopes = points.slice(1).map(([x, y], at) => (y - points[at]![1]) / (x - points[at]![0]));
    return {
      figures: [
        ...points.map(([faults, seconds]) => ({ what: `${faults} faults`, value: seconds, unit: 's' as const })),
        { what: `all ${FAULT_IDS.length}, with variants, combinations and controls`, value: whole, unit: 's' as const },
      ],
      isMet: slopes.at(-1)! <= slopes[0]! * 1.3 && whole <= MAX_WHOLE_S,
      note: `Each further fault costs ${slopes.map((slope) => `${(slope * 1000).toFixed(0)} ms`).join(', then ')}.`,
      plot: { x: 'faults', y: 'seconds', series: [{ name: 'selftest', points }] },
    };
  },
};

/** Seconds of `proofmark selftest --no-browser` with these options. */
async function secondsOf(options: readonly string[]): Promise<number> {
  const out = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  try {
    const args = [PROOFMARK, 'selftest', '--no-browser', '--out', out, ...options];
    return (await runCommand(process.execPath, args)).seconds;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
