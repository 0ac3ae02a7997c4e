/**
 * Which Host headers the service answers. Any web page can point its own name at 127.0.0.1 (DNS rebinding) and
 * read the responses of the service; its requests still name that page's host.
 */

/** Names of this machine, with any port: a tunnel or a container may forward another one. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a Host header names this machine. */
export const isLoopbackHostHeader = (host: string): boolean => LOOPBACK.test(host);

/** Whether the service at `origin` answers requests for this host: its own name, or a name of this machine. */
export function isOwnHost(host: string | undefined, origin: string): boolean {
  // Only HTTP/1.0 has no Host header; browsers always send it.
  if (host === undefined || isLoopbackHostHeader(host)) return true;
  const own = new URL(origin);
  const defaultPort = own.protocol === 'https:' ? '443' : '80';
  return [own.host, `${own.hostname}:${own.port || defaultPort}`].includes(host.toLowerCase());
}
