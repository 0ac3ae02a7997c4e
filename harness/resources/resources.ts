/**
 * What the checks of one process share: the client, the ledger, one reseller session, one browser, one listener.
 * Each is created on first use.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as realSleep } from 'node:timers/promises';
import type { Browser, BrowserContext } from '@playwright/test';
import { watchAway } from '../browser/away-watch.ts';
import { openBrowserContext } from '../browser/browser-context.ts';
import type { LaunchBrowser } from '../browser/launch.ts';
import type { StepRecorder } from '../browser/steps/step-recorder.ts';
import type { Send } from '../check/expect.ts';
import { Inconclusive } from '../check/failures.ts';
import { INSTALLATIONS, type Ledger } from '../cleanup/ledger.ts';
import { UnaccountedMethods } from '../cleanup/unaccounted-methods.ts';
import { CleanupScope } from '../cleanup/undo/scope.ts';
import type { Recorder } from '../evidence/recorder.ts';
import type { Redaction } from '../evidence/redaction/index.ts';
import { derivationOf } from '../evidence/shell-derivation.ts';
import { Operations } from '../plain/operations.ts';
import { effectiveProfile } from '../probe/effective-profile.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { Client, Clock, ServiceResponse } from '../target/client/types.ts';
import type { TargetDriver } from '../target/driver/target-driver.ts';
import { Lockouts } from '../target/interfaces/lockouts.ts';
import { MovedLogin } from '../target/interfaces/moved-login.ts';
import { OpenSessions } from '../target/interfaces/open-sessions.ts';
import { SessionRenewal } from '../target/interfaces/session-renewal.ts';
import {
  type Listener,
  type ListenerCertificate,
  type ListenOptions,
  listenerCertificate,
  openListener,
} from '../target/listener/index.ts';
import { whyNotListening } from '../target/listener/not-listening.ts';
import { whyNotLeadingHere } from '../target/listener/self-visit.ts';
import { createReach, type Reach } from '../target/network/reach.ts';
import { requestOf } from '../target/network/wire.ts';
import type { Profile } from '../target/profile/types.ts';
import { isRefused } from '../target/response/judge-response.ts';
import { Secret } from '../target/secrets/secret.ts';
import { AccountReadings } from './account-readings.ts';
import { type InstallationNotes, notesOfOneProcess } from './installation-notes.ts';
import { RunHandles } from './methods/run-handles.ts';
import { recheckRefusal } from './refusals/recheck-refusal.ts';
import { markOf, type RunInfo } from './run-info.ts';
import { SharedSession } from './shared-session.ts';

export interface ResourceOptions {
  readonly profile: Profile;
  readonly run: RunInfo;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly redaction: Redaction;
  readonly recorder: Recorder;
  readonly driver: TargetDriver | undefined;
  /** Starts the browser; throws one sentence if none is installed. */
  readonly launchBrowser?: LaunchBrowser;
  /** Keeps screenshots and traces of browser steps that failed. */
  readonly steps?: StepRecorder | undefined;
  /** Bytes for marks and ids: random, unless the run has to be repeated exactly. */
  readonly prng?: (count: number) => Uint8Array;
  /** Time as it passes for the run; the real one by default. */
  readonly clock?: Clock;
  /** Waits until no other worker uses delivery methods, of which an owner can have only few. */
  readonly takeTurnWithMethods?: () => Promise<void>;
  /** Lets workers use delivery methods one at a time from their next checks on. */
  readonly announceTurns?: () => void;
  /** Whether that was announced, by any worker. */
  readonly areTurnsAnnounced?: () => boolean;
  /** What all workers know of the installations of the profile; by default this process is the only one. */
  readonly installation?: InstallationNotes;
}

/** Enough that two marks of a run never collide, even from different workers. */
const MARK_BYTES = 4;

export class Resources {
  readonly #profile: Profile;
  readonly run: RunInfo;
  readonly client: Client;
  /** How many requests this process has sent that may change something. What was read stays valid until the next one. */
  changesSent = 0;
  readonly #readings = new AccountReadings();
  readonly ledger: Ledger;
  readonly unaccountedMethods = new UnaccountedMethods();
  readonly redaction: Redaction;
  readonly recorder: Recorder;
  readonly driver: TargetDriver;
  readonly steps: StepRecorder | undefined;
  /** Which addresses that the target hands out are followed. */
  readonly reach: Reach;
  /** Objects on the target that the checks of this process share; `close` puts them back, and its notes are in the report. */
  readonly kept: CleanupScope;
  /** What is known of the tokens that the shared Reseller session had. */
  readonly renewal = new SessionRenewal();
  /** Whether the target may have locked this process out, after wrong credentials that checks have sent. */
  readonly lockouts = new Lockouts();
  /** Whether a change of settings has changed the e-mail address that logs in. */
  readonly movedLogin = new MovedLogin();
  /** The sessions of Reseller that are open. */
  readonly openSessions = new OpenSessions();
  /** What the target has served in this process. */
  readonly operations = new Operations();
  /** The handles of the run's methods, and whether the target gives those of deleted ones to new ones. */
  readonly runHandles = new RunHandles(
    (method) => this.markIn(method),
    () => {
      this.operations.takesFewMethods = true;
      this.#options.announceTurns?.();
    },
  );
  /** Which installations of the profile are still there. */
  readonly installation: InstallationNotes;
  /** The one session of Reseller that the checks of this process share. */
  readonly session = new SharedSession(this);
  readonly #closing: (() => Promise<unknown>)[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #options: ResourceOptions;
  readonly #inUse: Set<string>;
  #marks = 0;
  #listener: Promise<Listener> | undefined;
  #notLeadingHere: Promise<string | undefined> | undefined;
  #browser: Promise<Browser> | undefined;
  /** How many pages of the browser got no response from their server. */
  pagesAway = 0;
  #certificate: Promise<ListenerCertificate | undefined> | undefined;

  constructor(options: ResourceOptions) {
    this.#profile = effectiveProfile(options.profile, options.run.unusable);
    this.#inUse = new Set(options.profile.secrets().map((secret) => secret.reveal()));
    this.run = options.run;
    this.client = this.#counting(options.client);
    this.ledger = options.ledger;
    this.redaction = options.redaction;
    this.recorder = options.recorder;
    this.driver = options.driver ?? {};
    this.steps = options.steps;
    this.installation = options.installation ?? notesOfOneProcess();
    const { v1, api, website, proxy } = this.#profile;
    const own = [v1, api, ...Object.values(website?.pages ?? {})].filter((base) => base !== undefined);
    this.reach = createReach({ own: () => own, throughProxy: proxy !== undefined });
    this.#options = options;
    this.kept = new CleanupScope(this, this.send);
  }

  /** The profile, with the code of an installation of the run in place of one that it has ended. */
  get profile(): Profile {
    const { apps } = this.#profile;
    const [authCode, otherAuthCode] = INSTALLATIONS.map((one) => this.installation.replacement(one));
    if (apps === undefined || (authCode === undefined && otherAuthCode === undefined)) return this.#profile;
    for (const code of [authCode, otherAuthCode]) if (code !== undefined) this.secret(code.name, code.reveal());
    const codes = { authCode: authCode ?? apps.authCode, otherAuthCode: otherAuthCode ?? apps.otherAuthCode };
    return { ...this.#profile, apps: { ...apps, ...codes } };
  }

  #counting(client: Client): Client {
    return {
      send: (request, options) => {
        if (options?.safe !== true) this.changesSent += 1;
        const sent = client.send(request, options);
        this.#underWay.add(sent);
        const arrive = () => void this.#underWay.delete(sent);
        sent.then(arrive, arrive);
        return sent;
      },
      grant: (url) => client.grant(url),
      get requests() {
        return client.requests;
      },
      untilBack: () => client.untilBack(),
      get hindrances() {
        return client.hindrances;
      },
      close: () => client.close(),
    };
  }

  /** Where an owner can have only few methods: waits until no other worker uses any. */
  async takeTurnWithMethods(): Promise<void> {
    await this.#options.takeTurnWithMethods?.();
  }

  /** Whether workers are to use delivery methods one at a time by now. */
  get areTurnsAnnounced(): boolean {
    return this.operations.takesFewMethods || this.#options.areTurnsAnnounced?.() === true;
  }

  /** Waits until every call has its response. */
  async allArrived(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /** Sends a call that belongs to no check. */
  readonly send: Send = async (call, role = 'request') => {
    const current = this.renewal.current(call, this.session.present);
    const response = await this.#sendOnce(current, role);
    return isRefused(response) === 'refused' ? recheckRefusal(this, current, response, this.#sendOnce, role) : response;
  };

  readonly #sendOnce: Send = async (call, role) => {
    const sent = this.client.send(requestOf(call, this.base(call.api)), role === undefined ? {} : { role });
    const { changesSent } = this;
    const response = await sent;
    this.answered(call, response, changesSent);
    return response;
  };

  /** The base address of an interface, ends with a slash. */
  base(api: 'v1' | 'api'): string {
    const base = this.#profile[api];
    if (base === undefined)
      throw new Inconclusive(`the profile has no "${api}": add the base address`, 'configuration');
    return base;
  }

  /** A text that no other object has, beginning with the run's mark. */
  newMark(): string {
    this.#marks += 1;
    return `${markOf(this.run.run)}-${this.#marks}${this.#hexOf(MARK_BYTES)}`;
  }

  /** The first mark of this run in a text, or in the texts of an object; undefined without one. */
  markIn(value: unknown): string | undefined {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return new RegExp(`${markOf(this.run.run)}-[0-9a-z]+`).exec(text)?.[0];
  }

  /** A universally unique id that no object has. */
  newUuid(): string {
    const hex = this.#hexOf(16);
    // Version 4, variant 1 (RFC 9562).
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Milliseconds since 1970; in a replay those of the recording. */
  now(): number {
    return this.#options.clock?.now() ?? Date.now();
  }

  /** Waits; in a replay no time passes. */
  async sleep(ms: number): Promise<void> {
    await (this.#options.clock?.sleep ?? realSleep)(ms);
  }

  #hexOf(bytes: number): string {
    return Buffer.from((this.#options.prng ?? randomBytes)(bytes)).toString('hex');
  }

  /**
   * A value that must not be printed; it is redacted from now on. `from`: the credential of which it is a wrong copy, so that curl
   * commands derive it from that one.
   */
  secret(name: string, value: string, from?: Secret): Secret {
    if (from === undefined) this.#inUse.add(value);
    const shell = from === undefined ? undefined : derivationOf(from.name, from.reveal(), value);
    this.redaction.add({ name, value, shell });
    return new Secret(name, value);
  }

  /**
   * Whether a text is a credential of the profile, or one that the target handed out: a wrong copy of a credential must not be another one.
   */
  isInUse(text: string): boolean {
    return this.#inUse.has(text);
  }

  /** Notes the response to a call for session, locks and open sessions; `changesSent`: the count when the call was sent. */
  answered(call: ServiceRequest, response: ServiceResponse, changesSent?: number): void {
    this.lockouts.note(call, response);
    this.movedLogin.note(call, response);
    this.openSessions.note(call, response);
    this.session.answered(call, response, changesSent);
  }

  /**
   * Keeps the response to a Reseller read for checks that send the same read before anything is sent that may change it;
   * `changesSent`: the count when the call was sent.
   */
  keepReading(path: string, response: ServiceResponse, changesSent: number): void {
    this.#readings.keep(path, { response, changesSent, at: this.now() });
  }

  /** The latest response to a read; undefined if this process has sent something since that may have changed it. */
  readingOf(path: string): ServiceResponse | undefined {
    return this.#readings.of(path, { changesSent: this.changesSent, at: this.now() });
  }

  listener(): Promise<Listener> {
    const { host, port, publicUrl } = this.#profile.listen;
    this.#listener ??= this.#openListener({ host, port, publicUrl });
    return this.#listener;
  }

  /**
   * Why nothing can have arrived at the harness, as a sentence without its stop: its public address does not lead here. Not asked
   * before a check failed, since an address may lead here from elsewhere only; what has arrived shows that it does.
   */
  async unreached(): Promise<string | undefined> {
    const { publicUrl } = this.#profile.listen;
    const listener = publicUrl === undefined ? undefined : await this.#listener?.catch(() => undefined);
    if (listener === undefined || listener.hasReceived) return undefined;
    this.#notLeadingHere ??= whyNotLeadingHere(listener, this.#profile.limits.timeoutMs);
    const why = await this.#notLeadingHere;
    return why === undefined
      ? undefined
      : `"listen.publicUrl" in the profile, ${publicUrl}, does not lead to the harness (${why}), and nothing has arrived there: start the tunnel, or correct "listen"`;
  }

  /** The certificate of the listener, created before it listens so that the browser can trust it; undefined behind a tunnel. */
  #certificateOf(): Promise<ListenerCertificate | undefined> {
    const { host, publicUrl } = this.#profile.listen;
    this.#certificate ??= publicUrl === undefined ? listenerCertificate(host) : Promise.resolve(undefined);
    return this.#certificate;
  }

  async #openListener(options: ListenOptions): Promise<Listener> {
    return openListener({
      ...options,
      certificate: await this.#certificateOf(),
      onExchange: (received, url, reply) =>
        this.recorder.record({
          role: 'received',
          direction: 'received',
          at: received.at.getTime(),
          // The clock may have been put back meanwhile.
          durationMs: Math.max(0, Date.now() - received.at.getTime()),
          request: { method: received.method, url, headers: received.headers, body: received.body },
          response: {
            status: reply.status,
            headers: Object.entries(reply.headers ?? {}),
            ...(reply.body === undefined ? {} : { body: reply.body }),
          },
        }),
    }).catch((error: unknown) => {
      const reason = whyNotListening(error, this.#profile.listen);
      throw reason === undefined ? error : new Inconclusive(reason, 'configuration');
    });
  }

  /** Whether this process may have a browser. */
  get hasBrowser(): boolean {
    return this.#options.launchBrowser !== undefined;
  }

  /** A fresh browser context with the headers, proxy and certificates of the profile. */
  async browserContext(): Promise<BrowserContext> {
    const launch = this.#options.launchBrowser;
    if (launch === undefined) {
      throw new Inconclusive(
        'no browser is available: run `npx playwright install chromium`, or set PROOFMARK_BROWSER to a Chromium',
        'configuration',
      );
    }
    this.#browser ??= this.#certificateOf().then((own) => launch(own === undefined ? [] : [own.cert]));
    const context = await openBrowserContext(await this.#browser, this.#profile);
    watchAway(context, () => {
      this.pagesAway += 1;
    });
    return context;
  }

  /** Runs `close` when the process ends: after everything was put back, before browser and listener close. */
  atEnd(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    await this.kept.undoAll();
    for (const close of this.#closing.splice(0).reverse()) await close().catch(() => undefined);
    await (await this.#listener?.catch(() => undefined))?.close();
    await (await this.#browser?.catch(() => undefined))?.close();
    this.ledger.close();
    await this.client.close();
  }
}
