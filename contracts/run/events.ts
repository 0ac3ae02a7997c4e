/**
 * The lines of `events.ndjson`: a header, one line a check result, exchange, observation or ledger change, a footer.
 * Every other file of a run is a fold over them. Everything here is redacted before it is written.
 */
import type { Baseline } from './baseline.ts';
import type { Attribution, Verdict } from './verdicts.ts';

/** Bytes as text: UTF-8 where they are UTF-8, else base64; `truncated` counts the bytes that were left out. */
export interface BodyText {
  readonly text?: string;
  readonly base64?: string;
  readonly truncated?: number;
}

export interface ExchangeRequest {
  readonly method: string;
  readonly url: string;
  /** In sent order, names as sent. */
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: BodyText;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: BodyText;
}

/**
 * The role of forged requests, with the redirects that they lead to, and of what an integrator sent while they were under way: what it
 * says may be what those said, an empty `order_uuid` for example, and is not the integrator's own doing.
 */
export const AMID_FORGERIES = 'amid forged requests';

/** One request and its response. `direction`: `sent` by the harness, or `received` by its listener (label and app pages). */
export interface Exchange {
  readonly type: 'exchange';
  /** Number within the run; spooled exchanges carry their worker's own and are numbered by the writer. */
  readonly n: number;
  readonly check: string;
  /** The request's part in its check: `given`, `control`, `probe`, `cleanup` … */
  readonly role: string;
  readonly direction: 'sent' | 'received';
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly request: ExchangeRequest;
  readonly response?: ExchangeResponse;
  /** A sentence, when no whole response came. */
  readonly failure?: string;
}

/** One case of a property: the values that it was tried with, or the commands of a sequence. */
export type PropertyCase = { readonly values: readonly unknown[] } | { readonly commands: readonly unknown[] };

/** What one response broke by itself, in a check about something else. */
export interface Breach {
  readonly clause: string;
  /** A sentence without its full stop. */
  readonly reason: string;
  /** Number of the exchange. */
  readonly exchange: number;
  readonly pointer?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Below the folder of the reports: one file for each finding, `ID.zip`. */
export const TRACES_FOLDER = 'traces';

/** The Playwright trace of the browser steps that a finding rests on, or the sentence that says why it was not kept. */
export type CheckTrace =
  /** Relative to the folder of the reports: `traces/ID.zip`. */
  { readonly file: string } | { readonly omitted: string };

/** The result of one check. Strings are sentences for people; `expected` and `actual` are JSON values. */
export interface CheckResult {
  readonly type: 'check';
  readonly id: string;
  readonly title: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY' | 'OBSERVES';
  readonly suite: string;
  /** Of a property that failed: the clauses that it found broken, of the many it tries. */
  readonly clauses: readonly string[];
  /** Each of its clauses is decided by other checks; where this one comes to no verdict, they are not undecided for that. */
  readonly additional?: true;
  readonly verdict: Verdict;
  readonly attribution?: Attribution;
  readonly reason?: string;
  /** For an `inconclusive` after a precondition saw the target break another clause: that clause. */
  readonly because?: string;
  /** For an `inconclusive` after the target refused what a precondition needs: the clause under which it is served. */
  readonly restsOn?: string;
  /** What its responses broke by themselves, once per clause. Where no check of the clause failed, that clause fails for it. */
  readonly breaches?: readonly Breach[];
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** JSON pointer into the response's body, or a name such as `header content-type`. */
  readonly pointer?: string;
  /** Legal behaviour that will harm a party, found beside a pass. */
  readonly warnings?: readonly string[];
  readonly exchanges: readonly number[];
  /** The exchange that the verdict rests on. */
  readonly decisive?: number;
  /** Commands that repeat the decisive exchange, secrets as `$NAMES`. */
  readonly curl?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed?: number;
  /** For properties: path and replay path of the counterexample. */
  readonly replay?: string;
  /** For properties: the counterexample itself, as `--promote` keeps it. */
  readonly counterexample?: PropertyCase;
  /** PNG as base64, for browser checks. */
  readonly screenshots?: ReadonlyArray<{ readonly title: string; readonly png: string }>;
  readonly trace?: CheckTrace;
}

export interface ObservationSeen {
  readonly type: 'observation';
  readonly id: string;
  readonly question: string;
  readonly seen: unknown;
  readonly check: string;
  readonly exchanges: readonly number[];
}

export interface LedgerChange {
  readonly type: 'ledger';
  readonly what: 'created' | 'removed' | 'restored' | 'changed' | 'placed' | 'orphan';
  /** For people: `delivery method pm-1a2b/…`. */
  readonly object: string;
  readonly reason?: string;
}

/** What a failed check came to when it was repeated at the end of its run (`--confirm`). */
export interface Confirmation {
  readonly type: 'confirmation';
  /** Of the check. */
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly actual?: unknown;
  readonly exchanges: readonly number[];
}

export interface PlannedCheck {
  readonly id: string;
  readonly title: string;
  readonly level: CheckResult['level'];
  readonly suite: string;
  readonly clauses: readonly string[];
  /** Where the check is written: file and line from the root of Proofmark. */
  readonly source?: string;
}

/** Which part of a run this is, and what all its parts have in common. */
export interface RunShard {
  /** From 1. */
  readonly current: number;
  readonly total: number;
  /** The globs of `--only`, with spaces between them. */
  readonly only?: string;
  /** The arguments by which Playwright selected the tests. */
  readonly tests?: string;
  /** Base addresses of a target that is not embedded. */
  readonly addresses?: readonly (string | null)[];
  /** The pipeline that started all parts, where it has a name. */
  readonly group?: string;
}

/** Whom a run judges. */
export interface RunTarget {
  readonly name: string;
  readonly kind: string;
  /** Base addresses by what they lead to: `v1`, `api`, `install page`. */
  readonly addresses?: Readonly<Record<string, string>>;
}

/** The configuration of a run, as far as a report may name it; of a precheck its manifest. */
export interface RunProfile {
  /** SHA-256 of the profile file, as hex digits; secrets are not part of it where they are `${NAMES}`. */
  readonly digest?: string;
  /** Name of the file, without its folder. */
  readonly file?: string;
  /** The arguments that lead to the same target with the same variables again; nothing secret is among them. */
  readonly arguments?: readonly string[];
  /** What the run may do beyond reading; of a precheck what it does, in words. */
  readonly permissions: readonly string[];
}

export interface RunHeader {
  readonly type: 'header';
  readonly proofmark: string;
  readonly contract: string;
  readonly command: string;
  readonly run: string;
  readonly target: RunTarget;
  /** What the profile configured and allowed; absent if nothing was configured. */
  readonly profile?: RunProfile;
  readonly party: 'service' | 'integrator';
  readonly startedAt: string;
  readonly seed: number;
  /** The ids of the checks in scope, in their order. */
  readonly selected: readonly string[];
  readonly onlyPattern?: string;
  /** Of a run that is one of several parts. */
  readonly shard?: RunShard;
  readonly node: string;
  /** What each selected check is, so that a run that was cut off can name the checks it never reached. */
  readonly plan?: readonly PlannedCheck[];
  /** Known findings, which do not fail the run. */
  readonly baseline?: Baseline;
  /** `warn`: a check that warns fails the run. */
  readonly failOn?: 'warn';
}

export interface RunFooter {
  readonly type: 'footer';
  readonly endedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** Of them those of the checks, by interface: `delivery`, `apps`, `reseller`, `pages`. */
  readonly requestsByInterface?: Readonly<Record<string, number>>;
  readonly interrupted?: string;
  readonly allowInconclusive: boolean;
  /** Notices for the reader: rate limits met, checks skipped, what to do first. */
  readonly notices: readonly string[];
  /** What Proofmark itself did wrong outside of its checks, in sentences. Any of them makes the run an `error`. */
  readonly errors?: readonly string[];
  /** Where the time went, in milliseconds. */
  readonly timings: Readonly<Record<string, number>>;
}

export type RunEvent = RunHeader | CheckResult | Exchange | ObservationSeen | LedgerChange | Confirmation | RunFooter;
