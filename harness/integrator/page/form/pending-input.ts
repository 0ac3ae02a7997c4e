/** What on a page of an integrator waits for a person who knows what to do. */
import type { Page } from '@playwright/test';
import { within } from '../../../process/until.ts';
import { LISTENS, markListening } from '../listening.ts';
import { PRINTING } from './printing-buttons.ts';

/** A page that can't be read in this time is too busy for a person, too. */
const TIMEOUT_MS = 5_000;

/** What `pendingInput` finds where there are only links. */
export const ONLY_LINKS = 'a link';

/**
 * What on a page waits for a person, in words; undefined where there is nothing but something to read. Links to other hosts
 * lead away from the label. Those of the page's own host may be the next step, except `known` ones that do not name a label, and those in
 * `finished`, which lead to a result. Without a script a link to the top of the document leads nowhere.
 */
export async function pendingInput(
  page: Page,
  known: readonly string[] = [],
  finished: readonly string[] = [],
): Promise<string | undefined> {
  await markListening(page);
  return within(
    page
      .evaluate(waiting, { listens: LISTENS, onlyLinks: ONLY_LINKS, known, finished, printing: PRINTING.source })
      .catch(() => undefined),
    TIMEOUT_MS,
    () => undefined,
  );
}

/** Where the links of a page lead. */
export const linksOf = (page: Page): Promise<readonly string[]> =>
  within<readonly string[], readonly string[]>(
    page
      .evaluate(() => [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href))
      .catch(() => []),
    TIMEOUT_MS,
    () => [],
  );

/** In the page: no function in it may have a name: the loader's helper that keeps names does not exist there. */
function waiting({
  listens,
  onlyLinks,
  known,
  finished,
  printing,
}: {
  listens: string;
  onlyLinks: string;
  known: readonly string[];
  finished: readonly string[];
  printing: string;
}): string | undefined {
  const kinds: [string, string][] = [
    ['input[type=password]', 'a password'],
    [
      'input:not([type=hidden]),select,textarea,[contenteditable=""],[contenteditable=true]',
      'something to be filled in',
    ],
    [`button,[role=button],[onclick],[${listens}]:not(:is(header,footer,nav) *),summary`, 'something to be pressed'],
    ['iframe,object,embed,canvas', 'a part of its own'],
  ];
  const all = [...document.querySelectorAll<HTMLElement>('body *')];
  for (const [selector, words] of kinds)
    if (all.some((one) => one.matches(selector) && one.getClientRects().length > 0)) return words;
  if (all.some((one) => one.tagName.includes('-'))) return 'a part of its own';
  const isPrinting = new RegExp(printing, 'isu');
  const [here] = location.href.split('#', 1);
  const toTop = document.scripts.length === 0 ? [`${here}#`, `${here}#top`] : [];
  const leadsOn = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].some(
    (link) =>
      link.getClientRects().length > 0 &&
      (link.protocol === 'javascript:' || link.host === location.host) &&
      !toTop.includes(link.href) &&
      !finished.includes(link.href) &&
      (!known.includes(link.href) || isPrinting.test(link.textContent)),
  );
  return leadsOn ? onlyLinks : undefined;
}
