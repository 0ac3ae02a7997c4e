/**
 * Who sees the pages of the service during a precheck: only the browser of this run and the person who was given its address.
 * Integrators, and anyone else who can reach a tunnel or the port, get the interface and the callbacks.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isExternalRequest } from '../../common/external-request.ts';

export interface PageAccess {
  /** A page's address with the token of the run, for a person to open. */
  addressOf(path: string): string;
  /** The cookie that opens the pages. */
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string };
  /** Refuses a request for a page, lets a person in by a token, or returns `undefined`: the page may be served. */
  refuse(request: Request): Response | undefined;
}

const PAGE_TOKEN_PARAMETER = 'run_token';

/** Decides over the pages at `pagesOrigin`, an address of this machine. Each call makes a new token. */
export function createPageAccess(pagesOrigin: string): PageAccess {
  const token = randomBytes(24).toString('hex');
  const name = `proofmark_run_${new URL(pagesOrigin).port}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${pagesOrigin.startsWith('https:') ? '; Secure' : ''}`;

  return {
    addressOf: (path) => `${pagesOrigin}${path}?${PAGE_TOKEN_PARAMETER}=${token}`,
    cookie: { name, value: token, url: pagesOrigin },
    refuse(request) {
      if (isExternalRequest(request)) return plain(404, 'Only the interface and the callbacks are served here.');
      const url = new URL(request.url);
      const given = url.searchParams.get(PAGE_TOKEN_PARAMETER);
      if (given !== null && isSame(given, token)) {
        // The token stays out of the address bar, the history and the Referer header.
        url.searchParams.delete(PAGE_TOKEN_PARAMETER);
        return new Response(null, {
          status: 303,
          headers: {
            location: url.pathname.replace(/^\/+/, '/') + url.search,
            'set-cookie': `${name}=${token}; ${attributes}`,
            'cache-control': 'no-store',
            'referrer-policy': 'no-referrer',
          },
        });
      }
      if (cookiesOf(request, name).some((value) => isSame(value, token))) return undefined;
      return plain(403, 'These pages belong to one precheck: open the address that it printed.');
    },
  };
}

const cookiesOf = (request: Request, name: string): string[] =>
  (request.headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

function isSame(given: string, token: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const plain = (status: number, text: string): Response =>
  new Response(`${text}\n`, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
