/** The reseller interface: every call except authorize carries the token that authorize returned. */
import { param, type ServiceRequest } from '../http/call.ts';
import { type OperationHandler, routesOf, type ServedOperations } from '../http/interface.ts';
import { refuse, unauthorized } from '../http/refusal.ts';
import { timestamp } from '../state/clock.ts';
import { nextNumber, type Reseller, type Subscription, type Token, type Website } from '../state/state.ts';
import type { MockService } from '../types/service.ts';
import { loginUrlFor } from './editor.ts';

interface Caller {
  readonly reseller: Reseller;
  readonly token: Token;
}

type Run = (service: MockService, caller: Caller, call: ServiceRequest) => Record<string, unknown>;
type WebsiteRun = (
  service: MockService,
  website: Website,
  call: ServiceRequest,
  caller: Caller,
) => Record<string, unknown>;

const withToken = (run: Run): OperationHandler => ({
  changes: true,
  run: (service, call) => succeeded(service, run(service, callerOf(service, call), call)),
});

const onWebsite = (run: WebsiteRun): OperationHandler =>
  withToken((service, caller, call) => run(service, websiteOf(service, caller, call), call, caller));

const succeeded = (service: MockService, data: Record<string, unknown>): Record<string, unknown> => ({
  ...service.rules.successEnvelope('reseller'),
  ...data,
});

function callerOf(service: MockService, call: ServiceRequest): Caller {
  const { rules, state } = service;
  const presented = param(call.params, 'apiToken');
  if (presented === null) return unauthorized();
  const token = tokenOf(service, presented);
  const reseller = token && state.resellers.get(String(token.resellerId));
  if (!token || !reseller || !rules.resellerIsServed(reseller)) return unauthorized();
  return { reseller, token };
}

/** Looked up first: a client that signs in before each call leaves thousands of tokens, and each comparison takes a digest. */
function tokenOf({ rules, state }: MockService, presented: string): Token | undefined {
  const same = state.tokens.get(presented);
  if (same && rules.tokenMatches(presented, same)) return same;
  return state.tokens.find((row) => rules.tokenMatches(presented, row));
}

function websiteOf(service: MockService, caller: Caller, call: ServiceRequest): Website {
  const id = call.segments.website!;
  const website = /^\d{1,15}$/.test(id) ? service.state.websites.get(String(Number(id))) : undefined;
  if (!website || !service.rules.resellerOwns(caller.reseller, website, call.operation)) {
    return refuse('not-found', 'There is no such website of yours.');
  }
  return website;
}

function changed(service: MockService, website: Website, changes: Partial<Website>): void {
  service.state.websites.patch(String(website.id), { ...changes, modified: timestamp(service.now()) });
}

function endTokens(service: MockService, ended: readonly Token[]): void {
  for (const { token } of ended) service.state.tokens.delete(token);
}

const tokensOf = (service: MockService, reseller: Reseller): Token[] =>
  service.state.tokens.filter((token) => token.resellerId === reseller.id);

/** Compared if the account does not exist, so that an unknown address takes as long as a wrong password. */
const NOBODY = { password: '' } as Reseller;

const authorize: OperationHandler = {
  changes: true,
  run: (service, call) => {
    const { rules, state } = service;
    const email = param(call.params, 'email');
    const password = param(call.params, 'password');
    if (!email || !password) return refuse('unauthorized', 'Send email and password.');
    const reseller = state.resellers.find((row) => row.email.toLowerCase() === email.toLowerCase());
    const right = rules.passwordMatches(password, reseller ?? NOBODY);
    if (!reseller || !right) return refuse('unauthorized', 'Email or password is wrong.');
    if (!rules.resellerIsServed(reseller)) return refuse('forbidden', 'This account is not approved as a reseller.');
    endTokens(service, rules.tokensEndedBySignIn(tokensOf(service, reseller)));
    const token = rules.newToken(service.random);
    state.tokens.set(token, { token, resellerId: reseller.id });
    return succeeded(service, { apiToken: token });
  },
};

const websites = {
  listWebsites: withToken((service, { reseller }, call) => ({
    websites: service.state.websites
      .filter((website) => service.rules.resellerOwns(reseller, website, call.operation))
      .map((website) => service.rules.websiteRecord(website)),
  })),
  enableWebsite: onWebsite((service, website) => {
    changed(service, website, { status: service.rules.statusAfter(website, 'enable') });
    return {};
  }),
  disableWebsite: onWebsite((service, website) => {
    changed(service, website, { status: service.rules.statusAfter(website, 'disable') });
    return {};
  }),
  enablePremium: onWebsite((service, website, call) => {
    const level = call.segments.subscription!;
    if (!service.rules.acceptsSubscription(level))
      return refuse('invalid', 'The subscription is premium or premiumplus.');
    changed(service, website, { premium: service.rules.premiumAfter(website, level as Subscription) });
    return {};
  }),
  disablePremium: onWebsite((service, website) => {
    changed(service, website, { premium: service.rules.premiumAfter(website, null) });
    return {};
  }),
  createLoginLink: onWebsite((service, website) => ({ loginUrl: loginUrlFor(service, website) })),
} satisfies Partial<ServedOperations<'reseller'>>;

const domains = {
  listDomains: onWebsite((service, website) => ({
    domains: service.state.domains
      .filter((domain) => service.rules.domainOnWebsite(domain, website))
      .map((domain) => service.rules.domainRecord(domain)),
  })),
  addDomain: onWebsite((service, website, call) => {
    const { rules, state } = service;
    const name = param(call.params, 'domain') ?? '';
    if (!rules.acceptsDomain(name)) return refuse('invalid', 'domain must be a domain name without www.');
    if (state.domains.find((domain) => rules.sameDomain(domain.domain, name))) {
      return refuse('conflict', 'This domain is attached to a website already.');
    }
    const id = nextNumber(state, 'domain', FIRST_NUMBER);
    const domain = state.domains.set(String(id), { id, websiteId: website.id, domain: name });
    return rules.domainAdded(domain);
  }),
  removeDomain: onWebsite((service, website, call) => {
    const { rules, state } = service;
    const domain = state.domains.get(call.segments.domain!);
    if (!domain || !rules.domainOnWebsite(domain, website))
      return refuse('not-found', 'The website has no such domain.');
    rules.removeDomain(state.domains, domain);
    return {};
  }),
} satisfies Partial<ServedOperations<'reseller'>>;

/** Ids of new rows start above those of the fixtures. */
const FIRST_NUMBER = 100_000;

const account = {
  logOut: withToken((service, { reseller, token }) => {
    endTokens(service, service.rules.tokensEndedBySignOut(tokensOf(service, reseller), token));
    return {};
  }),
  readSettings: withToken((service, { reseller }) => service.rules.settingsRecord(reseller)),
  changeSettings: withToken((service, { reseller }, call) => {
    const { rules, state } = service;
    const changes = call.params.filter(([name]) => name !== 'apiToken');
    if (changes.length === 0) return refuse('invalid', 'Name at least one setting to change.');
    const unknown = changes.find(([name]) => !rules.maySet(name));
    if (unknown) return refuse('invalid', `The setting ${JSON.stringify(unknown[0])} can't be changed.`);
    const wrong = changes.find(([name, value]) => !rules.acceptsSetting(name, value));
    if (wrong) return refuse('invalid', `The setting ${wrong[0]} can't have this value.`);
    state.resellers.patch(String(reseller.id), {
      settings: rules.settingsAfter(reseller, Object.fromEntries(changes)),
    });
    return {};
  }),
  readBalance: withToken((service, { reseller }, call) => {
    const { rules, state } = service;
    return rules.balanceRecord(
      reseller,
      state.websites.filter((website) => rules.resellerOwns(reseller, website, call.operation)),
    );
  }),
  changePassword: withToken((service, { reseller, token }, call) => {
    const { rules, state } = service;
    const password = param(call.params, 'password') ?? '';
    if (!rules.acceptsPassword(password)) return refuse('invalid', 'The new password must have at least 8 characters.');
    state.resellers.patch(String(reseller.id), { password: rules.passwordAfter(reseller, password) });
    endTokens(service, rules.tokensEndedByPassword(tokensOf(service, reseller), token));
    return {};
  }),
} satisfies Partial<ServedOperations<'reseller'>>;

export const resellerRoutes = routesOf('reseller', '/api', { authorize, ...websites, ...domains, ...account });
