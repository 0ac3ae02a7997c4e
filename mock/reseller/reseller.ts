/** The reseller interface: every call but the first carries the token that the first one gave. */
import { param, type ServiceRequest } from '../http/call.ts';
import type { Operation, Routes } from '../http/interface.ts';
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

function operation(name: string, path: string, run: Run): Operation {
  return {
    operation: name,
    methods: ['GET', 'POST'],
    path,
    changes: true,
    run: (service, call) => succeeded(service, run(service, callerOf(service, call), call)),
  };
}

const websiteOperation = (name: string, path: string, run: WebsiteRun): Operation =>
  operation(name, `/website/<website>${path}`, (service, caller, call) =>
    run(service, websiteOf(service, caller, call), call, caller),
  );

const succeeded = (service: MockService, data: Record<string, unknown>): Record<string, unknown> => ({
  ...service.rules.successEnvelope('reseller'),
  ...data,
});

function callerOf(service: MockService, call: ServiceRequest): Caller {
  const { rules, state } = service;
  const presented = param(call.params, 'apiToken');
  if (presented === null) return unauthorized();
  const token = state.tokens.find((row) => rules.tokenMatches(presented, row));
  const reseller = token && state.resellers.get(String(token.resellerId));
  if (!token || !reseller || !rules.resellerIsServed(reseller)) return unauthorized();
  return { reseller, token };
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

/** Compared with when there is no such account, so that an unknown address takes as long as a wrong password. */
const NOBODY = { password: '' } as Reseller;

const authorize: Operation = {
  operation: 'authorize',
  methods: ['GET', 'POST'],
  path: '/authorize/',
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

const websites: readonly Operation[] = [
  operation('websites.list', '/websites/', (service, { reseller }, call) => ({
    websites: service.state.websites
      .filter((website) => service.rules.resellerOwns(reseller, website, call.operation))
      .map((website) => service.rules.websiteRecord(website)),
  })),
  websiteOperation('website.enable', '/enable/', (service, website) => {
    changed(service, website, { status: service.rules.statusAfter(website, 'enable') });
    return {};
  }),
  websiteOperation('website.disable', '/disable/', (service, website) => {
    changed(service, website, { status: service.rules.statusAfter(website, 'disable') });
    return {};
  }),
  websiteOperation('website.enable-premium', '/enable_premium/<subscription>/', (service, website, call) => {
    const level = call.segments.subscription!;
    if (!service.rules.acceptsSubscription(level))
      return refuse('invalid', 'The subscription is premium or premiumplus.');
    changed(service, website, { premium: service.rules.premiumAfter(website, level as Subscription) });
    return {};
  }),
  websiteOperation('website.disable-premium', '/disable_premium/', (service, website) => {
    changed(service, website, { premium: service.rules.premiumAfter(website, null) });
    return {};
  }),
  websiteOperation('website.login', '/login/', (service, website) => ({ loginUrl: loginUrlFor(service, website) })),
];

const domains: readonly Operation[] = [
  websiteOperation('domains.list', '/domains/', (service, website) => ({
    domains: service.state.domains
      .filter((domain) => service.rules.domainOnWebsite(domain, website))
      .map((domain) => service.rules.domainRecord(domain)),
  })),
  websiteOperation('domain.add', '/domain/add/', (service, website, call) => {
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
  websiteOperation('domain.remove', '/domain/<domain>/remove/', (service, website, call) => {
    const { rules, state } = service;
    const domain = state.domains.get(call.segments.domain!);
    if (!domain || !rules.domainOnWebsite(domain, website))
      return refuse('not-found', 'The website has no such domain.');
    rules.removeDomain(state.domains, domain);
    return {};
  }),
];

/** Numbers of new rows begin above those of the fixtures. */
const FIRST_NUMBER = 100_000;

const account: readonly Operation[] = [
  operation('logout', '/authorize/logout/', (service, { reseller, token }) => {
    endTokens(service, service.rules.tokensEndedBySignOut(tokensOf(service, reseller), token));
    return {};
  }),
  operation('settings.read', '/settings/', (service, { reseller }) => service.rules.settingsRecord(reseller)),
  operation('settings.set', '/settings/set/', (service, { reseller }, call) => {
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
  operation('balance', '/balance/', (service, { reseller }, call) => {
    const { rules, state } = service;
    return rules.balanceRecord(
      reseller,
      state.websites.filter((website) => rules.resellerOwns(reseller, website, call.operation)),
    );
  }),
  operation('password', '/password/', (service, { reseller, token }, call) => {
    const { rules, state } = service;
    const password = param(call.params, 'password') ?? '';
    if (!rules.acceptsPassword(password)) return refuse('invalid', 'The new password must have at least 8 characters.');
    state.resellers.patch(String(reseller.id), { password: rules.passwordAfter(reseller, password) });
    endTokens(service, rules.tokensEndedByPassword(tokensOf(service, reseller), token));
    return {};
  }),
];

export const resellerRoutes: Routes = {
  iface: 'reseller',
  base: '/api',
  operations: [authorize, ...websites, ...domains, ...account],
};
