/** Whether a request comes from another machine: pages for people are for this one. */
import { isLoopbackHostHeader } from '../../mock/host-header.ts';

/** What tunnels and proxies add, even when they change the Host header to that of this machine. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'cf-connecting-ip', 'via'];

/** True for another Host than this machine's, for none, and for what a tunnel or proxy has passed on. */
export function isExternalRequest({ headers }: Request): boolean {
  const host = headers.get('host');
  return host === null || !isLoopbackHostHeader(host) || FORWARDING_HEADERS.some((header) => headers.has(header));
}
