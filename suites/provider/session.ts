/** What every check of a delivery provider's pages shares: the pages, the manifest, and the service that they meet. */
import type { ManifestFault } from '../../contracts/manifests/index.ts';
import type { Fields } from '../../contracts/signing/index.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { type IntegratorCheck, type IntegratorCheckOptions, integratorCheck } from '../../harness/integrator/check.ts';
import type { IntegratorContext } from '../../harness/integrator/context.ts';
import type { Counterpart } from '../../harness/integrator/counterpart.ts';
import { IntegratorSession, type SessionOptions } from '../../harness/integrator/session.ts';
import type { Secret } from '../../harness/target/secrets/secret.ts';

/** The manifest of a public integration. */
export interface ProviderManifest {
  readonly value: Readonly<Record<string, unknown>>;
  /** File or address of the manifest. */
  readonly source: string;
  lineOf(pointer: string): number;
  readonly faults: readonly ManifestFault[];
}

/** The integration, as the command line and its manifest show it. */
export interface ProviderUnderTest {
  /** Undefined for a private integration, which serves one store and has none. */
  readonly manifest: ProviderManifest | undefined;
  readonly labelUrl: string;
  readonly checkoutUrl: string | undefined;
  readonly apiKey: Secret;
}

/** A label request as the service makes it, before it is signed. */
export interface LabelRequest {
  /** Part of its `callback_url` and of nothing else, so that what comes back can be distinguished whatever it says. */
  readonly token: string;
  readonly id: string;
  /** As a browser transmits them, without `signature`. */
  readonly fields: Fields;
}

export interface OrderWish {
  /** One of `orderKinds`. */
  readonly kind?: string;
  readonly language?: string;
  /** Bought in another store, whose admin has entered other values in the settings form. */
  readonly isOfOtherStore?: true;
  /** Makes the label_request_id from one as it usually is. */
  readonly idFrom?: (usual: string) => string;
}

/** How a page of the service posts a form. */
export interface HandOver {
  /** Urlencoded otherwise. */
  readonly isMultipart?: boolean;
  /** Without a `Referer`, and with the origin `null`. */
  readonly isBare?: boolean;
}

/** The service's part in printing labels, without its pages: for the many requests that are varied or forged. */
export interface DeliveryCounterpart extends Counterpart {
  /** Handles of methods that lead to the label page and to the checkout page. */
  readonly handles: { readonly label: string; readonly points: string; readonly checkout: string };
  /** Every label request that the service has made, oldest first, by any user. */
  readonly issued: readonly LabelRequest[];
  readonly orderKinds: readonly string[];
  /** Whether another store has methods of the integration: a private one serves a single store. */
  readonly hasOtherStore: boolean;
  /** Values of the settings form of the manifest, as the store's admin has entered them, by field id. */
  readonly settings: Fields;
  /** The same of the other store. */
  readonly otherSettings: Fields;
  /** Names of the fields of the settings form that hide what is entered in them. */
  readonly passwordFields: readonly string[];
  /** Languages of the store and of the method's owner. */
  readonly languages: readonly string[];
  /** A new order, and the request that pressing its Print Label button makes. */
  labelRequest(wish?: OrderWish): LabelRequest;
  /** The request of one more press of the button, for the order of an earlier one. */
  labelRequestAgain(earlier: LabelRequest): LabelRequest;
  /** The fields of a new checkout request, without `signature`. */
  checkoutRequest(): Fields;
  /** An address of the service whose page posts these fields at once. */
  handOver(action: string, fields: Fields, how?: HandOver): string;
}

export class DeliverySession extends IntegratorSession<DeliveryCounterpart> {
  readonly provider: ProviderUnderTest;

  constructor(options: SessionOptions<DeliveryCounterpart>, provider: ProviderUnderTest) {
    super(options);
    this.provider = provider;
  }
}

export type DeliveryContext = IntegratorContext<DeliverySession>;
export type DeliveryCheck = IntegratorCheck<DeliveryContext>;

/** Makes a check of a delivery provider's integration. */
export const deliveryCheck = (
  id: string,
  title: CheckTitle,
  options: IntegratorCheckOptions,
  body: (context: DeliveryContext) => Promise<void>,
): DeliveryCheck => integratorCheck<DeliveryContext>(id, title, options, body);
