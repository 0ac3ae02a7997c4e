/**
 * What calls leave behind, and whether later reads show it (spec: Endpoints): something that was deleted is gone, something that
 * was set is read, and nothing else has changed. A read is judged only when it began after the write had ended, no later than
 * some minutes after it, and no write was under way meanwhile, recorded or suspected.
 */
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import type { SeenExchange } from '../../reading/seen.ts';
import { APP_STATE_CLAUSES, AppState } from './apps.ts';
import { DELIVERY_STATE_CLAUSES } from './delivery/clauses.ts';
import { deliveryState, type FinishedWalk } from './delivery/index.ts';
import { REFUSED_CREDENTIAL_CLAUSES, RefusedCredentials } from './refusals/refused-credentials.ts';
import { ACCOUNT_STATE_CLAUSES, AccountState } from './reseller/accounts.ts';
import { PendingFindings } from './values/pending.ts';

export type { FinishedWalk } from './delivery/index.ts';

/** Clauses that a read breaks when it does not show what was written: that they are kept in every case, no traffic shows. */
export const STATE_CLAUSES: readonly string[] = [
  ...DELIVERY_STATE_CLAUSES,
  ...APP_STATE_CLAUSES,
  ...ACCOUNT_STATE_CLAUSES,
  ...REFUSED_CREDENTIAL_CLAUSES,
];

/** Rules with memory over the calls of one base. */
export function stateRule(scene: RuleContext) {
  const pending = new PendingFindings(scene.notes);
  const delivery = deliveryState(scene, pending);
  const apps = new AppState(pending);
  const accounts = new AccountState(pending);
  const credentials = new RefusedCredentials(pending);
  const forget = (): void => {
    pending.takeBackAll();
    delivery.forget();
    apps.forget();
    accounts.forget();
  };

  return {
    /** Returns true when something was found in the exchange. */
    call(call: ServiceRequest): boolean {
      const { seen } = call;
      pending.reach(seen.startMs);
      const before = pending.count;
      credentials.call(call);
      // A path or method that the contract does not have may change anything.
      if (call.operation === undefined) {
        if (!/^(?:GET|HEAD|OPTIONS)$/.test(seen.method)) forget();
      } else if (isRefusedForItsPath(call)) return pending.count > before;
      else if (call.document === 'api') accounts.call(call);
      else if (call.operation.template.startsWith('/apps/')) apps.call(call);
      else delivery.call(call);
      return pending.count > before;
    },
    walked(walk: FinishedWalk): boolean {
      const before = pending.count;
      delivery.walked(walk);
      return pending.count > before;
    },
    isUnchanged: delivery.isUnchanged,
    /** A request to another part of the service's website, such as a form of its admin pages. */
    other(seen: SeenExchange): void {
      if (!/^(?:GET|HEAD|OPTIONS)$/.test(seen.method)) forget();
    },
    end: (): void => pending.end(),
  };
}

/** A service need not serve a path whose slashes are not those of the contract: such a refusal says nothing of what is there. */
const isRefusedForItsPath = (call: ServiceRequest): boolean =>
  call.match?.exact === false && responseKind(call) === 'refused';
