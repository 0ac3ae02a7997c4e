/** Ids of runs: in ledgers, in the marks of what a run makes, in the header of every record. */
import { randomBytes } from 'node:crypto';

/** Month, day, hour and minute, for people, and something that no other run has. */
export const newRunId = (startedAt: Date): string =>
  `${startedAt.toISOString().slice(5, 16).replace(/\D/g, '')}${randomBytes(3).toString('hex')}`;
