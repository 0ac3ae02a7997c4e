/** `proofmark judge`: judges recorded traffic offline, a browser's HAR file or the events of a run. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ClauseRow } from '../../contracts/clauses/clause-row.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { inStartOrder, TrafficFold, type TrafficVerdicts } from '../../contracts/traffic/index.ts';
import { comparable } from '../../contracts/traffic/reading/seen.ts';
import { EventWriter } from '../../harness/evidence/events/writer.ts';
import { createRedaction, type Redaction } from '../../harness/evidence/redaction/index.ts';
import { redactEvent } from '../../harness/evidence/redaction/redacted.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import { printSummary } from '../../reports/terminal.ts';
import { removeReports, writeReports } from '../../reports/write.ts';
import { makeOutFolder, outFolderOf } from '../common/files/out-folder.ts';
import { flagsOf } from '../common/flags.ts';
import { newRunId } from '../common/run-id.ts';
import { type Evidence, evidence } from './evidence.ts';
import { KEYS_HELP, readKeys } from './keys.ts';
import { openRecording, type Recording } from './recording.ts';
import { checkIdOf, judgedClauses, plannedCheck, resultsOf } from './results.ts';
import { secretFinder } from './secrets.ts';

const HELP = `Usage: proofmark judge FILE.har|events.ndjson [OPTION …]

Judges recorded traffic offline, against every clause that a single exchange or a sequence of them can decide. The rest is
inconclusive, with the reason. Browsers leave the Authorization header out of HAR files; that is not a fault.

  --party PARTY          who is judged: service (the default for a HAR) or integrator; events name it themselves
${KEYS_HELP}
  --base URL             address of an interface, which ends with /v1/ or /api/ (may be given several times); others are
                         recognised by the calls that go to them
  --languages CODES      the languages of the website, separated by commas
  --only GLOB            only the clauses whose id matches, e.g. 'envelope.*' (may be given several times)
  --out DIR              where the reports go (default: reports/latest), other than the folder of the events that are judged
  --allow-inconclusive   exit 0 instead of 3 when nothing failed and something could not be decided
  --show-personal-data   do not mask people's names, e-mails and phone numbers in the reports

Exit codes: 0 conformant, 1 a check failed, 2 usage or a file that can't be read, 3 inconclusive, 4 an error of Proofmark.`;

interface JudgeOptions {
  readonly file: string;
  readonly party: 'service' | 'integrator' | undefined;
  readonly keys: Readonly<Record<string, string>>;
  readonly bases: readonly string[];
  readonly languages: readonly string[];
  readonly only: readonly string[];
  readonly out: string;
  readonly allowInconclusive: boolean;
  readonly showPersonalData: boolean;
}

/** Throws a UsageError with one sentence for what can't be read. Nothing is written before the whole file was. */
export async function judgeCommand(argv: string[]): Promise<number> {
  const options = optionsOf(argv);
  if (options === undefined) {
    console.log(HELP);
    return 0;
  }
  const started = performance.now();
  const recording = await openRecording(options.file);
  refusePartOfRecording(options, recording);
  refuseToReplace(options);
  const party = partyOf(options, recording);
  const rows = judgedClauses(party, options.only);
  if (rows.length === 0)
    throw new UsageError(`--only "${options.only.join(' ')}" matches no clause of a party ${party}.`);
  const redaction = createRedaction();
  for (const [name, value] of Object.entries(options.keys)) redaction.add({ name, value });
  const held = evidence();
  const { verdicts, notices } = await judged(recording, options, party, redaction, held);
  return report({ options, recording, party, rows, redaction, held, verdicts, notices, started });
}

function optionsOf(argv: readonly string[]): JudgeOptions | undefined {
  const { values, positionals } = flagsOf(
    'judge',
    argv,
    {
      party: { type: 'string' },
      keys: { type: 'string' },
      base: { type: 'string', multiple: true, default: [] },
      languages: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      out: { type: 'string', default: 'reports/latest' },
      'allow-inconclusive': { type: 'boolean', default: false },
      'show-personal-data': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    1,
  );
  if (values.help) return undefined;
  const [file] = positionals;
  if (file === undefined) throw new UsageError('proofmark judge needs a file: a HAR, or the events.ndjson of a run.');
  const { party } = values;
  if (party !== undefined && party !== 'service' && party !== 'integrator')
    throw new UsageError(`--party must be service or integrator, not "${party}".`);
  return {
    file,
    party,
    keys: readKeys(values.keys),
    bases: values.base.map(baseOf),
    languages: (values.languages ?? '').split(',').flatMap((code) => (code.trim() === '' ? [] : [code.trim()])),
    only: values.only,
    out: values.out,
    allowInconclusive: values['allow-inconclusive'],
    showPersonalData: values['show-personal-data'],
  };
}

function baseOf(text: string): string {
  const base = text.replace(/(?<!\/)\/*$/, '/');
  if (!URL.canParse(base) || !/^https?:.*\/(?:v1|api)\/$/i.test(base))
    throw new UsageError(`--base takes an address that ends with /v1/ or /api/, not "${text}".`);
  return base;
}

/** `proofmark judge` writes down the exchanges that its report shows: without those between them, an object seems to change by itself. */
function refusePartOfRecording({ file }: JudgeOptions, { header }: Recording): void {
  if (header?.command !== 'judge') return;
  throw new UsageError(
    `${file} is the record of \`proofmark judge\`, with only some exchanges of ${header.target.name}: give that recording itself.`,
  );
}

/** The events of a run have the name under which the events of this command are written. */
function refuseToReplace({ file, out }: JudgeOptions): void {
  const events = join(outFolderOf(out), EVENTS_FILE);
  if (!existsSync(events) || realpathSync(events) !== realpathSync(file)) return;
  throw new UsageError(
    `The reports would replace ${file}, which is to be judged: give another folder with --out, for example --out reports/judged.`,
  );
}

/** Events know who was judged: the other party of a run or a precheck is Proofmark itself, forged requests and all. */
function partyOf({ party, file }: JudgeOptions, { header }: Recording): 'service' | 'integrator' {
  if (header === undefined) return party ?? 'service';
  if (party === undefined || party === header.party) return header.party;
  const other = header.party === 'service' ? 'the harness itself as integrator' : 'the embedded service';
  throw new UsageError(
    `${file} is the record of \`proofmark ${header.command}\`: as ${party} it shows ${other}, so leave --party out.`,
  );
}

async function judged(
  recording: Recording,
  options: JudgeOptions,
  party: 'service' | 'integrator',
  redaction: Redaction,
  held: Evidence,
): Promise<{ verdicts: TrafficVerdicts; notices: string[] }> {
  const isHar = recording.kind === 'har';
  const fold = new TrafficFold({
    party,
    keys: options.keys,
    bases: options.bases,
    languages: options.languages,
    headersComplete: !isHar,
    complete: !isHar,
  });
  const finder = secretFinder(redaction);
  const order = inStartOrder((exchange) => {
    if (isHar) finder.look(exchange);
    if (fold.add(exchange)) held.hold(exchange);
  });
  await recording.read(order.add);
  order.end();
  const verdicts = fold.done();
  const { exchanges, calls, pages, bases } = verdicts;
  const where = bases.length === 0 ? '' : ` (${bases.join(', ')})`;
  const notices = [
    `${exchanges} exchanges were read: ${calls} calls of an interface${where}, ${pages} requests to or from an integrator's pages`,
    ...(calls + pages === 0
      ? ['nothing in the recording was recognised: give the address of the interface with --base']
      : []),
    ...options.bases
      .filter((named) => !bases.some((base) => comparable(base) === comparable(named)))
      .map((named) => `no call in the recording goes to ${named}: correct --base, or leave it out`),
    ...(finder.forgotten > 0
      ? [
          `the recording contains ${finder.forgotten} more secrets than could be redacted: check the report before you share it`,
        ]
      : []),
    ...recording.notices,
  ];
  return { verdicts, notices };
}

interface CheckSummary {
  readonly options: JudgeOptions;
  readonly recording: Recording;
  readonly party: 'service' | 'integrator';
  readonly rows: readonly ClauseRow[];
  readonly redaction: Redaction;
  readonly held: Evidence;
  readonly verdicts: TrafficVerdicts;
  readonly notices: readonly string[];
  /** Of `performance.now()`. */
  readonly started: number;
}

async function report(judgement: CheckSummary): Promise<number> {
  const { options, recording, party, rows, redaction, held, verdicts, started } = judgement;
  const out = outFolderOf(options.out);
  makeOutFolder(out);
  await removeReports(out);
  const file = join(out, EVENTS_FILE);
  const startedAt = new Date();
  const events = new EventWriter(
    file,
    {
      type: 'header',
      proofmark: PROOFMARK_VERSION,
      contract: CONTRACT_VERSION,
      command: 'judge',
      run: newRunId(startedAt),
      target: { name: basename(options.file), kind: recording.kind },
      party,
      startedAt: startedAt.toISOString(),
      seed: 1,
      selected: rows.map(({ id }) => checkIdOf(id)),
      ...(options.only.length === 0 ? {} : { onlyPattern: options.only.join(' ') }),
      node: process.version,
      plan: rows.map(plannedCheck),
    },
    { redact: (value) => redaction.value(value) },
  );
  const results = resultsOf(rows, party, verdicts);
  const numbers = new Set(results.flatMap(({ exchanges }) => exchanges));
  for (const exchange of held.written(numbers, redaction, options.showPersonalData || recording.kind === 'events'))
    events.append(exchange);
  for (const result of results) events.append(redactEvent(result, (value) => redaction.value(value)));
  events.close({
    type: 'footer',
    endedAt: new Date().toISOString(),
    durationMs: Math.round(performance.now() - started),
    requests: verdicts.exchanges,
    allowInconclusive: options.allowInconclusive,
    notices: judgement.notices.map((notice) => redaction.text(notice)),
    timings: {},
  });
  const written = await writeReports(out, file, CLAUSES);
  printSummary(written, { out: options.out });
  return written.exitCode;
}
