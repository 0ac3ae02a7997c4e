/** Deviations that each break what they name, one file a part of the contract. */
import type { Deviation } from '../deviation.ts';
import { batchFaults } from './batch.ts';
import { credentialFaults } from './credentials.ts';
import { envelopeFaults } from './envelopes.ts';
import { handleFaults } from './handles.ts';
import { listFaults } from './lists.ts';
import { methodFieldFaults } from './method-fields.ts';
import { methodFaults } from './methods.ts';
import { multilanguageFaults } from './multilanguage.ts';
import { ownerFaults } from './owners.ts';
import { pointFieldFaults } from './point-fields.ts';
import { pointFaults } from './points.ts';

export const faults: readonly Deviation[] = [
  ...envelopeFaults,
  ...credentialFaults,
  ...ownerFaults,
  ...methodFaults,
  ...methodFieldFaults,
  ...multilanguageFaults,
  ...pointFaults,
  ...pointFieldFaults,
  ...handleFaults,
  ...batchFaults,
  ...listFaults,
];
