/** The buttons that a person sees on a page, and what they are called. */
import type { Words } from './words.ts';

type Button = HTMLButtonElement | HTMLInputElement;

/** What a page shows, inside it. */
export interface Shown {
  /** The document, and the trees that elements have made for themselves. */
  readonly trees: readonly (Document | ShadowRoot)[];
  /** Those in front of everything else, in their order. */
  readonly shown: readonly Button[];
  /** The names of all buttons. */
  readonly nameOf: ReadonlyMap<Button, string>;
}

/** The words by which buttons are known, and whether the one that prints a label is wanted. */
export type Wanted = Words & { readonly isLabel: boolean };

/**
 * In the page: the buttons, where a label is wanted without those that search or sign out. No function in it may have a name: the
 * loader's helper that keeps names does not exist in the page.
 */
export function shownButtons({ abandoning, printing, aside, searching, isLabel }: Wanted): Shown {
  // A link is left out: it leads somewhere, whatever it is made to look like.
  const pressed = 'button,input,[role="button"]:not(a[href])';
  const trees: (Document | ShadowRoot)[] = [document];
  for (const tree of trees)
    for (const { shadowRoot } of tree.querySelectorAll('*')) if (shadowRoot !== null) trees.push(shadowRoot);
  const all = trees.flatMap((tree) => [...tree.querySelectorAll<Button>(pressed)]);
  // A button with a picture has its name in an attribute.
  const nameOf = new Map(
    all.map((one) => [
      one,
      one.textContent.trim() ||
        (one.matches('input:not([type="image"])') && one.value) ||
        ['aria-label', 'alt', 'title'].map((attribute) => one.getAttribute(attribute)).find(Boolean) ||
        one.value ||
        '',
    ]),
  );
  const everywhere = all.filter(
    (one) =>
      one.getClientRects().length > 0 &&
      getComputedStyle(one).visibility !== 'hidden' &&
      !(isLabel && one.closest(searching) !== null) &&
      // Beside the contents of a page its user is signed out.
      !(isLabel && one.closest(aside) !== null && new RegExp(abandoning, 'iu').test(nameOf.get(one) ?? '')),
  );
  // What is behind a modal dialog does not react. One that is made of other elements may also only ask for consent.
  const modals = trees
    .flatMap((tree) => [...tree.querySelectorAll('dialog:modal,[aria-modal="true"]')])
    .filter((one) => one.getClientRects().length > 0);
  const isPrinting = new RegExp(printing, 'isu');
  const modal = modals.findLast(
    (one) =>
      one.matches('dialog') ||
      everywhere.some((button) => one.contains(button) && isPrinting.test(nameOf.get(button) ?? '')),
  );
  const shown = modal === undefined ? everywhere : everywhere.filter((one) => modal.contains(one));
  return { trees, shown, nameOf };
}
