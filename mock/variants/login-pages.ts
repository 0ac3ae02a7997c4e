/** Login links as other services make them: their pages sign the visitor in by a script or by a button. */
import type { Deviation } from '../types/deviation.ts';
import type { MockService } from '../types/service.ts';

const LINK = /^\/login\/([^/]+)$/;
const CALL = /^\/api\/website\/\d+\/login\/?$/;
const ENTRANCE = '/enter';

const page = (body: string): Response =>
  new Response(`<!doctype html><title>One moment</title><p>One moment, please.</p>${body}`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

/** Whether the link of a token signs a visitor in, as it is now. */
export const isUsable = (service: MockService, token: string): boolean => {
  const link = service.state.loginLinks.get(token);
  return link !== undefined && service.rules.loginLinkUsable(link, service.now().getTime());
};

/** A page between a good link and the editor; what it leads to is the link with `?go=1`. */
const between =
  (body: (address: string) => string): NonNullable<Deviation['http']> =>
  async (request, next, service) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, token] = LINK.exec(pathname) ?? [];
    if (token === undefined) return next(request);
    if (searchParams.has('go')) return next(new Request(`${service.origin}${pathname}`, { headers: request.headers }));
    return isUsable(service, token) ? page(body(pathname)) : next(request);
  };

export const loginPageVariants: readonly Deviation[] = [
  {
    id: 'login.by-script',
    about: 'The page of a login link signs its visitor in by a script, after a moment.',
    http: between((path) => `<script>setTimeout(()=>location.replace(${JSON.stringify(`${path}?go=1`)}),300)</script>`),
  },
  {
    id: 'login.by-button',
    about: 'The page of a login link has a button that signs its visitor in.',
    http: between(
      (path) =>
        `<form action=${JSON.stringify(path)}><input type="hidden" name="go" value="1"><button>Go on</button></form>`,
    ),
  },
  {
    id: 'login.with-user',
    about: 'The address in a login link has a user name and a password, which no page asks for.',
    http: async (request, next) => {
      const response = await next(request);
      if (!CALL.test(new URL(request.url).pathname) || response.status !== 200) return response;
      const body = (await response.json()) as { loginUrl: string };
      return Response.json({ ...body, loginUrl: body.loginUrl.replace('://', '://visitor:one-time@') });
    },
  },
  {
    id: 'login.behind-hash',
    about: 'The token of a login link is behind a # and read by a script of a page that is the same for everybody.',
    http: async (request, next, service) => {
      const { pathname } = new URL(request.url);
      if (pathname === ENTRANCE) return page('<script>location.replace("/login/"+location.hash.slice(1))</script>');
      const response = await next(request);
      if (!CALL.test(pathname) || response.status !== 200) return response;
      const body = (await response.json()) as { loginUrl: string };
      const token = body.loginUrl.split('/').at(-1) ?? '';
      return Response.json({ ...body, loginUrl: `${service.origin}${ENTRANCE}#${token}` });
    },
  },
];
