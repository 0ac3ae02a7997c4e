/** The frame of the development server's pages: no script but its own, nothing from elsewhere, no frames. */
import { createHash } from 'node:crypto';
import { type Html, html, raw, toText } from '../../../../mock/pages/html.ts';
import { STYLE } from '../../../../mock/pages/layout/style.ts';
import { LOG_SCRIPT } from './script.ts';

const OWN_STYLE = `${STYLE}
body>header>div,main{max-width:76rem}
h3{font-size:1rem;margin:.7rem 0 .3rem}
main>h2{margin:1.6rem 0 .8rem}
.row select,.row input{font-weight:400}
.sent{table-layout:fixed}
.sent th:first-child{width:7rem}.sent th:nth-child(3){width:16rem}.sent th:last-child{width:7rem}
.sent code{overflow-wrap:anywhere}
.log{display:grid;gap:.4rem}
.log details,.ops details{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.5rem .8rem}
.log summary{display:flex;gap:.8rem;align-items:baseline;flex-wrap:wrap}
.log summary code{overflow-wrap:anywhere}
.log .time{color:var(--soft);font-variant-numeric:tabular-nums}
.log .spread{flex:1}
.log dl{margin-top:.6rem}
.log.only-wrong details:not([data-wrong]){display:none}
.wrong{border-left:4px solid var(--bad);padding-left:.7rem;margin:.5rem 0}
.hint{border-left:4px solid var(--main);padding-left:.7rem;margin:.5rem 0}
.tools{display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:1rem}
.tools section{margin:0}
.row{display:flex;gap:.6rem;align-items:end;flex-wrap:wrap}
.row>*{flex:1 1 8rem}
.row>button{flex:0 0 auto}
pre{max-height:24rem;overflow:auto}
.method{font-weight:700;min-width:4.2rem;display:inline-block}
`;

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY = [
  "default-src 'none'",
  `style-src ${sha256(OWN_STYLE)}`,
  `script-src ${sha256(LOG_SCRIPT)}`,
  "connect-src 'self'",
  "form-action 'self'",
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const;

const LINKS = [
  ['/_dev/', 'Requests'],
  ['/_dev/state', 'State'],
  ['/docs', 'Interfaces'],
  ['/', 'Pages of the service'],
] as const;

/** A whole page. `here` is its address in the navigation. */
export function devPage(title: string, here: string, body: Html, withScript = false): Response {
  const links = LINKS.map(
    ([href, text]) => html`<li><a href="${href}"${raw(href === here ? ' aria-current="page"' : '')}>${text}</a></li>`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Proofmark mock</title><link rel="icon" href="data:,"><style>${raw(OWN_STYLE)}</style></head>
<body><header><div><strong><a href="/_dev/">Proofmark mock</a></strong><nav aria-label="Pages"><ul>${links}</ul></nav></div></header>
<main><h1>${title}</h1>${body}</main>${withScript && raw(`<script>${LOG_SCRIPT}</script>`)}</body></html>
`;
  return new Response(toText(page), { headers: HEADERS });
}

/** A piece of a page, for its script. */
export const fragment = (body: Html): Response => new Response(toText(body), { headers: HEADERS });

/** A sentence in place of a page. */
export const plain = (status: number, text: string): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
  });
