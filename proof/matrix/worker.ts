/** A process of the selftest: takes one row after another from its parent and sends back what the checks came to. */
import { type RowJob, runRow } from './run-row.ts';

/** What a worker sends for a row: `error` when the row could not be run at all. */
export type Reply =
  | { readonly done: Awaited<ReturnType<typeof runRow>>; readonly error?: never }
  | { readonly error: string; readonly done?: never };

process.on('message', async (job: RowJob) => {
  const reply: Reply = await runRow(job).then(
    (done) => ({ done }),
    (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  // A parent that is gone needs no answer, and is told of by `disconnect`.
  process.send?.(reply, undefined, undefined, () => undefined);
});
// A parent that ended without a word (kill -9) needs no more rows.
process.on('disconnect', () => process.exit(0));
