/**
 * The correct label page together with the software around it: when it starts, it adds its delivery method to the store and
 * uploads its pickup points in portions. Real software does the latter every night.
 */

import LabelPage from './correct.ts';

export interface Point {
  readonly id: string;
  readonly title: unknown;
  readonly address: string;
  readonly city: string;
  readonly zip: unknown;
  readonly country: string;
  readonly attributes: unknown;
}

/** What the contract allows in a call. */
const MAX_PORTION_ITEMS = 100;
const POINTS = 250;
const REFERENCE = 'example-lockers';
/** The service may start after us. */
const SERVICE_WAIT_MS = 60_000;
const SERVICE_POLL_MS = 300;

export class Uploader extends LabelPage {
  /** Resolves when the upload has ended, well or not. */
  uploaded: Promise<void> = Promise.resolve();

  /** What happens beside answering requests, from the start of the program on. */
  start(): void {
    this.uploaded = this.upload().catch(() => {});
  }

  async upload(): Promise<void> {
    await this.serviceIsThere();
    const handle = await this.method();
    if (handle === null) return;
    for (const portion of this.portions(this.points())) await this.uploadPortion(handle, portion);
  }

  uploadPortion(handle: string, portion: object): Promise<unknown> {
    return this.call('POST', `store/delivery_method/${handle}/pickup_points/batch_replace/`, portion);
  }

  /** The bodies of the calls: the first one begins the list, the last one publishes it. */
  portions(points: readonly Point[]): object[] {
    const size = this.portionSize();
    const count = Math.ceil(points.length / size);
    return Array.from({ length: count }, (_, at) => ({
      pickup_points: points.slice(at * size, (at + 1) * size),
      is_initialization: at === 0,
      is_finalization: at === count - 1,
    }));
  }

  portionSize(): number {
    return MAX_PORTION_ITEMS;
  }

  points(): Point[] {
    return Array.from({ length: POINTS }, (_, at) => ({
      id: `L-${at + 1}`,
      title: `Locker ${at + 1}`,
      address: `Main street ${at + 1}`,
      city: 'Rīga',
      zip: 'LV-1010',
      country: 'LV',
      attributes: { terminal: String(at + 1) },
    }));
  }

  /** The handle of our method, which is added when it is not there yet. */
  async method(): Promise<string | null> {
    const before = await this.listed();
    if (before !== null) return before;
    await this.call('POST', 'store/delivery_method/', this.newMethod());
    // The response to a create may hold the handle or not: the list has it in any case.
    return this.listed();
  }

  newMethod(): object {
    return {
      delivery_method: {
        title: 'Example lockers',
        reference: REFERENCE,
        available_countries_to: ['LV', 'EE', 'LT'],
        print_label_url: `${this.settings.origin}/label`,
      },
    };
  }

  async listed(): Promise<string | null> {
    const response = await this.call('GET', 'store/delivery_methods/?page_size=100&desc=1');
    const methods = Array.isArray(response?.delivery_methods) ? response.delivery_methods : [];
    return methods.find((method) => method.reference === REFERENCE)?.handle ?? null;
  }

  async serviceIsThere(): Promise<void> {
    const deadline = performance.now() + SERVICE_WAIT_MS;
    while (performance.now() < deadline) {
      if ((await this.call('GET', 'store/delivery_methods/')) !== null) return;
      await new Promise((resolve) => setTimeout(resolve, SERVICE_POLL_MS));
    }
  }
}

/** How often a portion is sent that the service does not take, and after what time. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 300;
const NIGHTS = 2;

/** Uploads the list again every night, and sends a portion again that the service did not take. */
export class NightlyUploader extends Uploader {
  override async upload(): Promise<void> {
    await this.serviceIsThere();
    const handle = await this.method();
    for (let night = 0; handle !== null && night < NIGHTS; night += 1) await this.uploadList(handle);
  }

  async uploadList(handle: string): Promise<void> {
    for (const portion of this.portions(this.points())) {
      const isTaken = await this.isTaken(handle, portion);
      if (!isTaken && (await this.endsWithout(handle))) return;
    }
  }

  async isTaken(handle: string, portion: object): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      if ((await this.uploadPortion(handle, portion)) !== null) return true;
      if (attempt >= this.maxAttempts()) return false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  maxAttempts(): number {
    return MAX_ATTEMPTS;
  }

  /** Whether the upload ends where a portion was not taken: the old list stays, and the next night begins a new one. */
  async endsWithout(_handle: string): Promise<boolean> {
    return true;
  }
}

export default Uploader;
