/** What changed since another run, on what both runs contain: a part of a run is compared with that part of the other. Pure. */

import type { Results } from '../results/index.ts';
import { VERDICT_WORDS } from '../words/summary.ts';
import { clip, count, oneLine } from '../words/text.ts';
import { diffResults, type ResultsDiff, renderDiff, type VerdictChange } from './diff.ts';

export interface Changes extends ResultsDiff {
  readonly before: { readonly run: string; readonly startedAt: string };
  readonly after: { readonly run: string; readonly startedAt: string };
  /** How much both runs contain, and how many checks only one of them has. */
  readonly compared: { readonly checks: number; readonly clauses: number };
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

/** Compares `after` with the earlier run `before`. A clause is compared where the same checks judged it. */
export function changesSince(before: Results, after: Results): Changes {
  const [a, b] = [restricted(before, after), restricted(after, before)];
  return {
    ...diffResults(a, b),
    before: { run: before.run, startedAt: before.startedAt },
    after: { run: after.run, startedAt: after.startedAt },
    compared: { checks: b.checks.length, clauses: b.clauses.length },
    onlyBefore: before.checks.length - a.checks.length,
    onlyAfter: after.checks.length - b.checks.length,
  };
}

function restricted(results: Results, other: Results): Results {
  const ids = new Set(other.checks.map(({ id }) => id));
  const judges = new Map(other.clauses.map(({ id, checks }) => [id, [...checks].sort().join(' ')]));
  return {
    ...results,
    checks: results.checks.filter(({ id }) => ids.has(id)),
    clauses: results.clauses.filter(({ id, checks }) => judges.get(id) === [...checks].sort().join(' ')),
  };
}

const scopeOf = ({ compared, onlyBefore, onlyAfter }: Changes): string => {
  const alone = [
    onlyBefore > 0 && `${onlyBefore} only in the earlier run`,
    onlyAfter > 0 && `${onlyAfter} only in this one`,
  ];
  const rest = alone.filter((part) => part !== false).join(', ');
  return `${count(compared.checks, 'check')} and ${count(compared.clauses, 'clause')} of both runs compared${rest === '' ? '' : `; not compared: checks ${rest}`}.`;
};

/** For a terminal. */
export function renderChanges(changes: Changes): string {
  return `Since ${oneLine(changes.before.run)} (${changes.before.startedAt}): ${scopeOf(changes)}\n\n${renderDiff(changes)}`;
}

/** For the page of a merge request. Titles and ids are our own words. */
export function renderChangesMarkdown(changes: Changes): string {
  const rows = (title: string, found: readonly VerdictChange[]): string[] =>
    found.length === 0
      ? []
      : [
          `### ${title}`,
          '',
          '| | before | after | |',
          '|---|---|---|---|',
          ...found.map(
            ({ id, text, from, to, direction }) =>
              `| ${direction} | ${word(from)} | ${word(to)} | \`${id}\` ${clip(oneLine(text), 160).replace(/[|<>[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`)} |`,
          ),
          '',
        ];
  const lines = [...rows('Checks', changes.checks), ...rows('Clauses', changes.clauses)];
  const nothing = lines.length === 0 ? ['No verdict changed.', ''] : [];
  return [`## Since ${changes.before.startedAt}`, '', scopeOf(changes), '', ...nothing, ...lines].join('\n');
}

const word = (verdict: VerdictChange['from']): string => (verdict === null ? '' : VERDICT_WORDS[verdict]);
