/** Finds the one button of a page that a person would press, where that is clear. */
import type { Shown, Wanted } from './shown-buttons.ts';

/** What of a page is pressed, inside it. */
export interface Found {
  /** How many buttons a person could mean; 0 where the only one waits for input. */
  readonly buttons: number;
  /** The names of the first few. */
  readonly names: string;
  /** A person might have pressed another one. */
  readonly guessed: boolean;
  /** The one button: also one that is disabled until the fields are filled. */
  readonly button: HTMLButtonElement | HTMLInputElement | undefined;
  readonly trees: Shown['trees'];
}

/**
 * In the page: the button, of several the one that does not lead away; where a label is wanted, the one that prints it.
 * No function in it may have a name, as in `shownButtons`.
 */
export function findButton(
  { trees, shown, nameOf }: Shown,
  { leaving, printing, aside, serving, siteFields, isLabel }: Wanted,
): Found {
  const submits = 'button:not([type]),button[type=""],button[type="submit"],input[type="submit"],input[type="image"]';
  const visible = shown.filter((one) => !one.disabled);
  let buttons = visible.filter((one) => one.form !== null && one.matches(submits));
  // A page of scripts may do without a form.
  if (buttons.length === 0) buttons = visible.filter((one) => one.matches('button,input[type="button"]'));
  if (buttons.length === 0) buttons = visible.filter((one) => one.matches('[role="button"]'));
  const isPrinting = new RegExp(printing, 'isu');
  const isLeaving = new RegExp(leaving, 'iu');
  const ahead = buttons.filter((one) => !isLeaving.test(nameOf.get(one) ?? ''));
  if (ahead.length === 1) buttons = ahead;
  let guessed = false;
  const [isServing, isOfSite] = [new RegExp(serving, 'iu'), new RegExp(siteFields, 'iu')];
  const ofContents = ahead.filter((one) => one.closest(aside) === null);
  const ofParcel = ofContents.filter((one) => {
    const fields = [...(one.form?.querySelectorAll<HTMLInputElement>('input,select,textarea') ?? [])].filter(
      (field) => !['hidden', 'submit', 'image', 'button'].includes(field.type),
    );
    return (
      !isServing.test(nameOf.get(one) ?? '') &&
      !(fields.length > 0 && fields.every((field) => isOfSite.test(field.name)))
    );
  });
  const guesses = [
    ofContents,
    ahead.filter((one) => isPrinting.test(nameOf.get(one) ?? '')),
    ofParcel,
    // What prints changes something, and is sent by POST.
    ofParcel.filter((one) => one.form?.getAttribute('method')?.toLowerCase() === 'post'),
    // One form may print in several formats.
    ahead.every((one) => one.form !== null && one.form === ahead[0]?.form && isPrinting.test(nameOf.get(one) ?? ''))
      ? ahead.slice(0, 1)
      : [],
  ];
  for (const guess of guesses) {
    if (!isLabel || buttons.length < 2 || guess.length !== 1) continue;
    buttons = guess;
    guessed = true;
  }
  const names = buttons
    .slice(0, 5)
    .map((one) => `“${(nameOf.get(one) || one.name || '').trim().slice(0, 40)}”`)
    .join(', ');
  const one = buttons.length === 1 ? buttons[0] : undefined;
  if (one !== undefined || buttons.length > 0 || !isLabel)
    return { buttons: buttons.length, names, guessed, button: one, trees };
  const waiting = shown.filter((one) => one.disabled && one.matches(submits));
  return { buttons: 0, names: '', guessed, button: waiting.length === 1 ? waiting[0] : undefined, trees };
}

/** In the page: marks the button with an attribute, in place of the last one, and returns whether something else is over it. */
export function markButton({ button, trees }: Found, mark: string): boolean {
  for (const tree of trees) for (const earlier of tree.querySelectorAll(`[${mark}]`)) earlier.removeAttribute(mark);
  if (button === undefined) return false;
  button.setAttribute(mark, '');
  button.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = button.getBoundingClientRect();
  const tree = button.getRootNode() as Document | ShadowRoot;
  const above = tree.elementFromPoint(left + width / 2, top + height / 2);
  return above !== null && !button.contains(above);
}
