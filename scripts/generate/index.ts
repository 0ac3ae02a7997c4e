/**
 * Writes everything that is generated: `npm run generate`. With `--check` it writes nothing, names every file that is
 * stale, and exits 1. Steps run in this order, because later ones import what earlier ones write.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clausesModule } from './clauses.ts';
import { openapiFiles } from './openapi.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Files by their path from the root of the project. */
type Files = ReadonlyMap<string, string>;

const STEPS: ReadonlyArray<() => Promise<Files>> = [
  async () => {
    const files = [...(await openapiFiles())].map(([name, text]) => [`contracts/generated/${name}`, text] as const);
    return new Map([...files, ['contracts/generated/clauses.generated.ts', await clausesModule()]]);
  },
  // Imported late: they load the suites, which load what the first step writes.
  async () => (await import('./coverage.ts')).coverageFiles(),
  async () =>
    new Map([['contracts/generated/faults.generated.ts', await (await import('./faults.ts')).faultsModule()]]),
  async () => (await import('./profile.ts')).profileFiles(),
  async () => (await import('./examples.ts')).exampleFiles(),
  async () => new Map([['docs/catalogue.md', await (await import('./pages/catalogue.ts')).cataloguePage()]]),
  async () => (await import('./pages/examples-page.ts')).examplesPage(),
  async () => (await import('./pages/minimal-apps.ts')).minimalApps(),
];

const current = (file: string): string | undefined => {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return undefined;
  }
};

/** Brings the files of one step up to date, or only finds the stale ones; returns those. */
async function runStep(step: (typeof STEPS)[number], checkOnly: boolean): Promise<string[]> {
  const stale = [...(await step())].filter(([file, text]) => current(file) !== text);
  if (!checkOnly) {
    for (const [file, text] of stale) {
      mkdirSync(dirname(join(ROOT, file)), { recursive: true });
      writeFileSync(join(ROOT, file), text);
    }
  }
  return stale.map(([file]) => file);
}

/** Returns the exit code. */
async function main(checkOnly: boolean): Promise<number> {
  const stale: string[] = [];
  for (const step of STEPS) {
    stale.push(...(await runStep(step, checkOnly)));
    // What follows would be made from stale files.
    if (checkOnly && stale.length > 0) break;
  }
  if (stale.length === 0) console.log('Everything that is generated is up to date.');
  else if (!checkOnly) console.log(`Wrote ${stale.join(', ')}.`);
  else console.error(`Stale: ${stale.join(', ')}. Run \`npm run generate\` and commit the result.`);
  return checkOnly && stale.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.includes('--check'));
} catch (error) {
  // A bad document or clause file: the message names it.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
