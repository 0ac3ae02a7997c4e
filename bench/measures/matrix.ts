/** The kill matrix as its faults double. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULT_IDS } from '../../proof/matrix/rows.ts';
import type { Measure } from '../measure.ts';
import { PROOFMARK, runCommand } from '../processes.ts';

export const matrix: Measure = {
  id: 'growth-faults',
  title: 'The kill matrix without browser, as the number of faults doubles',
  goal: 'a straight line; all faults within 60 s',
  run: async () => {
    const ids = FAULT_IDS.filter((id) => /^(delivery|points|methods|batch)/.test(id));
    const points: [number, number][] = [];
    for (const share of [16, 8, 4]) {
      const chosen = ids.filter((_, at) => at % share === 0);
      const out = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
      const faults = chosen.flatMap((id) => ['--fault', id]);
      const { seconds } = await runCommand(process.execPath, [
        PROOFMARK,
        'selftest',
        '--no-browser',
        '--out',
        out,
        ...faults,
      ]);
      rmSync(out, { recursive: true, force: true });
      points.push([chosen.length, seconds]);
    }
    const slopes = points.slice(1).map(([x, y], at) => (y - points[at]![1]) / (x - points[at]![0]));
    return {
      figures: points.map(([faults, seconds]) => ({ what: `${faults} faults`, value: seconds, unit: 's' as const })),
      isMet: slopes.at(-1)! <= slopes[0]! * 1.3,
      note: `Each further fault costs ${slopes.map((slope) => `${(slope * 1000).toFixed(0)} ms`).join(', then ')}.`,
      plot: { x: 'faults', y: 'seconds', series: [{ name: 'selftest', points }] },
    };
  },
};
