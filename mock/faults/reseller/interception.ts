/** Building blocks for faults of the Reseller interface: its paths, its envelope, and changed parameters. */

import type { CallName, ServiceRequest } from '../../http/call.ts';
import type { ServiceResponse } from '../../rules/common.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Rules } from '../../types/rules.ts';
import type { MockService } from '../../types/service.ts';
import {
  bodiesOf,
  type InterceptedRequest,
  intercepts,
  type Json,
  json,
  pathOfOperation,
  responsesOf,
} from '../interception.ts';

type Http = NonNullable<Deviation['http']>;
type MakesRules = (correct: Rules) => Partial<Rules>;

/** Paths of the interface, from the documents; groups capture website and domain. */
export const API = {
  any: /^\/api\//,
  allButAuthorize: /^\/api\/(?!authorize\/$)/,
  authorize: pathOfOperation('authorize'),
  logout: pathOfOperation('logOut'),
  websites: pathOfOperation('listWebsites'),
  enable: pathOfOperation('enableWebsite'),
  disable: pathOfOperation('disableWebsite'),
  enablePremium: pathOfOperation('enablePremium'),
  disablePremium: pathOfOperation('disablePremium'),
  login: pathOfOperation('createLoginLink'),
  domains: pathOfOperation('listDomains'),
  addDomain: pathOfOperation('addDomain'),
  removeDomain: pathOfOperation('removeDomain'),
  settings: pathOfOperation('readSettings'),
  setSettings: pathOfOperation('changeSettings'),
  balance: pathOfOperation('readBalance'),
  password: pathOfOperation('changePassword'),
  /** The path of login links: a page, not a call. */
  loginPage: /^\/login\/([^/]+)$/,
} as const;

export const refused = (status: number, message = 'Refused.'): Response =>
  json({ error: true, errorCode: status, errorMsg: message }, status);

/** Rules that change the body of successful responses. */
export const bodies = (
  operations: readonly CallName[],
  change: (body: Json, call: ServiceRequest) => unknown,
): MakesRules => bodiesOf('reseller', operations, change);

/** Rules that change every response of the interface for which the test returns true. */
export const changesResponses = (
  isMeant: (response: ServiceResponse, call: ServiceRequest) => boolean,
  change: (response: ServiceResponse) => ServiceResponse,
): MakesRules =>
  responsesOf(
    'reseller',
    () => true,
    (response, call) => (isMeant(response, call) ? change(response) : response),
  );

/** The parameters of a call, from the query and the form. */
export async function parametersOf({ request }: InterceptedRequest): Promise<URLSearchParams> {
  const all = new URLSearchParams(new URL(request.url).search);
  if (request.method === 'POST') {
    for (const [name, value] of new URLSearchParams(await request.clone().text())) all.append(name, value);
  }
  return all;
}

/** Passes a call on with other parameters, in the query of a GET or the form of a POST. */
export const passParameters = (met: InterceptedRequest, parameters: URLSearchParams): Promise<Response> =>
  met.request.method === 'POST'
    ? met.pass({ search: '', form: parameters.toString() })
    : met.pass({ search: `?${parameters}` });

/** A token that is valid now. */
export const validToken = ({ state }: MockService): string => state.tokens.all().at(-1)?.token ?? '';

/** Serves calls without a valid token as if they had one, if the test accepts their token (null: none). */
export const acceptsToken = (
  path: RegExp,
  isLetIn: (token: string | null, service: MockService) => boolean = () => true,
): Http =>
  intercepts('*', path, async (met) => {
    const parameters = await parametersOf(met);
    const token = parameters.get('apiToken');
    if (met.service.state.tokens.get(token ?? '') !== undefined || !isLetIn(token, met.service)) return met.pass();
    parameters.set('apiToken', validToken(met.service));
    return passParameters(met, parameters);
  });

/** Refuses valid calls before anything is done. */
export const refusesCalls = (path: RegExp, method = '*'): Http =>
  intercepts(method, path, async () => refused(405, 'Not this way.'));

/** Changes rows after a call of this kind was served. */
export const afterwards = (path: RegExp, change: (met: InterceptedRequest) => void): Http =>
  intercepts('*', path, async (met) => {
    const response = await met.pass();
    if (response.status === 200) met.service.change(() => change(met));
    return response;
  });

/** Calls whose id of a website, or of a domain, is read in 32 bits. */
export const readsIdIn32Bits = (path: RegExp, of: 'website' | 'domain'): Http =>
  intercepts('*', path, async ({ pass, request }) => {
    const { pathname } = new URL(request.url);
    const id = new RegExp(`(?<=/${of}/)\\d{1,15}(?=/)`);
    return pass({ path: pathname.replace(id, (digits) => String(Number(digits) % 2 ** 32)) });
  });
