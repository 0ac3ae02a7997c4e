/**
 * The format of a recording: a folder with `recording.json` (what was run, on what, with which checks) and one file of lines
 * for each worker: in their order the checks that it ran, each with its exchanges. docs/operator.md describes it for readers.
 */
import type { Verdict } from '../../contracts/run/verdicts.ts';
import type { RunInfo } from '../resources/run-info.ts';
import type { RecordedFailure } from './failure.ts';

/** Raised whenever an older reader would misread a newer recording, or the reverse. */
export const RECORDING_FORMAT = 1;
export const RECORDING_FILE = 'recording.json';

/** A secret of the profile in the recording: its id in texts (`STORE_KEY#1`), and its stand-in. */
export type NamedStandIn = readonly [id: string, standIn: string];

/** `recording.json`. */
export interface RecordingHeader {
  readonly format: typeof RECORDING_FORMAT;
  readonly proofmark: string;
  readonly contract: string;
  /** SHA-256 over the sources of the checks: what was recorded under other checks proves nothing about these. */
  readonly checks: string;
  readonly target: { readonly name: string; readonly kind: string };
  readonly startedAt: string;
  /** Globs of `--only`; none: the whole contract was in scope. */
  readonly only: readonly string[];
  /** The options that narrowed the scope, as they were written, where those are not `only`. */
  readonly selection?: string;
  readonly run: RunInfo;
  /** The resolved profile, secrets as ids. */
  readonly profile: unknown;
  readonly secrets: readonly NamedStandIn[];
  /** Why the run ended before its time. */
  readonly interrupted?: string;
  readonly workers: readonly { readonly file: string; readonly lines: number; readonly sha256: string }[];
}

/** Texts in which markers replace secrets (`names.ts`); other bytes as base64. */
export interface SealedBody {
  readonly text?: string;
  readonly base64?: string;
}

/** One exchange: the request as it is compared (secrets by their names or ids), and the answer as it is given again. */
export interface ExchangeLine {
  readonly type: 'exchange';
  /** SHA-256 of the request as it is compared: method, address, headers, body. */
  readonly key: string;
  readonly request: { readonly method: string; readonly url: string };
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  /** The place of its response, or failure, among those of the worker as they arrived. */
  readonly arrival: number;
  readonly response?: {
    readonly status: number;
    readonly headers: ReadonlyArray<readonly [string, string]>;
    readonly body?: SealedBody;
    /** A secret was in it in a form that could not be written so that it can be made again. */
    readonly inexact?: true;
  };
  readonly failure?: RecordedFailure;
}

export type RecordingLine =
  /** A check begins; `""` is what the worker did when it ended what its checks shared. */
  | {
      readonly type: 'start';
      readonly check: string;
      readonly suite: string;
      readonly at: number;
      /** Workers took turns with delivery methods by then: the target lets an owner have only few. */
      readonly takesTurns?: true;
    }
  | ExchangeLine
  /** A check ended. `registered`: names of the secrets that became known in it; `standIns`: of those that answers brought. */
  | {
      readonly type: 'end';
      readonly check: string;
      readonly verdict?: Verdict;
      readonly registered: readonly string[];
      readonly standIns: readonly NamedStandIn[];
    };
