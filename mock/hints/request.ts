/** A refused request, as hints use it. */

export const HINT_HEADER = 'x-proofmark-hint';

export interface RefusedRequest {
  readonly method: string;
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}
