/** Undoes what a run did in the Reseller interface: settings, status, subscription, domains, the account's password. */
import { createHmac } from 'node:crypto';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { authorizeCall, Reseller, type Via } from '../../target/interfaces/reseller.ts';
import { isObject, isServed } from '../../target/response/judge-response.ts';
import { Secret } from '../../target/secrets/secret.ts';
import type { LedgerEntry } from '../ledger.ts';
import { CannotUndo, type CleanupResult, needed, served, type UndoTools } from './outcome.ts';

type Of<Kind extends LedgerEntry['kind']> = Extract<LedgerEntry, { kind: Kind }>;

export async function undoSettings(entry: Of<'reseller-settings'>, tools: UndoTools): Promise<CleanupResult> {
  const names = Object.keys(entry.old);
  const object = `account settings ${names.join(', ')}`;
  await withSession(tools, async (reseller) => {
    const pairs = Object.entries(entry.old).map(([name, value]) => [name, String(value)] as const);
    const answer = await byEither(tools, (via) => reseller.changeSettings(pairs, via));
    const now = await served(
      byEither(tools, (via) => reseller.readSettings(via)),
      'show the settings',
    );
    const settings = isObject(now.json) && isObject(now.json.settings) ? now.json.settings : now.json;
    const differ = names.filter(
      (name) => isObject(settings) && name in settings && String(settings[name] ?? '') !== String(entry.old[name]),
    );
    // A change that the target refused was never made, and then it may refuse to take it back: only what it shows counts.
    const isShown = isObject(settings) && names.every((name) => name in settings);
    if (!isServed(answer) && (!isShown || differ.length > 0))
      await served(Promise.resolve(answer), 'take back the old settings');
    if (differ.length > 0)
      throw new CannotUndo(`the settings ${differ.join(', ')} still have another value: correct them in the account`);
  });
  return { outcome: 'restored', object };
}

/**
 * A service may refuse to enable a website that is enabled already, and what it says then is its own affair: so it is switched
 * the other way and back. Only a service that takes both is believed.
 */
export async function undoStatus(entry: Of<'website-status'>, tools: UndoTools): Promise<CleanupResult> {
  const [verb, opposite] =
    entry.old === 'enabled' ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const);
  await withSession(tools, async (reseller) => {
    const switched = (to: 'enable' | 'disable') =>
      byEither(tools, (via) => reseller[`${to}Website`](entry.website, via));
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

/** What services answer to a call that has nothing left to do: never 401, 429 or a 5XX. */
const REFUSALS_OF_REPEATS: ReadonlySet<number> = new Set([400, 403, 404, 406, 409, 410, 412, 422]);

/** Only a website without a subscription is ever upgraded, so the old state has none. */
export async function undoPremium(entry: Of<'website-premium'>, tools: UndoTools): Promise<CleanupResult> {
  await withSession(tools, async (reseller) => {
    const answer = await byEither(tools, (via) => reseller.disablePremium(entry.website, via));
    if (isServed(answer) || (await isPremium(entry.website, reseller, tools)) === false) return;
    throw new CannotUndo(
      `the target refused to stop the paid subscription of website ${entry.website} (status ${answer.status}): stop it in the account, it costs money`,
    );
  });
  return { outcome: 'restored', object: `subscription of website ${entry.website}` };
}

export async function undoDomain(entry: Of<'domain'>, tools: UndoTools): Promise<CleanupResult> {
  const object = `domain ${entry.domain} of website ${entry.website}`;
  await withSession(tools, async (reseller) => {
    const answer = await served(
      byEither(tools, (via) => reseller.listDomains(entry.website, via)),
      `list the domains of website ${entry.website}`,
    );
    const domains = isObject(answer.json) && Array.isArray(answer.json.domains) ? answer.json.domains : [];
    const wanted = entry.domain.toLowerCase();
    for (const one of domains) {
      // By name: an id that was given again belongs to somebody else's domain by now.
      if (!isObject(one) || typeof one.domain !== 'string' || one.domain.toLowerCase() !== wanted) continue;
      await served(
        byEither(tools, (via) => reseller.removeDomain(entry.website, Number(one.domainID), via)),
        `remove the domain ${entry.domain}`,
      );
    }
  });
  return { outcome: 'removed', object };
}

/**
 * The password that a run sets for a while. It is derived from the old one, so that it need not be written down and a crash
 * can be repaired; whoever has the old one can compute it. 24 characters: upper and lower case, digits, a `-`.
 */
export function temporaryPassword(old: Secret, run: string): string {
  return `Pm1-${lettersOf(old, run)}`;
}

/** The same without a sign, for a service that takes letters and digits only. */
export function plainTemporaryPassword(old: Secret, run: string): string {
  return `Pm1x${lettersOf(old, run)}`;
}

/** Few services want more than 12 characters, and some take no more. */
const TEMPORARY_LETTERS = 8;

function lettersOf(old: Secret, run: string): string {
  const digest = createHmac('sha256', old.reveal()).update(`proofmark temporary password ${run}`).digest('base64url');
  return digest.replaceAll(/[-_]/g, 'x').slice(0, TEMPORARY_LETTERS);
}

/** Sets the old password again, if the account has the temporary one. */
export async function undoPassword(tools: UndoTools): Promise<CleanupResult> {
  const object = 'password of the reseller account';
  const email = needed(tools.profile.reseller?.email, 'reseller.email');
  const old = needed(tools.profile.reseller?.password, 'reseller.password');
  const withOld = await login(email, old, tools);
  const forms = [temporaryPassword(old, tools.run), plainTemporaryPassword(old, tools.run)];
  // A service may take the old one and the new one: then it has the new one all the same.
  let token: Secret | undefined;
  for (const form of forms) token ??= await login(email, new Secret('TEMPORARY_PASSWORD', form), tools);
  if (withOld !== undefined && token === undefined) {
    await tools.send(new Reseller(withOld).logOut());
    return { outcome: 'restored', object };
  }
  const recover = `The account still has the temporary password of run ${tools.run}: reset it through the service's own page, or run proofmark sweep ${tools.run} again`;
  if (token === undefined) {
    throw new CannotUndo(
      `neither the old nor the temporary password is accepted. Check reseller.email and reseller.password in the profile, then run proofmark sweep ${tools.run} again`,
    );
  }
  const changed = await byEither(tools, (via) => new Reseller(token).changePassword(old, via));
  if (!isServed(changed))
    throw new CannotUndo(`the target refused to take back the old password (status ${changed.status}). ${recover}`);
  if ((await login(email, old, tools)) === undefined)
    throw new CannotUndo(`the old password is not accepted after it was set again. ${recover}`);
  return { outcome: 'restored', object };
}

/** A service that refuses one of the two ways must not keep a change because of that. */
async function byEither(tools: UndoTools, build: (via: Via) => ServiceRequest): Promise<ServiceResponse> {
  const byPost = await tools.send(build('POST'));
  if (isServed(byPost)) return byPost;
  const byGet = await tools.send(build('GET'));
  return isServed(byGet) ? byGet : byPost;
}

/** With the session that is open already, else with one of our own that is ended afterwards. */
async function withSession<T>(tools: UndoTools, use: (reseller: Reseller) => Promise<T>): Promise<T> {
  if (tools.token !== undefined) return use(new Reseller(await tools.token()));
  const { email, password } = tools.profile.reseller ?? {};
  const token = await login(needed(email, 'reseller.email'), needed(password, 'reseller.password'), tools);
  if (token === undefined)
    throw new CannotUndo('the reseller could not log in: check reseller.email and reseller.password in the profile');
  const reseller = new Reseller(token);
  try {
    return await use(reseller);
  } finally {
    await tools.send(reseller.logOut()).catch(() => undefined);
  }
}

async function login(email: Secret, password: Secret, tools: UndoTools): Promise<Secret | undefined> {
  const answer = await byEither(tools, (via) => authorizeCall(email, password, via));
  const token = isServed(answer) && isObject(answer.json) ? answer.json.apiToken : undefined;
  return typeof token === 'string' && token !== '' ? new Secret('API_TOKEN', token) : undefined;
}

async function isPremium(website: number, reseller: Reseller, tools: UndoTools): Promise<boolean | undefined> {
  const answer = await byEither(tools, (via) => reseller.listWebsites(via));
  const websites = isObject(answer.json) && Array.isArray(answer.json.websites) ? answer.json.websites : [];
  const record = websites.find((one) => isObject(one) && one.websiteID === website);
  return isObject(record) && typeof record.websiteIsPremium === 'boolean' ? record.websiteIsPremium : undefined;
}
