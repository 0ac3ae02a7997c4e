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
