/**
 * A correct label page of a parcel service. It responds at once: it makes the label and redirects the browser to the callback.
 * `correct.php` and `correct.py` ask for more data in a form first. Each step of the contract is a separate method, so
 * a faulty page is this one with one method changed (`faults/`).
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { page, redirect } from '../support/http.ts';
import { labelPdf } from '../support/pdf.ts';
import type { Settings } from '../support/settings.ts';

/** Names and values in the order in which they are sent. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>;

/** The fields of a request by name. */
export type Order = Readonly<Record<string, string>>;

/** The limits of this carrier. */
const MAX_PARCEL_GRAMS = 31_500;
const CALL_TIMEOUT_MS = 5_000;

export class LabelPage {
  readonly settings: Settings;
  /** The labels made so far, by an id that cannot be guessed: labels contain personal addresses. */
  readonly labels = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(settings: Settings) {
    this.settings = settings;
  }

  async respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/label' && request.method === 'POST') return this.printLabel(await fieldsOf(request));
    if (pathname === '/checkout' && request.method === 'POST') return this.checkout(await fieldsOf(request));
    if (pathname === '/manifest.json') return Response.json(this.manifest());
    if (pathname === '/stores') return page('Example Parcels', '<p>What stores should know.</p>');
    if (pathname.startsWith('/label/')) return this.label(pathname.slice('/label/'.length, -'.pdf'.length));
    if (pathname.startsWith('/track/')) return page('Your parcel', '<p>It is being packed.</p>');
    return page('Not found', '', { status: 404 });
  }

  // --- The label request ---

  async printLabel(fields: Fields): Promise<Response> {
    if (!this.accepts(fields)) return this.refused();
    const order = Object.fromEntries(fields);
    if (!order.label_request_id || !order.callback_url) return this.refused();
    const problem = this.problemOf(order);
    if (problem !== null) return this.report(order, this.failure(order, problem));
    const customer = await this.customerNumber(order.order_uuid ?? '');
    return this.report(order, this.success(order, this.makeLabel(order, customer)));
  }

  /** Why a parcel is refused, or null. */
  problemOf(order: Order): string | null {
    return Number(order.weight) > MAX_PARCEL_GRAMS ? 'A parcel may weigh 31.5 kg at most.' : null;
  }

  /** Makes the label and returns its id. */
  makeLabel(order: Order, customerNumber: string): string {
    const id = randomUUID();
    const person = `${order.shipping_first_name ?? ''} ${order.shipping_last_name ?? ''}`;
    const place = `${order.shipping_zip ?? ''} ${order.shipping_city ?? ''}`;
    this.labels.set(id, labelPdf([person, order.shipping_street ?? '', place, `Customer ${customerNumber}`, id]));
    return id;
  }

  /** The parameters of the success callback. The message of their signature is their values in this order. */
  success(order: Order, labelId: string): Fields {
    const code = labelId.slice(0, 8).toUpperCase();
    return this.signed([
      ['label_request_id', order.label_request_id ?? ''],
      ['label_url', `${this.settings.origin}/label/${labelId}.pdf`],
      ['tracking_code', code],
      ['tracking_url', `${this.settings.origin}/track/${code}`],
    ]);
  }

  failure(order: Order, problem: string): Fields {
    return this.signed([
      ['label_request_id', order.label_request_id ?? ''],
      ['error_msg', problem],
    ]);
  }

  /** Reports by redirecting the browser to the callback. A page may also send this GET itself. */
  async report(order: Order, parameters: Fields): Promise<Response> {
    return redirect(this.callback(order, parameters));
  }

  callback(order: Order, parameters: Fields): string {
    const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
    return `${order.callback_url}?${query}`;
  }

  // --- Signatures ---

  accepts(fields: Fields): boolean {
    const received = fields.find(([name]) => name === 'signature')?.[1];
    return received !== undefined && this.matches(received, this.signature(this.message(fields)));
  }

  message(fields: Fields): string {
    return messageOf(fields);
  }

  signature(message: string): string {
    return signatureOf(message, this.settings.apiKey);
  }

  matches(received: string, right: string): boolean {
    return isEqual(received, right);
  }

  signed(parameters: Fields): Fields {
    return [...parameters, ['signature', this.signature(this.message(parameters))]];
  }

  // --- The dynamic checkout ---

  async checkout(fields: Fields): Promise<Response> {
    if (!this.acceptsCheckout(fields)) return this.refused();
    return page('Delivery', '<p>Example Parcels brings it tomorrow for 4.90 EUR.</p>');
  }

  acceptsCheckout(fields: Fields): boolean {
    const received = fields.find(([name]) => name === 'signature')?.[1];
    return received !== undefined && isEqual(received, signatureOf(messageOf(fields), this.settings.apiKey));
  }

  // --- Calls to the service ---

  /** The customer number that the store's admin entered, or nothing if the service does not return it. */
  async customerNumber(orderUuid: string): Promise<string> {
    const response = await this.call('POST', 'store/delivery_provider_settings/', { order_uuid: orderUuid });
    const fields = response?.fields as Record<string, unknown> | undefined;
    return typeof fields?.client_id === 'string' ? fields.client_id : '';
  }

  async call(method: 'GET' | 'POST', path: string, body?: object): Promise<Readonly<Record<string, unknown>> | null> {
    try {
      const response = await fetch(`${this.settings.base}${path}`, {
        method,
        headers: {
          authorization: this.authorization(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const reply: unknown = await response.json();
      return response.ok && typeof reply === 'object' && reply !== null ? { ...reply } : null;
    } catch {
      return null;
    }
  }

  authorization(): string {
    return `ApiKey ${this.settings.apiKey}`;
  }

  // --- Pages and documents ---

  label(id: string): Response {
    const pdf = this.labels.get(id);
    if (pdf === undefined) return page('Not found', '', { status: 404 });
    return new Response(pdf, { headers: { 'content-type': 'application/pdf' } });
  }

  refused(): Response {
    return page('Forbidden', '<p>This request is not signed by the store’s service.</p>', { status: 403 });
  }

  /** What is submitted to the provider setup portal. */
  manifest(): Record<string, unknown> {
    return {
      app_type: 'DELIVERY_SERVICE',
      app_title: 'Example Parcels',
      app_vendor: {
        company_name: 'Example Parcels Ltd',
        support_email: 'support@parcels.example',
        support_phone: '+371 60000000',
        developer_email: 'developers@parcels.example',
      },
      delivery_api_data_fields: [
        { id: 'client_id', title: { en: 'Customer number', lv: 'Klienta numurs' }, type: 'text', required: true },
        { id: 'client_password', title: 'Password', type: 'password', required: true },
        { id: 'insured', title: 'Always insured', type: 'checkbox' },
      ],
      delivery_service_info: { info_url: `${this.settings.origin}/stores` },
    };
  }
}

/** All values except the signature, in the order received, with nothing between them. */
function messageOf(fields: Fields): string {
  return fields.map(([name, value]) => (name === 'signature' ? '' : value)).join('');
}

function signatureOf(message: string, key: string): string {
  return createHmac('sha256', key).update(message).digest('base64');
}

/** Whether two strings are equal, compared in constant time. */
function isEqual(received: string, right: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The fields of a posted form in their order, urlencoded or multipart. */
export async function fieldsOf(request: Request): Promise<Fields> {
  return [...(await request.formData())].map(([name, value]) => [name, String(value)] as const);
}

export default LabelPage;
