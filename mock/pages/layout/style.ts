/**
 * The one stylesheet and the one script of the service's pages. Both are part of the page itself (a page is one request) and
 * are allowed by their hash, so that the content security policy can refuse every other script, whatever a title holds.
 */
import { createHash } from 'node:crypto';

export const STYLE = `
:root{color-scheme:light dark;--text:#1c2430;--soft:#5a6675;--back:#f4f6f9;--card:#fff;--line:#d5dbe3;--main:#1f5fbf;--on-main:#fff;--good:#176b3a;--bad:#a8261c;--note:#fff6da}
@media(prefers-color-scheme:dark){:root{--text:#e6eaf0;--soft:#9aa7b8;--back:#12161c;--card:#1b212a;--line:#343d4a;--main:#7fb0ff;--on-main:#0d1520;--good:#6ed29a;--bad:#ff8f85;--note:#3a3218}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
body>header{background:var(--card);border-bottom:1px solid var(--line);padding:.6rem 0}
body>header>div,main{max-width:62rem;margin:0 auto;padding-left:1rem;padding-right:1rem}
body>header>div{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:baseline}
body>header strong a{color:var(--text);text-decoration:none}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;margin:0;padding:0}
nav [aria-current]{font-weight:600;color:var(--text);text-decoration:none}
main{padding-top:1.2rem;padding-bottom:4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0 1rem}
h2{font-size:1.15rem;margin:0 0 .7rem}
section>:first-child,.card>:first-child,details>:last-child{margin-top:0}
section>:last-child{margin-bottom:0}
summary{cursor:pointer}
dl+form.inline{margin-top:.9rem}
section,.card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:0 0 1rem}
a{color:var(--main)}
.soft,small{color:var(--soft)}
label{display:block;font-weight:600;margin:.7rem 0 .2rem}
label small{font-weight:400}
input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea{display:block;width:100%;max-width:34rem;padding:.45rem .55rem;border:1px solid var(--soft);border-radius:.3rem;background:var(--back);color:var(--text);font:inherit}
textarea{max-width:100%;font:13px/1.45 ui-monospace,monospace}
.check{display:flex;gap:.5rem;align-items:baseline;font-weight:400;margin:.35rem 0}
.check input{flex:none}
fieldset{border:1px solid var(--line);border-radius:.4rem;margin:.8rem 0;padding:.4rem .9rem .8rem}
legend{font-weight:600;padding:0 .3rem}
button,.button{display:inline-block;border:1px solid var(--main);border-radius:.35rem;background:var(--main);color:var(--on-main);font:inherit;font-weight:600;padding:.4rem .9rem;cursor:pointer;text-decoration:none}
button.plain{background:transparent;color:var(--main)}
button.danger{background:transparent;color:var(--bad);border-color:var(--bad)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
form.inline{display:inline-block;margin:.2rem .4rem .2rem 0}
form>button{margin-top:.9rem}
form.inline>button{margin-top:0}
.scroll{overflow-x:auto;overflow-wrap:break-word}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .7rem .4rem 0;border-bottom:1px solid var(--line)}
tbody tr:last-child>*{border-bottom:0}
th{font-weight:600}
dl{display:grid;grid-template-columns:minmax(9rem,max-content) 1fr;gap:.3rem 1.2rem;margin:0}
dt{color:var(--soft)}
dd{margin:0}
pre,code{font:13px/1.45 ui-monospace,monospace}
pre{white-space:pre-wrap;background:var(--back);border:1px solid var(--line);border-radius:.3rem;padding:.6rem;margin:.4rem 0}
.note{background:var(--note);border-color:transparent}
.good{color:var(--good)}.bad{color:var(--bad)}
.badge{display:inline-block;white-space:nowrap;border:1px solid currentColor;border-radius:1rem;font-size:.85rem;padding:0 .6rem}
.apps{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1rem;margin-bottom:1rem}
.apps>.card{margin:0}
.icon{float:right;width:56px;height:56px;border-radius:.5rem;background:var(--line)}
.icon text{font-size:30px;font-weight:700;fill:var(--soft)}
`;

/**
 * Submits the form of a hand-over page. Through the prototype, because a field of the form may be
 * named `submit` and would hide the method.
 */
export const HAND_OVER_SCRIPT = 'HTMLFormElement.prototype.submit.call(document.forms[0])';

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of all pages except the public website, which must run the snippets of apps. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  `style-src ${sha256(STYLE)}`,
  `script-src ${sha256(HAND_OVER_SCRIPT)}`,
  'img-src http: https: data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
