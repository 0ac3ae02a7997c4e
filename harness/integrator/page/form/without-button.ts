/** What leads on in a page that has no button: links, and elements that only look like a button. */
import type { Words } from './words.ts';

/**
 * In the page: marks the link to the callback that a person who wants the label presses, and returns how many different ones
 * there are. Another button may report an error, to give up.
 */
export function linksTo({ mark, callback }: { mark: string; callback: string }): number {
  const all = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) => link.href.startsWith(callback) && link.getClientRects().length > 0,
  );
  const successes = all.filter(({ search }) => /[?&]label_url=/.test(search));
  const failure = all.filter(({ search }) => /[?&]error_msg=/.test(search)).slice(0, 1);
  const links = successes.length > 0 ? successes : failure;
  if (links.length > 0) for (const earlier of document.querySelectorAll(`[${mark}]`)) earlier.removeAttribute(mark);
  links[0]?.setAttribute(mark, '');
  return new Set(links.map(({ href }) => href)).size;
}

/**
 * In the page: marks the one thing that prints a label although it is not a button, and returns what it is: an element that reacts to a
 * click, a link within the same site. No function in it may have a name, because the loader's helper that keeps names
 * does not exist in the page.
 */
export function likeButton({
  mark,
  listens,
  leaving,
  printing,
  aside,
}: Words & { mark: string; listens: string }): string | undefined {
  const isLeaving = new RegExp(leaving, 'iu');
  const isPrinting = new RegExp(printing, 'isu');
  for (const earlier of document.querySelectorAll(`[${mark}]`)) earlier.removeAttribute(mark);
  const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    (one) => one.getClientRects().length > 0 && one.closest(aside) === null && !isLeaving.test(one.textContent),
  );
  const reacting = shown.filter(
    (one) =>
      // A link to a place in the same document may be a button to its script.
      !one.matches('a[href]:not([href^="#"]),input,select,textarea,label,option,summary,iframe') &&
      one.closest('a[href]:not([href^="#"]),label') === null &&
      (one.matches(`[onclick],[tabindex="0"],[${listens}]`) ||
        (!one.matches('a[href]') &&
          getComputedStyle(one).cursor === 'pointer' &&
          one.parentElement !== null &&
          getComputedStyle(one.parentElement).cursor !== 'pointer')),
  );
  const links = shown.filter(
    (one) =>
      one instanceof HTMLAnchorElement &&
      one.matches('a[href]') &&
      (one.protocol === 'javascript:' ||
        (one.host === location.host && one.href.split('#', 1)[0] !== location.href.split('#', 1)[0])),
  );
  for (const all of [reacting, links]) {
    const printingOnes = all.filter((one) => isPrinting.test(one.textContent));
    const [one] = printingOnes.length > 0 ? printingOnes : all;
    if (one === undefined || (printingOnes.length !== 1 && all.length !== 1)) continue;
    one.setAttribute(mark, '');
    return `“${one.textContent.trim().slice(0, 40)}”`;
  }
  return undefined;
}
