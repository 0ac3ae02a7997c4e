/** How far recorded traffic goes: what it decides, and why it leaves the rest open. */
import type { ClauseParty } from '../clauses/clause-row.ts';
import { INTEGRATOR_CLAUSES, INTEGRATOR_CLAUSES_BROKEN } from './integrator/index.ts';
import { SERVICE_CLAUSES, SERVICE_CLAUSES_BROKEN } from './service/index.ts';

const KEPT_OR_BROKEN = { service: new Set(SERVICE_CLAUSES), integrator: new Set(INTEGRATOR_CLAUSES) };
const BROKEN_ONLY = { service: new Set(SERVICE_CLAUSES_BROKEN), integrator: new Set(INTEGRATOR_CLAUSES_BROKEN) };

/** Whether traffic can show a clause kept; otherwise it shows at most that it is broken. */
export function canPass(party: ClauseParty, clause: string): boolean {
  return KEPT_OR_BROKEN[party].has(clause);
}

/** The clauses that the rules of a party speak about. */
export function decidedClauses(party: ClauseParty): string[] {
  return [...new Set([...KEPT_OR_BROKEN[party], ...BROKEN_ONLY[party]])];
}

/** Why a clause of which nothing was said is undecided, and what to do about it: the end of a sentence. */
export function whyUndecided(party: ClauseParty, clause: string): string {
  if (KEPT_OR_BROKEN[party].has(clause)) return `no recorded exchange shows it: record ${whatToRecord(clause)} as well`;
  if (BROKEN_ONLY[party].has(clause)) {
    return `no recorded exchange concerns it, and traffic alone could only show that it is broken: ${otherCommand(party, clause)}`;
  }
  return `${reasonOf(clause)}: ${otherCommand(party, clause)}`;
}

/** What to say where nothing in the traffic broke a clause that traffic can't show kept. */
export function whyOpen(party: ClauseParty, clause: string): string {
  return `nothing in the traffic broke it, and traffic alone can't show that it is kept: ${otherCommand(party, clause)}`;
}

/** The first beginning that fits a clause names the traffic that would show it. */
const RECORDED: ReadonlyArray<readonly [prefix: string, what: string]> = [
  ['envelope.v1.', 'calls of Delivery or Apps, including refused ones,'],
  ['envelope.reseller.', 'calls of Reseller, including refused ones,'],
  ['delivery.lists.', 'lists read page by page'],
  ['labels.', 'label requests and their callbacks'],
  ['install.', 'an installation'],
  ['settings.', 'the redirect from Settings to the app'],
  ['apps.credentials.', 'calls of Apps that lack a credential'],
  ['delivery.credentials.', 'calls of Delivery that lack the key'],
  ['reseller.token.', 'calls of Reseller without a token'],
  ['delivery.batch.', 'an upload of pickup points'],
  ['apps.', 'calls of Apps'],
  ['reseller.domain.id-unique', 'a website with two domains'],
  ['reseller.', 'calls of Reseller'],
  ['app.manifest.', 'an installation'],
  ['app.install.', 'an installation'],
  ['provider.callback.', 'label requests and their callbacks'],
  ['provider.calls.point-ids-unique', 'the addition of a single point'],
  ['', 'calls of Delivery'],
];

const whatToRecord = (clause: string): string => RECORDED.find(([prefix]) => clause.startsWith(prefix))?.[1] ?? '';

const REASONS: ReadonlyArray<readonly [prefix: string, reason: string]> = [
  ['app.manifest.', 'a manifest is not traffic'],
  ['provider.manifest.', 'a manifest is not traffic'],
  ['delivery.credentials.', 'the traffic does not show whether a key is valid'],
  ['apps.credentials.', 'the traffic does not show whether a key or code is valid'],
  ['reseller.token.', 'the traffic does not show whether a token is valid'],
  ['delivery.owner.', 'the traffic does not show who owns what'],
  ['apps.isolation.', 'the traffic does not show whose data a response contains'],
  ['labels.button.', 'the traffic does not show what a page of the service displays'],
  ['provider.', 'a refusal counts only next to its accepted control request, and both have to be sent deliberately'],
  ['checkout.', 'its fields are not known, so such requests are not recognised'],
  ['labels.callback.', "only the service's own pages show what it does with a callback"],
  ['app.', 'only a browser that is deliberately driven through the sequence shows it'],
  ['install.', 'only a browser that is deliberately driven through the sequence shows it'],
  ['settings.', 'only a browser that is deliberately driven through the sequence shows it'],
];
const COMPARED = 'it requires comparing responses before and after a change while nothing else changes';

const reasonOf = (clause: string): string => REASONS.find(([prefix]) => clause.startsWith(prefix))?.[1] ?? COMPARED;

function otherCommand(party: ClauseParty, clause: string): string {
  if (party === 'service') return '`proofmark run` decides it';
  const isDelivery = clause.startsWith('provider.');
  return `\`proofmark precheck ${isDelivery ? 'delivery' : 'app'}\` decides it`;
}
