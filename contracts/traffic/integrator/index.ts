/** The rules by which an integrator is judged from recorded traffic. */
import type { CallRules, RuleContext, ServiceRequest } from '../call.ts';
import type { PageVisit } from '../reading/pages.ts';
import type { SeenExchange } from '../reading/seen.ts';
import { BODY_CLAUSES, judgeBody } from './bodies.ts';
import { CREDENTIAL_CLAUSES, CredentialRule, type HeadersSeen } from './credentials.ts';
import { LABEL_PAGE_CLAUSES, LABEL_PAGE_CLAUSES_BROKEN, LabelPageRule } from './labels/index.ts';
import { judgeCallFromPage, judgeLeak, LEAK_CLAUSES } from './leaks.ts';
import { PagingRule } from './paging.ts';
import { RESELLER_CLAUSES, ResellerRule } from './reseller.ts';
import { RETURN_CLAUSES, RETURN_CLAUSES_BROKEN, ReturnRule } from './returns.ts';
import { UnknownFieldRule } from './unknown-fields.ts';
import { UnknownSettingRule } from './unknown-settings.ts';
import { BATCH_CLAUSES, BatchRule } from './uploads/batch.ts';
import { handleRule } from './uploads/handles.ts';
import { POINT_CLAUSES, PointRule } from './uploads/points.ts';

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
    const credentials = new CredentialRule(scene, headers);
    const batch = new BatchRule(scene);
    const paging = new PagingRule(scene);
    const point = new PointRule(scene);
    const handles = handleRule(scene);
    const reseller = new ResellerRule(scene);
    const unknownFields = new UnknownFieldRule(scene);
    const unknownSettings = new UnknownSettingRule(scene);
    return {
      call(call) {
        credentials.call(call);
        judgeBody(call, scene);
        batch.call(call);
        paging.call(call);
        point.call(call);
        handles(call);
        reseller.call(call);
        unknownFields.call(call);
        unknownSettings.call(call);
        return false;
      },
      other: () => undefined,
      end() {
        credentials.end();
        batch.end();
        unknownFields.end();
        unknownSettings.end();
      },
    };
  },
  pages(scene: RuleContext) {
    const labels = new LabelPageRule(scene);
    const returns = new ReturnRule(scene);
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
