/** Whether the parts of a package are consistent: the results are computed again from the events, and the report from both. */
import { createHash } from 'node:crypto';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import type { CheckResult, Exchange, RunEvent, RunHeader } from '../../contracts/run/events.ts';
import { type PackageInfo, REPEATED_FACTS } from '../../harness/evidence/package/format.ts';
import type { OpenPackage } from '../../harness/evidence/package/read.ts';
import { PackageError } from '../../harness/evidence/package/read.ts';
import { type FoldedRun, foldRun } from '../../reports/events/fold.ts';
import { EventsError, readEvents } from '../../reports/events/read.ts';
import type { Evidence } from '../../reports/html/exchanges/evidence.ts';
import { renderHtml } from '../../reports/html/index.ts';
import { readResults } from '../../reports/results/file.ts';
import type { Results } from '../../reports/results/index.ts';
import { firstDifference } from '../../reports/words/difference.ts';
import { judgeAbsent } from './absent.ts';
import type { CommandParts } from './definitions.ts';

/** What the events of a package contain, beyond the results. */
export interface Contents {
  readonly results: Results;
  readonly header: RunHeader;
  readonly checks: readonly CheckResult[];
  /** Numbers of all exchanges. */
  readonly exchanges: ReadonlySet<number>;
}

/** Throws a `PackageError` for the first inconsistency. */
export async function judgeContents(opened: OpenPackage, { clauses, checks: known }: CommandParts): Promise<Contents> {
  const { info } = opened;
  const results = resultsOf(opened);
  for (const fact of REPEATED_FACTS) {
    if (JSON.stringify(info[fact]) !== JSON.stringify(results[fact]))
      throw new PackageError(`states a different ${fact} than its results.json`);
  }
  const checks: CheckResult[] = [];
  const exchanges = new Set<number>();
  let header: RunHeader | undefined;
  const { results: folded, evidence } = await foldOf(opened, clauses, (event) => {
    if (event.type === 'header') header = event;
    if (event.type === 'check') checks.push(withoutScreenshots(event));
    if (event.type === 'exchange') {
      if (exchanges.has(event.n)) throw new PackageError(`contains two exchanges with the number ${event.n}`);
      exchanges.add(event.n);
    }
  });
  if (header === undefined) throw new PackageError('contains events without a header');
  compareResults(results, folded);
  judgePlan(header, known);
  judgeReferences(checks, exchanges, known);
  judgeAbsent(checks, known);
  judgeReport(opened, folded, evidence);
  return { results: folded, header, checks, exchanges };
}

/** The exchanges of a package, one by one. */
export async function* exchangesOf(opened: OpenPackage): AsyncGenerator<Exchange> {
  for await (const event of eventsOf(opened)) if (event.type === 'exchange') yield event;
}

async function* eventsOf({ eventsFile }: OpenPackage): AsyncGenerator<RunEvent> {
  try {
    yield* readEvents(eventsFile);
  } catch (error) {
    throw packageErrorOf(error, eventsFile);
  }
}

async function foldOf(
  { eventsFile }: OpenPackage,
  clauses: CommandParts['clauses'],
  each: (event: RunEvent) => void,
): Promise<FoldedRun> {
  try {
    return await foldRun(eventsFile, clauses, each);
  } catch (error) {
    throw packageErrorOf(error, eventsFile);
  }
}

/** Turns an error about the events into a sentence about the package; other errors stay as they are. */
const packageErrorOf = (error: unknown, eventsFile: string): unknown =>
  error instanceof EventsError ? new PackageError(inPackage(error.message, eventsFile)) : error;

const withoutScreenshots = ({ screenshots: _, ...check }: CheckResult): CheckResult => check;

function resultsOf({ results }: OpenPackage): Results {
  try {
    return readResults(results, 'results.json');
  } catch (error) {
    throw error instanceof EventsError ? new PackageError(inPackage(error.message, 'results.json')) : error;
  }
}

/** Turns a sentence about a file into the end of a sentence about the package. */
const inPackage = (message: string, file: string): string =>
  `contains events or results that can't be read: ${message.replaceAll(file, file.endsWith('results.json') ? file : 'events.ndjson').replace(/\.$/, '')}`;

function compareResults(named: Results, folded: Results): void {
  if (JSON.stringify(named) === JSON.stringify(folded)) return;
  const at = firstDifference(JSON.parse(JSON.stringify(folded)), JSON.parse(JSON.stringify(named)));
  const where = at === undefined || at.pointer === '' ? '' : ` at ${at.pointer}`;
  throw new PackageError(`contains results that do not follow from its events: they differ${where}`);
}

/** A package that declares no selection (`--only`) must have run everything. */
function judgePlan(header: RunHeader, known: CommandParts['checks']): void {
  const selected = new Set(header.selected);
  const stranger = header.selected.find((id) => !known.some((check) => check.id === id));
  if (stranger !== undefined) throw new PackageError(`selects ${stranger}, which is not a check of this version`);
  if (header.onlyPattern !== undefined) return;
  const left = known.find(({ id }) => !selected.has(id));
  if (left !== undefined) throw new PackageError(`omits the check ${left.id} without declaring it`);
}

/** Whether a result is about clauses of its check; a precondition may have broken any other clause of the contract. */
function areClausesOf({ clauses: own }: CommandParts['checks'][number], { verdict, clauses }: CheckResult): boolean {
  const isFound = verdict === 'fail' || verdict === 'warn';
  if (isFound && clauses.length > 0) return clauses.every((clause) => CONTRACT.has(clause));
  return clauses.every((clause) => own.includes(clause)) && clauses.length > 0 === own.length > 0;
}

const CONTRACT: ReadonlySet<string> = new Set(CLAUSES.map(({ id }) => id));

/** Each result belongs to a check of this version and refers only to exchanges in the package. */
function judgeReferences(
  checks: readonly CheckResult[],
  exchanges: ReadonlySet<number>,
  known: CommandParts['checks'],
): void {
  const definitions = new Map(known.map((check) => [check.id, check]));
  for (const check of checks) {
    const definition = definitions.get(check.id);
    if (definition === undefined)
      throw new PackageError(`contains a result of ${check.id}, which is not a check of this version`);
    const isSame = check.title === definition.title && check.level === definition.level;
    if (!isSame || !areClausesOf(definition, check))
      throw new PackageError(`describes the check ${check.id} differently from its definition`);
    const missing = [...check.exchanges, ...(check.decisive === undefined ? [] : [check.decisive])].find(
      (n) => !exchanges.has(n),
    );
    if (missing !== undefined)
      throw new PackageError(`bases the verdict of ${check.id} on exchange ${missing}, which it does not contain`);
    if (check.verdict === 'fail' && check.level !== 'MUST')
      throw new PackageError(`claims a fail of ${check.id}, which is not a MUST`);
    if (check.verdict === 'warn' && check.level === 'MUST')
      throw new PackageError(`claims a warning of ${check.id}, which is a MUST`);
    const isObservation = check.level === 'OBSERVES';
    if (isObservation ? check.verdict === 'pass' : check.verdict === 'observed')
      throw new PackageError(
        `reports ${check.id} as ${check.verdict}, which ${isObservation ? 'only records an observation' : 'needs a decision'}`,
      );
  }
}

/** The report matches these results. */
function judgeReport(opened: OpenPackage, results: Results, evidence: Evidence): void {
  const sha256 = createHash('sha256').update(renderHtml(results, evidence), 'utf8').digest('hex');
  const named = (opened.info as PackageInfo).parts.find(({ name }) => name === 'report.html');
  if (named?.sha256 !== sha256) throw new PackageError('contains a report.html that does not follow from its events');
}
