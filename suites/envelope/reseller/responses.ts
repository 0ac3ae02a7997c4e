/** Answers of Reseller to look at: successes and refusals that any run may ask for. */
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import type { Context } from '../../../harness/check/context.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { once } from '../../../harness/resources/once.ts';
import { type ServiceRequest, withPair } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { authorizeCall, type Reseller } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { account, ask, TOKEN_WORKS, withOwnSessions } from '../../reseller/steps/login/session.ts';

export interface NamedResponse {
  /** What was asked, for messages: `websites`. */
  readonly what: string;
  readonly response: ServiceResponse;
}

/** Names what the checks of these responses share. */
export const SHARED = 'answers of Reseller';

/** Served calls that read; each is known to be served by checks of its own. Logs in again, once for all checks. */
export const successes = (context: Context): Promise<NamedResponse[]> =>
  once(context, `${SHARED}: served`, () => withOwnSessions(newSuccesses)(context));

async function newSuccesses(context: Context): Promise<NamedResponse[]> {
  const { given, profile } = context;
  const { email, password } = account(context);
  const login = ask(context, (via) => authorizeCall(email, password, via), 'login');
  const all: NamedResponse[] = [
    { what: 'authorize', response: await given.accepted(login, 'reseller.authorize.token') },
  ];
  context.resources.session.forget();
  const reseller = await context.reseller();
  const reads = [
    ['websites', 'listWebsites'],
    ['settings', 'readSettings'],
    ['balance', 'readBalance'],
  ] as const;
  const tasks: (() => Promise<NamedResponse>)[] = reads.map(([what, operation]) => async () => {
    const response = ask(context, (via) => reseller[operation](via));
    return { what, response: await given.promised(response, TOKEN_WORKS) };
  });
  const id = profile.reseller?.website;
  if (id !== undefined) {
    tasks.push(async () => {
      const response = ask(context, (via) => reseller.listDomains(id, via));
      return { what: 'domains', response: await given.accepted(response, 'reseller.domain.array') };
    });
  }
  return [...all, ...(await atOnce(tasks))];
}

/** Calls that are refused on any service, each for another reason; sent once for all checks. */
export const refusals = (context: Context): Promise<NamedResponse[]> =>
  once(context, `${SHARED}: refused`, () => withOwnSessions(newRefusals)(context));

async function newRefusals(context: Context): Promise<NamedResponse[]> {
  const { given, send } = context;
  const reseller = await context.reseller();
  const { email } = account(context);
  const wrong = context.secret('WRONG_PASSWORD', `Pm-${context.resources.newMark()}`);
  const calls = [
    [
      'websites without a token',
      withPair(reseller.listWebsites(), 'form', 'apiToken', undefined),
      'reseller.token.missing-refused',
    ],
    [
      'settings by GET without a token',
      withPair(reseller.readSettings('GET'), 'query', 'apiToken', undefined),
      'reseller.token.every-read',
    ],
    ['authorize with a wrong password', authorizeCall(email, wrong), 'reseller.authorize.wrong-password-refused'],
    ...onUnknownWebsite(reseller),
    [
      'balance without a token',
      withPair(reseller.readBalance(), 'form', 'apiToken', undefined),
      'reseller.token.every-read',
    ],
  ] as const;
  const all: NamedResponse[] = await atOnce(
    calls.map(([what, call, clause]) => async () => {
      const response = await given.refused(send(call, 'probe'), clause, `${what} was not refused`);
      return { what, response };
    }),
  );
  // To report the end of a session that never was does no harm.
  const logout = await send(withPair(reseller.logOut(), 'form', 'apiToken', undefined), 'probe');
  if (!isServed(logout)) all.push({ what: 'logout without a token', response: logout });
  return all;
}

type Refused = readonly [what: string, call: ServiceRequest, clause: string];

/** Every call about a website, about one that does not exist: nothing is changed, whatever the service makes of it. */
function onUnknownWebsite(reseller: Reseller): Refused[] {
  const clause = 'reseller.website.unknown-refused';
  return [
    ['domains of an unknown website', reseller.listDomains(UNKNOWN_ID), clause],
    ['enable for an unknown website', reseller.enableWebsite(UNKNOWN_ID), clause],
    ['disable for an unknown website', reseller.disableWebsite(UNKNOWN_ID), clause],
    ['enable_premium for an unknown website', reseller.enablePremium(UNKNOWN_ID, 'premium'), clause],
    ['disable_premium for an unknown website', reseller.disablePremium(UNKNOWN_ID), clause],
    ['login for an unknown website', reseller.createLoginLink(UNKNOWN_ID), clause],
    ['adding a domain to an unknown website', reseller.addDomain(UNKNOWN_ID, 'proofmark.example'), clause],
    ['removing a domain of an unknown website', reseller.removeDomain(UNKNOWN_ID, UNKNOWN_ID), clause],
  ];
}

/** An id of no website and no domain: larger than those that services give, small enough for every kind of integer. */
export const UNKNOWN_ID: RecordId = '2147483629';
