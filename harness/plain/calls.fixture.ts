/** Requests and responses of Delivery, for tests of plain values. */
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';

export const post = (path: string, json: unknown, method = 'POST'): ServiceRequest => ({
  ...{ api: 'v1', method, path, query: [], headers: [] },
  body: { json },
});

export const answered = (status: number, json: unknown): ServiceResponse =>
  ({ status, json, text: JSON.stringify(json), headers: [], header: () => undefined }) as unknown as ServiceResponse;
