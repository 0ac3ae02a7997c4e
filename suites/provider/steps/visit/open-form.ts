/** Posts the form of a label request from a page of the service. */
import type { Page, Request } from '@playwright/test';
import { type Fields, SIGNATURE_FIELD, sign } from '../../../../contracts/signing/index.ts';
import { until } from '../../../../harness/process/until.ts';
import type { DeliverySession, LabelRequest } from '../../session.ts';
import { callbacksOf } from '../callbacks.ts';
import { type Documents, watchDocuments } from '../documents/index.ts';

export interface WaitLimits {
  /** For the document of the label page. */
  readonly documentMs: number;
  /** For the callback, after a document. */
  readonly callbackMs: number;
}

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

/** A request that is on its way. */
export interface Posted {
  readonly request: LabelRequest;
  readonly documents: Documents;
  readonly waits: WaitLimits;
  /** When it was posted, of `performance.now()`. */
  readonly began: number;
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
