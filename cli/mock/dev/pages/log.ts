/** The page with the log: what was received and what is wrong with it, what the service sends, faults, latency, reset. */
import type { BodyText } from '../../../../contracts/run/events.ts';
import { faults, variants } from '../../../../mock/deviations.ts';
import { type Html, html, raw } from '../../../../mock/pages/html.ts';
import type { DevParts } from '../api.ts';
import type { LogEntry } from '../log.ts';
import type { SentMessage } from '../sending.ts';
import { devPage, fragment } from './shell.ts';

/** Rows of the page; the interface has them all. */
const MAX_ROWS = 200;
const MAX_SENT = 12;

/** The page with the received requests, the newest first. */
export function logPage(parts: DevParts): Response {
  const { log, service } = parts;
  const rows = log.entries().slice(-MAX_ROWS).toReversed();
  const none = html`<p id="nothing-yet" class="soft">Nothing yet. Call <code>${service.origin}/v1/</code> or <code>${service.origin}/api/</code>: each request appears here.</p>`;
  return devPage(
    'Requests',
    '/_dev/',
    html`<p>On this page: <a href="#received">Received requests</a>, <a href="#sending">Requests to your app or page</a>, <a href="#service">Faults, latency, reset</a></p>
<h2 id="received">Received requests</h2>${rows.length === 0 && none}
<p><label class="check"><input type="checkbox" id="only-wrong"> Only requests that would be judged wrong or were refused</label></p>
<div class="log" aria-live="polite">${rows.map(rowOf)}</div>
<h2 id="sending">Requests to your app or page</h2>${sendingTools(parts)}
<h2 id="service">The service</h2><div class="tools">${deviationTools(parts)}${latencyTool(parts)}${resetTool()}</div>
<p class="soft">The same for programs: <code>/_dev/api/log</code>, <code>/_dev/api/state</code>, <code>/_dev/api/deviations</code> … (docs/integrator.md)</p>`,
    true,
  );
}

/** The rows of later requests, newest first. */
export const logRows = ({ log }: DevParts, after: number): Response =>
  fragment(html`${log.entries(after).slice(-MAX_ROWS).toReversed().map(rowOf)}`);

function rowOf({ n, exchange, hint, wrong }: LogEntry): Html {
  const { request, response, at, durationMs } = exchange;
  const status = response?.status ?? 0;
  const { pathname, search } = new URL(request.url);
  const breaks = wrong.filter(({ kind }) => kind === 'breaks').length;
  const isWrong = wrong.length > 0 || status >= 400;
  const verdict =
    wrong.length === 0
      ? hint === undefined && html`<span class="badge good">nothing wrong</span>`
      : html`<span class="badge bad">${breaks > 0 ? `${breaks} wrong` : `${wrong.length} lenient`}</span>`;
  return html`<details data-n="${n}"${raw(isWrong ? ' data-wrong' : '')}><summary><span class="time">${at.slice(11, 23)}</span><span class="method">${request.method}</span><code>${pathname}${search}</code><span class="spread"></span>${verdict}<span class="badge ${status >= 400 ? 'bad' : 'good'}">${status}</span></summary>
${wrong.map(({ kind, clause, level, message, pointer }) => html`<div class="wrong"><strong>${kind === 'breaks' ? 'Would be judged wrong' : 'Works only because the service is lenient'}:</strong> ${message}${pointer !== undefined && html` <code>${pointer}</code>`}<br><span class="soft">${level} · ${clause}</span></div>`)}
${hint !== undefined && html`<div class="hint"><strong>Hint:</strong> ${hint}</div>`}
<h3>Received</h3><pre tabindex="0">${`${request.method} ${pathname}${search}\n${headerLines(request.headers)}\n\n${bodyOf(request.body)}`.trim()}</pre>
<h3>Response <span class="soft">in ${durationMs.toFixed(1)} ms</span></h3><pre tabindex="0">${`${status}\n${headerLines(response?.headers ?? [])}\n\n${bodyOf(response?.body)}`.trim()}</pre></details>`;
}

const headerLines = (headers: readonly (readonly [string, string])[]): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

function bodyOf(body: BodyText | undefined): string {
  if (body === undefined) return '';
  const text = body.text ?? `(${body.base64?.length ?? 0} characters of base64)`;
  const cut = body.truncated === undefined ? '' : `\n… (${body.truncated} more bytes)`;
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}${cut}`;
  } catch {
    return `${text}${cut}`;
  }
}

function sendingTools({ service, sending, log }: DevParts): Html {
  const { state } = service;
  const orders = state.orders
    .all()
    .filter(({ method }) => (state.methods.get(method.handle) ?? method).print_label_url !== null);
  const websites = state.websites.all();
  const installations = state.installations.all();
  const option = (value: string, text: string): Html => html`<option value="${value}">${text}</option>`;
  const form = (kind: string, title: string, fields: Html): Html =>
    html`<section><h3>${title}</h3><form method="post" action="/_dev/api/send"><input type="hidden" name="kind" value="${kind}"><div class="row">${fields}<button>Send</button></div></form></section>`;
  const website = html`<label>Website <select name="website">${websites.map((row) => option(String(row.id), row.brandname))}</select></label>`;
  const sent = sending.all().slice(-MAX_SENT).toReversed();
  // An installation is chosen by its place: its code stays out of the page.
  return html`<div class="tools">
${form('label', 'Label request', html`<label>Order <select name="order">${orders.map((row) => option(row.uuid, `${row.invoiceId}, ${row.method.handle}`))}</select></label>`)}
${form('install', 'Install an app', html`<label>App <select name="app">${state.apps.all().map((row) => option(row.id, row.manifest.app_title))}</select></label>${website}`)}
${installations.length > 0 && form('settings', 'Settings of an installation', html`<label>Installation <select name="installation">${installations.map((row, at) => option(String(at), `app ${row.appId} in ${row.websiteId}`))}</select></label>`)}
</div>
<div class="scroll"><table class="sent"><thead><tr><th scope="col">Sent</th><th scope="col">To</th><th scope="col">Response</th><th scope="col">Again</th></tr></thead><tbody>
${sent.length === 0 && html`<tr><td colspan="4" class="soft">Nothing yet. Requests that pages of the service make a browser send also appear here.</td></tr>`}
${sent.map((one) => sentRow(log.redaction.value(one)))}</tbody></table></div>`;
}

function sentRow({ n, at, kind, url, fields, reply }: SentMessage): Html {
  const answered =
    reply === undefined
      ? html`<span class="soft">by a browser</span>`
      : html`${reply.failure ?? html`<span class="badge ${(reply.status ?? 0) >= 400 ? 'bad' : 'good'}">${reply.status}</span>`}${reply.location !== undefined && html` to <code>${reply.location}</code>`}${(reply.body ?? '') !== '' && html`<details><summary>Body</summary><pre tabindex="0">${reply.body}</pre></details>`}`;
  const sentFields =
    fields !== undefined &&
    html`<details><summary>${fields.length} fields</summary><pre tabindex="0">${fields.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre></details>`;
  return html`<tr><td>${at.slice(11, 19)} ${kind}</td><td><code>${url}</code>${sentFields}</td><td>${answered}</td><td><form class="inline" method="post" action="/_dev/api/resend"><input type="hidden" name="n" value="${n}"><button class="plain" aria-label="Send request ${n} again">Resend</button></form></td></tr>`;
}

function deviationTools({ settings }: DevParts): Html {
  const rows = settings.active.map(
    (id) =>
      html`<li><code>${id}</code> <form class="inline" method="post" action="/_dev/api/deviations"><input type="hidden" name="remove" value="${id}"><button class="plain" aria-label="Switch off ${id}">Off</button></form></li>`,
  );
  const known = [...faults, ...variants].map(({ id, about }) => html`<option value="${id}">${about}</option>`);
  return html`<section><h3>Faults and variants</h3>${rows.length === 0 ? html`<p class="soft">None: the service conforms to the contract.</p>` : html`<ul>${rows}</ul>`}
<form method="post" action="/_dev/api/deviations"><div class="row"><label>Id <input name="add" list="deviations" required></label><button>On</button></div></form>
<datalist id="deviations">${known}</datalist></section>`;
}

const latencyTool = ({ settings }: DevParts): Html =>
  html`<section><h3>Latency</h3><form method="post" action="/_dev/api/latency"><div class="row"><label>Milliseconds before each response <input name="ms" type="number" min="0" max="60000" value="${settings.latencyMs}"></label><button>Set</button></div></form></section>`;

const resetTool = (): Html =>
  html`<section><h3>Start again</h3><p>Reset restores the initial state and clears the log.</p>
<form class="inline" method="post" action="/_dev/api/reset"><button class="danger">Reset</button></form>
<form class="inline" method="post" action="/_dev/api/log/clear"><button class="plain">Clear the log</button></form></section>`;

/** The state, without its secrets. */
export async function statePage({ service, log }: DevParts): Promise<Response> {
  const state = log.redaction.value((await service.control.state()) as Record<string, unknown>);
  const tables = Object.entries(state).map(
    ([name, rows]) =>
      html`<details class="card"><summary>${name} <span class="soft">${Object.keys((rows ?? {}) as object).length}</span></summary><pre tabindex="0">${JSON.stringify(rows, null, 2)}</pre></details>`,
  );
  return devPage(
    'State',
    '/_dev/state',
    html`<p class="soft">Keys, codes and secrets appear here by their names.</p>${tables}`,
  );
}
