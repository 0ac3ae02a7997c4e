/**
 * Answers requests from a recording instead of the network: each check meets the exchanges that it had, each once, in their
 * order among equal requests, and with responses in the order in which they arrived. What the recording does not hold is never made up.
 */
import type { Verdict } from '../../contracts/run/verdicts.ts';
import type { Redaction } from '../evidence/redaction/index.ts';
import type { Clock } from '../target/client/types.ts';
import type { Wire, WireRequest, WireResponse } from '../target/network/network.ts';
import { ArrivalOrder } from './arrival-order.ts';
import { comparedOf } from './compared.ts';
import { failureFromJson } from './failure.ts';
import type { ExchangeLine, RecordingLine } from './format.ts';
import { Names } from './names.ts';
import { StandIns } from './stand-in.ts';

/** A check as it was recorded; `""` is what the worker did when it ended what its checks shared. */
export interface RecordedCheck {
  readonly check: string;
  readonly suite: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly takesTurns: boolean;
  readonly exchanges: readonly ExchangeLine[];
  readonly verdict?: Verdict;
  readonly registered: readonly string[];
  readonly standIns: ReadonlyMap<string, string>;
}

/** The checks of one worker's file, in their order; a check without its end is not among them. */
export function recordedChecks(lines: readonly RecordingLine[]): RecordedCheck[] {
  const checks: RecordedCheck[] = [];
  let open: (Pick<RecordedCheck, 'check' | 'suite' | 'at' | 'takesTurns'> & { exchanges: ExchangeLine[] }) | undefined;
  for (const line of lines) {
    if (line.type === 'start') {
      const { check, suite, at, takesTurns = false } = line;
      open = { check, suite, at, takesTurns, exchanges: [] };
    } else if (line.type === 'exchange') open?.exchanges.push(line);
    else if (open?.check === line.check) {
      const { verdict, registered, standIns } = line;
      checks.push({ ...open, ...(verdict === undefined ? {} : { verdict }), registered, standIns: new Map(standIns) });
      open = undefined;
    }
  }
  return checks;
}

/** What a check did other than in the recording. */
export interface Divergence {
  /** Requests that the recording does not hold: `GET https://…`. */
  readonly unknown: readonly string[];
  /** Recorded requests that were not sent. */
  readonly unsent: readonly string[];
  /** Answers that could not be given as they were. */
  readonly inexact: number;
}

/** The message of the error that a request meets which is not in the recording. */
export class NotRecorded extends Error {
  override readonly name = 'NotRecorded';
}

export interface Replay {
  readonly wire: Wire;
  /** Learns every secret. */
  readonly redaction: Redaction;
  /** The time of the recording: that of the last request, and what was slept since. */
  readonly clock: Clock;
  start(check: RecordedCheck): void;
  /** Ends the check that was started, after its clean-up. */
  end(): Divergence;
  /** Passes over a check that is not replayed, with what became known in it. */
  skip(check: RecordedCheck): void;
}

export interface ReplayOptions {
  readonly redaction: Redaction;
  readonly mark: string;
  readonly showPersonalData: boolean;
  readonly startedAt: number;
}

/** Opens a replay: its wire answers from the check that was started last. */
export function createReplay({ redaction, mark, showPersonalData, startedAt }: ReplayOptions): Replay {
  const names = new Names({ redaction, standIns: new StandIns(new Uint8Array(32)), mark, showPersonalData });
  const known = names.redaction;
  /** All stand-ins so far: a token of one check is used by the next ones. */
  const standIns = new Map<string, string>();
  let waiting = new Map<string, ExchangeLine[]>();
  let order = new ArrivalOrder([]);
  let current = '';
  let unknown: string[] = [];
  let inexact = 0;
  let now = startedAt;

  const expect = (check: RecordedCheck): void => {
    for (const [id, standIn] of check.standIns) standIns.set(id, standIn);
    names.expectStandIns(check.standIns);
  };
  const open = (text: string): string => names.opened(text, standIns);
  const responseOf = ({ status, headers, body }: NonNullable<ExchangeLine['response']>): WireResponse => ({
    status,
    headers: headers.map(([name, value]) => [name, open(value)]),
    bytes:
      body?.base64 === undefined ? Buffer.from(open(body?.text ?? ''), 'utf8') : Buffer.from(body.base64, 'base64'),
  });

  const exchange = async (request: WireRequest): Promise<WireResponse> => {
    const compared = comparedOf(request, names);
    const line = waiting.get(compared.key)?.shift();
    if (line === undefined) {
      const words = `${compared.method} ${compared.url}`;
      unknown.push(words);
      throw new NotRecorded(notHeld(words, current));
    }
    now = line.at;
    await order.turnOf(line.arrival);
    if (line.failure !== undefined) throw failureFromJson(line.failure, open);
    if (line.response === undefined)
      throw new NotRecorded(`the recording has neither a response nor a failure for ${compared.url}`);
    if (line.response.inexact === true) inexact += 1;
    const response = responseOf(line.response);
    names.arrived(request, response, now);
    return response;
  };

  return {
    wire: { exchange, close: async () => undefined },
    redaction: known,
    clock: {
      now: () => now,
      // Pauses that the target asked for are over at once.
      sleep: async (ms) => {
        now += ms;
      },
    },
    start: (check) => {
      current = check.check;
      now = check.at;
      unknown = [];
      inexact = 0;
      waiting = new Map();
      order = new ArrivalOrder(check.exchanges.map(({ arrival }) => arrival));
      for (const line of check.exchanges) waiting.set(line.key, [...(waiting.get(line.key) ?? []), line]);
      expect(check);
    },
    end: () => {
      names.takeRegistered();
      const unsent = [...waiting.values()].flat().map(({ request }) => `${request.method} ${request.url}`);
      waiting = new Map();
      return { unknown, unsent, inexact };
    },
    skip: (check) => {
      expect(check);
      names.skip(check.registered);
    },
  };
}

const notHeld = (words: string, check: string): string =>
  `the recording does not contain the request ${words}${check === '' ? '' : ` of ${check}`}: it was made by other checks or was changed; record again`;
