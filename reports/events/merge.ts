/** The parts of one run (`--shard N/M`) as one run: which folders belong together, and the events that they come to. Pure. */
import type { RunEvent, RunFooter, RunHeader, RunShard } from '../../contracts/run/events.ts';
import { EventsError } from './read.ts';

/** A part of a run, as its folder holds it. */
export interface ShardRun {
  /** For sentences. */
  readonly folder: string;
  readonly header: RunHeader;
  /** None: the part was cut off. */
  readonly footer?: RunFooter;
}
interface Part extends ShardRun {
  readonly shard: RunShard;
}

/** What all parts have in common, in the order in which a difference is named. */
const IN_COMMON: ReadonlyArray<readonly [what: string, of: (part: Part) => unknown]> = [
  ['Proofmark', ({ header }) => header.proofmark],
  ['the contract', ({ header }) => header.contract],
  ['the target', ({ header }) => `${header.target.name} (${header.target.kind})`],
  ['the addresses of the target', ({ shard }) => shard.addresses],
  ['the number of parts', ({ shard }) => shard.total],
  ['the selected checks', ({ shard }) => shard.only ?? shard.tests ?? 'all'],
  ['the seed', ({ header }) => header.seed],
  ['the pipeline', ({ shard }) => shard.group],
];

/**
 * The parts in their order. Throws an `EventsError` that names a folder which is not a part, a part that is there twice, is
 * missing, or belongs to another run.
 */
export function joinShards(runs: readonly ShardRun[]): readonly ShardRun[] {
  const parts = runs.map((run): Part => {
    const { shard } = run.header;
    if (shard === undefined)
      throw new EventsError(
        `${run.folder} is a whole run and not a part of one: leave it out, or run it with --shard.`,
      );
    return { ...run, shard };
  });
  const [first] = parts;
  if (first === undefined) throw new EventsError('There is nothing to merge: give the folders of all parts.');
  for (const part of parts) {
    const different = IN_COMMON.find(([, of]) => JSON.stringify(of(part)) !== JSON.stringify(of(first)));
    if (different === undefined) continue;
    const [what, of] = different;
    const [own, other] = [of(part), of(first)].map((value) => JSON.stringify(value ?? null));
    throw new EventsError(
      `${part.folder} is not a part of the same run as ${first.folder}: ${what} differs (${own} and ${other}).`,
    );
  }
  const byNumber = new Map<number, Part>();
  for (const part of parts) {
    const same = byNumber.get(part.shard.current);
    if (same !== undefined)
      throw new EventsError(
        `${same.folder} and ${part.folder} are both part ${part.shard.current}/${part.shard.total}: give one of them.`,
      );
    byNumber.set(part.shard.current, part);
  }
  const { total } = first.shard;
  const numbers = Array.from({ length: total }, (_, at) => at + 1);
  const missing = numbers.filter((number) => !byNumber.has(number)).map((number) => `${number}/${total}`);
  if (missing.length > 0)
    throw new EventsError(`Part ${missing.join(', ')} is missing: give the folders of all parts.`);
  const seen = new Map<string, string>();
  for (const { folder, header } of parts) {
    for (const id of header.selected) {
      const before = seen.get(id);
      if (before !== undefined)
        throw new EventsError(
          `${before} and ${folder} both contain the check ${id}: they are parts of different runs.`,
        );
      seen.set(id, folder);
    }
  }
  return numbers.map((number) => byNumber.get(number)!);
}

/** What the header of a part says after how its checks were selected. */
const OF_ONE_PART = /, part \d+\/\d+$/;

/** The header of the whole run. `order` has the ids of all checks, in report order. */
export function headerOfAll(parts: readonly ShardRun[], order: readonly string[]): RunHeader {
  const [first] = parts;
  if (first === undefined) throw new TypeError('No part was given.');
  const places = new Map(order.map((id, at) => [id, at]));
  const place = (id: string): number => places.get(id) ?? order.length;
  const selected = parts.flatMap(({ header }) => header.selected).sort((a, b) => place(a) - place(b));
  const plan = parts.flatMap(({ header }) => header.plan ?? []).sort((a, b) => place(a.id) - place(b.id));
  const { shard, onlyPattern, ...header } = first.header;
  const isWhole = shard?.only === undefined && selected.length === order.length;
  const pattern = isWhole ? undefined : onlyPattern?.replace(OF_ONE_PART, '');
  return {
    ...header,
    run: parts.map((part) => part.header.run).join('+'),
    startedAt: parts.map((part) => part.header.startedAt).sort()[0] ?? header.startedAt,
    selected,
    ...(pattern === undefined ? {} : { onlyPattern: pattern }),
    plan,
  };
}

/** The footer of the whole run: parts run beside each other, so that the longest time counts. */
export function footerOfAll(parts: readonly ShardRun[]): RunFooter {
  const footers = parts.flatMap(({ footer }) => footer ?? []);
  const cutOff = parts
    .filter(({ footer }) => footer === undefined)
    .map(({ folder }) => `the part in ${folder} was cut off`);
  const interrupted = [...cutOff, ...footers.flatMap((footer) => footer.interrupted ?? [])][0];
  const timings: Record<string, number> = {};
  for (const footer of footers)
    for (const [name, ms] of Object.entries(footer.timings)) timings[name] = Math.max(timings[name] ?? 0, ms);
  const byInterface: Record<string, number> = {};
  for (const { requestsByInterface = {} } of footers)
    for (const [name, many] of Object.entries(requestsByInterface)) byInterface[name] = (byInterface[name] ?? 0) + many;
  return {
    type: 'footer',
    endedAt:
      footers
        .map(({ endedAt }) => endedAt)
        .sort()
        .at(-1) ??
      parts
        .map(({ header }) => header.startedAt)
        .sort()
        .at(-1) ??
      '',
    durationMs: Math.max(0, ...footers.map(({ durationMs }) => durationMs)),
    requests: footers.reduce((sum, { requests }) => sum + requests, 0),
    ...(Object.keys(byInterface).length === 0 ? {} : { requestsByInterface: byInterface }),
    ...(interrupted === undefined ? {} : { interrupted }),
    allowInconclusive: footers.length > 0 && footers.every(({ allowInconclusive }) => allowInconclusive),
    notices: [...new Set(footers.flatMap(({ notices }) => notices))],
    ...errorsOf(footers),
    timings,
  };
}

/** What Proofmark itself did wrong in any of the parts. */
export function errorsOf(footers: readonly RunFooter[]): Pick<RunFooter, 'errors'> {
  const errors = [...new Set(footers.flatMap((footer) => footer.errors ?? []))];
  return errors.length === 0 ? {} : { errors };
}

/** Far above the exchanges of any part. */
const NUMBERS_OF_A_PART = 1_000_000_000;

/** An event of the part at this place, with numbers of exchanges that no other part has. */
export function renumbered<E extends Exclude<RunEvent, RunHeader | RunFooter>>(event: E, part: number): E {
  const of = (n: number): number => part * NUMBERS_OF_A_PART + n;
  if (event.type === 'exchange') return { ...event, n: of(event.n) };
  if (event.type === 'observation' || event.type === 'confirmation')
    return { ...event, exchanges: event.exchanges.map(of) };
  if (event.type !== 'check') return event;
  const decisive = event.decisive === undefined ? {} : { decisive: of(event.decisive) };
  return { ...event, exchanges: event.exchanges.map(of), ...decisive };
}
