/**
 * What a test or a run may ask of the embedded service beside its interfaces. In process it is an object; over HTTP it lies
 * under `/_control/` and only when the service was started with a control token.
 */

/** One request as it reached the service, of any interface or page. Bodies are text, cut at 64 KiB. */
export interface ArrivedRequest {
  readonly at: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
}

export interface MockControl {
  /** The whole state as JSON, for comparing before and after. Sign-in tokens and received requests are not part of it. */
  state(): Promise<unknown>;
  /**
   * Switches on these faults and variants, and all others off. Throws on an unknown id, and then changes nothing. Deviations
   * with rows of their own (a website with one language) plant the state again.
   */
  deviate(ids: readonly string[]): Promise<void>;
  /** Back to the fixtures, and no deviations. */
  reset(): Promise<void>;
  /** The last received requests, oldest first, without those to the control interface; at most 10,000. */
  arrived(): Promise<ArrivedRequest[]>;
}

/** Header that carries the control token over HTTP. */
export const CONTROL_HEADER = 'x-proofmark-control';
/** Under it, relative to the service's origin: GET state, POST deviate {"ids":[…]}, POST reset, GET arrived. */
export const CONTROL_PATH = '/_control/';
