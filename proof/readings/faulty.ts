/**
 * Faults of services that read the silences of the contract in other ways. A check whose value such a service refuses falls back on
 * others, and must still find what the service gets wrong.
 */
import type { CheckResult } from '../../contracts/run/events.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { faults } from '../../mock/deviations.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import { drawn } from './draw.ts';
import { type Choice, choiceOf, type Reading } from './reading.ts';
import { READINGS } from './rows/index.ts';
import { runOnService } from './run-service.ts';

export interface FaultyService {
  readonly fault: Deviation;
  readonly choice: Choice;
}

/** What checks say of such a service. */
export interface FaultyRun {
  /** The checks that failed, or warned about a SHOULD that the fault breaks. */
  readonly foundBy: readonly string[];
  /** MUST checks that could not be decided, each with its reason. */
  readonly undecided: readonly string[];
}

/** The faults that show without a browser. */
export const FAULTS: readonly Deviation[] = faults.filter(({ surface }) => surface !== 'browser');

/** Rows that are about another interface than a fault: they would only take the place of one that matters. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  delivery: /^(?:reseller|apps|tokens|passwords|login)\./,
  apps: /^(?:reseller|tokens|passwords|login|methods|points|lists|uploads|texts)\./,
  reseller: /^(?:apps|methods|points|lists|uploads|texts)\./,
};

/** Faults recognise a refusal by the status that the embedded service gives it. */
const STATUSES: ReadonlySet<string> = new Set(['refusals.status', 'credentials.refusal']);

const clausesOf = ({ clause, clauses }: Deviation): readonly string[] =>
  clauses ?? (clause === undefined ? [] : [clause]);

/** `delivery`, `apps` or `reseller`; undefined for a fault of several interfaces. */
function interfaceOf(fault: Deviation): string | undefined {
  const [family = ''] = fault.id.split('.');
  const [first, second] = (clausesOf(fault)[0] ?? '').split('.');
  const name = family in ELSEWHERE ? family : first === 'envelope' ? second : first;
  return name !== undefined && name in ELSEWHERE ? name : undefined;
}

/** The service with this fault and a drawn choice of up to `most` answers. */
export function drawnFor(fault: Deviation, seed: number, most: number): FaultyService {
  const elsewhere = ELSEWHERE[interfaceOf(fault) ?? ''];
  const rows = READINGS.filter(({ id }: Reading) => !STATUSES.has(id) && elsewhere?.test(id) !== true);
  const own = [...fault.id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000_007, seed);
  return { fault, choice: drawn(rows, 1, own, most)[0]! };
}

/** The service of a name: `points.id-is-number::texts.length/at-most-32`. */
export function faultyService(name: string): FaultyService {
  const [id, answers = ''] = name.split('::');
  const fault = FAULTS.find((one) => one.id === id);
  if (fault === undefined)
    throw new UsageError(`No fault "${id}" shows without a browser: mock/faults/ and docs/catalogue.md have the ids.`);
  return { fault, choice: choiceOf(READINGS, answers) };
}

/** Runs the checks beside the clause of a fault, and all of its interface if these do not find it. */
export async function judgeFaulty({ fault, choice }: FaultyService): Promise<FaultyRun> {
  const clauses = clausesOf(fault);
  const near = clauses.map((clause) => clause.split('.').slice(0, 2).join('.'));
  const iface = interfaceOf(fault);
  const attempts = [
    (id: string) => near.some((part) => id.startsWith(`${part}.`)),
    (id: string) => (iface === undefined || id.includes(iface)) && !id.startsWith('properties.'),
  ];
  let results: readonly CheckResult[] = [];
  for (const wanted of attempts) {
    results = (await runOnService(choice, { fault, wanted })).results;
    const foundBy = results.filter(
      ({ verdict, clauses: judged }) =>
        verdict === 'fail' || (verdict === 'warn' && judged.some((clause) => clauses.includes(clause))),
    );
    if (foundBy.length > 0) return { foundBy: foundBy.map(({ id }) => id), undecided: [] };
  }
  const undecided = results.filter(
    ({ verdict, level, additional }) => verdict === 'inconclusive' && level !== 'OBSERVES' && additional !== true,
  );
  return { foundBy: [], undecided: undecided.map(({ id, reason }) => `${id}: ${reason}`) };
}
