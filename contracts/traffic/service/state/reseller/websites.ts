/** Websites of a reseller: their domains and subscriptions, as served calls left them. */
import { responseKind, type ServiceRequest } from '../../../call.ts';
import type { PendingFindings } from '../values/pending.ts';
import { DOMAIN_STATE_CLAUSES, DomainState } from './domains.ts';
import { STATUS_STATE_CLAUSES, StatusState } from './statuses.ts';
import { STRANGER_CLAUSES, Strangers } from './strangers.ts';
import { SUBSCRIPTION_STATE_CLAUSES, SubscriptionState } from './subscriptions.ts';

export const WEBSITE_STATE_CLAUSES = [
  ...DOMAIN_STATE_CLAUSES,
  ...STATUS_STATE_CLAUSES,
  ...SUBSCRIPTION_STATE_CLAUSES,
  ...STRANGER_CLAUSES,
];

/** A rule with memory: takes every call of one base, in their order. */
export class WebsiteState {
  readonly #domains: DomainState;
  readonly #subscriptions: SubscriptionState;
  readonly #strangers: Strangers;
  readonly #statuses: StatusState;

  constructor(pending: PendingFindings) {
    this.#domains = new DomainState(pending);
    this.#subscriptions = new SubscriptionState(pending);
    this.#strangers = new Strangers(pending);
    this.#statuses = new StatusState(pending);
  }

  /** `account`: what the caller is known by, where it is known. */
  call(call: ServiceRequest, account: string | undefined): void {
    const { operation } = call;
    const kind = responseKind(call);
    const isServed = kind === 'served';
    if (isServed && account !== undefined) this.#strangers.call(call, account);
    if (account !== undefined) this.#noteStatus(call, account, kind);
    if (operation?.id === 'addDomain' || operation?.id === 'removeDomain') this.#domains.changed(call, kind);
    else if (operation?.id === 'listDomains' && isServed) this.#domains.read(call);
    else if (operation?.id === 'enablePremium' || operation?.id === 'disablePremium')
      this.#subscriptions.changed(call, kind);
    else if (operation?.id === 'enableWebsite' || operation?.id === 'disableWebsite')
      this.#subscriptions.switched(call);
    else if (operation?.id === 'listWebsites' && isServed) this.#subscriptions.read(call);
  }

  #noteStatus(call: ServiceRequest, account: string, kind: string): void {
    const id = call.operation?.id;
    if (id === 'enableWebsite' || id === 'disableWebsite') this.#statuses.changed(call, account, kind);
    else if (id === 'listWebsites' && kind === 'served') this.#statuses.read(call, account);
  }

  /** Forgets the domains, which other calls may have changed. */
  forget(): void {
    this.#domains.forget();
  }
}
