/** Part of the report's script: unpacks exchanges and builds their markup, every text of a target as text. */
import { HIDDEN } from '../../words/text.ts';

export const UNPACK = String.raw`
const HIDDEN = ${HIDDEN};
const visible = (text) => text.replace(HIDDEN, (hidden) => {
  let codes = '';
  for (let at = 0; at < hidden.length; at += 1) codes += '\\u' + hidden.charCodeAt(at).toString(16).padStart(4, '0');
  return codes;
});
const make = (tag, className, ...content) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const part of content) element.append(typeof part === 'string' ? visible(part) : part);
  return element;
};
const store = document.getElementById('archive');
let packed = null;
const archive = () => {
  packed ??= store ? JSON.parse(store.textContent) : { parts: [], count: 0, left: 0 };
  return packed;
};
const unpacked = new Map();
const canUnpack = typeof DecompressionStream === 'function';
const CANNOT = 'This browser can\'t unpack the exchanges in this file: use a current one, or run proofmark report --har.';
const unpack = (part) => {
  if (!unpacked.has(part)) {
    unpacked.set(part, (async () => {
      const bytes = Uint8Array.from(atob(part.data), (character) => character.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
      return JSON.parse(await new Response(stream).text());
    })());
  }
  return unpacked.get(part);
};
const findExchange = async (n) => {
  for (const part of archive().parts) {
    if (n < part.from || n > part.to) continue;
    const found = (await unpack(part)).find((exchange) => exchange.n === n);
    if (found) return found;
  }
  return null;
};
const laidOut = (text) => {
  if (!/^\s*[{[]/.test(text)) return text;
  try { JSON.parse(text); } catch { return text; }
  let depth = 0;
  let out = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') { depth += 1; out += token + '\n' + '  '.repeat(Math.min(depth, 40)); }
    else if (token === '}' || token === ']') { depth -= 1; out = out.trimEnd() + (/[{[]$/.test(out.trimEnd()) ? '' : '\n' + '  '.repeat(Math.min(depth, 40))) + token; }
    else if (token === ',') out += ',\n' + '  '.repeat(Math.min(depth, 40));
    else out += token === ':' ? ': ' : token;
  }
  return out;
};
const MAX_BODY = 20000;
const bodyOf = (body) => {
  if (!body) return [];
  const text = body.text === undefined ? body.base64 || '' : laidOut(body.text);
  const parts = [text === '' ? make('p', 'quiet', 'Empty body.') : make('pre', 'body', text.slice(0, MAX_BODY))];
  if (body.text === undefined) parts.push(make('p', 'quiet', 'Bytes that are not UTF-8, as base64.'));
  const cut = (body.truncated || 0) + Math.max(0, text.length - MAX_BODY);
  if (cut) parts.push(make('p', 'quiet', cut.toLocaleString('en') + ' more bytes are in events.ndjson or were not kept.'));
  return parts;
};
const sideOf = (title, start, headers, body) => {
  const wire = make('pre', 'wire', make('span', 'start', start), '\n');
  for (const [name, value] of headers) wire.append(make('span', 'name', name), visible(': ' + value + '\n'));
  return make('div', '', make('p', 'caption', title), wire, ...bodyOf(body));
};
const statusOf = (response) => {
  if (!response) return make('span', 'status none', 'no response');
  const kind = response.status >= 500 ? 'bad' : response.status >= 400 ? 'refused' : 'good';
  return make('span', 'status ' + kind, String(response.status));
};
const exchangeElement = (exchange) => {
  const { n, role, direction, at, durationMs, request, response, failure } = exchange;
  const details = make('details', 'exchange',
    make('summary', '', make('span', 'n', '#' + n), ' ', make('span', 'role', role), ' ',
      make('code', 'line', make('b', '', request.method), ' ' + request.url.slice(0, 300)), ' ', statusOf(response), ' ',
      make('span', 'quiet', Math.round(durationMs) + ' ms')));
  details.addEventListener('toggle', () => {
    if (details.children.length > 1) return;
    const answer = response
      ? sideOf('Response', String(response.status), response.headers, response.body)
      : make('div', '', make('p', 'caption', 'Response'), make('p', 'reason', failure || 'none'));
    const check = document.getElementById('check-' + exchange.check);
    const link = check ? make('a', '', exchange.check) : make('code', '', exchange.check);
    if (check) link.href = '#check-' + exchange.check;
    details.append(
      make('div', 'sides', sideOf('Request, ' + direction + ' ' + at, request.method + ' ' + request.url, request.headers, request.body), answer),
      make('p', 'quiet', 'Of the check ', link));
  });
  return details;
};
const numbersOf = (ranges) => ranges.split(',').flatMap((range) => {
  const [from, to = from] = range.split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
});
`;
