/** A process of the selftest: receives rows from its parent and sends back the results of the checks. */
import { type RowDone, type RowJob, runJob } from './run-row.ts';

/** What a worker sends for a row: `error` when the row could not be run at all. */
export type Reply =
  | { readonly done: RowDone; readonly error?: never }
  | { readonly error: string; readonly done?: never };

process.on('message', async (job: RowJob) => {
  const reply: Reply = await runJob(job).then(
    (done) => ({ done }),
    (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  // If the parent has ended, `disconnect` reports it.
  process.send?.(reply, undefined, undefined, () => undefined);
});
// After a parent was killed (kill -9), no more rows are needed.
process.on('disconnect', () => process.exit(0));
