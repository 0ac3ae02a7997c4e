/** The delivery interface: who calls, and its operations. */
import type { Call } from './call.ts';
import { batchOperations } from './delivery-batch.ts';
import { methodOperations } from './delivery-methods.ts';
import { pointOperations } from './delivery-points.ts';
import type { Routes } from './interface.ts';

export const deliveryRoutes: Routes = {
  iface: 'delivery',
  base: '/v1',
  operations: [...methodOperations, ...pointOperations, ...batchOperations],
};

/** Paths that begin with it belong to the apps interface. */
export const APPS_PATH = '/v1/apps';

export type { Call };
