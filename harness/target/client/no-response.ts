import type { ServiceResponse } from './types.ts';

/** Who has to act when no response came. */
export type NoResponseAttribution = 'network' | 'target' | 'configuration';

/**
 * No whole answer came: refused, unknown host, TLS, timeout, closed in the middle, too large.
 * The message is a sentence: what happened, with which address, what to do. A check that meets one is inconclusive.
 */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly attribution: NoResponseAttribution;
  /** The connection was lost in a request that may have been carried out, so that it was not repeated; the next one may be answered. */
  isLost = false;
  /** What a gateway answered to a write while its service was there: whether the write was carried out is not known. */
  gatewayResponse: ServiceResponse | undefined;
  /** A create of a method was answered 429 without a time to wait: there may be too many methods, and not too many requests. */
  mayBeFull = false;
  /** Number of the recorded exchange, when a recorder was there. */
  exchange = 0;

  constructor(message: string, attribution: NoResponseAttribution, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.attribution = attribution;
  }
}
