// The reseller interface: every call by GET or POST, with parameters in the query or the body.
import {
  json,
  parameters,
  Refusal,
  type Route,
  route,
  type ServiceRequest,
  type ServiceResponse,
  sameSecret,
} from '../server/http.ts';
import { nextNumber, type Reseller, type ResellerWebsite, secret, timestamp, type World } from '../state.ts';

interface ResellerContext {
  world: World;
  given: Map<string, string>;
  /** The reseller of the token; only authorize works without a token. */
  reseller: Reseller | null;
}

type SignedIn = ResellerContext & { reseller: Reseller };
type Action = (context: SignedIn, captured: string[]) => ServiceResponse;

/** The settings that the set call accepts; all others are the operator's. */
const CHANGEABLE = ['contactName', 'contactPhone', 'supportEmail', 'supportPhone', 'buyLink', 'termsLink'];
const MIN_PASSWORD_CHARACTERS = 6;
/** What a started subscription costs; the balance may go below zero. */
const PRICE_CENTS = { premium: 500, premiumplus: 900 };

const refused = (message: string) => new Refusal(422, 1017, message);

/** A new login ends the previous token. */
function authorize({ world, given }: ResellerContext): ServiceResponse {
  const [email, password] = [given.get('email') ?? '', given.get('password') ?? ''];
  let found: Reseller | null = null;
  for (const reseller of world.resellers) {
    const known = sameSecret(reseller.email, email);
    if (sameSecret(reseller.password, password) && known) found = reseller;
  }
  if (!found) throw new Refusal(401, 401, 'Unauthorized');
  if (!found.approved) throw new Refusal(403, 1009, 'This account is not an approved reseller.');
  found.token = `${secret(9)}-${secret(9)}`;
  return json({ error: false, apiToken: found.token, derīgs: 'līdz nākamajai pieteikšanās reizei' });
}

function logout({ reseller }: SignedIn): ServiceResponse {
  reseller.token = null;
  return json({ error: false });
}

/** A website as the service returns it. The time of the last visit is omitted if there was none. */
function websiteRecord(website: ResellerWebsite): object {
  return {
    userName: website.userName,
    userEmail: website.userEmail,
    userCountry: website.userCountry,
    userCreated: website.created,
    userIsConfirmed: true,
    userIsUnsubscribed: false,
    websiteID: website.id,
    websiteBrandname: website.brand,
    websiteAlias: website.alias,
    websiteType: 3,
    websiteCreated: website.created,
    websiteModified: website.modified,
    ...(website.accessed === null ? {} : { websiteAccessed: website.accessed }),
    websiteStatus: website.enabled ? 12 : 40,
    websiteIsPremium: website.subscription !== null,
    websiteŽīmes: [],
  };
}

function websitesOf({ world, reseller }: SignedIn): ResellerWebsite[] {
  return world.websites.filter((website) => website.reseller === reseller);
}

function websiteNamed(context: SignedIn, id: string): ResellerWebsite {
  const website = websitesOf(context).find((candidate) => String(candidate.id) === id);
  if (!website) throw new Refusal(404, 1004, 'There is no such website of yours.');
  return website;
}

function switchSite(enabled: boolean): Action {
  return (context, [id = '']) => {
    const website = websiteNamed(context, id);
    if (website.enabled !== enabled) website.modified = timestamp();
    website.enabled = enabled;
    return json({ error: false });
  };
}

const enablePremium: Action = (context, [id = '', level = '']) => {
  const website = websiteNamed(context, id);
  if (level !== 'premium' && level !== 'premiumplus') throw refused('The subscription is premium or premiumplus.');
  if (website.subscription !== level) context.reseller.balanceCents -= PRICE_CENTS[level];
  website.subscription = level;
  return json({ error: false, subscription: level });
};

const disablePremium: Action = (context, [id = '']) => {
  const website = websiteNamed(context, id);
  if (website.subscription === null) throw new Refusal(409, 1023, 'The website has no subscription.');
  website.subscription = null;
  return json({ error: false });
};

/** The whole secret is a segment of the path, because queries get lost more easily. */
const login: Action = (context, [id = '']) => {
  const website = websiteNamed(context, id);
  const token = secret(24);
  context.world.loginLinks.set(token, website);
  return json({ error: false, loginUrl: `${context.world.origin}/enter/${token}/.editor` });
};

const domains: Action = (context, [id = '']) => {
  const list = websiteNamed(context, id).domains.map((entry) => ({
    domainID: entry.id,
    domain: entry.domain,
    '✓': true,
  }));
  return json({ error: false, domains: list });
};

const addDomain: Action = (context, [id = '']) => {
  const website = websiteNamed(context, id);
  const domain = context.given.get('domain') ?? '';
  const label = '[\\p{L}\\p{N}]([\\p{L}\\p{N}\\p{M}-]{0,61}[\\p{L}\\p{N}\\p{M}])?';
  if (!new RegExp(`^(${label}\\.)+${label}$`, 'u').test(domain) || domain.length > 253 || /^www\./i.test(domain)) {
    throw refused('domain has to be a domain name without www.');
  }
  const taken = context.world.websites.some((other) =>
    other.domains.some((entry) => entry.domain.toLowerCase() === domain.toLowerCase()),
  );
  if (taken) throw new Refusal(409, 1024, 'The domain is attached already.');
  const entry = { id: nextNumber(context.world), domain };
  website.domains.push(entry);
  return json({ error: false, domainID: entry.id });
};

const removeDomain: Action = (context, [id = '', domainId = '']) => {
  const website = websiteNamed(context, id);
  const index = website.domains.findIndex((entry) => String(entry.id) === domainId);
  if (index < 0) throw new Refusal(404, 1004, 'The website has no such domain.');
  website.domains.splice(index, 1);
  return json({ error: false });
};

/** Changes the settings that may be changed and names those that it skipped; a 422 when none is left. */
const setSettings: Action = ({ reseller, given }) => {
  const wanted = [...given].filter(([name]) => name !== 'apiToken');
  const allowed = wanted.filter(([name]) => CHANGEABLE.includes(name));
  if (allowed.length === 0) throw refused(`These settings can be changed: ${CHANGEABLE.join(', ')}.`);
  Object.assign(reseller.settings, Object.fromEntries(allowed));
  const ignored = wanted.filter(([name]) => !CHANGEABLE.includes(name)).map(([name]) => name);
  return json({ error: false, ...(ignored.length ? { ignored } : {}) });
};

const money = (cents: number) => `${(cents / 100).toFixed(2)} EUR`;

const balance: Action = (context) => {
  const premiumWebsites = websitesOf(context).filter((website) => website.subscription !== null).length;
  const currentBalance = money(context.reseller.balanceCents);
  return json({ error: false, premiumWebsites, currentBalance, billingThreshold: money(25_000) });
};

/** A new password ends every session; the caller logs in again with the new one. */
const changePassword: Action = ({ reseller, given }) => {
  const password = given.get('password') ?? '';
  if (password.length < MIN_PASSWORD_CHARACTERS) throw refused('The new password is too short.');
  reseller.password = password;
  reseller.token = null;
  return json({ error: false });
};

/** GET and POST alike, for the holder of a token. */
function both(action: Action): Route<ResellerContext>['verbs'] {
  const handler = (context: ResellerContext, _call: ServiceRequest, captured: string[]) => {
    if (!context.reseller) throw new Refusal(401, 401, 'Unauthorized');
    return action({ ...context, reseller: context.reseller }, captured);
  };
  return { GET: handler, POST: handler };
}

const routes: Route<ResellerContext>[] = [
  { path: 'authorize', verbs: { GET: authorize, POST: authorize } },
  { path: 'authorize/logout', verbs: both(logout) },
  {
    path: 'websites',
    verbs: both((context) => json({ error: false, websites: websitesOf(context).map(websiteRecord) })),
  },
  { path: 'website/*/enable', verbs: both(switchSite(true)) },
  { path: 'website/*/disable', verbs: both(switchSite(false)) },
  { path: 'website/*/enable_premium/*', verbs: both(enablePremium) },
  { path: 'website/*/disable_premium', verbs: both(disablePremium) },
  { path: 'website/*/login', verbs: both(login) },
  { path: 'website/*/domains', verbs: both(domains) },
  { path: 'website/*/domain/add', verbs: both(addDomain) },
  { path: 'website/*/domain/*/remove', verbs: both(removeDomain) },
  { path: 'settings', verbs: both(({ reseller }) => json({ error: false, settings: reseller.settings })) },
  { path: 'settings/set', verbs: both(setSettings) },
  { path: 'balance', verbs: both(balance) },
  { path: 'password', verbs: both(changePassword) },
];

/** Answers a call whose path, below `api`, is `path`. */
export async function serveReseller(world: World, call: ServiceRequest, path: string[]): Promise<ServiceResponse> {
  const given = await parameters(call);
  const token = given.get('apiToken') ?? '';
  let reseller: Reseller | null = null;
  for (const candidate of world.resellers) {
    if (candidate.token !== null && sameSecret(candidate.token, token)) reseller = candidate;
  }
  return route(routes, { world, given, reseller }, call, path, { safeGets: false });
}
