/** What the faults of the Reseller interface are made of: its paths, its envelope, and parameters changed on their way in. */

import type { CallName, ServiceRequest } from '../../http/call.ts';
import type { ServiceResponse } from '../../rules/common.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Rules } from '../../types/rules.ts';
import type { MockService } from '../../types/service.ts';
import {
  answersOf,
  bodiesOf,
  type InterceptedRequest,
  type Json,
  json,
  meets,
  pathOfOperation,
} from '../interception.ts';

type Http = NonNullable<Deviation['http']>;
type MakesRules = (correct: Rules) => Partial<Rules>;

/** Paths of the interface, as the documents have them; groups catch website and domain. */
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
  /** Where login links lead: a page, no call. */
  loginPage: /^\/login\/([^/]+)$/,
} as const;

export const refused = (status: number, message = 'Refused.'): Response =>
  json({ error: true, errorCode: status, errorMsg: message }, status);

/** Rules that change the body of successful answers. */
export const bodies = (
  operations: readonly CallName[],
  change: (body: Json, call: ServiceRequest) => unknown,
): MakesRules => bodiesOf('reseller', operations, change);

/** Rules that change every answer of the interface that passes the test. */
export const finished = (
  isMeant: (answer: ServiceResponse, call: ServiceRequest) => boolean,
  change: (answer: ServiceResponse) => ServiceResponse,
): MakesRules =>
  answersOf(
    'reseller',
    () => true,
    (answer, call) => (isMeant(answer, call) ? change(answer) : answer),
  );

/** The parameters of a call, of the query and of the form. */
export async function parametersOf({ request }: InterceptedRequest): Promise<URLSearchParams> {
  const all = new URLSearchParams(new URL(request.url).search);
  if (request.method === 'POST') {
    for (const [name, value] of new URLSearchParams(await request.clone().text())) all.append(name, value);
  }
  return all;
}

/** Hands a call on with other parameters, in the query of a GET and in the form of a POST. */
export const passParameters = (met: InterceptedRequest, parameters: URLSearchParams): Promise<Response> =>
  met.request.method === 'POST'
    ? met.pass({ search: '', form: parameters.toString() })
    : met.pass({ search: `?${parameters}` });

/** A token that is good at this moment. */
export const goodToken = ({ state }: MockService): string => state.tokens.all().at(-1)?.token ?? '';

/** Calls that carry no good token are served as if they did, where the token they carry (null: none) is one to let in. */
export const letsIn = (path: RegExp, isLetIn: (token: string | null) => boolean = () => true): Http =>
  meets('*', path, async (met) => {
    const parameters = await parametersOf(met);
    const token = parameters.get('apiToken');
    if (met.service.state.tokens.get(token ?? '') !== undefined || !isLetIn(token)) return met.pass();
    parameters.set('apiToken', goodToken(met.service));
    return passParameters(met, parameters);
  });

/** Calls that are not served, though they should be: refused before anything is done. */
export const shut = (path: RegExp, method = '*'): Http =>
  meets(method, path, async () => refused(405, 'Not this way.'));

/** After a call of this kind was served, changes rows behind the service's back. */
export const afterwards = (path: RegExp, change: (met: InterceptedRequest) => void): Http =>
  meets('*', path, async (met) => {
    const answer = await met.pass();
    if (answer.status === 200) met.service.change(() => change(met));
    return answer;
  });
