/** Public pages as other services build them: by scripts, in whole or only where snippets are. */
import { siteSnippets } from '../faults/interception.ts';
import type { Deviation } from '../types/deviation.ts';

type Http = NonNullable<Deviation['http']>;

const SITE = /^\/site\//;

/** Asks for a page in the form in which its script reads it. */
const CONTENT = 'content';

const FILL = `fetch(location.pathname+'?${CONTENT}=1').then((page)=>page.text()).then((html)=>{
const {body}=new DOMParser().parseFromString(html,'text/html');
document.body.append(document.createRange().createContextualFragment(body.innerHTML))})`;

/** A text as a literal of a script in a page. */
const literal = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

/** Serves pages in another form. */
const sitePages =
  (change: (html: string, texts: readonly string[]) => string): Http =>
  async (request, next, service) => {
    const { pathname, searchParams } = new URL(request.url);
    const response = await next(request);
    if (!SITE.test(pathname) || response.status !== 200 || searchParams.has(CONTENT)) return response;
    const html = change(await response.text(), siteSnippets(service));
    return new Response(html, { status: response.status, headers: response.headers });
  };

/** Serves pages with an empty body, which a script fills. */
const filledByScripts: Http = sitePages((html) => {
  const [from, to] = [html.indexOf('<body>'), html.indexOf('</body>')];
  return `${html.slice(0, from)}<body><script>${FILL}</script>${html.slice(to)}`;
});

const hasCookie = (request: Request, name: string): boolean =>
  (request.headers.get('cookie') ?? '').split(/;\s*/).some((one) => one.startsWith(`${name}=`));

/** What a visitor without a cookie gets in place of a page. */
const beforePages =
  (cookie: string, response: (url: URL) => Response): Http =>
  (request, next) => {
    const url = new URL(request.url);
    const isAbout = request.method === 'GET' && SITE.test(url.pathname) && !hasCookie(request, cookie);
    return isAbout ? Promise.resolve(response(url)) : next(request);
  };

const HTML = { 'content-type': 'text/html; charset=utf-8' };

export const siteVariants: readonly Deviation[] = [
  {
    id: 'site.filled-by-scripts',
    about: 'Public pages have an empty body, which a script fills.',
    http: filledByScripts,
  },
  {
    id: 'site.snippets-by-script',
    about: 'A script adds the snippets to the body of a page.',
    http: sitePages((html, texts) => {
      const shown = texts.filter((text) => html.includes(text));
      const page = shown.reduce((rest, text) => rest.replace(text, ''), html);
      const all = shown.map((text) => literal(text)).join(',');
      const script = `for(const html of [${all}])document.body.append(document.createRange().createContextualFragment(html))`;
      return page.replace('</body>', () => `<script>${script}</script></body>`);
    }),
  },
  {
    id: 'site.cookie-redirect',
    about: 'A visitor without a cookie is sent to the same page again, with one.',
    http: beforePages('visit', ({ pathname, search }) => {
      const headers = { location: pathname + search, 'set-cookie': 'visit=1; Path=/; HttpOnly' };
      return new Response(null, { status: 302, headers });
    }),
  },
  {
    id: 'site.browser-check',
    about: 'A visitor without a cookie gets a page whose script sets it and loads the page again.',
    http: beforePages('checked', () => {
      const script = 'setTimeout(()=>{document.cookie="checked=1; path=/";location.reload()},50)';
      return new Response(`<!doctype html><title>Just a moment…</title><h1>One moment</h1><script>${script}</script>`, {
        headers: HTML,
      });
    }),
  },
  {
    id: 'site.consent',
    about: 'A visitor without a cookie gets the page beneath a dialog about cookies, under a policy without scripts.',
    http: async (request, next) => {
      const response = await next(request);
      const { pathname } = new URL(request.url);
      if (!SITE.test(pathname) || response.status !== 200 || hasCookie(request, 'consent')) return response;
      const headers = new Headers(response.headers);
      headers.set('content-security-policy', "default-src 'self'; script-src 'none'");
      headers.set('x-robots-tag', 'noindex');
      const dialog = '<div role="dialog" aria-modal="true"><p>We use cookies.</p><button>Accept</button></div>';
      return new Response((await response.text()).replace('</body>', `${dialog}</body>`), { status: 200, headers });
    },
  },
  {
    id: 'site.snippets-wrapped',
    about: 'Each snippet is in an element of the service, between comments.',
    rules: (correct) => ({
      snippetsFor: (installation, language) =>
        correct
          .snippetsFor(installation, language)
          .map((text) => `<!-- app --><div data-app="1">\n${text}\n</div><!-- end of app -->`),
    }),
  },
];
