/** What reports say of a baseline of known findings, entry by entry. */
import type { BaselineEntryOutcome, BaselineStatus } from '../../contracts/run/baseline.ts';
import type { CheckOutcome, Results } from '../results/index.ts';
import { count } from './text.ts';

export interface BaselineLine {
  readonly status: BaselineStatus;
  /** The glob of the entry. */
  readonly pattern: string;
  /** One sentence: what this run says of the entry, and what to do. */
  readonly text: string;
  /** The entry fails the run. */
  readonly fails: boolean;
}

/** One line for each entry: those that fail the run first. Empty without a baseline. */
export function baselineLines({ baseline }: Pick<Results, 'baseline'>): BaselineLine[] {
  const lines = (baseline?.findings ?? []).map((entry) => ({
    status: entry.status,
    pattern: entry.check ?? entry.clause ?? '',
    text: textOf(entry),
    fails: entry.status === 'stale' || entry.status === 'expired',
  }));
  return [...lines.filter(({ fails }) => fails), ...lines.filter(({ fails }) => !fails)];
}

function textOf({ status, owner, expires, reason, checks }: BaselineEntryOutcome): string {
  const found = checks.length === 0 ? 'not found in this run' : `found by ${count(checks.length, 'check')}`;
  switch (status) {
    case 'known':
      return `Known until ${expires} (${owner}): ${reason}; ${found}.`;
    case 'stale':
      return `Stale: no longer found, so it is fixed. Remove the entry of ${owner} (proofmark baseline --update).`;
    case 'expired':
      return `Expired on ${expires}, ${found}: ${owner} must fix the finding or set a new date.`;
    case 'undecided':
      return `Undecided: its checks reached no verdict, so it neither excuses a failure nor is stale (${owner}).`;
    case 'not-run':
      return `Not judged: this run contains none or only some of its checks (${owner}).`;
  }
}

/** Why an outdated baseline or a warning fails the run, as a sentence for the headline; empty when neither does. */
export function expectationText(results: Results): string {
  const { checks, failOn } = results;
  const known = checks.filter((check) => check.known !== undefined).length;
  const outdated = baselineLines(results).filter(({ fails }) => fails).length;
  const warned = checks.filter((check) => check.verdict === 'warn' && check.known === undefined).length;
  const parts = [
    known > 0 && `${count(known, 'finding')} ${known === 1 ? 'is' : 'are'} known by the baseline.`,
    outdated > 0 &&
      `The baseline fails this run: ${count(outdated, 'entry', 'entries')} ${outdated === 1 ? 'is' : 'are'} stale or expired.`,
    failOn === 'warn' && warned > 0 && 'Warnings fail this run (--fail-on warn).',
  ];
  return parts
    .filter((part) => part !== false)
    .map((part) => ` ${part}`)
    .join('');
}

/** What a report says beside a finding that is known. */
export function knownText({ known }: CheckOutcome): string | undefined {
  return known && `Known until ${known.expires} (${known.owner}): ${known.reason}`;
}
