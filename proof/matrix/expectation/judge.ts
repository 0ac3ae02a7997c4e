/**
 * The rule for the matrix of faults and checks, as a pure function: every fault is found by checks of exactly the clauses
 * that it names, every MUST check fails under some fault, no alarm on a correct service, and no pass on a service that serves
 * nothing. Only a failed assertion counts as finding a fault.
 */
import {
  CELL_OF,
  type MatrixCheck,
  type MatrixFinding,
  type MatrixRow,
  NOT_RUN,
  type SelftestProblem,
} from '../../../contracts/run/selftest.ts';

export interface Matrix {
  readonly checks: readonly MatrixCheck[];
  readonly rows: readonly MatrixRow[];
}

export interface Scope {
  /** All faults ran, so a check that never failed is a problem. */
  readonly everyFault: boolean;
  /** All checks are in the matrix, so that a clause without one is a mistake. */
  readonly everyCheck: boolean;
  /** What passes on a control, by its id: these checks and no others, or all checks but these. */
  readonly onControl: Readonly<Record<string, ExpectedPasses>>;
}

export type ExpectedPasses = { readonly only: readonly string[] } | { readonly allBut: readonly string[] };

/**
 * The checks that found the fault of a row: a MUST check that failed, or a SHOULD or MAY check that warned. Each with the
 * clauses that its verdict is about.
 */
export function foundBy(checks: readonly MatrixCheck[], row: MatrixRow): MatrixCheck[] {
  return checks
    .filter(({ level }, at) => {
      const cell = row.cells[at];
      return cell === CELL_OF.fail || (cell === CELL_OF.warn && (level === 'SHOULD' || level === 'MAY'));
    })
    .map((check) => {
      const clauses = row.findings.find((finding) => finding.check === check.id)?.clauses;
      return clauses === undefined ? check : { ...check, clauses };
    });
}

/** All problems, worst first: errors, alarms, faults, checks. */
export function problemsOf({ checks, rows }: Matrix, scope: Scope): SelftestProblem[] {
  const faults = rows.filter(({ kind }) => kind === 'fault');
  return [
    ...rows.flatMap(errorsIn),
    ...rows.flatMap((row) => alarmsIn(checks, row)),
    ...rows.flatMap((row) => passesIn(checks, row, scope.onControl)),
    ...faults.flatMap((row) => mismatchesIn(checks, row, scope.everyCheck)),
    ...(scope.everyFault ? unkilled(checks, faults) : []),
  ];
}

function errorsIn({ id, findings }: MatrixRow): SelftestProblem[] {
  return findings
    .filter(({ verdict }) => verdict === 'error')
    .map(({ check, reason }) => ({
      kind: 'error',
      row: id,
      check,
      message: `${check} ended in an error of the harness on ${id}: ${reason}`,
    }));
}

/** Correct services: none may be blamed, and the embedded service leaves nothing undecided. */
function alarmsIn(checks: readonly MatrixCheck[], row: MatrixRow): SelftestProblem[] {
  if (row.kind === 'fault' || row.kind === 'control') return [];
  // Another service may have reasons to ignore a SHOULD; the embedded one does not.
  const blamed = foundBy(checks, row).filter(({ level }) => level === 'MUST' || row.kind === 'correct');
  const alarms = blamed.map(({ id }): SelftestProblem => {
    const message = `${id} blames ${row.id}, which is a correct service: ${reasonIn(row, id)}`;
    return { kind: 'false-alarm', row: row.id, check: id, message };
  });
  if (row.kind !== 'correct') return alarms;
  const isMust = (id: string): boolean => checks.some((check) => check.id === id && check.level === 'MUST');
  const isUndecided = ({ verdict, check }: MatrixFinding): boolean =>
    (verdict === 'inconclusive' || verdict === 'not-applicable') && isMust(check);
  const undecided = row.findings.filter(isUndecided).map(({ check, reason }): SelftestProblem => {
    const message = `${check} comes to no verdict on the correct service: ${reason}`;
    return { kind: 'undecided', row: row.id, check, message };
  });
  return [...alarms, ...undecided];
}

/** The column of a control must equal its list exactly: an outdated list would hide the next mistake. */
function passesIn(checks: readonly MatrixCheck[], row: MatrixRow, expected: Scope['onControl']): SelftestProblem[] {
  if (row.kind !== 'control') return [];
  const passes = expected[row.id] ?? { only: [] };
  const mayPass = (id: string): boolean => ('only' in passes ? passes.only.includes(id) : !passes.allBut.includes(id));
  const where = 'proof/matrix/expectation/controls.ts';
  return checks.flatMap(({ id, level }, at): SelftestProblem[] => {
    if (level === 'OBSERVES' || row.cells[at] === NOT_RUN) return [];
    const passed = row.cells[at] === CELL_OF.pass;
    if (passed === mayPass(id)) return [];
    const message = passed
      ? `${id} passes on ${row.id} (${row.about}): give it a control that has to be accepted, or write it down (${where})`
      : `${id} is written down as one that passes on ${row.id}, and does not: ${reasonIn(row, id)} (${where})`;
    return [{ kind: 'passes-on-control', row: row.id, check: id, message }];
  });
}

/** Exactly the named clauses: each failing check has one of them, unless it is an additional one, and each of them a failing check. */
function mismatchesIn(checks: readonly MatrixCheck[], row: MatrixRow, everyCheck: boolean): SelftestProblem[] {
  const inScope = row.clauses.filter((clause) => {
    const ofClause = [...checks.keys()].filter((at) => checks[at]?.clauses.includes(clause));
    // Clauses of browser checks count only with a browser; clauses without a check count only in the whole matrix.
    return ofClause.length === 0 ? everyCheck : ofClause.some((at) => row.cells[at] !== NOT_RUN);
  });
  const found = foundBy(checks, row);
  const undeclared = found
    .filter(({ additional, clauses }) => !additional && !clauses.some((clause) => row.clauses.includes(clause)))
    .map(({ id, clauses }): SelftestProblem => {
      const message = `${id} fails on the fault ${row.id}, which breaks ${row.clauses} and not ${clauses}: ${reasonIn(row, id)}`;
      return { kind: 'undeclared', row: row.id, check: id, message };
    });
  if (found.length === 0) {
    if (inScope.length === 0) return [];
    const near = row.findings.slice(0, HINTS).map(hint).join('; ');
    const seen = near === '' ? 'every check passed' : `seen: ${near}`;
    const message = `no check fails on the fault ${row.id} (${row.about}); ${seen}`;
    return [{ kind: 'not-found', row: row.id, message }];
  }
  const silent = inScope
    .filter((clause) => !found.some(({ clauses }) => clauses.includes(clause)))
    .map((clause): SelftestProblem => {
      const message = `the fault ${row.id} names ${clause}, and no check of that clause fails on it`;
      return { kind: 'declared-only', row: row.id, message };
    });
  return [...undeclared, ...silent];
}

/** Enough to see why nothing failed. */
const HINTS = 3;
const hint = ({ check, verdict, reason }: MatrixFinding): string => `${check} ${verdict} (${reason})`;

function unkilled(checks: readonly MatrixCheck[], faults: readonly MatrixRow[]): SelftestProblem[] {
  const killing = new Set(faults.flatMap((row) => foundBy(checks, row).map(({ id }) => id)));
  return checks
    .filter(({ level, browser, id }, at) => {
      const ran = !browser || faults.some((row) => row.cells[at] !== NOT_RUN);
      return level === 'MUST' && ran && !killing.has(id);
    })
    .map(({ id, clauses }) => ({
      kind: 'unkillable',
      check: id,
      message: `no fault makes ${id} fail: nothing shows that it can. Add one that breaks ${clauses} (mock/faults/)`,
    }));
}

const reasonIn = (row: MatrixRow, check: string): string =>
  row.findings.find((finding) => finding.check === check)?.reason ?? 'without a reason';
