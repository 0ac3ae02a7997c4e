/** What the header of a part says about the whole run, so that `report --merge` joins only what belongs together. */
import type { RunShard } from '../../../../contracts/run/events.ts';
import type { Session } from '../session.ts';

/** Names of a pipeline that all its jobs share: ours first, then GitHub's and GitLab's. */
const GROUPS = ['PROOFMARK_SHARD_GROUP', 'GITHUB_RUN_ID', 'CI_PIPELINE_ID'] as const;
/** Options of Playwright, each with a value, in which the parts may differ. */
const OF_ONE_PART = /^(--(shard|reporter|add-reporter|workers|output|config|trace)|-[cj])(=|$)/;

/** The part of `npx playwright test --shard` or `proofmark run --shard`. */
export function shardOf(
  { settings, target }: Pick<Session, 'settings' | 'target'>,
  { current, total }: Pick<RunShard, 'current' | 'total'>,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): RunShard {
  const tests = settings.failures === 'recorded' ? '' : selectingArguments(argv);
  const group = GROUPS.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  const { v1, api } = target.profile;
  return {
    current,
    total,
    ...(settings.only.length === 0 ? {} : { only: settings.only.join(' ') }),
    ...(tests === '' ? {} : { tests }),
    ...(target.kind === 'profile' ? { addresses: [v1 ?? null, api ?? null] } : {}),
    ...(group === undefined ? {} : { group }),
  };
}

/** The arguments of `playwright test` that decide which tests there are. */
function selectingArguments(argv: readonly string[]): string {
  const words = argv.slice(argv.indexOf('test') + 1);
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!OF_ONE_PART.test(word)) kept.push(word);
    else if (!word.includes('=')) at += 1;
  }
  return kept.join(' ');
}
