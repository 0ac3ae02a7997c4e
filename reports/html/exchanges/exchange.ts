/** An exchange as people read one: the request line, both sides, the body laid out, the place in question marked. */
import type { BodyText, Exchange } from '../../../contracts/run/events.ts';
import { clip, duration } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';
import { jsonLines, linesAt } from './json-lines.ts';

/** Lines of a body that are shown, and how many around the marked place when there are more. */
const MAX_BODY_LINES = 60;
const MAX_MARKED_LINES = 12;
const LINES_AROUND_MARK = 12;

/** `pointer` is what the check points to in the response: a JSON pointer, or `header NAME`. */
export function exchangeMarkup(exchange: Exchange, open: boolean, pointer: string | null): Markup {
  const { request, response, failure } = exchange;
  const direction = exchange.direction === 'received' ? 'received' : 'sent';
  const status =
    response === undefined ? html`<span class="status none">no response</span>` : statusMarkup(response.status);
  return html`<details class="exchange" id="exchange-${exchange.n}"${open && html` open`}>
<summary><span class="n">#${exchange.n}</span> <span class="role">${exchange.role}</span> <code class="line"><b>${request.method}</b> ${clip(request.url, 300)}</code> ${status} <span class="quiet">${duration(exchange.durationMs)}</span></summary>
<div class="sides">
<div><p class="caption">Request, ${direction} ${exchange.at}</p>
<pre class="wire"><span class="start">${request.method} ${request.url}</span>
${headersMarkup(request.headers, null)}</pre>${bodyMarkup(request.body, null)}</div>
<div><p class="caption">Response</p>${failure !== undefined && html`<p class="reason">${failure}</p>`}${
    response !== undefined &&
    html`<pre class="wire"><span class="start">${response.status}</span>
${headersMarkup(response.headers, pointer)}</pre>${bodyMarkup(response.body, pointer)}`
  }</div>
</div>
</details>`;
}

function statusMarkup(status: number): Markup {
  const kind = status >= 500 ? 'bad' : status >= 400 ? 'refused' : status >= 300 ? 'moved' : 'good';
  return html`<span class="status ${kind}">${status}</span>`;
}

function headersMarkup(headers: ReadonlyArray<readonly [string, string]>, pointer: string | null): Markup[] {
  const named = pointer?.toLowerCase().match(/^header (\S+)/)?.[1];
  return headers.map(([name, value]) => {
    const line = html`<span class="name">${name}</span>: ${value}`;
    return name.toLowerCase() === named ? html`<mark>${line}</mark>\n` : html`${line}\n`;
  });
}

function bodyMarkup(body: BodyText | undefined, pointer: string | null): Markup | undefined {
  if (body === undefined) return undefined;
  const cut =
    body.truncated === undefined
      ? ''
      : `${body.truncated.toLocaleString('en')} more bytes are in events.ndjson or were not kept.`;
  const note = cut !== '' && html`<p class="quiet">${cut}</p>`;
  if (body.text === undefined) {
    return html`<pre class="body">${body.base64 ?? ''}</pre><p class="quiet">Bytes that are not UTF-8, as base64.</p>${note}`;
  }
  if (body.text === '') return html`<p class="quiet">Empty body.</p>`;
  const lines = jsonLines(body.text, body.truncated !== undefined);
  if (lines === undefined) return html`<pre class="body">${body.text}</pre>${note}`;
  const pointed = pointer?.startsWith('/') ? linesAt(lines, pointer) : [];
  // Of a whole list or record its first line is enough: what is wrong in it is in the difference.
  const marked = new Set(pointed.length > MAX_MARKED_LINES ? pointed.slice(0, 1) : pointed);
  const shown = window(lines.length, marked);
  const rows: Markup[] = [];
  let before = -1;
  for (const index of shown) {
    if (index !== before + 1) rows.push(html`<span class="left-out">… ${index - before - 1} lines …</span>\n`);
    const text = lines[index]?.text ?? '';
    rows.push(marked.has(index) ? html`<mark>${text}</mark>\n` : html`${text}\n`);
    before = index;
  }
  if (before < lines.length - 1)
    rows.push(html`<span class="left-out">… ${lines.length - 1 - before} lines …</span>\n`);
  return html`<pre class="body">${rows}</pre>${note}`;
}

/** Indexes of the lines that are shown: the beginning, and what lies around the marked place. */
function window(length: number, marked: ReadonlySet<number>): number[] {
  if (length <= MAX_BODY_LINES) return Array.from({ length }, (_, index) => index);
  const first = Math.min(...marked, length);
  const shown: number[] = [];
  for (let index = 0; index < length && shown.length < MAX_BODY_LINES; index += 1) {
    const atStart = index < MAX_BODY_LINES / 2;
    const nearMark = marked.size === 0 ? index < MAX_BODY_LINES : index >= first - LINES_AROUND_MARK;
    if (atStart || nearMark) shown.push(index);
  }
  return shown;
}
