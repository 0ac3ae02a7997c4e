/** What a process has read of a Reseller account, for those who ask the same before anything is sent that may have changed it. */
import type { ServiceResponse } from '../target/client/types.ts';

/** A response to a reading call of Reseller. */
interface AccountReading {
  readonly response: ServiceResponse;
  /** How many changes the process had sent when it was asked for. */
  readonly changesSent: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The users of an account change it as well: what was read longer ago is read again. */
const GOOD_FOR_MS = 5_000;

export class AccountReadings {
  /** The last response to each reading call, by its path. */
  readonly #readings = new Map<string, AccountReading>();

  keep(path: string, reading: AccountReading): void {
    this.#readings.set(path, reading);
  }

  /** The response that came last, where it is still good. */
  of(path: string, { changesSent, at }: Omit<AccountReading, 'response'>): ServiceResponse | undefined {
    const last = this.#readings.get(path);
    return last?.changesSent === changesSent && at - last.at < GOOD_FOR_MS ? last.response : undefined;
  }
}
