import { check } from '../../check/check.ts';
import { Context } from '../../check/context.ts';
import { createRecorder } from '../../evidence/recorder.ts';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { Resources } from '../../resources/resources.ts';
import { memoryLedger } from '../../runner/in-process.ts';
import type { Client } from '../../target/client/types.ts';
import { FIXTURE_PROFILE, fixtureClient, fixtureProfile, newState } from './undo.fixture.ts';

export const method = (handle: string, reference: string) => ({ handle, reference, owner: 'private', points: [] });

/** Resources over a small service in this process that holds two methods of the run. */
export function resourcesOver(
  state = newState({ methods: [method('a', 'pm-r-1'), method('b', 'pm-r-2')] }),
  client: Client = fixtureClient(state),
) {
  const profile = fixtureProfile(FIXTURE_PROFILE);
  const redaction = createRedaction();
  const ledger = memoryLedger();
  const run = { run: 'r', seed: 1, propertyRuns: 0, selected: [], showPersonalData: false, unusable: {} };
  const resources = new Resources({
    profile,
    run,
    redaction,
    ledger,
    driver: undefined,
    recorder: createRecorder({ check: '', spool: () => undefined, redaction }),
    client,
    clock: { now: () => 0, sleep: async () => undefined },
  });
  return { state, resources, ledger, context: () => new Context(CHECK, resources) };
}

export const CHECK = check(
  'a.b',
  'MUST be',
  { clauses: [], needs: [], effects: 'read', part: 'delivery' },
  async () => undefined,
);
export const entry = (handle: string, reference: string) =>
  ({ kind: 'delivery-method', owner: 'private', reference, handle }) as const;
export const handles = (state: ReturnType<typeof newState>) => state.methods.map(({ handle }) => handle);
