/** Who has to act when no answer came. */
export type NoAnswerAttribution = 'network' | 'target' | 'configuration';

/**
 * No whole answer came: refused, unknown host, TLS, timeout, closed in the middle, too large.
 * The message is a sentence: what happened, with which address, what to do. A check that meets one is inconclusive.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly attribution: NoAnswerAttribution;
  /** Number of the recorded exchange, when a recorder was there. */
  exchange = 0;

  constructor(message: string, attribution: NoAnswerAttribution, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.attribution = attribution;
  }
}
