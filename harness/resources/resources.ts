/**
 * What the checks of one process share: the client, the ledger, one reseller session, one browser, one listener.
 * Each is made when it is first asked for.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as realSleep } from 'node:timers/promises';
import type { Browser, BrowserContext } from '@playwright/test';
import { watchAway } from '../browser/away-watch.ts';
import { openBrowserContext } from '../browser/browser-context.ts';
import type { LaunchBrowser } from '../browser/launch.ts';
import type { StepRecorder } from '../browser/steps/step-recorder.ts';
import { type Send, summary } from '../check/expect.ts';
import { Inconclusive } from '../check/failures.ts';
import type { Ledger } from '../cleanup/ledger.ts';
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
import { authorizeCall } from '../target/interfaces/reseller.ts';
import { carriesToken, SessionRenewal } from '../target/interfaces/session-renewal.ts';
import {
  type Listener,
  type ListenerCertificate,
  type ListenOptions,
  listenerCertificate,
  openListener,
} from '../target/listener/index.ts';
import { createReach, type Reach } from '../target/network/reach.ts';
import { requestOf } from '../target/network/wire.ts';
import type { Profile } from '../target/profile/types.ts';
import { isObject, isRefused, isServed } from '../target/response/judge-response.ts';
import { Secret } from '../target/secrets/secret.ts';
import { AccountReadings } from './account-readings.ts';
import { recheckRefusal } from './recheck-refusal.ts';
import { markOf, type RunInfo } from './run-info.ts';

export interface ResourceOptions {
  readonly profile: Profile;
  readonly run: RunInfo;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly redaction: Redaction;
  readonly recorder: Recorder;
  readonly driver: TargetDriver | undefined;
  /** Starts the browser; its version of a missing one is a sentence. */
  readonly launchBrowser?: LaunchBrowser;
  /** Keeps pictures and traces of browser steps that failed; without it none are kept. */
  readonly steps?: StepRecorder | undefined;
  /** Bytes for marks and ids: random, unless the run has to be repeated exactly. */
  readonly prng?: (count: number) => Uint8Array;
  /** Time as it passes for the run; the real one by default. */
  readonly clock?: Clock;
}

const LOGOUT = 'authorize/logout/';

/** Enough that no two marks of a run are alike, whichever worker gives them. */
const MARK_BYTES = 4;

/** A token that was served this recently is taken for good; sessions that end sooner are renewed in mid-check. */
const TOKEN_TRUSTED_MS = 10_000;

export class Resources {
  readonly profile: Profile;
  readonly run: RunInfo;
  readonly client: Client;
  /** How many requests this process has sent that may change something: what was read is good until there is another one. */
  changesSent = 0;
  readonly #readings = new AccountReadings();
  readonly ledger: Ledger;
  readonly redaction: Redaction;
  readonly recorder: Recorder;
  readonly driver: TargetDriver;
  readonly steps: StepRecorder | undefined;
  /** Which addresses that the target hands out are followed. */
  readonly reach: Reach;
  /** What the checks of this process share on the target; put back by `close`, and in the report through its notes. */
  readonly kept: CleanupScope;
  /** What is known of the tokens that the shared Reseller session had. */
  readonly renewal = new SessionRenewal();
  /** Whether the target may have locked this process out, after wrong credentials that checks have sent. */
  readonly lockouts = new Lockouts();
  /** What the target has served in this process. */
  readonly operations = new Operations();
  /** Set while the account has another password than the profile: one of the run, which the target does not let go. */
  passwordLost: string | undefined;
  readonly #closing: (() => Promise<unknown>)[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #options: ResourceOptions;
  #marks = 0;
  #token: Secret | undefined;
  /** The token of the session that was set aside last; a check may have ended it. */
  #former: Secret | undefined;
  /** A token that was logged out here. What shows whether a token is good may be served without one. */
  #loggedOut: Secret | undefined;
  /** The way to send of the check that was last given the token. */
  #tokenGoodFor: Send | undefined;
  /** When the target last served a call with the token, in milliseconds since 1970. */
  #tokenServedAt = Number.NEGATIVE_INFINITY;
  /** `changesSent` when that call went out. */
  #tokenServedAfter = Number.NaN;
  #listener: Promise<Listener> | undefined;
  #browser: Promise<Browser> | undefined;
  /** Pages of the browser that got no answer of their server. */
  pagesAway = 0;
  #certificate: Promise<ListenerCertificate | undefined> | undefined;

  constructor(options: ResourceOptions) {
    this.profile = effectiveProfile(options.profile, options.run.unusable);
    this.run = options.run;
    this.client = this.#counting(options.client);
    this.ledger = options.ledger;
    this.redaction = options.redaction;
    this.recorder = options.recorder;
    this.driver = options.driver ?? {};
    this.steps = options.steps;
    const { v1, api, website, proxy } = this.profile;
    const own = [v1, api, ...Object.values(website?.pages ?? {})].filter((base) => base !== undefined);
    this.reach = createReach({ own: () => own, throughProxy: proxy !== undefined });
    this.#options = options;
    this.kept = new CleanupScope(this, this.send);
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
      notices: () => client.notices(),
      close: () => client.close(),
    };
  }

  /** Waits until no call is under way. */
  async allArrived(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /** Sends a call that belongs to no check. */
  readonly send: Send = async (call, role = 'request') => {
    const current = this.renewal.current(call, this.#token);
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
    const base = this.profile[api];
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

  /** A universally unique id that was never given out. */
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
   * A value that must not be printed, known to the redaction from now on. `from`: the credential of which it is a wrong copy,
   * so that commands make it of that.
   */
  secret(name: string, value: string, from?: Secret): Secret {
    const shell = from === undefined ? undefined : derivationOf(from.name, from.reveal(), value);
    this.redaction.add({ name, value, shell });
    return new Secret(name, value);
  }

  /**
   * The token of the one reseller session of this process: a second login may legally end the first token, so every check
   * shares it. `forgetToken` after a check that logged in or out by itself: then the session goes on if it is still good, because a
   * service may limit logins. How long a token is good is the target's own
   * affair, and another user may log in meanwhile: a check that goes on with a token that was not served lately asks first
   * whether it still is.
   */
  async token(send: Send): Promise<Secret> {
    const isFresh = this.now() - this.#tokenServedAt < TOKEN_TRUSTED_MS;
    if (this.#token !== undefined && this.#tokenGoodFor !== send && !isFresh) {
      if (!(await this.renewal.isGood(this.#token, send))) {
        this.forgetToken();
        this.#former = undefined;
      }
    }
    this.#tokenGoodFor = send;
    if (this.#token !== undefined) return this.#token;
    this.givenPassword();
    const former = this.#former;
    this.#former = undefined;
    if (former !== undefined && this.#isJustProven()) {
      this.#token = former;
      return former;
    }
    if (former !== undefined && (await this.renewal.isGood(former, send))) {
      this.#token = former;
      this.tokenAnswered(true);
      return former;
    }
    const { email, password } = this.profile.reseller ?? {};
    if (email === undefined || password === undefined) {
      throw new Inconclusive('the profile has no "reseller.email" and "reseller.password": add them', 'configuration');
    }
    const response = await byGetOrPost(send, email, password);
    const token = isServed(response) && isObject(response.json) ? response.json.apiToken : undefined;
    if (typeof token !== 'string' || token === '') {
      throw new Inconclusive(
        `the reseller could not log in (${summary(response)}): check reseller.email and reseller.password`,
        'configuration',
      );
    }
    return this.takeToken(token);
  }

  /**
   * The same for a check whose next call only needs to be served: that call shows whether the session is still good, and goes out again
   * in a new one where it is not.
   */
  async tokenUnasked(send: Send): Promise<Secret> {
    if (this.#token === undefined && this.#former !== undefined) {
      this.givenPassword();
      this.#token = this.#former;
      this.#former = undefined;
      // `token` asks before it hands it on.
      if (!this.#isJustProven()) this.tokenAnswered(false);
      this.#tokenGoodFor = undefined;
    }
    return this.#token ?? this.token(send);
  }

  /** Goes on with a session that was opened this moment. */
  takeToken(token: string): Secret {
    this.#token = this.secret('API_TOKEN', token);
    this.tokenAnswered(true);
    return this.#token;
  }

  /** Whether the session was in order a moment ago, and this process has sent nothing since that could end one. */
  #isJustProven(): boolean {
    return this.#tokenServedAfter === this.changesSent && this.now() - this.#tokenServedAt < TOKEN_TRUSTED_MS;
  }

  /** States that the account has the password of the profile: else a refused login says nothing about the target. */
  givenPassword(): void {
    if (this.passwordLost === undefined) return;
    throw new Inconclusive(`the reseller's password does not log in: ${this.passwordLost}`, 'configuration');
  }

  forgetToken(): void {
    if (this.#token !== undefined) this.#former = this.#token === this.#loggedOut ? undefined : this.#token;
    this.#token = undefined;
    this.renewal.forget();
  }

  /** Notes how a call was answered, for what is known of the session and of locks; `changesSent` when the call had gone out. */
  answered(call: ServiceRequest, response: ServiceResponse, changesSent?: number): void {
    this.lockouts.note(call, response);
    if (call.path === LOGOUT && isServed(response)) {
      if (carriesToken(call, this.#token)) this.#loggedOut = this.#token;
      if (carriesToken(call, this.#former)) this.#former = undefined;
    }
    if (!carriesToken(call, this.#token)) return;
    if (isServed(response)) this.renewal.served(call);
    this.tokenAnswered(isServed(response), changesSent);
  }

  /** Notes how a call with the present token was answered: a refusal makes the next check ask whether the token is still good. */
  tokenAnswered(isServed: boolean, changesSent = this.changesSent): void {
    this.#tokenServedAt = isServed ? this.now() : Number.NEGATIVE_INFINITY;
    this.#tokenServedAfter = changesSent;
  }

  /**
   * Keeps the response to a reading call of Reseller for those who ask the same before anything is sent that may change it;
   * `changesSent` as it was when the call went out.
   */
  keepReading(path: string, response: ServiceResponse, changesSent: number): void {
    this.#readings.keep(path, { response: response, changesSent, at: this.now() });
  }

  /** The response that came last, where this process has sent nothing since that may have changed it. */
  readingOf(path: string): ServiceResponse | undefined {
    return this.#readings.of(path, { changesSent: this.changesSent, at: this.now() });
  }

  /** The token of the shared session as it is now, without asking for one. */
  get presentToken(): Secret | undefined {
    return this.#token;
  }

  /** Logs in again after the shared token ended; undefined where that is refused, so that the first response counts. */
  async renewToken(send: Send): Promise<Secret | undefined> {
    const ended = this.#token;
    const { email, password } = this.profile.reseller ?? {};
    if (ended === undefined || email === undefined || password === undefined) return undefined;
    if (this.passwordLost !== undefined) return undefined;
    const response = await byGetOrPost(send, email, password);
    const token = isServed(response) && isObject(response.json) ? response.json.apiToken : undefined;
    if (typeof token !== 'string' || token === '') return undefined;
    this.renewal.ended(ended);
    this.#token = this.secret('API_TOKEN', token);
    return this.#token;
  }

  listener(): Promise<Listener> {
    const { host, port, publicUrl } = this.profile.listen;
    this.#listener ??= this.#openListener({ host, port, publicUrl });
    return this.#listener;
  }

  /** The certificate of the listener, known before it listens, so that the browser can take it; none behind a tunnel. */
  #certificateOf(): Promise<ListenerCertificate | undefined> {
    const { host, publicUrl } = this.profile.listen;
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
    });
  }

  /** A fresh browser context, with the ways of the profile to reach the target. */
  async browserContext(): Promise<BrowserContext> {
    const launch = this.#options.launchBrowser;
    if (launch === undefined) {
      throw new Inconclusive(
        'no browser is available: run `npx playwright install chromium`, or set PROOFMARK_BROWSER to a Chromium',
        'configuration',
      );
    }
    this.#browser ??= this.#certificateOf().then((own) => launch(own === undefined ? [] : [own.cert]));
    const context = await openBrowserContext(await this.#browser, this.profile);
    watchAway(context, () => {
      this.pagesAway += 1;
    });
    return context;
  }

  /** Has something done when the process ends: after everything was put back, before browser and listener go. */
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

/** Logs in by POST, and by GET where a POST is refused: that both work has checks of its own. */
async function byGetOrPost(send: Send, email: Secret, password: Secret): Promise<ServiceResponse> {
  const byPost = await send(authorizeCall(email, password), 'login');
  if (isServed(byPost)) return byPost;
  const byGet = await send(authorizeCall(email, password, 'GET'), 'login');
  return isServed(byGet) ? byGet : byPost;
}
