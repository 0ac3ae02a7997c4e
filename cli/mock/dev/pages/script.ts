/** The script of the log page: puts new requests on top, and hides those with nothing wrong where that is wished for. */
export const LOG_SCRIPT = `
const log = document.querySelector('.log');
const only = document.querySelector('#only-wrong');
const show = () => log.classList.toggle('only-wrong', only.checked);
only.addEventListener('change', show);
let waiting = false;
setInterval(async () => {
  if (waiting || document.hidden) return;
  waiting = true;
  try {
    const first = log.querySelector('details');
    const answer = await fetch('/_dev/rows?after=' + (first ? first.dataset.n : 0));
    if (!answer.ok) return;
    const rows = await answer.text();
    if (rows.trim() === '') return;
    document.querySelector('#nothing-yet')?.remove();
    log.insertAdjacentHTML('afterbegin', rows);
  } catch {
    // The server was stopped: the page stays as it is.
  } finally {
    waiting = false;
  }
}, 1500);
`;
