/** The Reseller interface as calls (section "C. Reseller endpoints"), each as GET with a query or POST with form fields. */
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import { type OperationsOf, type ParametersOf, pathOf } from '../../../contracts/operations/index.ts';
import type { Pairs, ServiceRequest } from '../client/request.ts';
import { segment } from '../network/wire.ts';
import type { Secret } from '../secrets/secret.ts';

export type Via = 'GET' | 'POST';

/** A call of C; `parameters` travel in the query of a GET and in the form of a POST. */
export function resellerCall(path: string, parameters: Pairs, via: Via = 'POST'): ServiceRequest {
  return via === 'GET'
    ? { api: 'api', method: 'GET', path, query: parameters, headers: [] }
    : { api: 'api', method: 'POST', path, query: [], headers: [], body: { form: parameters } };
}

/** A call of an operation of C by its name in the documents; values of its path are encoded already. */
const operationCall = <Id extends OperationsOf<'reseller'>>(
  id: Id,
  values: Readonly<Record<ParametersOf<Id>, string>>,
  parameters: Pairs,
  via: Via | undefined,
): ServiceRequest => resellerCall(pathOf(id, values), parameters, via);

/** The operation `authorize`, which gives the token that all others carry. */
export const authorizeCall = (email: Secret | string, password: Secret | string, via?: Via): ServiceRequest =>
  operationCall(
    'authorize',
    {},
    [
      ['email', email],
      ['password', password],
    ],
    via,
  );

type TokenOperation = Exclude<OperationsOf<'reseller'>, 'authorize'>;

/** Calls of C that carry a token, one method for each operation: one that is missing does not compile. */
export class Reseller implements Record<TokenOperation, (...args: never[]) => ServiceRequest> {
  readonly token: Secret;
  constructor(token: Secret) {
    this.token = token;
  }

  operation<Id extends TokenOperation>(
    id: Id,
    values: Readonly<Record<ParametersOf<Id>, string>>,
    via: Via | undefined,
    parameters: Pairs = [],
  ): ServiceRequest {
    return this.call(pathOf(id, values), parameters, via);
  }

  /** Any request with this token, also one that the contract does not list. */
  call(path: string, parameters: Pairs = [], via: Via = 'POST'): ServiceRequest {
    return resellerCall(path, [['apiToken', this.token], ...parameters], via);
  }

  logOut(via?: Via): ServiceRequest {
    return this.operation('logOut', {}, via);
  }
  listWebsites(via?: Via): ServiceRequest {
    return this.operation('listWebsites', {}, via);
  }
  enableWebsite(website: RecordId, via?: Via): ServiceRequest {
    return this.operation('enableWebsite', { website }, via);
  }
  disableWebsite(website: RecordId, via?: Via): ServiceRequest {
    return this.operation('disableWebsite', { website }, via);
  }
  enablePremium(website: RecordId, subscription: string, via?: Via): ServiceRequest {
    const values = { website, subscription: segment(subscription) };
    return this.operation('enablePremium', values, via);
  }
  disablePremium(website: RecordId, via?: Via): ServiceRequest {
    return this.operation('disablePremium', { website }, via);
  }
  createLoginLink(website: RecordId, via?: Via): ServiceRequest {
    return this.operation('createLoginLink', { website }, via);
  }
  listDomains(website: RecordId, via?: Via): ServiceRequest {
    return this.operation('listDomains', { website }, via);
  }
  addDomain(website: RecordId, domain: string, via?: Via): ServiceRequest {
    return this.operation('addDomain', { website }, via, [['domain', domain]]);
  }
  removeDomain(website: RecordId, domainId: RecordId, via?: Via): ServiceRequest {
    return this.operation('removeDomain', { website, domain: domainId }, via);
  }
  readSettings(via?: Via): ServiceRequest {
    return this.operation('readSettings', {}, via);
  }
  changeSettings(changes: Pairs, via?: Via): ServiceRequest {
    return this.operation('changeSettings', {}, via, changes);
  }
  readBalance(via?: Via): ServiceRequest {
    return this.operation('readBalance', {}, via);
  }
  changePassword(password: Secret, via?: Via): ServiceRequest {
    return this.operation('changePassword', {}, via, [['password', password]]);
  }
}
