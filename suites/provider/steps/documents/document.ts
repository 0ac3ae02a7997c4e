/** The documents behind label_url: each is fetched once, as the service would, without anything of the browser's. */
import { Inconclusive } from '../../../../harness/check/failures.ts';
import type { Fetched } from '../../../../harness/integrator/fetch/fetcher.ts';
import { adviceOnOverload } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { pause } from '../../../../harness/process/until.ts';
import { NoResponse } from '../../../../harness/target/client/no-response.ts';
import type { DeliverySession } from '../../session.ts';
import { judgePdf } from './pdf.ts';
import { streamsOf } from './pdf-text.ts';

export type LabelDocument =
  | { readonly isPdf: true; readonly response: Fetched; readonly pages: number | 'not counted' }
  | { readonly isPdf: false; readonly why: string; readonly response: Fetched | undefined };

const TOO_MANY_REQUESTS = 429;

const documents = new WeakMap<DeliverySession, Map<string, Promise<LabelDocument>>>();

/** The document at an address. Throws `Inconclusive` where the network between here and there is to blame. */
export function documentAt(session: DeliverySession, url: string): Promise<LabelDocument> {
  const known = documents.get(session) ?? new Map<string, Promise<LabelDocument>>();
  documents.set(session, known);
  const document = known.get(url) ?? fetchLabel(session, url);
  known.set(url, document);
  return document;
}

/** After so long a server has done what it refused others for. */
const QUIET_MS = 1_000;

/**
 * The document at an address whose server had too much to do when it was asked before, fetched alone. Throws `Inconclusive` where the server
 * still says that it was asked too often.
 */
export async function documentAlone(session: DeliverySession, url: string): Promise<LabelDocument> {
  await pause(QUIET_MS);
  const document = await fetchLabel(session, url);
  documents.get(session)?.set(url, Promise.resolve(document));
  if (document.response?.status === TOO_MANY_REQUESTS)
    throw new Inconclusive(
      `the address of the label returns status ${TOO_MANY_REQUESTS}: ${adviceOnOverload(document.response)}`,
      'configuration',
    );
  return document;
}

/** Statuses with which a host refuses what it takes for a program; the store's admin opens the label in a browser. */
const TO_PROGRAMS = new Set([403, 406]);

async function fetchAsAnyone({ fetcher }: DeliverySession, url: string): Promise<Fetched> {
  const response = await fetcher.fetch(url, { role: 'label' });
  return TO_PROGRAMS.has(response.status) ? fetcher.fetch(url, { role: 'label', asBrowser: true }) : response;
}

/** Fetches a label, whether or not it was fetched before. */
export async function fetchLabel(session: DeliverySession, url: string): Promise<LabelDocument> {
  try {
    const response = await fetchAsAnyone(session, url);
    // The browser of the store's admin gets the headers, too.
    for (const [name, value] of response.headers)
      session.watch.snapshot(`the header ${name} of the label`, value, url, response.exchange);
    if (response.status < 200 || response.status > 299)
      return { isPdf: false, why: `it returns status ${response.status}`, response };
    const written = [Buffer.from(response.bytes).toString('latin1'), ...streamsOf(response.bytes)].join('\n');
    session.watch.snapshot('the label', written, url, response.exchange);
    const judged = judgePdf(response.bytes);
    return judged.isPdf ? { isPdf: true, pages: judged.pages, response } : { isPdf: false, why: judged.why, response };
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    if (/larger than/.test(error.message))
      throw new Inconclusive(
        `the label at ${new URL(url).origin} is too large to inspect: ${error.message} Print labels of a few pages`,
        'target',
      );
    // A host that answers label requests can serve labels; another host may be hidden from here.
    const isSameHost = URL.parse(url)?.hostname === URL.parse(session.provider.labelUrl)?.hostname;
    if (isSameHost) return { isPdf: false, why: error.message, response: undefined };
    throw new Inconclusive(`the label can't be fetched from here: ${error.message}`, 'network');
  }
}
