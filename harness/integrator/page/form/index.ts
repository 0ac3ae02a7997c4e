/**
 * What a person does on a page of an integrator that asks for more: fills what is required and presses the one button. Where it is
 * not clear what a person would do, it says so and does nothing: a driver of the integrator's knows better.
 */
import type { Frame, Page } from '@playwright/test';
import { within } from '../../../process/until.ts';
import { LISTENS, markListening } from '../listening.ts';
import { ABANDONING, LEAVING } from './leaving-buttons.ts';
import { ASIDE, PRINTING, SEARCHING } from './printing-buttons.ts';

export type Step =
  /**
   * `name`: what was pressed. `guessed`: a person might have pressed something else, in words. Where it leads to nothing, it proves
   * nothing.
   */
  | { readonly did: 'pressed'; readonly name: string; readonly guessed?: string }
  /** There is nothing to press. */
  | { readonly did: 'nothing' }
  /** A person is needed: the sentence says why. */
  | { readonly did: 'stuck'; readonly why: string };

/** A page that can't be worked with in this time is too busy for a person, too. */
const STEP_TIMEOUT_MS = 5_000;
/** Of the frames of a page, so many are looked into. */
const MAX_FRAMES = 5;
/** The attribute of the button that was pressed last. */
export const PRESSED_MARK = 'data-proofmark-press';
const MARK = PRESSED_MARK;
/** The name of the link to the callback, whatever its text is. */
const LINK = 'the link to the callback';

export interface AdvanceOptions {
  /** Where a link to it is a way on, too. */
  readonly callback?: string;
  /** The user wants a label: of several buttons, and of what only looks like one, they press what prints it. */
  readonly mayGuess?: boolean;
  /** Names of buttons that are not pressed. */
  readonly skip?: RegExp;
  /** Names that were pressed before in the same document. */
  readonly besides?: readonly string[];
  /** All fields are filled and ticked, required or not: its button did nothing without. */
  readonly fillsAll?: boolean;
}

/** Goes one step on: by the one button, else by the one link to the callback. Never throws for what is on the page. */
export const advance = (page: Page, options: AdvanceOptions): Promise<Step> => nextStep(page, options, true);

/** The name of what `advance` would press, if anything. */
export async function nameOfStep(page: Page, options: AdvanceOptions): Promise<string | undefined> {
  const step = await nextStep(page, options, false);
  return step.did === 'pressed' ? step.name : undefined;
}

/** Whether `advance` would press something. */
export const offersStep = async (page: Page, options: AdvanceOptions): Promise<boolean> =>
  (await nameOfStep(page, options)) !== undefined;

function nextStep(
  page: Page,
  { callback, mayGuess = false, skip, besides = [], fillsAll = false }: AdvanceOptions,
  isPressed: boolean,
): Promise<Step> {
  const press = async (frame: Frame, name: string, { guessed, covered }: { guessed?: string; covered?: boolean }) => {
    if (besides.includes(name)) return { did: 'nothing' } as const;
    const button = frame.locator(`[${MARK}]`);
    const options = { timeout: STEP_TIMEOUT_MS, noWaitAfter: true };
    // A banner over the page keeps the pointer off, not the keyboard.
    if (isPressed && covered) await button.press('Enter', options);
    else if (isPressed) await button.click(options);
    return { did: 'pressed', name, ...(guessed === undefined ? {} : { guessed }) } as const;
  };
  const step = async (): Promise<Step> => {
    const [frame, found] = await whereButtonsAre(page, { isLabel: mayGuess, fillsAll });
    const givesUp = mayGuess && found.buttons === 1 && ABANDONING.test(found.names);
    if (found.buttons === 0 || givesUp) {
      const links = callback === undefined ? 0 : await page.evaluate(linksTo, { mark: MARK, callback });
      if (links > 1) return { did: 'stuck', why: `it shows ${links} links to the callback` };
      if (links === 1) return press(page.mainFrame(), LINK, {});
    }
    if (found.buttons === 0) {
      if (mayGuess) await markListening(page);
      const like = mayGuess ? await page.evaluate(likeButton, { mark: MARK, listens: LISTENS, ...WORDS }) : undefined;
      return like === undefined
        ? { did: 'nothing' }
        : press(page.mainFrame(), like, { guessed: `it has no button but ${like}` });
    }
    if (found.buttons > 1) return { did: 'stuck', why: `it shows ${found.buttons} buttons (${found.names})` };
    if (skip?.test(found.names)) return { did: 'nothing' };
    if (found.wrong !== '') return { did: 'stuck', why: `its field ${found.wrong} can't be filled automatically` };
    return press(frame, found.names, {
      covered: found.covered,
      ...(found.guessed ? { guessed: `it has more buttons than ${found.names}` } : {}),
    });
  };
  return within<Step, Step>(
    step().catch(() => ({ did: 'nothing' })),
    STEP_TIMEOUT_MS + 1_000,
    () => ({ did: 'nothing' }),
  );
}

interface Words {
  readonly leaving: string;
  readonly abandoning: string;
  readonly printing: string;
  readonly aside: string;
  readonly searching: string;
}
const WORDS: Words = {
  leaving: LEAVING.source,
  abandoning: ABANDONING.source,
  printing: PRINTING.source,
  aside: ASIDE,
  searching: SEARCHING,
};

interface Prepared {
  readonly buttons: number;
  readonly names: string;
  readonly wrong: string;
  readonly covered: boolean;
  readonly guessed: boolean;
}

/** The first frame that shows buttons: the page itself, or one that it has put its form in. */
async function whereButtonsAre(
  page: Page,
  how: { readonly isLabel: boolean; readonly fillsAll: boolean },
): Promise<[Frame, Prepared]> {
  const main = page.mainFrame();
  const wanted = { mark: MARK, ...how, ...WORDS };
  const inMain = await main.evaluate(prepare, wanted);
  if (inMain.buttons > 0) return [main, inMain];
  for (const frame of page.frames().slice(1, 1 + MAX_FRAMES)) {
    const inFrame = await frame.evaluate(prepare, wanted).catch(() => undefined);
    if (inFrame !== undefined && inFrame.buttons > 0) return [frame, inFrame];
  }
  return [main, inMain];
}

/**
 * In the page: marks the link to the callback that a person who wants the label presses, and returns how many different ones
 * there are. Another button may report an error, to give up.
 */
function linksTo({ mark, callback }: { mark: string; callback: string }): number {
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
 * click, a link within the same site. No function in it may have a name, as below.
 */
function likeButton({
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

/**
 * In the page: finds and marks the button, fills the required fields of its form that are empty, and makes the open choices. Of
 * several buttons it is the one that does not lead away; where a label is wanted, the one that prints it and searches nothing. Where it
 * waits for input, all fields are filled and ticked. No function in it may have a name: the loader's helper that keeps names does not exist in the page.
 */
function prepare(wanted: Words & { mark: string; isLabel: boolean; fillsAll: boolean }): Prepared {
  const { mark, leaving, abandoning, printing, aside, searching, isLabel, fillsAll } = wanted;
  const submits = 'button:not([type]),button[type=""],button[type="submit"],input[type="submit"],input[type="image"]';
  // A link is left out: it leads somewhere, whatever it is made to look like.
  const pressed = 'button,input,[role="button"]:not(a[href])';
  // Elements that a page has made for itself have trees of their own.
  const trees: (Document | ShadowRoot)[] = [document];
  for (const tree of trees)
    for (const { shadowRoot } of tree.querySelectorAll('*')) if (shadowRoot !== null) trees.push(shadowRoot);
  const everywhere = trees
    .flatMap((tree) => [...tree.querySelectorAll<HTMLButtonElement | HTMLInputElement>(pressed)])
    .filter(
      (one) =>
        one.getClientRects().length > 0 &&
        getComputedStyle(one).visibility !== 'hidden' &&
        !(isLabel && one.closest(searching) !== null) &&
        // Beside the contents of a page its user is signed out.
        !(isLabel && one.closest(aside) !== null && new RegExp(abandoning, 'iu').test(one.textContent || one.value)),
    );
  // What is behind a modal dialog does not react. One that is made of other elements may also only ask for consent.
  const modals = trees
    .flatMap((tree) => [...tree.querySelectorAll('dialog:modal,[aria-modal="true"]')])
    .filter((one) => one.getClientRects().length > 0);
  const isPrinting = new RegExp(printing, 'isu');
  const modal = modals.findLast(
    (one) =>
      one.matches('dialog') ||
      everywhere.some((button) => one.contains(button) && isPrinting.test(button.textContent || button.value)),
  );
  const shown = modal === undefined ? everywhere : everywhere.filter((one) => modal.contains(one));
  const visible = shown.filter((one) => !one.disabled);
  let buttons = visible.filter((one) => one.form !== null && one.matches(submits));
  // A page of scripts may do without a form.
  if (buttons.length === 0) buttons = visible.filter((one) => one.matches('button,input[type="button"]'));
  if (buttons.length === 0) buttons = visible.filter((one) => one.matches('[role="button"]'));
  const isLeaving = new RegExp(leaving, 'iu');
  const ahead = buttons.filter((one) => !isLeaving.test(one.textContent || one.value));
  if (ahead.length === 1) buttons = ahead;
  let guessed = false;
  const guesses = [
    ahead.filter((one) => one.closest(aside) === null),
    ahead.filter((one) => isPrinting.test(one.textContent || one.value)),
    // One form may print in several formats.
    ahead.every(
      (one) => one.form !== null && one.form === ahead[0]?.form && isPrinting.test(one.textContent || one.value),
    )
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
    .map((one) => `“${(one.textContent || one.value || one.name || '').trim().slice(0, 40)}”`)
    .join(', ');
  const asleep = isLabel && buttons.length === 0 ? shown.filter((one) => one.disabled && one.matches(submits)) : [];
  const button = buttons[0] ?? asleep[0];
  if (buttons.length + asleep.length !== 1 || button === undefined)
    return { buttons: buttons.length, names, wrong: '', covered: false, guessed };
  const { form } = button;
  const fields = form ? form.elements : trees.flatMap((tree) => [...tree.querySelectorAll('input,select,textarea')]);
  let wrong = '';
  const today = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();
  const plausible: Record<string, string[]> = {
    email: ['label@example.com'],
    tel: ['+37120000000', '20000000'],
    url: ['https://example.com/'],
    date: [today.slice(0, 10)],
    time: ['10:00'],
    'datetime-local': [`${today.slice(0, 10)}T10:00`],
    month: [today.slice(0, 7)],
    week: [`${today.slice(0, 4)}-W20`],
    password: ['Precheck-1'],
  };
  for (const field of fields) {
    if (
      !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)
    )
      continue;
    const isTick = field instanceof HTMLInputElement && field.type === 'checkbox';
    const isEmpty = (fillsAll || asleep.length > 0) && (isTick ? !field.checked : field.value === '');
    // A person chooses, also where no field but only the server requires it.
    const isOpenChoice =
      field.type === 'radio' &&
      field.name !== '' &&
      [field, ...(field.labels ?? [])].some((one) => one.getClientRects().length > 0) &&
      ![...fields].some(
        (one) => one instanceof HTMLInputElement && one.type === 'radio' && one.name === field.name && one.checked,
      );
    if (field.disabled || !field.willValidate || (field.checkValidity() && !isEmpty && !isOpenChoice)) continue;
    if (field instanceof HTMLSelectElement) {
      const option = [...field.options].find((one) => one.value !== '' && !one.disabled);
      if (option !== undefined) field.value = option.value;
    } else if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      field.click();
    } else {
      const type = field instanceof HTMLTextAreaElement ? 'textarea' : field.type;
      const least = field instanceof HTMLInputElement ? field.min : '';
      const values = [
        ...(type === 'number' ? ['1', least, field instanceof HTMLInputElement ? field.max : ''] : []),
        ...(plausible[type] ?? []),
        ...(least === '' ? [] : [least]),
        ...[
          'Precheck',
          '1',
          '12',
          '123',
          '1234',
          '12345',
          'LV-1010',
          'ABC123',
          'A',
          'AB',
          'ABC',
          '10:00',
          today.slice(0, 10),
        ],
        'Precheck'.padEnd(Math.max(0, field.minLength), '1'),
        '1'.repeat(Math.max(1, field.minLength)),
        // A pattern may want what the field shows as an example, or a number of a phone.
        ...('placeholder' in field ? [field.placeholder] : []),
        ...(plausible.tel ?? []),
      ];
      const owner = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
      for (const value of values) {
        if (value === '') continue;
        // As frameworks see what is typed: through the setter of the element itself.
        Object.getOwnPropertyDescriptor(owner, 'value')?.set?.call(field, value);
        if (field.checkValidity()) break;
      }
    }
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    if (!field.checkValidity()) wrong ||= field.name || field.id || field.tagName.toLowerCase();
  }
  if (asleep.length > 0) return { buttons: 0, names: '', wrong: '', covered: false, guessed };
  for (const tree of trees) for (const earlier of tree.querySelectorAll(`[${mark}]`)) earlier.removeAttribute(mark);
  button.setAttribute(mark, '');
  button.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = button.getBoundingClientRect();
  const tree = button.getRootNode() as Document | ShadowRoot;
  const above = tree.elementFromPoint(left + width / 2, top + height / 2);
  return { buttons: 1, names, wrong, covered: above !== null && !button.contains(above), guessed };
}
