/** The next step of a label page in a tab of its own, where the form or the link that leads to it names one. */
import type { Page } from '@playwright/test';
import { type AdvanceOptions, offersStep } from '../../../harness/integrator/page/form/index.ts';

/** A tab may only show the label, whose report comes from the page that opened it. */
const STEADY_MS = 1_500;

export interface NewTab {
  page(): Page | undefined;
  /** Whether the tab has shown a step for a while. */
  offers(options: AdvanceOptions): Promise<boolean>;
}

/** Watches for the next tab that a page opens. */
export function watchNewTab(page: Page): NewTab {
  let opened: Page | undefined;
  let since: number | undefined;
  page.once('popup', (tab) => {
    opened = tab;
  });
  return {
    page: () => opened,
    offers: async (options) => {
      if (opened === undefined || opened.isClosed() || !(await offersStep(opened, options))) return false;
      since ??= performance.now();
      return performance.now() - since >= STEADY_MS;
    },
  };
}
