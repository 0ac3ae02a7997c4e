/** A request as it is compared: the same in a run and in its replay, whatever the values of its secrets. */
import { createHash } from 'node:crypto';
import type { WireRequest } from '../target/network/network.ts';
import type { Names } from './names.ts';

export interface ComparedRequest {
  readonly key: string;
  readonly method: string;
  readonly url: string;
}

/** Secrets become their names, in address, headers and body. */
export function comparedOf(request: WireRequest, names: Names): ComparedRequest {
  const url = names.compared(request.url);
  const headers = request.headers.map(([name, value]) => names.compared(`${name}: ${value}`));
  const body = request.body === undefined ? '' : names.compared(Buffer.from(request.body).toString('utf8'));
  const parts = [request.method, url, ...headers, '', body];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return { key, method: request.method, url };
}
