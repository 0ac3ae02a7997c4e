/** The delivery interface: who calls, and its operations. */
import type { ServiceRequest } from '../http/call.ts';
import { routesOf } from '../http/interface.ts';
import { batchOperations } from './batch.ts';
import { methodOperations } from './methods.ts';
import { pointOperations } from './points.ts';

export const deliveryRoutes = routesOf('delivery', '/v1', {
  ...methodOperations,
  ...pointOperations,
  ...batchOperations,
});

/** Paths that begin with it belong to the apps interface. */
export const APPS_PATH = '/v1/apps';

export type { ServiceRequest };
