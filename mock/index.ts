/**
 * `proofmark/mock`: the embedded service in a test of an integrator's own.
 *
 * @module proofmark/mock
 */
import type { MockControl } from '../contracts/control.ts';
import { deviationsById } from './deviations.ts';
import { serve } from './http/serve.ts';
import { profileOf } from './profile.ts';

export type { ArrivedRequest, MockControl } from '../contracts/control.ts';

export interface MockOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Listen with a self-signed certificate, see `certificate`. Default: false. */
  readonly https?: boolean;
  /** SQLite file that keeps the state. Default: in memory. */
  readonly db?: string;
  /** Ids of faults and variants to switch on from the start; `control.deviate` changes them later. */
  readonly deviations?: readonly string[];
}

/** A running service. It has stores, delivery providers, apps and resellers of its own; `profile` has their keys. */
export interface RunningMock extends AsyncDisposable {
  /** Address without a slash at the end: `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Base address of Delivery and Apps. */
  readonly v1: string;
  /** Base address of Reseller. */
  readonly api: string;
  /** A target profile with the keys of the service, as `proofmark run --target` reads it. */
  readonly profile: MockProfile;
  /** Reads the state and the requests that arrived, switches faults on, resets. */
  readonly control: MockControl;
  /** PEM of the self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/** The parts of the mock's profile. Its secrets are plain text, because they are worthless outside this service. */
export interface MockProfile {
  readonly name: string;
  readonly v1: string;
  readonly api: string;
  readonly delivery: {
    readonly private: { readonly apiKey: string; readonly otherApiKey: string };
    readonly public: { readonly apiKey: string; readonly orderUuid: string; readonly foreignOrderUuid: string };
  };
  readonly website: {
    readonly languages: readonly string[];
    readonly defaultLanguage: string;
    readonly country: string;
    readonly pages: Readonly<Record<string, string>>;
  };
  readonly apps: {
    readonly apiKey: string;
    readonly appId: string;
    readonly appSecret: string;
    readonly tabMode?: 'blank' | 'self';
    readonly authCode: string;
    readonly otherAuthCode: string;
  };
  readonly reseller: {
    readonly email: string;
    readonly password: string;
    readonly website: number;
    readonly domain: string;
  };
}

/**
 * Starts the embedded service on 127.0.0.1. Rejects for an unknown deviation, an unusable database file or a port in use.
 *
 * @example
 * await using service = await startMock();
 * const response = await fetch(new URL('store/delivery_methods/', service.v1), {
 *   headers: { authorization: `ApiKey ${service.profile.delivery.private.apiKey}` },
 * });
 */
export async function startMock({ deviations = [], db, ...listen }: MockOptions = {}): Promise<RunningMock> {
  const options = { deviations: deviationsById(deviations), hints: true, ...(db === undefined ? {} : { db }) };
  const served = await serve(options, listen);
  const { origin, service, certificate } = served;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= served.close();
    return closing;
  };
  return {
    origin,
    v1: `${origin}/v1/`,
    api: `${origin}/api/`,
    profile: profileOf(service) as unknown as MockProfile,
    control: service.control,
    certificate,
    close,
    [Symbol.asyncDispose]: close,
  };
}
