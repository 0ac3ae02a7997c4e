/**
 * What a person does on a page of an integrator that asks for more: fills what is required and presses the one button. Where it is
 * not clear what a person would do, it says so and does nothing: a driver of the integrator's knows better.
 */
import type { Frame, Page } from '@playwright/test';
import { within } from '../../../process/until.ts';
import { LISTENS, markListening } from '../listening.ts';
import { fillFields, plausibleValues } from './fill-fields.ts';
import { findButton, markButton } from './find-button.ts';
import { ABANDONING } from './leaving-buttons.ts';
import { shownButtons } from './shown-buttons.ts';
import { likeButton, linksTo } from './without-button.ts';
import { WORDS } from './words.ts';

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

interface Prepared {
  /** How many buttons a person could mean. */
  readonly buttons: number;
  readonly names: string;
  /** A person might have pressed another one. */
  readonly guessed: boolean;
  /** The field that can't be filled; '' if all are. */
  readonly wrong: string;
  /** Something else is over the button. */
  readonly covered: boolean;
}

interface Preparation {
  readonly isLabel: boolean;
  readonly fillsAll: boolean;
}

/** The first frame that shows buttons, prepared: the page itself, or one that it has put its form in. */
async function whereButtonsAre(page: Page, how: Preparation): Promise<[Frame, Prepared]> {
  const main = page.mainFrame();
  const inMain = await prepare(main, how);
  if (inMain.buttons > 0) return [main, inMain];
  for (const frame of page.frames().slice(1, 1 + MAX_FRAMES)) {
    const inFrame = await prepare(frame, how).catch(() => undefined);
    if (inFrame !== undefined && inFrame.buttons > 0) return [frame, inFrame];
  }
  return [main, inMain];
}

/**
 * Finds the button, fills the required fields of its form that are empty, makes the open choices, and marks the button. Where it waits
 * for input, all fields are filled and ticked.
 */
async function prepare(frame: Frame, { isLabel, fillsAll }: Preparation): Promise<Prepared> {
  const wanted = { isLabel, ...WORDS };
  const shown = await frame.evaluateHandle(shownButtons, wanted);
  const found = await shown.evaluateHandle(findButton, wanted);
  try {
    const { buttons, names, guessed, isFound } = await found.evaluate(({ button, trees: _, ...others }) => ({
      ...others,
      isFound: button !== undefined,
    }));
    const prepared = { buttons, names, guessed, wrong: '', covered: false };
    if (!isFound) return prepared;
    const wrong = await found.evaluate(fillFields, {
      fillsAll: fillsAll || buttons === 0,
      plausible: plausibleValues(),
    });
    return buttons === 0 ? prepared : { ...prepared, wrong, covered: await found.evaluate(markButton, MARK) };
  } finally {
    for (const handle of [found, shown]) await handle.dispose().catch(() => undefined);
  }
}
