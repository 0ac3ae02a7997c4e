/** What a probe needs to create objects of the run before the checks start: ledger, marks, and a clean-up of its own. */
import { Given } from '../check/given/index.ts';
import type { LedgerNote } from '../cleanup/undo/scope.ts';
import { type ResourceOptions, Resources } from '../resources/resources.ts';
import type { ProbeWriter } from './texts.ts';

export interface WriteSession extends ProbeWriter {
  /** What was created and removed, for the report. */
  readonly notes: readonly LedgerNote[];
  /** Removes what was created, and closes the ledger. */
  close(): Promise<void>;
}

/** Opens a session that sends through the client of `options`, which stays open. */
export function openWriteSession(options: ResourceOptions): WriteSession {
  const resources = new Resources(options);
  const { kept, ledger } = resources;
  const send = resources.send;
  return {
    given: new Given(send, resources, kept),
    newMark: () => resources.newMark(),
    notes: kept.notes,
    close: async () => {
      await kept.undoAll();
      ledger.close();
    },
  };
}
