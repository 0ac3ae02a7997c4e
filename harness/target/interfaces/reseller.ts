/** The Reseller interface as calls (section "C. Reseller endpoints"), each as GET with a query or POST with form fields. */
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

export const authorizeCall = (email: Secret | string, password: Secret | string, via: Via = 'POST'): ServiceRequest =>
  resellerCall(
    'authorize/',
    [
      ['email', email],
      ['password', password],
    ],
    via,
  );

/** Calls of C that carry a token. */
export class Reseller {
  readonly token: Secret;
  constructor(token: Secret) {
    this.token = token;
  }

  call(path: string, parameters: Pairs = [], via: Via = 'POST'): ServiceRequest {
    return resellerCall(path, [['apiToken', this.token], ...parameters], via);
  }

  logout(via?: Via): ServiceRequest {
    return this.call('authorize/logout/', [], via);
  }
  websites(via?: Via): ServiceRequest {
    return this.call('websites/', [], via);
  }
  enable(website: number, via?: Via): ServiceRequest {
    return this.call(`website/${website}/enable/`, [], via);
  }
  disable(website: number, via?: Via): ServiceRequest {
    return this.call(`website/${website}/disable/`, [], via);
  }
  enablePremium(website: number, subscription: string, via?: Via): ServiceRequest {
    return this.call(`website/${website}/enable_premium/${segment(subscription)}/`, [], via);
  }
  disablePremium(website: number, via?: Via): ServiceRequest {
    return this.call(`website/${website}/disable_premium/`, [], via);
  }
  login(website: number, via?: Via): ServiceRequest {
    return this.call(`website/${website}/login/`, [], via);
  }
  domains(website: number, via?: Via): ServiceRequest {
    return this.call(`website/${website}/domains/`, [], via);
  }
  addDomain(website: number, domain: string, via?: Via): ServiceRequest {
    return this.call(`website/${website}/domain/add/`, [['domain', domain]], via);
  }
  removeDomain(website: number, domainId: number, via?: Via): ServiceRequest {
    return this.call(`website/${website}/domain/${domainId}/remove/`, [], via);
  }
  settings(via?: Via): ServiceRequest {
    return this.call('settings/', [], via);
  }
  setSettings(changes: Pairs, via?: Via): ServiceRequest {
    return this.call('settings/set/', changes, via);
  }
  balance(via?: Via): ServiceRequest {
    return this.call('balance/', [], via);
  }
  setPassword(password: Secret, via?: Via): ServiceRequest {
    return this.call('password/', [['password', password]], via);
  }
}
