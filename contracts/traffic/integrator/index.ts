/** The rules by which an integrator is judged from recorded traffic. */
import type { CallRules, RuleContext, ServiceRequest } from '../call.ts';
import type { PageVisit } from '../reading/pages.ts';
import type { SeenExchange } from '../reading/seen.ts';
import { BODY_CLAUSES, judgeBody } from './bodies.ts';
import { CREDENTIAL_CLAUSES, credentialRule, type HeadersSeen } from './credentials.ts';
import { LABEL_PAGE_CLAUSES, LABEL_PAGE_CLAUSES_BROKEN, labelPageRule } from './labels/index.ts';
import { judgeCallFromPage, judgeLeak, LEAK_CLAUSES } from './leaks.ts';
import { pagingRule } from './paging.ts';
import { RESELLER_CLAUSES, resellerRule } from './reseller.ts';
import { RETURN_CLAUSES, RETURN_CLAUSES_BROKEN, returnRule } from './returns.ts';
import { BATCH_CLAUSES, batchRule } from './uploads/batch.ts';
import { handleRule } from './uploads/handles.ts';
import { POINT_CLAUSES, pointRule } from './uploads/points.ts';

export type { HeadersSeen } from './credentials.ts';

/** Clauses that traffic can show kept or broken. */
export const INTEGRATOR_CLAUSES: readonly string[] = [
  ...CREDENTIAL_CLAUSES,
  ...BODY_CLAUSES,
  ...BATCH_CLAUSES,
  ...POINT_CLAUSES,
  ...RESELLER_CLAUSES,
  ...LABEL_PAGE_CLAUSES,
  ...RETURN_CLAUSES,
];
/** Clauses that it can only show broken. */
export const INTEGRATOR_CLAUSES_BROKEN: readonly string[] = [
  ...LABEL_PAGE_CLAUSES_BROKEN,
  ...RETURN_CLAUSES_BROKEN,
  ...LEAK_CLAUSES,
];

export const integratorRules = {
  calls(scene: RuleContext, headers: HeadersSeen): CallRules {
    const credentials = credentialRule(scene, headers);
    const batch = batchRule(scene);
    const paging = pagingRule(scene);
    const point = pointRule(scene);
    const handles = handleRule(scene);
    const reseller = resellerRule(scene);
    return {
      call(call) {
        credentials.call(call);
        judgeBody(call, scene);
        batch.call(call);
        paging(call);
        point(call);
        handles(call);
        reseller(call);
        return false;
      },
      other: () => undefined,
      end() {
        credentials.end();
        batch.end();
      },
    };
  },
  pages(scene: RuleContext) {
    const labels = labelPageRule(scene);
    const returns = returnRule(scene);
    return {
      visit(visit: PageVisit): void {
        if (visit.kind === 'label-request') labels.request(visit);
        else if (visit.kind === 'label-callback') labels.callback(visit);
        else if (visit.kind === 'app-load') returns.load(visit);
        else returns.back(visit);
        judgeLeak(visit.seen, scene);
      },
      call(call: ServiceRequest): void {
        returns.call(call);
        labels.call(call);
        judgeCallFromPage(call, scene);
      },
      other(seen: SeenExchange): void {
        labels.other(seen);
        judgeLeak(seen, scene);
      },
    };
  },
};
