/** The report's only script: finding, copying, opening what a link points to. The page says everything without it. */
export const SCRIPT = `'use strict';
for (const form of document.querySelectorAll('form.filter')) {
  const scope = document.getElementById(form.dataset.for);
  const rows = [...scope.querySelectorAll('[data-verdict]')];
  const texts = rows.map((row) => (row.dataset.search || row.textContent).toLowerCase());
  const groups = [...scope.querySelectorAll('.group')];
  const shown = form.querySelector('output');
  const apply = () => {
    const words = form.elements.find.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const chosen = new Set([...form.querySelectorAll('input[type=checkbox]:checked')].map((box) => box.value));
    let count = 0;
    rows.forEach((row, index) => {
      const fits = (chosen.size === 0 || chosen.has(row.dataset.verdict)) && words.every((word) => texts[index].includes(word));
      row.hidden = !fits;
      if (fits) count += 1;
    });
    for (const group of groups) group.hidden = !group.querySelector('[data-verdict]:not([hidden])');
    shown.textContent = count === rows.length ? '' : count + ' of ' + rows.length;
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply));
  form.hidden = false;
}
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
const openTarget = () => {
  let target = null;
  try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch {}
  if (!target) return;
  const form = target.hidden && document.querySelector('form.filter[data-for="' + target.closest('section[id]').id + '"]');
  if (form) { form.reset(); form.dispatchEvent(new Event('input')); }
  for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', openTarget);
openTarget();
`;
