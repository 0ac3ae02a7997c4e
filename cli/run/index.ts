/** `proofmark run`: judges a service. Translates its options to Playwright's, which runs the suites with our config. */
import { rmSync } from 'node:fs';
import { CHECKS, SUITES } from '../../suites/index.ts';
import { readBaseline } from '../common/baseline-file.ts';
import { listLine } from '../common/list-line.ts';
import { dryRunLines } from '../explain/dry-run.ts';
import { confirmFailures } from './ending/confirm.ts';
import { RUN_HELP, runOptionsOf } from './options.ts';
import { runPlaywright } from './playwright/runner.ts';
import { makePrivateFolder } from './private-folder.ts';
import { replayCommand } from './replay/index.ts';
import { userVectors } from './replay/vectors.ts';
import { select } from './select/index.ts';
import { openTarget } from './target/target.ts';

export async function runCommand(argv: string[]): Promise<number> {
  const options = runOptionsOf(argv);
  if (options.help) {
    console.log(RUN_HELP);
    return 0;
  }
  const { ids: selected, words } = select(SUITES, options.only, options.narrowed, options.out);
  const narrowed = words === undefined ? options : { ...options, only: selected, selection: words };
  // Read for its mistakes, before anything is started.
  if (options.baseline !== undefined)
    readBaseline(
      options.baseline,
      CHECKS.map((check) => check.id),
    );
  userVectors(options.vectors, options.promote);
  if (options.list) {
    const chosen = new Set(selected);
    for (const suite of SUITES)
      for (const check of suite.checks) if (chosen.has(check.id)) console.log(listLine(check));
    return 0;
  }
  if (options.dryRun) {
    const target = await openTarget(options.target);
    try {
      const { profile } = target;
      const searches = (options.runs ?? (profile.limits.requestsPerSecond === undefined ? 1 : 0)) > 0;
      console.log(dryRunLines(profile, selected, searches).join('\n'));
    } finally {
      await target.close();
    }
    return 0;
  }
  if (options.recording !== undefined) {
    return replayCommand({ ...narrowed, folder: options.recording, selected });
  }
  const handOver = makePrivateFolder();
  try {
    const { exitCode, isWhole } = await runPlaywright({ ...narrowed, handOver });
    return options.confirm === true && isWhole ? await confirmFailures(narrowed, runPlaywright) : exitCode;
  } finally {
    rmSync(handOver, { recursive: true, force: true });
  }
}
