/** Joins the events of a run with those of the run that repeated its failed checks (`proofmark run --confirm`). */
import type { Confirmation, RunEvent, RunFooter } from '../../contracts/run/events.ts';
import type { CheckOutcome, Results } from '../results/index.ts';
import { errorsOf } from './merge.ts';

/**
 * The events of `first` with what `second` found: its exchanges under numbers of their own, its ledger, and a line for each
 * repeated check. The verdict of a check stays the one of the first run.
 */
export async function* withConfirmation(
  first: AsyncIterable<RunEvent>,
  second: AsyncIterable<RunEvent>,
  repeated: Results,
): AsyncGenerator<RunEvent> {
  let last = 0;
  let footer: RunFooter | undefined;
  for await (const event of first) {
    if (event.type === 'exchange') last = Math.max(last, event.n);
    if (event.type === 'footer') footer = event;
    else yield event;
  }
  let end: RunFooter | undefined;
  for await (const event of second) {
    if (event.type === 'exchange') yield { ...event, n: last + event.n, role: `repeated, ${event.role}` };
    else if (event.type === 'ledger') yield event;
    else if (event.type === 'footer') end = event;
  }
  for (const check of repeated.checks) yield confirmationOf(check, last);
  if (footer !== undefined) yield end === undefined ? footer : joined(footer, end);
}

function confirmationOf({ id, verdict, reason, actual, exchanges }: CheckOutcome, last: number): Confirmation {
  return {
    type: 'confirmation',
    id,
    verdict,
    ...(reason === null ? {} : { reason }),
    ...(actual === null ? {} : { actual }),
    exchanges: exchanges.map((n) => last + n),
  };
}

function joined(first: RunFooter, second: RunFooter): RunFooter {
  return {
    ...first,
    endedAt: second.endedAt,
    durationMs: first.durationMs + second.durationMs,
    requests: first.requests + second.requests,
    notices: [...new Set([...first.notices, ...second.notices])],
    ...errorsOf([first, second]),
    timings: { ...first.timings, confirmation: second.durationMs },
  };
}

/** One sentence: whether the repetition found the same; `undefined` for a check that was not repeated. */
export function confirmationText({
  verdict,
  confirmation,
}: Pick<CheckOutcome, 'verdict' | 'confirmation'>): string | undefined {
  if (confirmation === undefined) return undefined;
  const { verdict: again, reason } = confirmation;
  if (again === verdict)
    return `Confirmed: the check was repeated at the end of the run, again with the result ${again}.`;
  const why = reason === null || reason === '' ? '' : ` (${reason.replace(/\.$/, '')})`;
  return `Not confirmed: the check was repeated at the end of the run, with the result ${again}${why}. The first result counts.`;
}
