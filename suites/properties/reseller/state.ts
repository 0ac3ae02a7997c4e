/**
 * The model of the Reseller interface: the domains, settings, subscription and switch of the one website that a run may
 * use. Where the contract is silent it knows less: what switching or the end of a subscription does to domains is not shown, so
 * that the list is then read again and not judged.
 */
import type { Json } from '../../../harness/target/interfaces/delivery.ts';

/** What a call changes; commands of one group are in play where the profile allows the group. */
export type Group = 'domains' | 'settings' | 'site-status' | 'billing' | 'session';

/** The last call that may have changed something. */
export interface Last {
  readonly group: Group;
  readonly kind: 'add' | 'remove' | 'remove-elsewhere' | 'set' | 'start' | 'stop' | 'switch' | 'session';
  /** Name of the domain, level of the subscription. */
  readonly about?: string;
  /** Names of the settings. */
  readonly names?: readonly string[];
  readonly served: boolean;
}

export interface Model {
  /** Names that this run has attached. */
  readonly attached: Set<string>;
  /** All settings, as texts. */
  settings: ReadonlyMap<string, string>;
  /** Settings that this run has set, by the text that they must have. */
  readonly set: Map<string, string>;
  /** Whether there is a subscription; `undefined` is not known. */
  premium: boolean | undefined;
  enabled: boolean;
  /** Other domains of the own website, and those of others: `website id name`. */
  domains: readonly string[];
  /** Records of other websites as they were, by id. */
  others: ReadonlyMap<string, Json>;
  last: Last | undefined;
}

export const MODEL_CLAUSES = [
  'reseller.domain.add-attaches',
  'reseller.domain.add-leaves-others',
  'reseller.domain.remove-detaches',
  'reseller.domain.remove-leaves-others',
  'reseller.domain.remove-own-website-only',
  'reseller.settings.set-applies',
  'reseller.settings.set-keeps-others',
  'reseller.premium.enable',
  'reseller.premium.enable-plus',
  'reseller.premium.disable-served',
  'reseller.website.enable',
  'reseller.website.disable',
  'reseller.website.only-named-website-changes',
  'reseller.logout.invalidates',
  'reseller.account.nothing-else-changes',
] as const;
export type ModelClause = (typeof MODEL_CLAUSES)[number];

/** The clause that a name goes against which is missing, or twice, in the list of the own website. */
export function clauseOfMissing(last: Last | undefined, name: string): ModelClause {
  if (last?.kind === 'remove-elsewhere') return 'reseller.domain.remove-own-website-only';
  if (last?.kind === 'remove') return 'reseller.domain.remove-leaves-others';
  return last?.kind === 'add' && last.about !== name
    ? 'reseller.domain.add-leaves-others'
    : 'reseller.domain.add-attaches';
}

/** The clause that a change of domains goes against which no call was for. */
export function clauseOfOtherDomains(last: Last | undefined): ModelClause {
  if (last?.kind === 'remove') return 'reseller.domain.remove-leaves-others';
  return last?.kind === 'remove-elsewhere'
    ? 'reseller.domain.remove-own-website-only'
    : 'reseller.domain.add-leaves-others';
}

/** The clause that a wrong setting breaks, by the call before it. */
export function clauseOfSetting(last: Last | undefined, name: string): ModelClause {
  const isNamed = last?.kind === 'set' && last.names?.includes(name);
  return isNamed || last?.kind === 'session' ? 'reseller.settings.set-applies' : 'reseller.settings.set-keeps-others';
}

/** The clause that a wrong `websiteIsPremium` breaks, by the call before it. */
export function clauseOfPremium(last: Last | undefined, expected: boolean): ModelClause {
  if (!expected) return 'reseller.premium.disable-served';
  return last?.about === 'premiumplus' ? 'reseller.premium.enable-plus' : 'reseller.premium.enable';
}
