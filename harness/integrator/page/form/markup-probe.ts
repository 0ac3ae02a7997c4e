/**
 * Markup that shows by itself whether a page wrote a value into its document as it was: it runs, or its handlers are there. What a
 * policy of the page's own keeps from running is not found.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { pause } from '../../../process/until.ts';

/** Called by the markup, with the number that it was made with. */
const REPORT = 'proofmarkMarkupRan';

/**
 * A value that ends an attribute, a text of a script and its element, and a comment first, whichever it is written into. Where only its angle
 * brackets are escaped it still ends an attribute, and its element has a handler that runs as soon as it is focused.
 */
export const markupOf = (number: number): string =>
  `Anna"' autofocus tabindex=0 onfocus=${REPORT}(${number}) ></textarea></title></script>--><svg onload=${REPORT}(${number})>`;

/** An address that runs a script where a page makes a link of it. */
export const scriptAddressOf = (number: number): string => `javascript:${REPORT}(${number})`;

/** For markup that a script writes into the page. */
const SCRIPT_MS = 500;

export interface MarkupProbe {
  /** Numbers of the values that a page took for markup, and of the addresses that it made a link of. */
  found(page: Page): Promise<ReadonlySet<number>>;
}

/** Watches the pages of a browser, which has none yet. */
export async function watchMarkup(browser: BrowserContext): Promise<MarkupProbe> {
  const ran = new Set<number>();
  await browser.exposeFunction(REPORT, (number: number) => void ran.add(number));
  return {
    found: async (page) => {
      await page.waitForLoadState('load', { timeout: LOAD_MS }).catch(() => undefined);
      await pause(SCRIPT_MS);
      const handled = await page.evaluate(handlersOf, REPORT).catch(() => []);
      return new Set([...ran, ...handled]);
    },
  };
}

const LOAD_MS = 5_000;

/** In the page: the numbers in handlers and links that call a function. */
function handlersOf(report: string): number[] {
  const numbersIn = (text: string | null): number[] =>
    [...(text ?? '').matchAll(new RegExp(`${report}\\((\\d+)\\)`, 'g'))].map(([, number]) => Number(number));
  // A handler that a policy of the page forbids is an attribute only.
  const handled = [...document.querySelectorAll<HTMLElement>('[onfocus]')].filter(
    ({ onfocus }) => typeof onfocus === 'function',
  );
  const links = [...document.querySelectorAll('[href],[action],[formaction]')].flatMap((element) =>
    ['href', 'action', 'formaction']
      .map((name) => element.getAttribute(name)?.trim() ?? '')
      .filter((address) => /^javascript:/i.test(address)),
  );
  return [...handled.map((element) => element.getAttribute('onfocus')), ...links].flatMap(numbersIn);
}
