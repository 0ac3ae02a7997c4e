/** Follows a label request that was posted: through forms, until its callback comes or nothing more can. */
import type { Page } from '@playwright/test';
import { isServiceAddress } from '../../../../harness/integrator/counterpart.ts';
import { nameOfStep } from '../../../../harness/integrator/page/form/index.ts';
import { linksOf } from '../../../../harness/integrator/page/form/pending-input.ts';
import { PRINTING } from '../../../../harness/integrator/page/form/printing-buttons.ts';
import { inspectPage, type PageSnapshot } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { contentOf, mayNavigate, waitUntilSettled } from '../../../../harness/integrator/page/visit.ts';
import { until } from '../../../../harness/process/until.ts';
import type { DeliverySession, LabelRequest } from '../../session.ts';
import { callbacksOf, repeatOfAnother, successesOf } from '../callbacks.ts';
import { type Documents, watchDocumentsOfTab } from '../documents/index.ts';
import { showsLabelOfAnother } from '../label-in-place.ts';
import { watchNewTab } from '../new-tab.ts';
import { whyStuck } from '../stuck.ts';
import { driven, goOnWhenReady, ledOn, stepOptions } from './next-step.ts';
import type { Posted } from './open-form.ts';

/** The report of another order came once more, or its label is shown. */
export type Instead = 'reported again' | 'shown';

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
  /** What became of another order in place of its own. */
  readonly instead: Instead | undefined;
  /** The longest of its steps after its first document, the callback's among them; the whole wait where none came. */
  readonly lagMs: number;
  /** From the posted request to its end. */
  readonly tookMs: number;
}

/** Forms one after another: more of them are not a label page. */
const MAX_STEPS = 4;
/** A page whose script goes on by itself is not to be pressed. */
const OWN_NAVIGATION_MS = 300;
/** Without a document only what is under way already can still come. */
const NO_DOCUMENT_MS = 1_000;

const NOTHING_HAPPENED = 'its button was pressed, and nothing happened';

/** Sessions whose page wants more in its form than it says. */
const filledOnPurpose = new WeakSet<DeliverySession>();

/** What a user has done so far, and what they see. */
interface Progress {
  page: Page;
  documents: Documents;
  /** Names of buttons, in the present document. */
  pressed: string[];
  /** Where the links of earlier steps lead: what follows a step is not among them. */
  readonly linksBefore: string[];
  /** What was shown before the steps that led on. */
  readonly shownBefore: { readonly links: string[]; readonly texts: string[] };
  /** Why a person is needed. */
  stuck: string | undefined;
  /** Why a person might have pressed something else. */
  guessed: string | undefined;
  /** The longest of the steps so far. */
  lagMs: number;
  /** When the latest step was taken, of `performance.now()`. */
  from: number;
}

type IsReported = () => true | undefined;

const isDriven = ({ driver }: DeliverySession): boolean => driver.submitLabelPage !== undefined;

/** Does what a user would do, at most `MAX_STEPS` times. Where that is not clear, the visit says why. */
export async function follow(session: DeliverySession, opened: Page, posted: Posted): Promise<Visit> {
  const reports = (): number => callbacksOf(session, posted.request).length;
  /** Reports that a user who sees the form of the page knows nothing of. */
  let early = 0;
  if (reports() > 0 && !isDriven(session) && (await offersLabelDespite(session, opened, posted))) early = reports();
  const isReported: IsReported = () => (reports() > early ? true : undefined);
  const progress: Progress = {
    page: opened,
    documents: posted.documents,
    pressed: [],
    linksBefore: [],
    shownBefore: { links: [], texts: [] },
    stuck: undefined,
    guessed: undefined,
    lagMs: 0,
    from: performance.now(),
  };
  for (let step = 0; isReported() === undefined && step < MAX_STEPS; step += 1)
    if (!(await takeStep(session, posted, progress, isReported))) break;
  return visitOf(session, posted, progress);
}

/** Does what a user does next, and waits for what comes of it. Returns whether there may be another step. */
async function takeStep(
  session: DeliverySession,
  { request, waits }: Posted,
  progress: Progress,
  isReported: IsReported,
): Promise<boolean> {
  const { page, documents } = progress;
  if (documents.status() === undefined) {
    await until(isReported, Math.min(waits.callbackMs, NO_DOCUMENT_MS));
    return false;
  }
  const moves = await mayNavigate(page, { status: documents.status() });
  if (moves && (await until(isReported, OWN_NAVIGATION_MS))) return false;
  if (isServiceAddress(session.counterpart, page.url())) {
    // The document was a download, or the user is back at the service without a report.
    await until(isReported, waits.callbackMs);
    return false;
  }
  if (isDriven(session)) {
    const done = await driven(session, page);
    progress.from = performance.now();
    if (done.did === 'stuck') progress.stuck = done.why;
    // A driver has done what is to be done; what it leaves behind is not for us to press.
    await until(isReported, waits.callbackMs);
    return false;
  }
  if (await isTakenForAnother(session, request, progress)) {
    await until(isReported, waits.callbackMs);
    return false;
  }
  const before = documents.count();
  const tab = watchNewTab(page);
  const shown = await contentOf(page);
  const links = await linksOf(page);
  const options = { ...stepOptions(request, documents, progress.pressed), fillsAll: filledOnPurpose.has(session) };
  const next = await goOnWhenReady(page, options, isReported, moves ? waits.callbackMs : 0);
  progress.from = performance.now();
  progress.lagMs = Math.max(progress.lagMs, next.waitedMs);
  if (next.did === 'stuck') progress.stuck = next.why;
  if (next.did !== 'pressed') {
    await until(isReported, waits.callbackMs - next.waitedMs);
    return false;
  }
  progress.guessed = next.guessed ?? progress.guessed;
  progress.pressed.push(next.name);
  progress.linksBefore.push(...links);
  const led = await ledOn(page, () => isReported() ?? (documents.count() > before ? true : undefined), {
    shown,
    tab,
    maxMs: waits.callbackMs,
    options: stepOptions(request, documents, progress.pressed),
  });
  if (led !== 'nowhere') {
    progress.shownBefore.links.push(...links);
    progress.shownBefore.texts.push(shown ?? '');
  }
  if (led === 'to a new tab' && tab.page() !== undefined) {
    documents.forget();
    progress.page = tab.page() as Page;
    progress.documents = watchDocumentsOfTab(progress.page);
    progress.pressed = [];
  }
  const { pressed } = progress;
  const hasSaid = pressed.indexOf(next.name) < pressed.length - 1 || (await contentOf(progress.page)) !== shown;
  if (led === 'nowhere' && !filledOnPurpose.has(session) && hasSaid) {
    // What it says now may be what it wants: once more, with all that it has to fill and to tick.
    filledOnPurpose.add(session);
    progress.guessed ??= NOTHING_HAPPENED;
    pressed.pop();
    return true;
  }
  if (led === 'to another step') {
    progress.guessed ??= 'it has changed after its button was pressed, and shows another one';
    return true;
  }
  progress.lagMs = Math.max(progress.lagMs, performance.now() - progress.from);
  // What a script draws in place of a button may also be there while the label is made.
  if (led === 'to a document') progress.pressed = [];
  if (led === 'nowhere') progress.stuck = withScriptError(NOTHING_HAPPENED, progress.documents);
  return led !== 'nowhere';
}

/** What became of a request, after the last step. */
async function visitOf(session: DeliverySession, { request, began }: Posted, progress: Progress): Promise<Visit> {
  const { page, documents, pressed, linksBefore, guessed, from } = progress;
  let { stuck } = progress;
  const lagMs = Math.max(progress.lagMs, performance.now() - from);
  const tookMs = performance.now() - began;
  const isReported = (): boolean => callbacksOf(session, request).length > 0;
  if (!isReported() && !isDriven(session))
    stuck ??= guessed ?? (await whyStuck(session, page, { status: documents.status(), before: linksBefore }));
  const instead = isReported() ? undefined : await insteadOf(session, request, progress, began);
  // Where it is not certain that a person would have pressed this button, another form may be the right one.
  const isCertain = !isDriven(session) && guessed === undefined && !isReported();
  const blockedForm = isCertain ? documents.errors.blockedForm() : undefined;
  // A page that took this order for another one does not wait for a person, and neither does a blocked form.
  const isTaken = instead === 'shown' || (instead === 'reported again' && pressed.length > 0);
  if (isTaken || blockedForm !== undefined) stuck = undefined;
  const snapshot = await inspectPage(page, documents.status());
  documents.forget();
  return {
    request,
    snapshot,
    failure: documents.failure(),
    instead: isReported() ? undefined : instead,
    stuck: isReported() ? undefined : stuck,
    blockedForm,
    lagMs,
    tookMs,
  };
}

/** What became of another order in place of this one, which was not reported. */
async function insteadOf(
  session: DeliverySession,
  request: LabelRequest,
  progress: Progress,
  began: number,
): Promise<Instead | undefined> {
  if (repeatOfAnother(session, request, performance.timeOrigin + began) !== undefined) return 'reported again';
  return (await isTakenForAnother(session, request, progress)) ? 'shown' : undefined;
}

/** Whether the steps so far have led to the label of another order. */
const isTakenForAnother = async (
  session: DeliverySession,
  request: LabelRequest,
  { page, shownBefore }: Progress,
): Promise<boolean> =>
  shownBefore.texts.length > 0 && (await showsLabelOfAnother(session, page, { request, before: shownBefore }));

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
