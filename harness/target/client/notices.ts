/** What a client met besides the responses that are judged. Counts are of requests, `…Ms` milliseconds. */
export interface Hindrances {
  /** Requests that the target asked to send later. */
  readonly throttled: number;
  readonly waitedMs: number;
  /** Read requests that met a connection closed before the response. */
  readonly repeated: number;
  /** Read requests answered by a gateway. */
  readonly away: number;
  /** Requests sent again to a target that was away. */
  readonly returned: number;
  readonly absentMs: number;
}

/** Those of several clients of one run. They wait for an absent target at the same time, so the longest wait is that of the run. */
export const joinHindrances = (all: readonly Hindrances[]): Hindrances => ({
  throttled: sum(all, 'throttled'),
  waitedMs: sum(all, 'waitedMs'),
  repeated: sum(all, 'repeated'),
  away: sum(all, 'away'),
  returned: sum(all, 'returned'),
  absentMs: Math.max(0, ...all.map(({ absentMs }) => absentMs)),
});

const sum = (all: readonly Hindrances[], name: keyof Hindrances): number =>
  all.reduce((total, hindrances) => total + hindrances[name], 0);

/** A sentence for each kind that a client met. */
export function noticesOf(count: Hindrances): string[] {
  const times = (n: number): string => (n === 1 ? 'once' : `${n} times`);
  const notices: string[] = [];
  if (count.throttled > 0) {
    const seconds = (count.waitedMs / 1000).toFixed(1);
    notices.push(
      `The target requested a lower rate ${times(count.throttled)} (429 or 503 with Retry-After); ${seconds} s were spent waiting. A lower limits.requestsPerSecond in the profile avoids it.`,
    );
  }
  if (count.repeated > 0) {
    notices.push(
      `The target closed a connection before answering ${times(count.repeated)}; the read request was repeated.`,
    );
  }
  if (count.absentMs > 0) {
    const seconds = (count.absentMs / 1000).toFixed(1);
    notices.push(`The target accepted no connection for a while; ${seconds} s were spent waiting for it.`);
  }
  if (count.away > 0)
    notices.push(`The target answered 502, 503 or 504 ${times(count.away)}; the read request was repeated.`);
  if (count.returned > 0)
    notices.push(`The target was away ${times(count.returned)}; the request was repeated when it was back.`);
  return notices;
}
