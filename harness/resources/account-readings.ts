/** What a process has read of a Reseller account, for checks that send the same read before anything is sent that may change it. */
import type { ServiceResponse } from '../target/client/types.ts';

/** A response to a reading call of Reseller. */
interface AccountReading {
  readonly response: ServiceResponse;
  /** How many changes the process had sent before the read. */
  readonly changesSent: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The users of an account change it as well: what was read longer ago than this is read again. */
const GOOD_FOR_MS = 5_000;

export class AccountReadings {
  /** The last response to each reading call, by its path. */
  readonly #readings = new Map<string, AccountReading>();

  keep(path: string, reading: AccountReading): void {
    this.#readings.set(path, reading);
  }

  /** The latest response; undefined if it may be outdated. */
  of(path: string, { changesSent, at }: Omit<AccountReading, 'response'>): ServiceResponse | undefined {
    const last = this.#readings.get(path);
    return last?.changesSent === changesSent && at - last.at < GOOD_FOR_MS ? last.response : undefined;
  }
}
