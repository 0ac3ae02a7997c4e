/** What every check of an app shares: the app as its manifest shows it, and the service that it meets. */
import type { EncodingName } from '../../contracts/install-hash/index.ts';
import type { ManifestFault } from '../../contracts/manifests/index.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { type IntegratorCheck, type IntegratorCheckOptions, integratorCheck } from '../../harness/integrator/check.ts';
import type { IntegratorContext } from '../../harness/integrator/context.ts';
import type { Counterpart } from '../../harness/integrator/counterpart.ts';
import { IntegratorSession, type SessionOptions } from '../../harness/integrator/session.ts';
import type { Secret } from '../../harness/target/secrets/secret.ts';

/** The app, as far as its manifest can be used. */
export interface AppUnderTest {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** File or address of the manifest. */
  readonly source: string;
  lineOf(pointer: string): number;
  readonly faults: readonly ManifestFault[];
  readonly installUrl: string | undefined;
  readonly settingsUrl: string | undefined;
  readonly tabMode: 'blank' | 'self' | undefined;
  readonly secret: Secret | undefined;
  readonly apiKey: Secret;
  readonly appId: string;
}

/** An address of the app as the service would open it, with the token that its return redirect carries. */
export interface Load {
  readonly url: string;
  readonly token: string;
}

/**
 * 0 is the website of the user flow, 1 that of another user, 2 another one of the first user; `new`: one that no user had before. An
 * app may well keep one installation for each website, so that a further one in the same website replaces the first.
 */
export type WebsiteChoice = 0 | 1 | 2 | 'new' | NewWebsite;

/** One that no user had before, with a name of its own. */
export interface NewWebsite {
  readonly brandname: string;
}

/** The service's part in installations, without a browser: for requests that are altered before the app sees them. */
export interface AppCounterpart extends Counterpart {
  /** Path under which apps send users back, followed by the token. */
  readonly callbackPath: string;
  /** The user presses Install, in the first website if no other one is chosen. */
  beginInstall(website?: WebsiteChoice): Load;
  /** The user accepts the permissions, after the app has sent them back, with whatever parameters. */
  accept(token: string): Load & { readonly authCode: string };
  /** The authCode that is made next ends with a plus, a slash and padding, as one in base64 may; returns how it begins. */
  nextCodeInBase64(): string;
  beginSettings(authCode: string): Load;
  /** The website's owner removes the app. */
  uninstall(authCode: string): void;
  /** Every installation that began, by its code. */
  installations(): { readonly authCode: string; readonly installed: boolean }[];
  /** What the service says of the website of an installation and of its user, by which of them: only websites of one user have some of it in common. */
  factsOf(authCode: string): Readonly<Record<string, readonly string[]>>;
  /** The same of all websites of other users, also of those where the app is not installed any more. */
  factsOfOthers(authCode: string): Readonly<Record<string, readonly string[]>>;
  /** Hashes its requests in another language's encoding. */
  hashWith(encoding: EncodingName): void;
}

export class AppSession extends IntegratorSession<AppCounterpart> {
  readonly app: AppUnderTest;
  /** The encoding in which the app verifies, where it does not take the service's own. */
  dialect: EncodingName = 'php';
  /** How many buttons of the app the user presses before it calls installed. */
  lastButtons = 0;

  constructor(options: SessionOptions<AppCounterpart>, app: AppUnderTest) {
    super(options);
    this.app = app;
  }
}

export type AppContext = IntegratorContext<AppSession>;
export type AppCheck = IntegratorCheck<AppContext>;

/** Makes a check of an app. */
export const appCheck = (
  id: string,
  title: CheckTitle,
  options: IntegratorCheckOptions,
  body: (context: AppContext) => Promise<void>,
): AppCheck => integratorCheck<AppContext>(id, title, options, body);
