/**
 * What the service sends to integrators: label and checkout requests, loads of install and settings addresses. A browser sends
 * them for a person; here they are listed, made without a person, and sent again as they were.
 */
import type { Redaction } from '../../../harness/evidence/redaction/index.ts';
import { startInstall, startSettings } from '../../../mock/apps/installs.ts';
import { startDynamicCheckout } from '../../../mock/orders/checkout.ts';
import { pressPrintLabel } from '../../../mock/orders/labels.ts';
import type { MockService, SentRequest } from '../../../mock/types/service.ts';

/** What came back from the integrator, when the service itself sent the request. */
export interface Reply {
  readonly status?: number;
  readonly location?: string;
  readonly body?: string;
  /** Why nothing came. */
  readonly failure?: string;
}

export interface SentMessage extends SentRequest {
  readonly n: number;
  readonly at: string;
  readonly reply?: Reply;
}

/** What may be sent again, by the ids of the state. */
export type Order =
  | { readonly kind: 'label'; readonly order: string }
  | { readonly kind: 'checkout'; readonly handle: string; readonly website: number }
  | { readonly kind: 'install'; readonly app: string; readonly website: number }
  | { readonly kind: 'settings'; readonly authCode: string };

export interface Sender {
  /** Oldest first. */
  all(): readonly SentMessage[];
  /** Makes a request as a person's click does, and sends it. Throws a Refusal for what is not there. */
  send(order: Order): Promise<SentMessage>;
  /** Sends one that is in the list again, byte for byte; undefined for an unknown number. */
  resend(n: number): Promise<SentMessage | undefined>;
  clear(): void;
}

const MAX_SENT = 200;
const TIMEOUT_MS = 10_000;
const MAX_SHOWN_CHARACTERS = 4_000;
const MAX_READ_BYTES = 64 * 1024;

/** Sends label requests and loads of an app by a click, and sends earlier ones again byte for byte. */
export function createSender(service: MockService, redaction: Redaction): Sender {
  let sent: SentMessage[] = [];
  let count = 0;
  const note = (request: SentRequest, reply?: Reply): SentMessage => {
    count += 1;
    const one: SentMessage = {
      n: count,
      at: service.now().toISOString(),
      ...request,
      ...(reply === undefined ? {} : { reply }),
    };
    sent = [...sent, one].slice(-MAX_SENT);
    return one;
  };
  service.onSent = (request) => void note(request);

  const deliver = async (request: SentRequest): Promise<SentMessage> =>
    note(request, await replyTo(request, redaction));

  return {
    all: () => sent,
    async send(order) {
      let made: SentRequest | undefined;
      const before = service.onSent;
      service.onSent = (request) => {
        made = request;
      };
      try {
        begin(service, order);
      } finally {
        service.onSent = before;
      }
      return deliver(made!);
    },
    async resend(n) {
      const found = sent.find((one) => one.n === n);
      if (found === undefined) return undefined;
      const { kind, url, fields } = found;
      return deliver({ kind, url, ...(fields === undefined ? {} : { fields }) });
    },
    clear() {
      sent = [];
    },
  };
}

function begin(service: MockService, order: Order): void {
  if (order.kind === 'label') pressPrintLabel(service, order.order);
  else if (order.kind === 'settings') startSettings(service, order.authCode);
  else if (order.kind === 'install') startInstall(service, { appId: order.app, websiteId: order.website });
  else startDynamicCheckout(service, { handle: order.handle, websiteId: order.website, destinationCountry: 'LV' });
}

/** Sends it as a browser would, but follows no redirect, because the integrator wants to see where it leads. */
async function replyTo({ url, fields }: SentRequest, redaction: Redaction): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method: fields === undefined ? 'GET' : 'POST',
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields.map(([name, value]) => [name, value])) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const location = response.headers.get('location');
    return {
      status: response.status,
      ...(location === null ? {} : { location: redaction.text(location) }),
      body: redaction.text(await beginningOf(response)).slice(0, MAX_SHOWN_CHARACTERS),
    };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    return { failure: redaction.text(cause?.message ?? message) };
  }
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_READ_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
