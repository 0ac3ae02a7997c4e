/**
 * Who may use the pages and the interface of the development server: the user of this machine. Requests that a tunnel or
 * a proxy passes on, and those that another site's page makes in the developer's browser, get nothing.
 */
import { isExternalRequest } from '../../common/external-request.ts';

/** Why a request is not served: a status and a sentence; undefined where it may be. */
export function refusalOf(
  request: Request,
  origin: string,
): { readonly status: number; readonly message: string } | undefined {
  if (isExternalRequest(request))
    return { status: 404, message: 'Only the interfaces and the callbacks are served here.' };
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const site = request.headers.get('sec-fetch-site');
  const from = request.headers.get('origin');
  const isForeign =
    (site !== null && site !== 'same-origin' && site !== 'none') ||
    (from !== null && !isSameHost(from, request, origin));
  return isForeign ? { status: 403, message: "A page of another site can't change anything here." } : undefined;
}

/** The page may have been opened by another name of this machine. */
const isSameHost = (from: string, request: Request, origin: string): boolean =>
  from === origin || URL.parse(from)?.host === request.headers.get('host');
