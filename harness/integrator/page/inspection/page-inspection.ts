/** What a page of the app looks like to a person, and whether two pages look alike. */
import type { Page } from '@playwright/test';
import { within } from '../../../process/until.ts';
import { GATEWAY_STATUSES } from '../../../target/response/gateway.ts';
import { type Counterpart, isServiceAddress } from '../../counterpart.ts';
import { NOTHING_VISIBLE, type VisibleContent, visibleContent } from './visible-content.ts';

export interface PageSnapshot {
  /** Status of the document; undefined when none came. */
  readonly status: number | undefined;
  /** Where the browser ended, without query. */
  readonly place: string;
  /** Lines of visible text, what changes from load to load (numbers, codes) written as `#`. */
  readonly lines: readonly string[];
  /** The beginning of the visible text as it is: a secret in it can be recognised and taken out. */
  readonly beginning?: string;
  /** What is there besides text, by name: fields, buttons, pictures. A panel may be made of fields alone. */
  readonly things: readonly string[];
  /** Whether there is anything to see: text, a picture, a form. */
  readonly hasContent: boolean;
  /** The page asks for a password: without an account the flow ends here. */
  readonly asksToSignIn: boolean;
  /** Content type of the document, as the browser reads it. */
  readonly contentType?: string;
  /** The page was too large or too busy to be inspected: its contents are not known. */
  readonly isUnseen?: true;
}

/** A page of usual size takes milliseconds; a machine with much else to do is given its time. */
const INSPECTION_TIMEOUT_MS = 10_000;
const MAX_LINES = 400;
/** Of the text a report quotes the beginning. */
const BEGINNING_CHARACTERS = 400;
const QUOTED_CHARACTERS = 120;

const UNSEEN: VisibleContent = { ...NOTHING_VISIBLE };

/** Looks at the page as it is now. `status` is that of its document. */
export async function inspectPage(page: Page, status: number | undefined): Promise<PageSnapshot> {
  const seen = await within(
    visibleContent(page).catch(() => NOTHING_VISIBLE),
    INSPECTION_TIMEOUT_MS,
    () => UNSEEN,
  );
  const lines = seen.text
    .split('\n')
    .map((line) => steady(line.trim()))
    .filter((line) => line !== '');
  const { origin, pathname } = URL.parse(page.url()) ?? { origin: '', pathname: page.url() };
  return {
    status,
    place: origin + pathname,
    lines: lines.slice(0, MAX_LINES),
    beginning: seen.text.slice(0, BEGINNING_CHARACTERS).replaceAll(/\s+/g, ' ').trim(),
    things: seen.things.map(steady),
    hasContent: lines.length > 0 || seen.things.length > 0,
    asksToSignIn: seen.asksToSignIn,
    ...(seen.contentType === undefined ? {} : { contentType: seen.contentType }),
    ...(seen === UNSEEN ? { isUnseen: true } : {}),
  };
}

/** Numbers and codes differ from load to load without meaning anything. */
export const steady = (line: string): string =>
  line.replace(/\w{12,}/g, (word) => (isCode(word) ? '#' : word)).replace(/[0-9a-f]{8,}|[0-9]+/gi, '#');

/** Names of things begin their words with capital letters; few have more words. */
const MIN_CAPITALS = 4;

/** Whether a word is one of those codes of letters in both cases and digits that programs draw, and that the service gives out. */
const isCode = (word: string): boolean =>
  /[a-z]/.test(word) &&
  /[A-Z]/.test(word) &&
  (/[0-9]/.test(word) || (word.match(/[a-z][A-Z]/g) ?? []).length >= MIN_CAPITALS);

/** Whether a page is one of the app's own that a user can work with, and not a refusal or an error. */
export const isShown = (snapshot: PageSnapshot): boolean =>
  snapshot.status !== undefined && snapshot.status >= 200 && snapshot.status < 300 && snapshot.hasContent;

/** As PHP writes it into a page, mostly with status 200, where errors are displayed. */
const PROGRAM_ERROR = /^(?:PHP )?(?:Fatal|Parse) error: .+\bin \S.*(?: on line #|:#)/;

/** The line of a page that says that its program ended in an error, whatever is shown before it. */
export const programErrorOf = ({ lines }: PageSnapshot): string | undefined =>
  lines.find((line) => PROGRAM_ERROR.test(line));

/** What servers answer that are asked too often, or whose part behind them is. */
const OVERLOADED: ReadonlySet<number | undefined> = new Set([429, ...GATEWAY_STATUSES]);

/** Whether a page came from a server that had too much to do: that says nothing about what it was asked. */
export const isOverloaded = ({ status }: Pick<PageSnapshot, 'status'>): boolean => OVERLOADED.has(status);

/** What a server says that was asked too often; a gateway with another status has met a failure behind it. */
const TOO_MANY: ReadonlySet<number | undefined> = new Set([429, 503]);

/** What the integrator can do about a response of such a server, as the end of a sentence. */
export const adviceOnOverload = ({ status }: Pick<PageSnapshot, 'status'>): string =>
  TOO_MANY.has(status)
    ? 'lift its rate limit for the address of this machine, or let it accept more requests, and run again'
    : 'the program behind this server failed or took too long: see its log, and run again';

/** A page may say this much more than what authentic ones have in common: a notice beside all the rest of it. */
const MAX_ADDED_SHARE = 0.5;

/**
 * Whether a page shows what two pages for authentic requests had in common: then the request behind it was served like
 * theirs. It may show more, as much as they do themselves, or less than half of what is common; a page that has hardly more
 * than the frame around it in common with them is another one. Pages without any text are alike when they were answered
 * alike at the same place.
 */
export function showsCommonContent(snapshot: PageSnapshot, authentic: readonly [PageSnapshot, PageSnapshot]): boolean {
  if (!isShown(snapshot)) return false;
  const [one, other] = authentic;
  const common = allOf(one).filter((line) => allOf(other).includes(line));
  const seen = allOf(snapshot);
  // Where two authentic pages say quite different things, nothing distinguishes a third one from a refusal.
  if (common.length === 0) return snapshot.place === one.place && allOf(one).length === 0 && seen.length === 0;
  if (!common.every((line) => seen.includes(line))) return false;
  const addedBy = (lines: readonly string[]): number => lines.filter((line) => !common.includes(line)).length;
  const usual = Math.max(addedBy(allOf(one)), addedBy(allOf(other)));
  // Pages that change more than they keep cannot be distinguished from a refusal inside the same frame.
  const isSteady = common.length > usual;
  return (isSteady && addedBy(seen) <= usual) || addedBy(seen) < common.length * MAX_ADDED_SHARE;
}

const allOf = ({ lines, things }: PageSnapshot): readonly string[] => [...lines, ...things];

/** Statuses that say nothing about what was sent: nothing is there, it is busy, or the request was too much for it. */
const TELLING_NOTHING: readonly number[] = [404, 405, 408, 410, 413, 414, 421, 425, 426, 429, 431];

/** Whether a page refuses with a status that may be about what was sent. */
export const isInformativeRefusal = ({ status }: PageSnapshot): boolean =>
  status !== undefined && status >= 400 && status < 500 && !TELLING_NOTHING.includes(status);

/** Whether two pages say the same with the same status: a refusal of one is a refusal of the other. */
export const showsSamePage = (one: PageSnapshot, other: PageSnapshot): boolean =>
  one.status === other.status && one.lines.join('\n') === other.lines.join('\n');

/** The user ended on something that is not the app's: a page of the service, or an error of the browser. */
export const isOutsideApp = ({ place }: PageSnapshot, service: Pick<Counterpart, 'origin' | 'pagesOrigin'>): boolean =>
  isServiceAddress(service, place) || !/^https?:/.test(place);

/** A page in a few words, for reports; `failure` is why none came. */
export function describePage(snapshot: PageSnapshot | undefined, failure?: string): string {
  if (snapshot?.status === undefined) return `no document was received${failure === undefined ? '' : ` (${failure})`}`;
  if (snapshot.isUnseen === true) return `status ${snapshot.status}, the page could not be inspected`;
  const text = snapshot.beginning ?? snapshot.lines.slice(0, 3).join(' ');
  const seen = text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text;
  return `status ${snapshot.status}, ${seen === '' ? (snapshot.hasContent ? 'a page without text' : 'an empty page') : `"${seen}"`}`;
}
