/** What was recorded of the steps in one browser context, before anything is taken out of it. */

/** A request that a page of the context has sent, as the browser reports it. */
export interface RawRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  /** What it was sent for: `document`, `script`. */
  readonly kind: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly response?: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  /** Undefined while it is not over. */
  readonly durationMs?: number;
  readonly failure?: string;
}

export interface RawTrace {
  /** The lines of Playwright's `.trace` file: actions, their logs, console messages and errors of pages. */
  readonly lines: string;
  readonly requests: readonly RawRequest[];
}
