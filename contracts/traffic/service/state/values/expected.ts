/** How long the state that the traffic shows is expected to last: later on, a client outside the recording may have changed it. */
const EXPECTED_MS = 5 * 60_000;

/** Whether a request that began at `startMs` has to meet what was so at `sinceMs`. */
export const isExpected = (sinceMs: number, startMs: number): boolean =>
  startMs >= sinceMs && startMs - sinceMs <= EXPECTED_MS;
