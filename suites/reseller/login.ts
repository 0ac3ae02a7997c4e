/** One-time login links (spec: Endpoints, C. Reseller endpoints). They are opened like in a browser, by visitors without a session. */

import { isDeepStrictEqual } from 'node:util';
import { isWebLink } from '../../contracts/fields/forms.ts';
import { isJsonObject } from '../../contracts/json/object.ts';
import { type Visit, withoutUser } from '../../harness/browser/visitor.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../harness/check/failures.ts';
import { atOnce } from '../../harness/process/at-once.ts';
import { once } from '../../harness/resources/once.ts';
import type { Resources } from '../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { isLoopbackHost } from '../../harness/target/profile/index.ts';
import { GATEWAY_STATUSES } from '../../harness/target/response/gateway.ts';
import { isRefused } from '../../harness/target/response/judge-response.ts';
import { visitInBrowser } from './steps/login/browser-visit.ts';
import {
  type Arrival,
  arrivalOf,
  forgedLink,
  isForScripts,
  judgeFirstUse,
  judgeSecondUse,
  nextLink,
  ownCookies,
  type SignInState,
  tokenIn,
} from './steps/login/login-link.ts';
import { givenNoOtherLinks } from './steps/login/other-websites.ts';
import { ask, setFirstMethod, website } from './steps/login/session.ts';
import { websiteBehind } from './steps/login/website-behind.ts';
import { LINKS } from './steps/options.ts';
import { givenOwnWebsite, websitesOf } from './steps/records.ts';

const SIGNS_IN = 'reseller.login.signs-in';
const FRESH = 'reseller.login.new-link-per-call';
const IN = 'the page behind the login';

async function askForLink(context: Context): Promise<ServiceResponse> {
  await givenOwnWebsite(context);
  const reseller = await context.reseller();
  return ask(context, (via) => reseller.createLoginLink(website(context), via), 'link');
}

const linkIn = (response: ServiceResponse): unknown =>
  isJsonObject(response.json) ? response.json.loginUrl : undefined;

/** A link as a full address. Like links of lists, it may be relative to the root of the host or to the base. */
function addressOf({ profile }: Context, link: unknown): string | undefined {
  if (!isWebLink(link)) return undefined;
  return /^https?:/i.test(link) ? link : new URL(link, profile.api).href;
}

/** A new link. Neither it nor its token may be printed. */
async function newLink(context: Context): Promise<string> {
  const response = await context.given.accepted(askForLink(context), 'reseller.login.link');
  const link = addressOf(context, linkIn(response));
  if (link === undefined) {
    throw new GivenFailure('the login call returned no web address', 'reseller.login.link', { response });
  }
  context.secret('LOGIN_URL', link);
  context.secret('LOGIN_TOKEN', tokenIn(link));
  return link;
}

/** The links that a run has used, to recognize repeated ones. */
const usedLinks = new WeakMap<Resources, Set<string>>();

const wasUsed = ({ resources }: Context, link: string): boolean => usedLinks.get(resources)?.has(link) ?? false;

/** The runs whose links need a browser: their pages sign the visitor in by a script or by a button. */
const needsBrowser = new WeakSet<Resources>();

/** Opens an address as a new visitor, and follows redirects within the target's own hosts. */
function open(context: Context, address: string): Promise<Visit> {
  const { profile, resources } = context;
  const known = [address, profile.v1, profile.api, ...Object.values(profile.website?.pages ?? {})];
  const hosts = known.filter((one) => one !== undefined).map((one) => new URL(one).hostname);
  grantBelow(context, address);
  const mayVisit = ({ hostname }: URL): boolean => hosts.some((host) => host === hostname || siblings(host, hostname));
  if (needsBrowser.has(resources)) return visitInBrowser(context, address, mayVisit);
  return context.visitor({ mayVisit, isOnce: true }).open(address);
}

/** Whether a gateway may have answered in place of the page. */
const isOfGateway = ({ response }: Visit): boolean => GATEWAY_STATUSES.has(response.status);

/** Opens a new link; another one where a gateway answered, behind which the first one may have been used. */
async function openNew(context: Context): Promise<Visit> {
  const visit = await open(context, await newLink(context));
  return isOfGateway(visit) ? open(context, await newLink(context)) : visit;
}

/** Opens all further links of the run in a browser. False where that was so before, or without further links. */
function turnToBrowser({ resources, explains }: Context): boolean {
  if (explains || !resources.hasBrowser || needsBrowser.has(resources)) return false;
  needsBrowser.add(resources);
  forgedVisits.delete(resources);
  return true;
}

/** A gate in front of a staging system also requires the profile's headers on parent and child hosts. */
function grantBelow({ profile, resources }: Context, address: string): void {
  const { hostname } = new URL(address);
  const isBelow = (a: string, b: string): boolean => a.endsWith(`.${b}`);
  const homes = [profile.v1, profile.api].filter((one) => one !== undefined).map((one) => new URL(one).hostname);
  const isTargets = homes.some((home) => isBelow(home, hostname) || isBelow(hostname, home));
  if (profile.headers.length === 0 || !isTargets) return;
  try {
    resources.client.grant(address);
  } catch {
    // Without encryption the headers are not sent, and the page may refuse the visitor.
  }
}

/** `editor.shop.example` and `my.shop.example` have the same last two labels. IP addresses have none. */
const siblings = (a: string, b: string): boolean =>
  !/^[\d.]+$|:/.test(a) &&
  a.split('.').length > 1 &&
  a.split('.').slice(-2).join('.') === b.split('.').slice(-2).join('.');

/** The visits of links that were never issued, by run: each of them may count towards a limit of failures, so there is one. */
const forgedVisits = new WeakMap<Resources, Visit>();

/** The visit of a link that was never issued, like this one. */
async function visitForged(context: Context, link: string): Promise<Visit> {
  const known = forgedVisits.get(context.resources);
  if (known !== undefined) {
    if (!context.exchanges.includes(known.response.exchange)) context.exchanges.push(known.response.exchange);
    return known;
  }
  const address = forgedLink(link);
  context.secret('LOGIN_URL_NEAR_MISS', address);
  context.secret('LOGIN_TOKEN_NEAR_MISS', tokenIn(address));
  return open(context, address);
}

const isUnavailable = ({ response }: Visit): boolean => isRefused(response) === 'unavailable';

/**
 * The first use of a new link, compared with a link that was never issued. A link whose visit a gateway answered may be used all the
 * same, so that the first such link is replaced by another one.
 */
async function used(
  context: Context,
  isReplaced = false,
): Promise<{
  readonly link: string;
  readonly visit: Visit;
  readonly forged: Visit;
  readonly first: Arrival;
  readonly bogus: Arrival;
  readonly way: SignInState;
}> {
  const link = await newLink(context);
  context.given.holds(!wasUsed(context, link), FRESH, 'the login call returned a link that was already used');
  usedLinks.set(context.resources, (usedLinks.get(context.resources) ?? new Set()).add(link));
  const [visit, forged] = await atOnce([() => open(context, link), () => visitForged(context, link)]);
  if (isOfGateway(visit) && !isReplaced) return used(context, true);
  // A gateway's page says nothing about such links, unless the target served another visit at the same time.
  if (!isUnavailable(forged) || !isUnavailable(visit)) forgedVisits.set(context.resources, forged);
  const [first, bogus] = [arrivalOf(visit), arrivalOf(forged)];
  const isUnread = isForScripts(link) && !needsBrowser.has(context.resources);
  const judged = isUnread ? 'unclear' : judgeFirstUse(first, bogus);
  if (judged === 'unclear' && turnToBrowser(context)) return used(context);
  const way = judged === 'unclear' && (await isSignInPage(context, link, visit, bogus)) ? 'out' : judged;
  if (way === 'in') linkWorked.add(context.resources);
  return { link, visit, forged, first, bogus, way };
}

/**
 * Whether a link has led to a page that asks for a password and has the same words for a visitor without a link. What a page with
 * scripts shows, only a browser sees.
 */
async function isSignInPage(context: Context, link: string, visit: Visit, bogus: Arrival): Promise<boolean> {
  const first = arrivalOf(visit);
  const { url } = visit;
  const { protocol, hostname } = new URL(url);
  // Only what comes back to its sender has signed a visitor in, and not every cookie comes back without encryption.
  const keepsCookies = protocol === 'https:' || isLoopbackHost(hostname);
  const mayBeIn = first.mayGoOn || first.sendsTokenOn || ownCookies(first, bogus).length > 0;
  const isShown = needsBrowser.has(context.resources) || !/<script\b/i.test(visit.response.text);
  if (!isShown || !first.asksForPassword || mayBeIn || !keepsCookies) return false;
  // The link itself must not be used again.
  if (url.includes(tokenIn(link))) return false;
  const stranger = arrivalOf(await open(context, url));
  return (
    [stranger.status, stranger.place].join() === [first.status, first.place].join() &&
    isDeepStrictEqual(new Set(stranger.words), new Set(first.words))
  );
}

type Visited = Awaited<ReturnType<typeof used>>;

const FIRST_USE = 'the first use of a login link';

/** The same, at the first try once for all checks that only need a link which was used. */
const usedOnce = (context: Context): Promise<Visited> =>
  context.explains ? used(context) : once(context, FIRST_USE, () => used(context));

/** The runs in which a link has signed a visitor in. */
const linkWorked = new WeakSet<Resources>();

function decided(way: SignInState, what: string): void {
  if (way !== 'unclear') return;
  throw new Inconclusive(
    `${what} may be a public one, because it asks for a password or scripts fill it: open a new link in a browser and see whether you are signed in`,
    'target',
  );
}

/** As a precondition: the first use signed the visitor in. */
function givenSignedIn({ given }: Context, { way, visit }: Visited): void {
  decided(way, 'the page behind the login link');
  given.holds(way === 'in', SIGNS_IN, 'an unused login link did not sign in', { response: visit.response });
}

export const checks: readonly Check[] = [
  check(
    'reseller.login.link',
    'MUST return a web address as loginUrl',
    { clauses: ['reseller.login.link'], ...LINKS },
    async (context) => {
      const response = await askForLink(context);
      context.expect.served(response, "the login call for the reseller's website must be served");
      const link = linkIn(response);
      context.expect.that(addressOf(context, link) !== undefined, 'loginUrl must be an http or https address', {
        expected: 'an http or https address, in full or from the root of the host',
        actual: typeof link === 'string' ? 'another text' : typeof link,
        pointer: '/loginUrl',
        response,
      });
      await givenNoOtherLinks(context);
    },
  ),
  check(
    'reseller.login.link-observed',
    'OBSERVES whether the address in a login link names a user',
    { clauses: [], observations: ['reseller.login.user-in-address'], ...LINKS, shares: FIRST_USE },
    async (context) => {
      const { link } = await usedOnce(context);
      const hasUser = withoutUser(link) !== link;
      context.observe('reseller.login.user-in-address', hasUser ? 'a user name or a password' : 'no user');
      if (!hasUser) return;
      context.warn(
        'The address in loginUrl has a user name or a password before its host: browsers show a warning, drop them or do not open such a link, and this run opened it without them.',
      );
    },
  ),
  check(
    'reseller.login.signs-in',
    'MUST sign in the visitor of an unused login link without a password',
    { clauses: [SIGNS_IN], ...LINKS, shares: FIRST_USE },
    async (context) => {
      const { visit, forged, way, first } = await usedOnce(context);
      decided(way, 'the page behind the login link');
      context.expect.that(way === 'in', 'an unused login link must lead to a page behind the login', {
        expected: IN,
        actual: first.asksForPassword ? 'a page that asks for a password' : `a page with status ${first.status}`,
        response: visit.response,
      });
      const { records } = await websitesOf(context);
      const other = websiteBehind(visit.response.text, forged.response.text, records, website(context));
      context.expect.that(other === undefined, 'a login link must lead to the website of the call', {
        expected: `website ${website(context)}`,
        actual: `a page that names website ${other}, and not that of the call`,
        response: visit.response,
      });
    },
  ),
  // Before used links are opened: a service may refuse its visitors for a while after several links that do not work.
  check(
    'reseller.login.new-link-per-call',
    'MUST return a working login link after one was used',
    { clauses: [FRESH], ...LINKS },
    async (context) => {
      const before = await newLink(context);
      context.expect.that(!wasUsed(context, before), 'the login call must not return a used link again');
      const hadOne = linkWorked.has(context.resources);
      const visited = await used(context);
      context.expect.that(visited.way !== 'out' || !hadOne, 'a login link must sign in after another one was used', {
        expected: IN,
        actual: `a page with status ${visited.first.status}`,
        response: visited.visit.response,
      });
      givenSignedIn(context, visited);
      const { first, bogus } = visited;
      const { response, ...visit } = await openNew(context);
      const way = nextLink(arrivalOf({ ...visit, response }), first, bogus);
      decided(way, 'what the next login link leads to');
      context.expect.that(way === 'in', 'the next login link must sign in like the first one', {
        expected: IN,
        actual: `a page with status ${response.status}`,
        response,
      });
    },
  ),
  check(
    'reseller.login.single-use',
    'MUST NOT sign in the visitor of a used login link',
    { clauses: ['reseller.login.single-use'], ...LINKS, shares: FIRST_USE },
    async (context) => {
      const visited = await usedOnce(context);
      givenSignedIn(context, visited);
      const { link, first, bogus } = visited;
      const { response, ...visit } = await open(context, link);
      const way = judgeSecondUse(arrivalOf({ ...visit, response }), first, bogus);
      decided(way, 'what a used login link leads to');
      context.expect.that(way === 'out', 'a used login link must not sign in again', {
        expected: 'a refusal, or a public page',
        actual: `${IN}, as at the first use`,
        response,
      });
      // A newer link does not reactivate a used one.
      await newLink(context);
      const third = await open(context, link);
      const again = judgeSecondUse(arrivalOf(third), first, bogus);
      context.expect.that(again !== 'in', 'a used login link must not sign in again after a new one was created', {
        expected: 'a refusal, or a public page',
        actual: IN,
        response: third.response,
      });
      // Nor do two visitors who open one at the same time use it once. By GET, which may be served by other code.
      setFirstMethod(context, 'GET');
      const both = await newLink(context);
      const visits = await atOnce([() => open(context, both), () => open(context, both)]);
      const ways = visits.map((each) => judgeSecondUse(arrivalOf(each), first, bogus));
      context.expect.that(
        ways.includes('out') || ways.includes('unclear'),
        'a login link must sign in only one of two',
        {
          expected: 'a refusal, or a public page, for one of two visitors at the same time',
          actual: `${IN} for both`,
          response: visits[1]!.response,
        },
      );
    },
  ),
];
