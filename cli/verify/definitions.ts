/** The checks and clauses of each command in this version; packages are compared with them. */
import type { ClauseRow } from '../../contracts/clauses/clause-row.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import type { CheckResult } from '../../contracts/run/events.ts';
import { clausesInScope } from '../precheck/scope.ts';

/** What a check of this version is. */
export interface Definition {
  readonly id: string;
  readonly title: string;
  readonly level: CheckResult['level'];
  readonly clauses: readonly string[];
  /** The parts of a target that it needs; only for checks of `run`. */
  readonly partList?: readonly string[];
}

export interface CommandParts {
  readonly clauses: readonly ClauseRow[];
  readonly checks: readonly Definition[];
}

const COMMANDS: Readonly<Record<string, () => Promise<CommandParts>>> = {
  run: async () => ({ clauses: CLAUSES, checks: (await import('../../suites/index.ts')).CHECKS }),
  'precheck app': async () => ({
    clauses: clausesInScope('app'),
    checks: (await import('../../suites/app/index.ts')).APP_CHECKS,
  }),
  'precheck delivery': async () => ({
    clauses: clausesInScope('delivery'),
    checks: (await import('../../suites/provider/index.ts')).DELIVERY_CHECKS,
  }),
};

/** Undefined for a command that writes no packages. */
export async function partsOf(command: string): Promise<CommandParts | undefined> {
  const load = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  return load?.();
}
