/** Part of the report's script: one search over findings, clauses, checks, observations and exchanges, kept in the address. */
export const FIND = String.raw`
const form = document.getElementById('find');
const list = document.getElementById('exchange-list') || make('div', '');
const shownCount = form.querySelector('output');
const rows = [...document.querySelectorAll('[data-row]')];
const groups = [...document.querySelectorAll('details.group')].map((group) => ({ group, wasOpen: group.open }));
let texts = null;
const boxes = [...form.querySelectorAll('input[type=checkbox]')];
const PAGE = 50;
const MAX_FOUND = 200;
const fits = (text, words) => words.every((word) => text.includes(word));
const textOf = ({ n, check, role, method, request, response, failure }) => {
  const side = (one) => one ? one.headers.flat().join(' ') + ' ' + ((one.body && (one.body.text ?? one.body.base64)) || '') : '';
  return ('#' + n + ' ' + check + ' ' + role + ' ' + request.method + ' ' + request.url + ' ' + (response ? response.status : failure) + ' ' + side(request) + ' ' + side(response)).toLowerCase();
};
let search = 0;
const searchExchanges = async (words) => {
  const own = ++search;
  if (words.length === 0) { list.replaceChildren(); return; }
  if (!canUnpack) { list.replaceChildren(make('p', 'reason', CANNOT)); return; }
  const number = words.length === 1 && /^#?\d+$/.test(words[0]) ? Number(words[0].replace('#', '')) : null;
  const found = [];
  let count = 0;
  for (const part of archive().parts) {
    for (const exchange of await unpack(part)) {
      if (exchange.n !== number && !fits(textOf(exchange), words)) continue;
      count += 1;
      if (exchange.n === number) found.unshift(exchange);
      else if (found.length < MAX_FOUND) found.push(exchange);
    }
    if (own !== search) return;
  }
  const title = count.toLocaleString('en') + ' of ' + archive().count.toLocaleString('en') + ' exchanges' + (count > found.length ? ', the first ' + MAX_FOUND + ' of them:' : '');
  list.replaceChildren(make('p', 'quiet', title), ...found.map(exchangeElement));
};
let waiting = 0;
const apply = () => {
  const words = form.elements.find.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const isActive = words.length > 0 || chosen.size > 0;
  if (isActive) texts ??= rows.map((row) => (row.id + ' ' + row.textContent).toLowerCase());
  let count = 0;
  rows.forEach((row, at) => {
    const isShown = !isActive || ((chosen.size === 0 || chosen.has(row.dataset.row)) && fits(texts[at], words));
    row.hidden = !isShown;
    if (isShown) count += 1;
  });
  // A clause that is found shows its checks, and a check that is found its clause.
  for (const row of rows) if (!row.hidden) for (let node = row.parentElement.closest('[data-row]'); node; node = node.parentElement.closest('[data-row]')) node.hidden = false;
  for (const { group, wasOpen } of groups) {
    const has = !isActive || [...group.querySelectorAll('[data-row]')].some((row) => !row.hidden);
    group.hidden = !has;
    group.open = isActive ? has : wasOpen;
  }
  shownCount.textContent = isActive ? count + ' of ' + rows.length + ' entries' : '';
  clearTimeout(waiting);
  waiting = setTimeout(() => searchExchanges(words), 250);
};
const remember = () => {
  const kept = new URLSearchParams();
  if (form.elements.find.value) kept.set('find', form.elements.find.value);
  const chosen = boxes.filter((box) => box.checked).map((box) => box.value).join(' ');
  if (chosen) kept.set('show', chosen);
  const text = String(kept);
  history.replaceState(null, '', text === '' ? location.pathname + location.search : '#?' + text);
};
const recall = () => {
  const kept = new URLSearchParams(location.hash.slice(2));
  form.elements.find.value = kept.get('find') || '';
  const chosen = (kept.get('show') || '').split(' ');
  for (const box of boxes) box.checked = chosen.includes(box.value);
  apply();
};
form.addEventListener('input', () => { apply(); remember(); });
form.addEventListener('submit', (event) => event.preventDefault());
const clear = () => {
  form.elements.find.value = '';
  for (const box of boxes) box.checked = false;
  apply();
};
form.querySelector('button').addEventListener('click', () => { clear(); remember(); });
form.hidden = false;
let browsed = 0;
const browse = document.getElementById('browse');
if (browse) {
  browse.hidden = false;
  browse.addEventListener('click', async () => {
    if (!canUnpack) { list.replaceChildren(make('p', 'reason', CANNOT)); return; }
    if (browsed === 0) list.replaceChildren();
    let skipped = 0;
    let added = 0;
    for (const part of archive().parts) {
      if (added >= PAGE) break;
      if (skipped + part.count <= browsed) { skipped += part.count; continue; }
      const page = (await unpack(part)).slice(browsed - skipped, browsed - skipped + PAGE - added);
      list.append(...page.map(exchangeElement));
      added += page.length;
      browsed += page.length;
      skipped += part.count;
    }
    browse.textContent = browsed >= archive().count ? 'All are shown' : 'Show the next ' + PAGE;
    browse.disabled = browsed >= archive().count;
  });
}
`;
