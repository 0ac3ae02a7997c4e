/** What a page of the app looks like to a person, and whether two pages look alike. */
import type { Page } from '@playwright/test';
import { within } from './until.ts';

export interface PageLook {
  /** Status of the document; undefined when none came. */
  readonly status: number | undefined;
  /** Where the browser ended, without query. */
  readonly place: string;
  /** Lines of visible text, what changes from load to load (numbers, codes) written as `#`. */
  readonly lines: readonly string[];
  /** Whether there is anything to see: text, a picture, a form. */
  readonly hasContent: boolean;
}

/** A page that is too busy to be looked at in this time is taken as it is. */
const LOOK_TIMEOUT_MS = 3_000;
const MOST_TEXT_CHARACTERS = 20_000;
const MOST_LINES = 400;

/** Looks at the page as it is now. `status` is that of its document. */
export async function lookAt(page: Page, status: number | undefined): Promise<PageLook> {
  const seen = await within(
    page
      .evaluate((most) => {
        const { body } = document;
        const things = 'img,svg,canvas,video,iframe,input,button,select,textarea,object,embed';
        return {
          // What a person sees, and no text of scripts and hidden parts.
          text: (body?.innerText ?? '').slice(0, most),
          things: body?.querySelector(things) !== null && body !== null,
        };
      }, MOST_TEXT_CHARACTERS)
      .catch(() => ({ text: '', things: false })),
    LOOK_TIMEOUT_MS,
    () => ({ text: '', things: false }),
  );
  const lines = seen.text
    .split('\n')
    .map((line) => steady(line.trim()))
    .filter((line) => line !== '');
  const { origin, pathname } = URL.parse(page.url()) ?? { origin: '', pathname: page.url() };
  return {
    status,
    place: origin + pathname,
    lines: lines.slice(0, MOST_LINES),
    hasContent: lines.length > 0 || seen.things,
  };
}

/** Numbers and codes differ from load to load without meaning anything. */
const steady = (line: string): string => line.replace(/[0-9a-f]{8,}|[0-9]+/gi, '#');

/** Whether a page is one of the app's own that a user can work with, and not a refusal or an error. */
export const isShown = (look: PageLook): boolean =>
  look.status !== undefined && look.status >= 200 && look.status < 300 && look.hasContent;

/**
 * Whether a page shows what two pages for authentic requests had in common: then the request behind it was served like
 * theirs. Pages without any text are alike when they were answered alike at the same place.
 */
export function showsTheSame(look: PageLook, authentic: readonly [PageLook, PageLook]): boolean {
  if (!isShown(look)) return false;
  const [one, other] = authentic;
  const common = one.lines.filter((line) => other.lines.includes(line));
  if (common.length === 0) return look.place === one.place && look.lines.length === one.lines.length;
  return common.every((line) => look.lines.includes(line));
}

/** The user ended on something that is not the app's: a page of the service, or an error of the browser. */
export const isElsewhere = ({ place }: PageLook, serviceOrigin: string): boolean =>
  place.startsWith(`${serviceOrigin}/`) || !/^https?:/.test(place);

/** A page in a few words, for reports. */
export function lookInWords(look: PageLook | undefined, failure?: string): string {
  if (look?.status === undefined) return `no document came${failure === undefined ? '' : ` (${failure})`}`;
  const seen = look.lines.slice(0, 3).join(' ').slice(0, 120);
  return `status ${look.status}, ${seen === '' ? (look.hasContent ? 'a page without text' : 'an empty page') : `"${seen}"`}`;
}
