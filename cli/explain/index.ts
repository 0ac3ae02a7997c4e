/** `proofmark explain ID`: what a check, or the checks of a clause, send, expect and last found. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { nearest as nearestOf } from '../../harness/process/nearest.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { faults } from '../../mock/deviations.ts';
import { rerunCommand } from '../../reports/findings/rerun.ts';
import { readResults } from '../../reports/results/file.ts';
import { oneLine } from '../../reports/words/text.ts';
import { CHECKS } from '../../suites/index.ts';
import { readFileOf } from '../common/files/read-file.ts';
import { flagsOf } from '../common/flags.ts';
import { SHARED, sentBy } from './estimate.ts';

const HELP = `Usage: proofmark explain ID

Prints, for a check or a clause: the sentence of the contract, its section and the clauses that it rests on, what the check
needs, sends and expects, the faults of the mock that prove it, file and line, and its last result. What is sent was
counted in a run on the embedded mock; the numbers may differ on another target.

  --out DIR  where the last run wrote its reports (default: reports/latest)

Exit codes: 0 printed, 2 no such id, 4 an error of Proofmark.`;

/** Far more than the results of all checks take. */
const MAX_RESULTS_BYTES = 512 * 1024 * 1024;

type Check = (typeof CHECKS)[number];

/** `proofmark explain`: prints what a check or clause is about. Returns the exit code; throws a UsageError for an unknown id. */
export async function explainCommand(argv: readonly string[]): Promise<number> {
  const options = {
    out: { type: 'string', default: 'reports/latest' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values, positionals } = flagsOf('explain', argv, options, 1);
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [id] = positionals;
  if (id === undefined) throw new UsageError('explain takes the id of a check or a clause: `proofmark run --list`.');
  const checks = CHECKS.filter((check) => check.id === id);
  const chosen = checks.length > 0 ? checks : CHECKS.filter(({ clauses }) => clauses.includes(id));
  const clause = CLAUSES.find((one) => one.id === id);
  if (chosen.length === 0 && clause === undefined) throw unknownId(id);
  if (chosen.length === 0 && clause !== undefined) {
    console.log(clauseLines(id).join('\n'));
    console.log(
      `  ${clause.excluded === undefined ? 'No check of a service decides it.' : `Excluded: ${clause.excluded}`}`,
    );
  }
  console.log(chosen.map((check) => explain(check, values.out).join('\n')).join('\n\n'));
  return 0;
}

/** The lines of one check. */
export function explain(check: Check, out: string): string[] {
  const sent = Object.entries(sentBy(check.id) ?? {});
  const proofs = faults
    .filter(({ clause, clauses }) => [...(clauses ?? []), clause].some((one) => one && check.clauses.includes(one)))
    .map(({ id, about }) => `  ${id}: ${about}`);
  return [
    `${check.id}`,
    `Expected: ${check.title}`,
    ...check.clauses.flatMap(clauseLines),
    `Needs: ${check.needs.join(', ') || 'nothing'}. Effects: ${check.effectList.join(', ')}${check.usesAllowed === undefined ? '' : `, and those allowed of ${check.usesAllowed.join(', ')}`}. Part: ${check.partList.join(', ')}.`,
    sentLine(sentBy(check.id)),
    ...sent.map(([operation, many]) => `  ${String(many).padStart(4)} × ${operation}`),
    proofs.length === 0
      ? 'Faults: none of the mock breaks these clauses.'
      : 'Faults of these clauses (--target mock:fault=ID):',
    ...proofs,
    `Source: ${check.source ?? 'unknown'}`,
    ...lastResult(check.id, out),
  ];
}

function sentLine(sent: ReturnType<typeof sentBy>): string {
  if (sent === undefined) return 'Sends: not measured in the run on the embedded mock.';
  return Object.keys(sent).length === 0 ? `Sends: ${SHARED}.` : 'Sends (counted on the embedded mock):';
}

function clauseLines(id: string): string[] {
  const clause = CLAUSES.find((one) => one.id === id);
  if (clause === undefined) return [];
  const { level, text, section, restsOn } = clause;
  return [
    `${level}: ${text} (${section}; ${id})`,
    ...(restsOn === undefined ? [] : [`  Rests on ${restsOn.join(', ')}: if that is broken, this is undecided.`]),
  ];
}

/** Result and command of the run whose reports are in `out`, whatever its target was. */
function lastResult(id: string, out: string): string[] {
  const plain = `Run it: npx proofmark run --only ${id}`;
  const file = join(out, 'results.json');
  if (!existsSync(file)) return [`Last result: none, since ${file} does not exist`, plain];
  const results = readResults(readFileOf(file, '--out', MAX_RESULTS_BYTES), file);
  const found = results.checks.find((check) => check.id === id);
  if (found === undefined) return [`Last result: none in ${file}: that run did not select it`, plain];
  const reason = found.reason ? `: ${oneLine(found.reason)}` : '';
  const again = rerunCommand(results, id);
  return [
    `Last result: ${found.verdict} on ${oneLine(results.target.name)}, ${results.startedAt}${reason}`,
    again === undefined ? plain : `Run it: ${oneLine(again)}`,
  ];
}

function unknownId(id: string): UsageError {
  const nearest = nearestOf(id, [...CHECKS.map((check) => check.id), ...CLAUSES.map((clause) => clause.id)]);
  const hint =
    nearest === undefined ? '`proofmark run --list` prints the checks' : `the nearest known one is "${nearest}"`;
  return new UsageError(`There is no check or clause "${id}": ${hint}.`);
}
