/**
 * `proofmark run`: judges a service. Translates its options to Playwright's, which runs the suites with our config.
 *
 * This process only waits for the runner, which loads the suites, the service and the reports itself. What a plain run does
 * not need here is loaded where it is used: loading all of it takes half a second of the processor, before the first request.
 */
import { existsSync, rmSync } from 'node:fs';
import { matchesAny } from '../../contracts/run/glob.ts';
import { SOURCES } from '../../suites/sources.generated.ts';
import { RUN_HELP, type RunOptions, runOptionsOf, selectIds } from './options.ts';
import { runPlaywright } from './playwright/runner.ts';
import { makePrivateFolder } from './private-folder.ts';
import { VECTORS_FOLDER } from './replay/promote.ts';
import type { Selection } from './select/index.ts';
import { isMockTarget } from './target/mock-target.ts';

/** `proofmark run`. Returns the exit code; throws a UsageError for wrong options. */
export async function runCommand(argv: string[]): Promise<number> {
  const options = runOptionsOf(argv);
  if (options.help) {
    console.log(RUN_HELP);
    return 0;
  }
  const { ids: selected, words } = await selectionOf(options);
  const narrowed = words === undefined ? options : { ...options, only: selected, selection: words };
  // Read for its mistakes, before anything is started.
  if (options.baseline !== undefined) {
    const [{ readBaseline }, { CHECKS }] = await Promise.all([
      import('../common/files/baseline-file.ts'),
      import('../../suites/index.ts'),
    ]);
    readBaseline(
      options.baseline,
      CHECKS.map((check) => check.id),
    );
  }
  if (options.vectors !== undefined || existsSync(VECTORS_FOLDER))
    (await import('./replay/vectors.ts')).userVectors(options.vectors, options.promote);
  if (options.list) {
    const [{ listLine }, { SUITES }] = await Promise.all([
      import('../common/list-line.ts'),
      import('../../suites/index.ts'),
    ]);
    const chosen = new Set(selected);
    for (const suite of SUITES)
      for (const check of suite.checks) if (chosen.has(check.id)) console.log(listLine(check));
    return 0;
  }
  if (options.dryRun) {
    const [{ openTarget }, { dryRunLines }, { propertySearchOn }] = await Promise.all([
      import('./target/target.ts'),
      import('../explain/dry-run.ts'),
      import('../common/property-search.ts'),
    ]);
    const target = await openTarget(options.target);
    try {
      const { profile } = target;
      console.log(dryRunLines(profile, selected, propertySearchOn(profile, options.runs)).join('\n'));
    } finally {
      await target.close();
    }
    return 0;
  }
  if (options.recording !== undefined) {
    const { replayCommand } = await import('./replay/index.ts');
    return replayCommand({ ...narrowed, folder: options.recording, selected });
  }
  await refuseWrongProfile(options.target);
  const handOver = makePrivateFolder();
  try {
    const { exitCode, isWhole } = await runPlaywright({ ...narrowed, handOver });
    if (options.confirm !== true || !isWhole) return exitCode;
    const { confirmFailures } = await import('./ending/confirm.ts');
    return await confirmFailures(narrowed, runPlaywright);
  } finally {
    rmSync(handOver, { recursive: true, force: true });
  }
}

/** The runner takes seconds to start and would only then find the mistake. Throws a UsageError. */
async function refuseWrongProfile(target: string): Promise<void> {
  if (isMockTarget(target)) return;
  const { loadProfile } = await import('../../harness/target/profile/index.ts');
  loadProfile(target);
}

/** Globs of ids that the generated table knows need no suites; whatever else narrows a run, or fits no id of it, does. */
async function selectionOf({ only, narrowed, out }: RunOptions): Promise<Selection> {
  const { suites, interfaces, clauses, lastFailed } = narrowed;
  const ids = Object.keys(SOURCES);
  const isById = [...suites, ...interfaces, ...clauses].length === 0 && !lastFailed;
  if (isById && only.every((glob) => ids.some((id) => matchesAny(id, [glob]))))
    return { ids: selectIds('run', ids, only) };
  const [{ select }, { SUITES }] = await Promise.all([import('./select/index.ts'), import('../../suites/index.ts')]);
  return select(SUITES, only, narrowed, out);
}
