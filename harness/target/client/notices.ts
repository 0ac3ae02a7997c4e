/** What a client met on the way, in a sentence for each kind. Counts are of requests, `…Ms` milliseconds. */
export function noticesOf(count: {
  throttled: number;
  waitedMs: number;
  repeated: number;
  away: number;
  returned: number;
  absentMs: number;
}): string[] {
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
