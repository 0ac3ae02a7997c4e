/** Part of the report's script: addresses of every part, keys to the next and previous finding, buttons that copy and unpack. */
export const WALK = String.raw`
const bar = document.querySelector('nav.sections');
// The bar covers what is scrolled to, and its rows depend on the window.
const makeRoom = () => document.documentElement.style.setProperty('--bar', bar.offsetHeight + 'px');
if (bar) { makeRoom(); new ResizeObserver(makeRoom).observe(bar); }
const reveal = (target) => {
  if (target.closest('[hidden]')) clear();
  for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
  target.scrollIntoView();
};
const follow = async () => {
  if (location.hash.startsWith('#?')) { recall(); return; }
  let id = '';
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
  const target = id && document.getElementById(id);
  if (target) { reveal(target); return; }
  const n = Number(/^exchange-(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  if (Number.isNaN(n)) return;
  const exchange = canUnpack ? await findExchange(n) : null;
  const shown = exchange ? exchangeElement(exchange) : make('p', 'reason', canUnpack ? 'Exchange #' + n + ' is not in this file: see events.ndjson.' : CANNOT);
  browsed = 0;
  list.replaceChildren(shown);
  if (exchange) { shown.id = id; shown.open = true; shown.firstElementChild.focus(); }
  list.scrollIntoView();
};
addEventListener('hashchange', follow);
follow();
const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
};
for (const button of document.querySelectorAll('button.copy')) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await copyText(button.dataset.text);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}
const MAX_AT_ONCE = 100;
for (const place of document.querySelectorAll('p.load')) {
  if (!canUnpack) { place.append(' ' + CANNOT); continue; }
  const numbers = numbersOf(place.dataset.numbers);
  const button = make('button', '', 'Show ' + (numbers.length === 1 ? 'exchange #' + numbers[0] : 'all ' + numbers.length.toLocaleString('en') + ' exchanges'));
  button.type = 'button';
  place.textContent = '';
  place.append(button);
  let shown = 0;
  button.addEventListener('click', async () => {
    const page = numbers.slice(shown, shown + MAX_AT_ONCE);
    const found = [];
    for (const n of page) {
      const exchange = await findExchange(n);
      if (exchange) found.push(exchangeElement(exchange));
    }
    place.before(...found);
    shown += page.length;
    if (shown < numbers.length) button.textContent = 'Show ' + (numbers.length - shown).toLocaleString('en') + ' more';
    else place.remove();
    if (found[0]) { found[0].open = found.length === 1; found[0].firstElementChild.focus(); }
  });
}
const stops = [...document.querySelectorAll('[data-stop]')];
let current = -1;
const go = (step) => {
  const open = stops.filter((stop) => !stop.hidden);
  if (open.length === 0) return;
  const at = open.indexOf(stops[current]);
  const next = open[at === -1 ? (step > 0 ? 0 : open.length - 1) : (at + step + open.length) % open.length];
  current = stops.indexOf(next);
  (next.tagName === 'DETAILS' ? next.firstElementChild : next).focus();
  next.scrollIntoView();
  if (next.id) history.replaceState(null, '', '#' + encodeURIComponent(next.id));
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea')) return;
  if (event.key === 'n') go(1);
  else if (event.key === 'p') go(-1);
  else if (event.key === '/') { event.preventDefault(); form.elements.find.focus(); }
});
const appendix = document.getElementById('print-all');
if (appendix) {
  appendix.hidden = false;
  appendix.addEventListener('click', () => {
    document.documentElement.classList.add('with-evidence');
    print();
    document.documentElement.classList.remove('with-evidence');
  });
}
`;
