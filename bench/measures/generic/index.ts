/**
 * Finding faults, compared with tools that read OpenAPI documents and know nothing else of the contract. Each gets our documents, an ordinary
 * sequence of calls (`calls.ts`) and the embedded service with one deviation at a time; on the correct service each must pass.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelftestFile } from '../../../contracts/run/selftest.ts';
import { faults, variants } from '../../../mock/deviations.ts';
import { type RunningMock, startMock } from '../../../mock/index.ts';
import { type Figure, type Measure, quantile } from '../../measure.ts';
import { PROOFMARK, runCommand } from '../../processes.ts';
import { hasRivals } from '../rivals.ts';
import { inputsOf } from './calls.ts';
import { writeDocuments } from './documents.ts';
import { newman } from './newman.ts';
import { prism } from './prism.ts';
import { respect } from './respect.ts';
import type { GenericTool } from './tool.ts';

/** One fault in so many, and one variant in so many: each is a run of every tool. */
const FAULT_STEP = 10;
const VARIANT_STEP = 4;

/** What one tool did over all services. */
interface Tally {
  readonly seconds: number[];
  readonly failuresOfFound: number[];
  found: number;
  alarms: number;
}

export const generic: Measure = {
  id: 'generic-tools',
  title: 'Faults found by tools that know only the OpenAPI documents',
  run: async () => {
    if (!hasRivals()) return { figures: [], note: 'Not measured: run `npm run bench -- generic-tools --rivals`.' };
    const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
    const chosenFaults = faults.filter(({ surface }) => surface !== 'browser').filter((_, at) => at % FAULT_STEP === 0);
    const chosenVariants = variants.filter((_, at) => at % VARIANT_STEP === 0);
    await using service = await startMock();
    const documents = await writeDocuments(folder);
    const setting = { folder, documents, service, inputs: inputsOf(service.profile) };
    const tools: GenericTool[] = [];
    try {
      for (const make of [prism, respect, newman]) tools.push(await make(setting));
      const tallies = new Map(
        tools.map((tool) => [tool, { seconds: [], failuresOfFound: [], found: 0, alarms: 0 } as Tally]),
      );
      const tryAll = async (
        deviations: readonly string[],
        each: (tally: Tally, failures: number) => void,
      ): Promise<void> => {
        for (const tool of tools) {
          await switchTo(service, deviations);
          const started = performance.now();
          const failures = await tool.failures();
          const tally = tallies.get(tool)!;
          tally.seconds.push((performance.now() - started) / 1000);
          each(tally, failures);
        }
      };
      await tryAll([], (_tally, failures) => {
        if (failures > 0) throw new Error('A tool fails on the correct service: its figures would mean nothing.');
      });
      for (const { id } of chosenVariants)
        await tryAll([id], (tally, failures) => (tally.alarms += failures > 0 ? 1 : 0));
      for (const { id } of chosenFaults)
        await tryAll([id], (tally, failures) => {
          if (failures === 0) return;
          tally.found += 1;
          tally.failuresOfFound.push(failures);
        });
      const figures = tools.flatMap((tool) =>
        figuresOf(tool.name, tallies.get(tool)!, chosenFaults.length, chosenVariants.length),
      );
      return {
        figures: [...figures, ...(await ours(folder, chosenFaults, chosenVariants.length))],
        note: 'The faults are those of our own mock, each found by some check of ours; the other tools judge single responses against a schema, and know nothing of what a call has to leave behind. Specmatic 2.55.1 could not be compared: it does not read the documents of Delivery and Apps (OpenAPI 3.1), and all its tests of Reseller fail on the correct service. Schemathesis is not in the package registry.',
      };
    } finally {
      for (const tool of tools) tool.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function switchTo(service: RunningMock, deviations: readonly string[]): Promise<void> {
  await service.control.reset();
  await service.control.deviate([...deviations]);
}

function figuresOf(
  name: string,
  { found, alarms, seconds, failuresOfFound }: Tally,
  faultCount: number,
  variantCount: number,
): Figure[] {
  return [
    { what: `${name}: faults found of ${faultCount}`, value: found, unit: 'faults', ratio: found / faultCount },
    { what: `${name}: false alarms on ${variantCount} variants`, value: alarms, unit: 'alarms' },
    { what: `${name}: time of a run`, value: quantile(seconds), unit: 's' },
    {
      what: `${name}: failures reported for a fault that it found`,
      value: failuresOfFound.length === 0 ? 0 : quantile(failuresOfFound),
      unit: 'failures',
    },
  ];
}

/** Our own matrix over the same faults, and over all variants. */
async function ours(
  folder: string,
  chosen: readonly { readonly id: string }[],
  variantCount: number,
): Promise<Figure[]> {
  const selftest = async (args: readonly string[]): Promise<SelftestFile> => {
    const out = join(folder, 'selftest');
    await runCommand(process.execPath, [PROOFMARK, 'selftest', '--no-browser', '--out', out, ...args]);
    return JSON.parse(readFileSync(join(out, 'selftest.json'), 'utf8')) as SelftestFile;
  };
  const { counts, rows } = await selftest(chosen.flatMap(({ id }) => ['--fault', id]));
  const found = rows.filter(({ kind }) => kind === 'fault');
  const failures = found.map(({ findings }) => findings.filter(({ verdict }) => verdict === 'fail').length);
  const others = await selftest(['--no-faults', '--combinations', '0']);
  const alarms = others.problems.filter(({ kind }) => kind === 'false-alarm').length;
  return [
    {
      what: `Proofmark: faults found of ${chosen.length}`,
      value: counts.found,
      unit: 'faults',
      ratio: counts.found / chosen.length,
    },
    {
      what: `Proofmark: false alarms on ${variants.length} variants (${variantCount} of them those above)`,
      value: alarms,
      unit: 'alarms',
    },
    {
      what: 'Proofmark: time of a run in process, of the checks that can notice the fault',
      value: quantile(found.map(({ durationMs }) => durationMs)) / 1000,
      unit: 's',
    },
    {
      what: 'Proofmark: checks that fail for a fault that it found',
      value: quantile(failures.filter((count) => count > 0)),
      unit: 'failures',
    },
  ];
}
