/** One step of a user on a page of the label request: what is pressed, and what that leads to. */
import type { Page } from '@playwright/test';
import { type AdvanceOptions, advance, offersStep, type Step } from '../../../../harness/integrator/page/form/index.ts';
import { ABANDONING } from '../../../../harness/integrator/page/form/leaving-buttons.ts';
import { PRINTING } from '../../../../harness/integrator/page/form/printing-buttons.ts';
import { contentOf } from '../../../../harness/integrator/page/visit.ts';
import { until, within } from '../../../../harness/process/until.ts';
import type { DeliverySession, LabelRequest } from '../../session.ts';
import type { Documents } from '../documents/index.ts';
import type { NewTab } from '../new-tab.ts';

/** How often a page that draws its form by a script is inspected. */
const POLL_MS = 250;
/** A driver of the integrator's may wait for things of its own. */
const DRIVER_TIMEOUT_MS = 20_000;
/** A script that draws the next step of a page has done so when nothing changed for so long. */
const DRAWN_MS = 1_500;

/** A page that says that something went wrong does not hide the way to the label. */
export const stepOptions = (
  { fields }: LabelRequest,
  documents: Documents,
  pressed: readonly string[] = [],
): AdvanceOptions => ({
  callback: fields.find(([name]) => name === 'callback_url')?.[1] ?? '',
  mayGuess: (documents.status() ?? 0) < 400,
  // “Next” may follow on “Next”; what prints a label prints another one when it is pressed again.
  besides: pressed.filter((name, at) => PRINTING.test(name) || pressed.indexOf(name) !== at),
});

/** Goes one step on as soon as there is one: a page of scripts shows its form a while after its document. */
export async function goOnWhenReady(
  page: Page,
  options: AdvanceOptions,
  isBack: () => true | undefined,
  maxMs: number,
): Promise<Step & { readonly waitedMs: number }> {
  const began = performance.now();
  for (let waitedMs = 0; ; waitedMs = performance.now() - began) {
    // What gives up is only pressed where the page does not go on by itself.
    const step = await advance(page, waitedMs < maxMs ? { ...options, skip: ABANDONING } : options);
    if (step.did === 'pressed' || isBack() !== undefined || waitedMs >= maxMs) return { ...step, waitedMs };
    await until(isBack, POLL_MS);
  }
}

/** What the driver of the integrator does in place of a user. */
export async function driven(session: DeliverySession, page: Page): Promise<Step> {
  return within(
    (session.driver.submitLabelPage?.(page) ?? Promise.resolve()).then(
      () => ({ did: 'pressed', name: '' }) as const,
      (error: Error) =>
        ({ did: 'stuck', why: `submitLabelPage of the driver threw: ${error.message.split('\n', 1)[0]}` }) as const,
    ),
    DRIVER_TIMEOUT_MS,
    () =>
      ({ did: 'stuck', why: `submitLabelPage of the driver took more than ${DRIVER_TIMEOUT_MS / 1000} s` }) as const,
  );
}

/** Where the press of a button has led. */
export type Led = 'to a document' | 'to another step' | 'to a new tab' | 'nowhere';

/**
 * Waits for what the press of a button leads to: a report or a document, as `isLed` says, a step in a new tab, or, on a page of
 * scripts, another step in the same document. `shown`: what the page showed before.
 */
export async function ledOn(
  page: Page,
  isLed: () => true | undefined,
  { shown, tab, maxMs, options }: { shown: string | undefined; tab: NewTab; maxMs: number; options: AdvanceOptions },
): Promise<Led> {
  let now = shown;
  let since = performance.now();
  const drawn = async (): Promise<true | undefined> => {
    const seen = await contentOf(page);
    if (seen !== now) since = performance.now();
    now = seen;
    const isOther = seen !== undefined && seen !== shown && performance.now() - since >= DRAWN_MS;
    return isOther && (await offersStep(page, options)) ? true : undefined;
  };
  const began = performance.now();
  // A page that has changed is given the time to be seen as another step.
  const left = (): number =>
    (now === shown ? began + maxMs : Math.max(began + maxMs, since + DRAWN_MS * 2)) - performance.now();
  while (left() > 0) {
    if (await until(isLed, Math.min(left(), POLL_MS))) return 'to a document';
    if (await tab.offers(options)) return isLed() === undefined ? 'to a new tab' : 'to a document';
    if (await drawn()) return isLed() === undefined ? 'to another step' : 'to a document';
  }
  return isLed() === undefined ? 'nowhere' : 'to a document';
}
