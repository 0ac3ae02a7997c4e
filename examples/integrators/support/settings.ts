/** The settings of an example, from its environment. */

export interface Settings {
  /** Our own address, without a slash at its end. */
  readonly origin: string;
  /** Base of the service, up to and with `/v1/`. */
  readonly base: string;
  readonly apiKey: string;
  /** Of apps only. */
  readonly appSecret: string;
  readonly tabMode: string;
}

/** Reads SERVICE_BASE, API_KEY, APP_SECRET and TAB_MODE. */
export function settingsFrom(environment: NodeJS.ProcessEnv, origin: string): Settings {
  return {
    origin,
    base: environment.SERVICE_BASE ?? 'http://127.0.0.1:4010/v1/',
    apiKey: environment.API_KEY ?? '',
    appSecret: environment.APP_SECRET ?? '',
    tabMode: environment.TAB_MODE ?? 'blank',
  };
}
