/** How strictly a rule binds: `MUST` leads to `fail`, `SHOULD` to `warn`. */
export type FaultLevel = 'MUST' | 'SHOULD';

/** One broken rule, found in a value. No fault contains a key or a secret. */
export interface Fault {
  /** A path of meaning, stable: `error.code-is-integer`. */
  readonly rule: string;
  readonly level: FaultLevel;
  /** A sentence: what is wrong, where, what would be right. */
  readonly message: string;
  /** JSON pointer (RFC 6901) into the judged value; `''` is the value itself. `status` and `content-type` name parts outside the body. */
  readonly pointer: string;
  readonly expected: unknown;
  readonly actual: unknown;
}
