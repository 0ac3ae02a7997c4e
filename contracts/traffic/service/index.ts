/** The rules by which a service is judged from recorded traffic. */
import type { CallRules, RuleContext } from '../call.ts';
import type { PageVisit } from '../reading/pages.ts';
import type { SeenExchange } from '../reading/seen.ts';
import { CREDENTIAL_CLAUSES, CredentialRule } from './credentials.ts';
import { DATA_CLAUSES, DATA_CLAUSES_BROKEN, judgeData } from './data.ts';
import { LABEL_CLAUSES, LABEL_CLAUSES_BROKEN, LabelRule } from './labels/index.ts';
import { labelMethodRule } from './labels/label-methods.ts';
import { LIST_CLAUSES, LIST_CLAUSES_BROKEN, ListRule } from './lists/index.ts';
import { LIMIT_CLAUSES, limitRule } from './lists/limits.ts';
import { LOAD_CLAUSES, LOAD_CLAUSES_BROKEN, loadRule } from './loads.ts';
import { judgeResponse, RESPONSE_CLAUSES } from './responses.ts';
import { SentCountries } from './sent-countries.ts';
import { judgeSettings, SETTINGS_CLAUSES_BROKEN } from './settings.ts';
import { STATE_CLAUSES, stateRule } from './state/index.ts';

/** Clauses that traffic can show kept or broken. */
export const SERVICE_CLAUSES: readonly string[] = [
  ...RESPONSE_CLAUSES,
  ...DATA_CLAUSES,
  ...LIST_CLAUSES,
  ...LIMIT_CLAUSES,
  ...CREDENTIAL_CLAUSES,
  ...LABEL_CLAUSES,
  ...LOAD_CLAUSES,
];
/** Clauses that it can only show broken. */
export const SERVICE_CLAUSES_BROKEN: readonly string[] = [
  ...DATA_CLAUSES_BROKEN,
  ...LABEL_CLAUSES_BROKEN,
  ...LOAD_CLAUSES_BROKEN,
  ...LIST_CLAUSES_BROKEN,
  ...SETTINGS_CLAUSES_BROKEN,
  ...STATE_CLAUSES,
];

export const serviceRules = {
  calls(scene: RuleContext): CallRules {
    const state = stateRule(scene);
    const list = new ListRule(scene, state);
    const limit = limitRule(scene);
    const credentials = new CredentialRule(scene);
    const sentCountries = new SentCountries();
    const data = { ...scene, sentCountries };
    return {
      call(call) {
        sentCountries.note(call);
        judgeResponse(call, scene);
        judgeData(call, data);
        judgeSettings(call, scene);
        limit(call);
        const isHeld = [credentials.call(call), state.call(call), list.call(call)];
        return isHeld.includes(true);
      },
      other: state.other,
      end: state.end,
    };
  },
  pages(scene: RuleContext) {
    const label = new LabelRule(scene);
    const methods = labelMethodRule(scene);
    const load = loadRule(scene);
    return {
      visit(visit: PageVisit): void {
        if (visit.kind === 'label-request') {
          label.request(visit);
          methods.request(visit);
        } else if (visit.kind === 'app-load') load(visit);
      },
      call: methods.call,
      other: (_seen: SeenExchange): void => undefined,
    };
  },
};
