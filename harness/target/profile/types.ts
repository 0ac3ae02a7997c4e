/** A profile as the harness uses it: read, checked, secrets taken from the environment. */
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import type { Secret } from '../secrets/secret.ts';
import type { Part, Permission } from './shape/index.ts';

export interface PrivateDelivery {
  readonly apiKey: Secret | undefined;
  /** The key of a second store: proves that owners are kept apart. */
  readonly otherApiKey: Secret | undefined;
}

export interface PublicDelivery {
  readonly apiKey: Secret | undefined;
  readonly orderUuid: string | undefined;
  /** An order of a store that this provider does not serve. */
  readonly foreignOrderUuid: string | undefined;
  /** The custom field values of `orderUuid`, as the store's admin entered them. */
  readonly expectedFields: Readonly<Record<string, string>> | undefined;
}

export interface WebsitePart {
  readonly languages: readonly string[] | undefined;
  readonly defaultLanguage: string | undefined;
  /** 2-letter code, as written. */
  readonly country: string | undefined;
  /** Public page addresses by language. */
  readonly pages: Readonly<Record<string, string>> | undefined;
}

export interface AppsPart {
  readonly apiKey: Secret | undefined;
  readonly appId: string | undefined;
  readonly appSecret: Secret | undefined;
  readonly tabMode: 'blank' | 'self' | undefined;
  readonly authCode: Secret | undefined;
  readonly otherAuthCode: Secret | undefined;
}

export interface ResellerPart {
  readonly email: Secret | undefined;
  readonly password: Secret | undefined;
  /** The id of the website that the run may use. */
  readonly website: RecordId | undefined;
  /** A domain name that the run may attach and remove. */
  readonly domain: string | undefined;
}

export interface Limits {
  /** For all workers together; `undefined`: no limit. */
  readonly requestsPerSecond: number | undefined;
  /** For one whole answer, from sending to its last byte. */
  readonly timeoutMs: number;
  /** Pages followed in one walk over a list before it is given up. */
  readonly maxPages: number;
  readonly maxMinutes: number;
}

export interface Tls {
  /** PEM texts, read from the files that the profile names. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: Secret | undefined;
}

export interface Profile {
  /** The file it was read from, for messages. */
  readonly file: string;
  readonly name: string;
  /** Base address of Delivery and Apps, ends with `/v1/`. */
  readonly v1: string | undefined;
  /** Base address of Reseller, ends with `/api/`. */
  readonly api: string | undefined;
  readonly delivery:
    | { readonly private: PrivateDelivery | undefined; readonly public: PublicDelivery | undefined }
    | undefined;
  readonly website: WebsitePart | undefined;
  readonly apps: AppsPart | undefined;
  readonly reseller: ResellerPart | undefined;
  readonly absent: ReadonlySet<Part>;
  /** Where the harness listens, and how the target reaches it. */
  readonly listen: { readonly host: string; readonly port: number; readonly publicUrl: string | undefined };
  /** Absolute path of the driver module. */
  readonly driver: string | undefined;
  readonly allow: ReadonlySet<Permission>;
  readonly limits: Limits;
  readonly headers: ReadonlyArray<readonly [string, Secret]>;
  readonly proxy: Secret | undefined;
  readonly tls: Tls | undefined;
  /** Every secret in it, for redaction. */
  secrets(): Secret[];
  /** The profile as a JSON value that may be shown: secrets as `$NAME`. */
  toShareable(): unknown;
}
