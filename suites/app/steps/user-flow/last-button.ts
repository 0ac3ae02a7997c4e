/** An app that asks its user for a last step before it calls installed: the one button or link of its page, pressed as a person would. */
import type { Page } from '@playwright/test';
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import { advance, PRESSED_MARK, type Step } from '../../../../harness/integrator/page/form/index.ts';
import { LEAVING } from '../../../../harness/integrator/page/form/leaving-buttons.ts';
import { ASIDE } from '../../../../harness/integrator/page/form/printing-buttons.ts';
import { watchPageErrors } from '../../../../harness/integrator/page/inspection/page-errors.ts';
import { waitForEffect } from '../../../../harness/integrator/page/visit.ts';
import { pause, until } from '../../../../harness/process/until.ts';

/** Forms one after another: a setup of more steps needs a driver. */
const MAX_PRESSES = 3;
/** For the call, or for the next page, after a button was pressed. */
const PRESSED_MS = 5_000;
/** For either where nothing has come by then: the server may be at work on the form, and no time is promised. */
const AT_WORK_MS = 20_000;
/** For the first button of a page that a script draws. */
const DRAWN_MS = 1_000;
const POLL_MS = 100;
/** A button that says that it is busy may still be enabled for this long. */
const SAME_BUTTON_MS = 1_500;

export interface LastStep {
  readonly found: Received | undefined;
  readonly lagMs: number;
  readonly presses: number;
  /** Why it takes a person to go on. */
  readonly stuck: string | undefined;
  /** Why the browser did not send the form of the page: a policy of the page's own, as the end of a sentence. */
  readonly blockedForm: string | undefined;
}

/** Presses the one button of the page, and of those that follow, until the app makes its call. */
export async function pressUntilCalled(page: Page, call: () => Received | undefined): Promise<LastStep> {
  const errors = watchPageErrors(page);
  const step = await pressAll(page, call);
  const { found, lagMs } = step.found === undefined && step.presses > 0 ? await waitForEffect(call, AT_WORK_MS) : step;
  errors.forget();
  return { ...step, found, lagMs, blockedForm: found === undefined ? errors.blockedForm() : undefined };
}

async function pressAll(page: Page, call: () => Received | undefined): Promise<Omit<LastStep, 'blockedForm'>> {
  // An app that refuses an invented password may show a page that no longer asks for one.
  let account: string | undefined;
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    const before = await contentOf(page);
    if (await asksForPassword(page)) account = 'a page on the way asks for a password';
    const step = await goOn(page);
    if (step.did !== 'pressed')
      return { found: undefined, lagMs: 0, presses, stuck: step.did === 'stuck' ? step.why : account };
    const pressedAt = performance.now();
    const goesOn = async (): Promise<true | undefined> =>
      call() !== undefined || (await contentOf(page)) !== before ? true : undefined;
    const hasEffect = await until(goesOn, PRESSED_MS + AT_WORK_MS, POLL_MS);
    const found = await until(call, PRESSED_MS);
    if (found !== undefined)
      return { found, lagMs: performance.now() - pressedAt, presses: presses + 1, stuck: undefined };
    if (hasEffect === undefined) break;
  }
  return { found: undefined, lagMs: 0, presses: MAX_PRESSES, stuck: account };
}

/** Presses as many buttons as it took to finish the first installation, as long as the page shows them. */
export async function pressAgain(page: Page, presses: number): Promise<void> {
  for (let pressed = 0; pressed < presses; pressed += 1) {
    const before = await wordsOf(page);
    const end = performance.now() + (pressed === 0 ? DRAWN_MS : PRESSED_MS);
    while ((await goOn(page)).did !== 'pressed') {
      if (performance.now() >= end) return;
      await pause(POLL_MS);
    }
    if (pressed < presses - 1) await nextStepShown(page, before);
  }
}

/** Waits until a page has gone on: pressed again before, the same button would count as two. */
async function nextStepShown(page: Page, before: string | undefined): Promise<void> {
  const began = performance.now();
  await until(
    async () => {
      if (!(await isPressedShown(page))) return true;
      // A script may use one button for each step.
      const hasSettled = performance.now() - began >= SAME_BUTTON_MS;
      return hasSettled && (await wordsOf(page)) !== before ? true : undefined;
    },
    PRESSED_MS,
    POLL_MS,
  );
}

/** Whether the button or link that was pressed last can still be pressed; not known while the page changes. */
const isPressedShown = (page: Page): Promise<boolean> =>
  page
    .locator(`[${PRESSED_MARK}]:visible:enabled,[${MARK}]:visible`)
    .count()
    .then(
      (shown) => shown > 0,
      () => true,
    );

const wordsOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.body.innerText).catch(() => undefined);

/** Presses the one button of the page, or the one link that leads on where it has no button: a link may look like one. */
async function goOn(page: Page): Promise<Step> {
  const step = await advance(page, { skip: LEAVING });
  if (step.did !== 'nothing') return step;
  const marked = { mark: MARK, aside: ASIDE, leaving: LEAVING.source };
  const name = await page.evaluate(markLink, marked).catch(() => undefined);
  if (name === undefined) return step;
  const isFollowed = await page
    .locator(`[${MARK}]`)
    .click({ timeout: PRESSED_MS, noWaitAfter: true })
    .then(
      () => true,
      () => false,
    );
  return isFollowed ? { did: 'pressed', name } : step;
}

const MARK = 'data-proofmark-follow';
const MARKS = new RegExp(` (?:${PRESSED_MARK}|${MARK})="[^"]*"`, 'g');

/** In the page: marks the one link to another page of the same host beside what frames the page, and returns its name. */
function markLink({ mark, aside, leaving }: { mark: string; aside: string; leaving: string }): string | undefined {
  for (const earlier of document.querySelectorAll(`[${mark}]`)) earlier.removeAttribute(mark);
  const isLeaving = new RegExp(leaving, 'iu');
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) =>
      link.host === location.host &&
      link.href.split('#', 1)[0] !== location.href.split('#', 1)[0] &&
      link.getClientRects().length > 0 &&
      link.closest(aside) === null &&
      !isLeaving.test(link.textContent),
  );
  const [one] = links;
  if (one === undefined || links.length > 1) return undefined;
  one.setAttribute(mark, '');
  one.removeAttribute('target');
  return one.textContent.trim().slice(0, 40);
}

const asksForPassword = (page: Page): Promise<boolean> =>
  page
    .locator('input[type=password]:visible')
    .count()
    .then(
      (fields) => fields > 0,
      () => false,
    );

/** The document as it is now, without the marks of what is pressed. */
const contentOf = (page: Page): Promise<string | undefined> =>
  page.content().then(
    (html) => html.replace(MARKS, ''),
    () => undefined,
  );
