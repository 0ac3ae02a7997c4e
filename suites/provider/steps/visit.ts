/** A label request in a browser: posted as the store's admin page posts it, and followed until something comes back. */

import type { Page, Request } from '@playwright/test';
import { type Fields, SIGNATURE_FIELD, sign } from '../../../contracts/signing/index.ts';
import { isServiceAddress } from '../../../harness/integrator/counterpart.ts';
import {
  type AdvanceOptions,
  advance,
  nameOfStep,
  offersStep,
  type Step,
} from '../../../harness/integrator/page/form/index.ts';
import { ABANDONING } from '../../../harness/integrator/page/form/leaving-buttons.ts';
import { linksOf } from '../../../harness/integrator/page/form/pending-input.ts';
import { PRINTING } from '../../../harness/integrator/page/form/printing-buttons.ts';
import { inspectPage, type PageSnapshot } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { contentOf, mayNavigate, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { until, within } from '../../../harness/process/until.ts';
import type { DeliverySession, LabelRequest } from '../session.ts';
import { type Callback, callbacksOf, repeatOfAnother, successesOf } from './callbacks.ts';
import { type Documents, watchDocuments, watchDocumentsOfTab } from './documents/index.ts';
import { type NewTab, watchNewTab } from './new-tab.ts';
import { whyStuck } from './stuck.ts';

/** What became of a label request in a browser. */
export interface Visit {
  readonly request: LabelRequest;
  readonly snapshot: PageSnapshot;
  /** Why the browser showed no document, in its own words. */
  readonly failure: string | undefined;
  /** Why the way could not be gone to its end without a person. */
  readonly stuck: string | undefined;
  /** Why the browser did not send the form of the page, for any user: a policy of the page's own, as the end of a sentence. */
  readonly blockedForm: string | undefined;
  /** The report of an earlier request that came once more in place of its own. */
  readonly instead: Callback | undefined;
  /** The longest of its steps after its first document, the callback's among them; the whole wait where none came. */
  readonly lagMs: number;
  /** From the posted request to its end. */
  readonly tookMs: number;
}

/** What came in place of a request's own report, as the end of a sentence. */
export const saidInstead = ({ instead }: Pick<Visit, 'instead'>): string =>
  instead === undefined ? '' : '; meanwhile an earlier request was reported once more, to the callback_url of that one';

export interface WaitLimits {
  /** For the document of the label page. */
  readonly documentMs: number;
  /** For the callback, after a document. */
  readonly callbackMs: number;
}

/** Forms one after another: more of them are not a label page. */
const MAX_STEPS = 4;
/** A page whose script goes on by itself is not to be pressed. */
const OWN_NAVIGATION_MS = 300;
/** How often a page that draws its form by a script is inspected. */
const POLL_MS = 250;
/** A driver of the integrator's may wait for things of its own. */
const DRIVER_TIMEOUT_MS = 20_000;
/** Without a document only what is under way already can still come. */
const NO_DOCUMENT_MS = 1_000;

const BLANK = 'about:blank';

/** The fields with their right signature at the end. */
export const signedBy = (session: DeliverySession, fields: Fields, key?: string): Fields => [
  ...fields,
  [SIGNATURE_FIELD, sign(fields, key ?? session.provider.apiKey.reveal())],
];

/** Where a request goes, and whether it is a posted form. */
export interface RequestTarget {
  readonly address: string;
  readonly isForm: boolean;
  /** A form is urlencoded otherwise. */
  readonly isMultipart?: boolean;
  /** Names no page that it comes from. */
  readonly isBare?: boolean;
  /** What a program would send in place of the form; its response is followed like that to a form. */
  readonly asSent?: (form: Request) => ProgramRequest;
}

/** What of a form that a browser posts is replaced on its way. */
export interface ProgramRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly postData: string;
}

/**
 * Posts fields to the label page in a browser, and follows where that leads. Where a page has been used before, a new tab
 * beside it is used: what the earlier visit left under way there could still arrive, and be taken for a document of this one.
 */
export async function visit(
  session: DeliverySession,
  page: Page,
  request: LabelRequest,
  fields: Fields,
  waits: WaitLimits,
  to?: RequestTarget,
): Promise<Visit> {
  const fresh = page.url() === BLANK ? page : await page.context().newPage();
  return follow(session, fresh, await openForm(session, fresh, request, fields, waits, to));
}

/** Posts fields to the label page in a new page, and waits for its document or the callback. Nothing in it is filled or pressed. */
export async function openForm(
  session: DeliverySession,
  page: Page,
  request: LabelRequest,
  fields: Fields,
  waits: WaitLimits,
  { address: target, isForm, asSent, ...how }: RequestTarget = { address: session.provider.labelUrl, isForm: true },
): Promise<Posted> {
  const isBack = (): true | undefined => (callbacksOf(session, request).length > 0 ? true : undefined);
  let earlier: Documents | undefined;
  const post = async () => {
    earlier?.forget();
    const documents = watchDocuments(page);
    earlier = documents;
    // A form is posted by a page of the service, whose document is not the integrator's.
    const handOver = isForm ? session.counterpart.handOver(target, fields, how) : undefined;
    const began = performance.now();
    await page.goto(handOver ?? target, { waitUntil: 'commit', timeout: waits.documentMs }).catch(() => undefined);
    await until(() => isBack() ?? documents.arrivedFrom(handOver ?? ''), waits.documentMs);
    return { request, documents, waits, began };
  };
  const undo = asSent === undefined ? undefined : await replaceForm(page, target, asSent);
  const posted = await session.rateLimit.send(post, ({ documents }) =>
    isBack() ? undefined : { status: documents.status(), retryAfter: documents.retryAfter() },
  );
  await undo?.();
  return posted;
}

/** Replaces the forms that a page posts to an address, until the function that it returns is called. */
async function replaceForm(
  page: Page,
  address: string,
  asSent: (form: Request) => ProgramRequest,
): Promise<() => Promise<void>> {
  const isAddress = (url: URL): boolean => url.href === new URL(address).href;
  await page.route(isAddress, async (route) => {
    const request = route.request();
    if (!request.isNavigationRequest() || request.method() !== 'POST') return route.continue().catch(() => undefined);
    // A browser would add an origin once more.
    const response = await route.fetch({ ...asSent(request), maxRedirects: 0 }).catch(() => undefined);
    await (response === undefined ? route.abort() : route.fulfill({ response })).catch(() => undefined);
  });
  return () => page.unroute(isAddress).catch(() => undefined);
}

/** A request that is on its way. */
export interface Posted {
  readonly request: LabelRequest;
  readonly documents: Documents;
  readonly waits: WaitLimits;
  /** When it was posted, of `performance.now()`. */
  readonly began: number;
}

const NOTHING_HAPPENED = 'its button was pressed, and nothing happened';

/** Sessions whose page wants more in its form than it says. */
const filledOnPurpose = new WeakSet<DeliverySession>();

/** Follows a request that was posted: through forms, until its callback comes or nothing more can. */
export async function follow(
  session: DeliverySession,
  opened: Page,
  { request, documents: posted, waits, began }: Posted,
): Promise<Visit> {
  let [page, documents] = [opened, posted];
  const isReported = (): true | undefined => (callbacksOf(session, request).length > 0 ? true : undefined);
  const isDriven = session.driver.submitLabelPage !== undefined;
  /** Reports that a user who sees the form of the page knows nothing of. */
  let early = 0;
  if (isReported() && !isDriven && (await offersLabelDespite(session, page, { request, documents })))
    early = callbacksOf(session, request).length;
  const isBack = (): true | undefined => (callbacksOf(session, request).length > early ? true : undefined);
  let stuck: string | undefined;
  let guessed: string | undefined;
  /** In the present document. */
  let pressed: string[] = [];
  /** Where the links of earlier steps lead: what follows a step is not among them. */
  const linksBefore: string[] = [];
  let lagMs = 0;
  let from = performance.now();
  for (let step = 0; isBack() === undefined && step < MAX_STEPS; step += 1) {
    if (documents.status() === undefined) {
      await until(isBack, Math.min(waits.callbackMs, NO_DOCUMENT_MS));
      break;
    }
    const moves = await mayNavigate(page, { status: documents.status() });
    if (moves && (await until(isBack, OWN_NAVIGATION_MS))) break;
    if (isServiceAddress(session.counterpart, page.url())) {
      // The document was a download, or the user is back at the service without a report.
      await until(isBack, waits.callbackMs);
      break;
    }
    const before = documents.count();
    const tab = watchNewTab(page);
    const shown = isDriven ? undefined : await contentOf(page);
    const links = isDriven ? [] : await linksOf(page);
    const stepNow = (): AdvanceOptions => ({
      ...stepOptions(request, documents, pressed),
      fillsAll: filledOnPurpose.has(session),
    });
    const next = isDriven
      ? { ...(await driven(session, page)), waitedMs: 0 }
      : await goOnWhenReady(page, stepNow(), isBack, moves ? waits.callbackMs : 0);
    from = performance.now();
    lagMs = Math.max(lagMs, next.waitedMs);
    if (next.did === 'stuck') stuck = next.why;
    if (next.did === 'pressed' && next.guessed !== undefined) guessed = next.guessed;
    // A driver has done what is to be done; what it leaves behind is not for us to press.
    if (isDriven || next.did !== 'pressed') {
      await until(isBack, waits.callbackMs - next.waitedMs);
      break;
    }
    pressed.push(next.name);
    linksBefore.push(...links);
    const led = await ledOn(page, () => isBack() ?? (documents.count() > before ? true : undefined), {
      shown,
      tab,
      maxMs: waits.callbackMs,
      options: stepOptions(request, documents, pressed),
    });
    if (led === 'to a new tab' && tab.page() !== undefined) {
      documents.forget();
      page = tab.page() as Page;
      documents = watchDocumentsOfTab(page);
      pressed = [];
    }
    const hasSaid = pressed.indexOf(next.name) < pressed.length - 1 || (await contentOf(page)) !== shown;
    if (led === 'nowhere' && !filledOnPurpose.has(session) && hasSaid) {
      // What it says now may be what it wants: once more, with all that it has to fill and to tick.
      filledOnPurpose.add(session);
      guessed ??= NOTHING_HAPPENED;
      pressed.pop();
      continue;
    }
    lagMs = Math.max(lagMs, led === 'to another step' ? 0 : performance.now() - from);
    // What a script draws in place of a button may also be there while the label is made.
    if (led === 'to a document') pressed = [];
    if (led === 'to another step') guessed ??= 'it has changed after its button was pressed, and shows another one';
    if (led === 'nowhere') {
      stuck = withScriptError(NOTHING_HAPPENED, documents);
      break;
    }
  }
  lagMs = Math.max(lagMs, performance.now() - from);
  const tookMs = performance.now() - began;
  if (isReported() === undefined && !isDriven)
    stuck ??= guessed ?? (await whyStuck(session, page, { status: documents.status(), before: linksBefore }));
  const instead = repeatOfAnother(session, request, performance.timeOrigin + began);
  // Where it is not certain that a person would have pressed this button, another form may be the right one.
  const blockedForm = isDriven || guessed !== undefined || isReported() ? undefined : documents.errors.blockedForm();
  // A page that went on, and reported another order once more, does not wait for a person; a blocked form waits for none.
  if ((pressed.length > 0 && instead !== undefined) || blockedForm !== undefined) stuck = undefined;
  const snapshot = await inspectPage(page, documents.status());
  documents.forget();
  return {
    request,
    snapshot,
    failure: documents.failure(),
    instead: isReported() === undefined ? instead : undefined,
    stuck: isReported() === undefined ? stuck : undefined,
    blockedForm,
    lagMs,
    tookMs,
  };
}

/** A document may arrive after the report that its page makes while it is opened. */
const AFTER_REPORT_MS = 1_000;

/** Whether a page has reported nothing but failures while it was opened, and shows the button that prints the label all the same. */
async function offersLabelDespite(
  session: DeliverySession,
  page: Page,
  { request, documents }: Pick<Posted, 'request' | 'documents'>,
): Promise<boolean> {
  if (successesOf(session, request).length > 0) return false;
  await until(() => (documents.count() > 0 ? true : undefined), AFTER_REPORT_MS);
  await waitUntilSettled(page, { status: documents.status() });
  if (documents.status() === undefined || isServiceAddress(session.counterpart, page.url())) return false;
  return PRINTING.test((await nameOfStep(page, stepOptions(request, documents))) ?? '');
}

/** A sentence with the error of a script that may be its cause. */
function withScriptError(sentence: string, { errors }: Documents): string {
  const cause = errors.scriptError();
  return cause === undefined ? sentence : `${sentence}; ${cause}`;
}

/** A script that draws the next step of a page has done so when nothing changed for so long. */
const DRAWN_MS = 1_500;

/**
 * Waits for what the press of a button leads to: a report or a document, as `isLed` says, a step in a new tab, or, on a page of
 * scripts, another step in the same document. `shown`: what the page showed before.
 */
async function ledOn(
  page: Page,
  isLed: () => true | undefined,
  { shown, tab, maxMs, options }: { shown: string | undefined; tab: NewTab; maxMs: number; options: AdvanceOptions },
): Promise<'to a document' | 'to another step' | 'to a new tab' | 'nowhere'> {
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

/** A page that says that something went wrong does not hide the way to the label. */
const stepOptions = (
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
async function goOnWhenReady(
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

async function driven(session: DeliverySession, page: Page): Promise<Step> {
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
