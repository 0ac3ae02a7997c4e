/** The embedded service: one fetch-style handler over one state. */
import type { MockControl } from '../contracts/control.ts';
import type { Deviation } from './deviation.ts';
import type { Fixtures } from './fixtures.ts';
import type { Rules } from './rules.ts';
import type { State } from './state.ts';

export interface ServiceOptions {
  /** Address that the service is reached at, without a slash at the end: `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly fixtures?: Fixtures;
  /** SQLite file that keeps the state; without it the state is in memory. */
  readonly db?: string;
  readonly clock?: () => Date;
  readonly deviations?: readonly Deviation[];
  /** Random bytes, for a service whose ids are the same each time. */
  readonly random?: (bytes: number) => Buffer;
  /** Opens `/_control/` over HTTP to callers who send it. */
  readonly controlToken?: string;
}

export interface MockService {
  readonly origin: string;
  /** What is there now. Read freely; change only inside `change`, and replace rows instead of changing them. */
  readonly state: State;
  /** The rules in force; read them at each use, `control.deviate` changes them. */
  readonly rules: Rules;
  readonly control: MockControl;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  /**
   * Serves one request. `target` is the request's path and query as they stood on the wire, where the caller knows them:
   * a Request has already lost `..`.
   */
  fetch(request: Request, target?: string): Promise<Response>;
  /** Runs a synchronous change of the state as one unit: all of it is kept (and stored), or none. */
  change<T>(body: () => T): T;
  close(): void;
}
