/** What the pages of a browser receive from an integrator besides what they show: headers, documents, answers to scripts. */
import type { BrowserContext, Response } from '@playwright/test';
import { within } from '../../../process/until.ts';

export interface ReceivedText {
  /** The values of all headers and the text of all bodies so far, one after another. */
  all(): Promise<string>;
}

/** A body that does not end is not waited for. */
const BODY_MS = 2_000;
const TEXTS = ['document', 'script', 'xhr', 'fetch'];
/** Of one page; one in a loop has no end of them. */
const MAX_RESPONSES = 60;

/** Collects what comes to a browser context that has no page yet. `isService` names addresses that are not the integrator's. */
export function collectText(browser: BrowserContext, isService: (url: string) => boolean): ReceivedText {
  const texts: Promise<string>[] = [];
  browser.on('response', (response) => {
    if (texts.length < MAX_RESPONSES && !isService(response.url())) texts.push(textOf(response));
  });
  return { all: async () => (await Promise.all(texts)).join('\n') };
}

async function textOf(response: Response): Promise<string> {
  const headers = await response.headersArray().catch(() => []);
  const isText = TEXTS.includes(response.request().resourceType());
  const body = await within(isText ? response.text().catch(() => '') : Promise.resolve(''), BODY_MS, () => '');
  return [...headers.map(({ value }) => value), body].join('\n');
}
