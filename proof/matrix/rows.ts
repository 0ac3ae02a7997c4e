/** The rows of the matrix before they run, and the service of each. */
import { fileURLToPath } from 'node:url';
import type { SelftestOptions } from '../../cli/selftest/options.ts';
import { matchesAny } from '../../contracts/run/glob.ts';
import type { RowKind } from '../../contracts/run/selftest.ts';
import { wireTo } from '../../harness/target/network/in-process.ts';
import type { Wire } from '../../harness/target/network/network.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { deviationsById, faults, variants } from '../../mock/deviations.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation, Part } from '../../mock/types/deviation.ts';
import type { MockService } from '../../mock/types/service.ts';
import { seededBytes } from '../seeded-bytes.ts';
import { wireToService } from '../service-wire.ts';
import { combinationsOf } from './expectation/combinations.ts';
import { controls } from './expectation/controls.ts';

export interface PlannedRow {
  readonly kind: RowKind;
  readonly id: string;
  readonly about: string;
  readonly clauses: readonly string[];
  /** Faults and variants of the embedded service that are switched on. */
  readonly deviations: readonly string[];
  /** The one part in which the fault is in force. */
  readonly only?: Part;
  /** The fault shows on pages: its browser checks are run too. */
  readonly browser: boolean;
}

/** A service of a row, in this process. */
export interface RowTarget {
  readonly profile: Profile;
  /** Without it the service is reached over the network. */
  readonly transport?: (request: Request) => Promise<Response>;
  /** The same without objects of the web. */
  readonly wire?: Wire;
  close(): Promise<void> | void;
}

/** Ids of all faults, in report order. */
export const FAULT_IDS: readonly string[] = faults.map(({ id }) => id);

/** The embedded service as it is. */
export const CORRECT: PlannedRow = {
  kind: 'correct',
  id: 'correct',
  about: 'The embedded service as it is.',
  clauses: [],
  deviations: [],
  browser: false,
};

const plain = { clauses: [], deviations: [], browser: false } as const;

/** All rows that the options select, in report order: services without faults first, then the faults. */
export function plannedRows(options: SelftestOptions): PlannedRow[] {
  const chosen = faults.filter(
    ({ id }) => options.withFaults && (options.faults.length === 0 || matchesAny(id, options.faults)),
  );
  const faultRows = chosen.map(({ id, about, clause, clauses, surface, only }) => ({
    ...plain,
    kind: 'fault' as const,
    id,
    about,
    clauses: [...(clause === undefined ? [] : [clause]), ...(clauses ?? [])],
    deviations: [id],
    browser: surface === 'browser',
    ...(only === undefined ? {} : { only }),
  }));
  if (options.faults.length > 0) return faultRows;
  const ids = variants.map(({ id }) => id);
  return [
    CORRECT,
    { ...plain, kind: 'independent', id: 'independent', about: 'The independent service, over its own socket.' },
    ...variants.map(({ id, about }) => ({ ...plain, kind: 'variant' as const, id, about, deviations: [id] })),
    ...combinationsOf(ids, options.combinations, options.seed).map((combination) => ({
      ...plain,
      kind: 'combination' as const,
      id: combination.join('+'),
      about: `${combination.length} variants at once.`,
      deviations: combination,
    })),
    ...controls.map(({ id, about }) => ({ ...plain, kind: 'control' as const, id, about })),
    ...faultRows,
  ];
}

const ORIGIN = 'http://127.0.0.1:4010';
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A fresh service for a row, with the profile under which it is judged. */
export function openRow(
  row: Pick<PlannedRow, 'kind' | 'id' | 'deviations'>,
  others: readonly Deviation[] = [],
): RowTarget {
  const service = createService({
    origin: ORIGIN,
    deviations: [...deviationsById(row.deviations), ...others],
    random: seededBytes(row.id),
  });
  const target = { profile: profileFor(service), close: () => service.close() };
  const serve = (request: Request): Promise<Response> => service.fetch(request);
  if (row.kind !== 'control') return { ...target, transport: serve, wire: wireToService(service) };
  const control = controls.find(({ id }) => id === row.id);
  if (control === undefined) throw new Error(`There is no control "${row.id}".`);
  const transport = (request: Request): Promise<Response> => control.response(request, serve);
  return { ...target, transport, wire: wireTo(transport) };
}

function profileFor(service: MockService): Profile {
  return parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: ROOT, env: {} });
}
