/** Undoes what a run did in the Reseller interface: settings, status, subscription, domains, the account's password. */
import { isSameDomain } from '../../../../contracts/fields/domain-names.ts';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../../../contracts/json/record-ids.ts';
import { Inconclusive } from '../../../check/failures.ts';
import { NoResponse } from '../../../target/client/no-response.ts';
import type { ServiceRequest } from '../../../target/client/request.ts';
import type { ServiceResponse } from '../../../target/client/types.ts';
import type { Json } from '../../../target/interfaces/delivery.ts';
import { authorizeCall, Reseller, type Via } from '../../../target/interfaces/reseller.ts';
import { isRefused, isServed } from '../../../target/response/judge-response.ts';
import { Secret } from '../../../target/secrets/secret.ts';
import type { LedgerEntry } from '../../ledger.ts';
import { CannotUndo, type CleanupResult, needed, served, type UndoTools } from '../outcome.ts';
import { TEMPORARY_FORMS } from './temporary-passwords.ts';

type Of<Kind extends LedgerEntry['kind']> = Extract<LedgerEntry, { kind: Kind }>;

/** Sets account settings back to their old values, as far as they differ now. */
export async function undoSettings(entry: Of<'reseller-settings'>, tools: UndoTools): Promise<CleanupResult> {
  const names = Object.keys(entry.old);
  const object = `account settings ${names.join(', ')}`;
  await withSession(tools, async (session) => {
    const pairs = Object.entries(entry.old).map(([name, value]) => [name, String(value)] as const);
    const show = (reseller: Reseller, via: Via) => reseller.readSettings(via);
    // A check that set them back, and saw it, leaves nothing to do.
    if (tools.calls?.hasSetBack(entry.old) === true) {
      const shown = session.known(show) ?? (await session.ask(show));
      if (isServed(shown) && showsAll(shown, entry.old)) return;
    }
    const response = await session.ask((reseller, via) => reseller.changeSettings(pairs, via));
    // A service may take one setting in a call, and one refused text must not keep the others from being restored.
    if (!isServed(response) && pairs.length > 1)
      for (const pair of pairs) await session.ask((reseller, via) => reseller.changeSettings([pair], via));
    const read = async () => settingsIn(await served(session.ask(show), 'show the settings'));
    const notBackIn = (settings: unknown): string[] =>
      names.filter(
        (name) =>
          isJsonObject(settings) && name in settings && String(settings[name] ?? '') !== String(entry.old[name]),
      );
    let settings = await read();
    let differ = notBackIn(settings);
    // One that serves a call with several of them may have applied only some.
    if (isServed(response) && pairs.length > 1 && differ.length > 0) {
      for (const name of differ)
        await session.ask((reseller, via) => reseller.changeSettings([[name, String(entry.old[name])]], via));
      settings = await read();
      differ = notBackIn(settings);
    }
    // A change that the target refused was never made, and then it may refuse to take it back: only what it shows counts.
    const isShown = isJsonObject(settings) && names.every((name) => name in settings);
    if (!isServed(response) && (!isShown || differ.length > 0))
      await served(Promise.resolve(response), 'restore the old settings');
    if (differ.length > 0)
      throw new CannotUndo(`the settings ${differ.join(', ')} still have another value: correct them in the account`);
  });
  return { outcome: 'restored', object };
}

const settingsIn = ({ json }: ServiceResponse): unknown =>
  isJsonObject(json) && isJsonObject(json.settings) ? json.settings : json;

/** Whether a response shows each of these settings with this text. */
function showsAll(response: ServiceResponse, old: Readonly<Record<string, unknown>>): boolean {
  const settings = settingsIn(response);
  return (
    isJsonObject(settings) &&
    Object.entries(old).every(([name, text]) => name in settings && String(settings[name] ?? '') === String(text))
  );
}

/**
 * A service may refuse to enable a website that is enabled already, and what it says then is its own affair: so it is switched
 * the other way and back. Only a service that takes both is believed.
 */
export async function undoStatus(entry: Of<'website-status'>, tools: UndoTools): Promise<CleanupResult> {
  const [verb, opposite] =
    entry.old === 'enabled' ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const);
  await withSession(tools, async (session) => {
    const switched = (to: 'enable' | 'disable') =>
      session.ask((reseller, via) => reseller[`${to}Website`](entry.website, via));
    const first = await switched(verb);
    if (isServed(first)) return;
    // Anything else than "no, not that" may be a service in trouble, and no reason to switch off what may be on.
    const isRepeated = REFUSALS_OF_REPEATS.has(first.status) && isServed(await switched(opposite));
    const again = isRepeated ? await switched(verb) : first;
    if (isServed(again)) return;
    throw new CannotUndo(
      `the target refused to ${verb} website ${entry.website} again (status ${again.status}): ${verb} it in the account`,
    );
  });
  return { outcome: 'restored', object: `status of website ${entry.website}` };
}

/** A service may end a subscription in the background. */
const ENDS_LATER_MS = 1_000;

/** Statuses with which services respond to a call that has nothing left to do: never 401, 429 or a 5XX. */
const REFUSALS_OF_REPEATS: ReadonlySet<number> = new Set([400, 403, 404, 406, 409, 410, 412, 422]);

/**
 * Only a website without a subscription is ever upgraded, so the old state has none. A subscription costs money: that the target
 * accepted its end is not enough, the list has to show that it has ended.
 */
export async function undoPremium(entry: Of<'website-premium'>, tools: UndoTools): Promise<CleanupResult> {
  await withSession(tools, async (session) => {
    const stop = () => session.ask((reseller, via) => reseller.disablePremium(entry.website, via));
    // A check that stopped it leaves only to be seen that it has ended.
    if (tools.hasStopped?.(entry.website) === true && (await isPremium(entry.website, session)) === false) return;
    const response = await stop();
    const isLeft = await isPremium(entry.website, session);
    if (isLeft === false || (isServed(response) && isLeft === undefined)) return;
    if (isServed(response)) {
      await tools.sleep(ENDS_LATER_MS);
      if ((await isPremium(entry.website, session)) !== true) return;
      throw new CannotUndo(
        `the target accepted the end of the paid subscription of website ${entry.website} and still shows it: look in the account whether it ends by itself, since it costs money`,
      );
    }
    throw new CannotUndo(
      `the target refused to stop the paid subscription of website ${entry.website} (status ${response.status}): stop it in the account, since it costs money`,
    );
  });
  return { outcome: 'restored', object: `subscription of website ${entry.website}` };
}

/** Removes a domain that the run has attached. */
export async function undoDomain(entry: Of<'domain'>, tools: UndoTools): Promise<CleanupResult> {
  const object = `domain ${entry.domain} of website ${entry.website}`;
  await withSession(tools, async (session) => {
    const list = (reseller: Reseller, via: Via) => reseller.listDomains(entry.website, via);
    const known = namedIn(session.known(list), entry.domain);
    // One that a list does not show yet may be there by now.
    const found =
      known.length > 0
        ? known
        : namedIn(await served(session.ask(list), `list the domains of website ${entry.website}`), entry.domain);
    // By name: an id that was given again belongs to another domain by now.
    for (const one of found) {
      const id = recordId(one, 'domainID');
      if (id === undefined)
        throw new CannotUndo(`the list shows ${entry.domain} without a domainID: remove it in the account`);
      await served(
        session.ask((reseller, via) => reseller.removeDomain(entry.website, id, via)),
        `remove the domain ${entry.domain}`,
      );
    }
  });
  return { outcome: 'removed', object };
}

/** The records of a list of domains that carry a name. */
function namedIn(response: ServiceResponse | undefined, name: string): Json[] {
  const listed = isJsonObject(response?.json) && Array.isArray(response.json.domains) ? response.json.domains : [];
  return listed.filter(isJsonObject).filter(({ domain }) => typeof domain === 'string' && isSameDomain(domain, name));
}

/** Sets the old password again, if the account has the temporary one. */
export async function undoPassword(tools: UndoTools): Promise<CleanupResult> {
  const object = 'password of the reseller account';
  const email = needed(tools.profile.reseller?.email, 'reseller.email');
  const old = needed(tools.profile.reseller?.password, 'reseller.password');
  const found = await presentPassword(email, old, tools);
  const recover = `The account still has the temporary password of run ${tools.run}: reset it through the service's own page, or run proofmark sweep ${tools.run} again`;
  if (found === undefined) {
    if (await restoredInOpenSession(email, old, tools)) return { outcome: 'restored', object };
    throw new CannotUndo(
      `neither the old nor the temporary password is accepted. Check reseller.email and reseller.password in the profile, wait if the service locks logins for a while, then run proofmark sweep ${tools.run} again`,
    );
  }
  const { password, session } = found;
  if (password === old) {
    await session.close();
    return { outcome: 'restored', object };
  }
  let changed = await session.ask((reseller, via) => reseller.changePassword(old, via));
  if (isRefused(changed) === 'refused') changed = (await setAfterOthers(email, old, password, tools)) ?? changed;
  const isBack = isServed(changed)
    ? await isAccepted(email, old, tools)
    : (await login(email, old, tools)) !== undefined;
  if (isBack) return { outcome: 'restored', object };
  if (!isServed(changed))
    throw new CannotUndo(`the target refused to restore the old password (status ${changed.status}). ${recover}`);
  throw new CannotUndo(`the old password is not accepted after it was set again. ${recover}`);
}

/**
 * Sets the old password again after others of the run: a service may refuse the last few passwords of an account. `undefined` where it
 * takes none of them either. All of them are known to a later sweep.
 */
async function setAfterOthers(
  email: Secret,
  old: Secret,
  present: Secret,
  tools: UndoTools,
): Promise<ServiceResponse | undefined> {
  let set: ServiceResponse | undefined;
  let password = present;
  const { usual, plain, long, awkward } = TEMPORARY_FORMS;
  for (const form of [usual, plain, long, awkward]) {
    const next = new Secret('TEMPORARY_PASSWORD', form(old, tools.run));
    const token = next.reveal() === present.reveal() ? undefined : await login(email, password, tools);
    if (token === undefined) continue;
    const change = (to: Secret, session: CleanupSession) =>
      session.ask((reseller, via) => reseller.changePassword(to, via));
    if (!isServed(await change(next, new CleanupSession(token, tools)))) continue;
    password = next;
    const after = await login(email, next, tools);
    if (after === undefined) return set;
    set = await change(old, new CleanupSession(after, tools));
    if (isRefused(set) !== 'refused') return set;
  }
  return set;
}

/**
 * Sets the old password again in the session that the run still has: the target may have stored another text than it was sent, or
 * may limit logins. Returns whether the old password is accepted then.
 */
async function restoredInOpenSession(email: Secret, old: Secret, tools: UndoTools): Promise<boolean> {
  const token = await tools.token?.().catch((error: unknown) => {
    if (!(error instanceof Inconclusive || error instanceof NoResponse)) throw error;
  });
  if (token === undefined) return false;
  const changed = await new CleanupSession(token, tools).ask((reseller, via) => reseller.changePassword(old, via));
  return isServed(changed) && isAccepted(email, old, tools);
}

/**
 * The present password of the account (the old one or one of the run), with a session. A service may accept both an old and a new
 * password; the new one then counts as present. Few wrong passwords are sent, since a service may lock the account after some: the
 * second way to log in is tried only if the first one failed.
 */
async function presentPassword(
  email: Secret,
  old: Secret,
  tools: UndoTools,
): Promise<{ readonly password: Secret; readonly session: CleanupSession } | undefined> {
  const temporary = Object.values(TEMPORARY_FORMS).map(
    (form) => new Secret('TEMPORARY_PASSWORD', form(old, tools.run)),
  );
  // Each wrong login may count: the last five are rarely needed, and nor is what the run never tried to set.
  const wasSent = (password: Secret, at: number): boolean => tools.calls?.passwords.has(password.reveal()) ?? at < 2;
  const first = temporary.filter(wasSent);
  const passwords = [...first, old, ...temporary.filter((password) => !first.includes(password))];
  let gone: NoResponse | undefined;
  for (const via of VIAS) {
    for (const password of passwords) {
      const response = await tools.send(authorizeCall(email, password, via)).catch((error: unknown) => {
        // A service may slow down wrong logins only: the next one may be right.
        if (!(error instanceof NoResponse) || error.attribution !== 'configuration') throw error;
        gone ??= error;
      });
      const token = response === undefined ? undefined : tokenIn(response);
      if (token === undefined) continue;
      const again = async (): Promise<Secret | undefined> =>
        tokenIn(await tools.send(authorizeCall(email, password, via)));
      return { password, session: new CleanupSession(token, tools, again) };
    }
  }
  if (gone !== undefined) throw gone;
  return undefined;
}

/** Pauses before a login is tried again that was refused where it must work: a service may lock logins for a moment. */
const LOGIN_PAUSES_MS = [1_000, 3_000];

async function isAccepted(email: Secret, password: Secret, tools: UndoTools): Promise<boolean> {
  for (const pause of LOGIN_PAUSES_MS) {
    if (await opensSession(email, password, tools)) return true;
    await tools.sleep(pause);
  }
  return opensSession(email, password, tools);
}

async function opensSession(email: Secret, password: Secret, tools: UndoTools): Promise<boolean> {
  const token = await login(email, password, tools);
  if (token !== undefined) tools.keepSession?.(token);
  return token !== undefined;
}

const VIAS = ['POST', 'GET'] as const satisfies readonly Via[];

/** A service that refuses one of the two ways must not keep a change because of that. */
async function byEither(tools: UndoTools, build: (via: Via) => ServiceRequest): Promise<ServiceResponse> {
  const byPost = await tools.send(build('POST'));
  if (isServed(byPost)) return byPost;
  const byGet = await tools.send(build('GET'));
  return isServed(byGet) ? byGet : byPost;
}

/**
 * A session in which something is put back. A token may end at any time, and its refusal looks like any other: what is refused is
 * tried once more in a new session, before anything is concluded from it.
 */
class CleanupSession {
  #token: Secret;
  readonly #tools: UndoTools;
  /** Logs in again; undefined where the one who sends the calls sees to it. */
  readonly #again: (() => Promise<Secret | undefined>) | undefined;

  constructor(token: Secret, tools: UndoTools, again?: () => Promise<Secret | undefined>) {
    this.#token = token;
    this.#tools = tools;
    this.#again = again;
  }

  /** Sends a call by either way, and again with a new token where both are refused. */
  async ask(build: (reseller: Reseller, via: Via) => ServiceRequest): Promise<ServiceResponse> {
    const send = () => byEither(this.#tools, (via) => build(new Reseller(this.#token), via));
    const response = await send();
    if (isServed(response)) return response;
    const token = await this.#again?.();
    if (token === undefined) return response;
    this.#token = token;
    return send();
  }

  /** The response to a reading call, where the run has it and has sent nothing since that may have changed it. */
  known(build: (reseller: Reseller, via: Via) => ServiceRequest): ServiceResponse | undefined {
    return this.#tools.readingOf?.(build(new Reseller(this.#token), 'POST').path);
  }

  /** Hands the session on, or ends it. */
  async close(): Promise<void> {
    if (this.#tools.keepSession === undefined) await this.end();
    else this.#tools.keepSession(this.#token);
  }

  /** Ends the session; one that has ended already is as good. */
  async end(): Promise<void> {
    await this.#tools.send(new Reseller(this.#token).logOut()).catch(() => undefined);
  }
}

/** With the session that is open already, else with one of our own that is ended afterwards. */
async function withSession<T>(tools: UndoTools, use: (session: CleanupSession) => Promise<T>): Promise<T> {
  if (tools.token !== undefined) return use(new CleanupSession(await tools.token(), tools));
  const { email, password } = tools.profile.reseller ?? {};
  const logIn = () => login(needed(email, 'reseller.email'), needed(password, 'reseller.password'), tools);
  const token = await logIn();
  if (token === undefined)
    throw new CannotUndo('the reseller could not log in: check reseller.email and reseller.password in the profile');
  const session = new CleanupSession(token, tools, logIn);
  try {
    return await use(session);
  } finally {
    await session.end();
  }
}

const login = async (email: Secret, password: Secret, tools: UndoTools): Promise<Secret | undefined> =>
  tokenIn(await byEither(tools, (via) => authorizeCall(email, password, via)));

function tokenIn(response: ServiceResponse): Secret | undefined {
  const token = isServed(response) && isJsonObject(response.json) ? response.json.apiToken : undefined;
  return typeof token === 'string' && token !== '' ? new Secret('API_TOKEN', token) : undefined;
}

async function isPremium(website: RecordId, session: CleanupSession): Promise<boolean | undefined> {
  const response = await session.ask((reseller, via) => reseller.listWebsites(via));
  const websites = isJsonObject(response.json) && Array.isArray(response.json.websites) ? response.json.websites : [];
  const record = websites.find((one) => isJsonObject(one) && recordId(one, 'websiteID') === website);
  return isJsonObject(record) && typeof record.websiteIsPremium === 'boolean' ? record.websiteIsPremium : undefined;
}
