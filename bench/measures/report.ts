/** What a report costs by the number of its exchanges: its size, and the time until a browser has opened it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../cli/common/browser.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import type { RunEvent } from '../../contracts/run/events.ts';
import { foldEvidence } from '../../reports/html/exchanges/evidence.ts';
import { renderHtml } from '../../reports/html/index.ts';
import { foldResults } from '../../reports/results/index.ts';
import { sampleCheck, sampleExchange, sampleFooter, sampleHeader } from '../../reports/sample.fixture.ts';
import type { Figure, Measure } from '../measure.ts';

const CHECKS = 500;

interface ReportCost {
  readonly exchanges: number;
  readonly kilobytes: number;
  readonly renderMs: number;
  /** From the navigation to the load event; absent without a browser. */
  readonly openMs?: number;
  /** From the address of an exchange to the exchange on the screen. */
  readonly unpackMs?: number;
}

export const report: Measure = {
  id: 'report',
  title: 'The HTML report, by the number of its exchanges',
  goal: '10,000 exchanges open within a second; a straight line',
  run: async () => {
    const costs = await reportCosts([100, 1_000, 2_500, 5_000, 10_000]);
    const last = costs.at(-1)!;
    return {
      figures: costs.flatMap(({ exchanges, kilobytes, renderMs, openMs, unpackMs }): Figure[] => [
        { what: `${exchanges} exchanges: size`, value: kilobytes, unit: 'KiB' },
        { what: 'made', value: renderMs, unit: 'ms' },
        ...(openMs === undefined ? [] : [{ what: 'opened in a browser', value: openMs, unit: 'ms' as const }]),
        ...(unpackMs === undefined ? [] : [{ what: 'an exchange unpacked', value: unpackMs, unit: 'ms' as const }]),
      ]),
      ...(last.openMs === undefined ? { note: 'There is no browser here.' } : { isMet: last.openMs <= 1_000 }),
      plot: {
        x: 'exchanges',
        y: 'milliseconds',
        series: [
          { name: 'made', points: costs.map(({ exchanges, renderMs }) => [exchanges, renderMs]) },
          { name: 'opened', points: costs.map(({ exchanges, openMs }) => [exchanges, openMs ?? 0]) },
        ],
      },
    };
  },
};

/** A run of 500 checks with this many exchanges, a fifth of the checks failed. */
function runOf(exchanges: number): RunEvent[] {
  const ids = CLAUSES.filter(({ party }) => party === 'service').map(({ id }) => id);
  const checks = Array.from({ length: CHECKS }, (_, at) => `a.c${at}`);
  const sent = Array.from({ length: exchanges }, (_, at) => sampleExchange(at + 1, checks[at % CHECKS] ?? 'a.c0'));
  const results = checks.map((id, at) =>
    sampleCheck(id, {
      clauses: [ids[at % ids.length] ?? ''],
      verdict: at % 5 === 0 ? 'fail' : 'pass',
      exchanges: sent.filter(({ check }) => check === id).map(({ n }) => n),
    }),
  );
  return [sampleHeader({ selected: checks }), ...sent, ...results, sampleFooter()];
}

/** Costs for these numbers of exchanges. */
async function reportCosts(numbers: readonly number[]): Promise<ReportCost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  const found = await findBrowser();
  const browser = found === undefined ? undefined : await chromium.launch({ executablePath: found.path });
  try {
    const costs: ReportCost[] = [];
    for (const exchanges of numbers) {
      const events = runOf(exchanges);
      const began = performance.now();
      const results = foldResults(events, CLAUSES);
      const page = renderHtml(results, foldEvidence(events, results));
      const cost = {
        exchanges,
        kilobytes: Math.round(page.length / 1000),
        renderMs: Math.round(performance.now() - began),
      };
      const file = join(folder, `${exchanges}.html`);
      writeFileSync(file, page);
      if (browser === undefined) {
        costs.push(cost);
        continue;
      }
      const tab = await browser.newPage();
      const opening = performance.now();
      await tab.goto(pathToFileURL(file).href);
      const openMs = Math.round(performance.now() - opening);
      const asking = performance.now();
      // The last one of a check that passed, so that it is not in the page as text.
      const last = exchanges - 1;
      await tab.evaluate((n) => {
        location.hash = `#exchange-${n}`;
      }, last);
      await tab.locator(`#exchange-${last}[open]`).waitFor();
      costs.push({ ...cost, openMs, unpackMs: Math.round(performance.now() - asking) });
      await tab.close();
    }
    return costs;
  } finally {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
