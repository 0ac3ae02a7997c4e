/** The target's side of the model of Reseller: what a sequence may use, and how what is shown is compared with the model. */

import { isDeepStrictEqual } from 'node:util';
import { comparedName } from '../../../contracts/fields/domain-names.ts';
import { isMissing } from '../../../contracts/fields/forms.ts';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { INSPECTION } from '../../../harness/property/index.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isLoopbackProfile } from '../../../harness/target/profile/index.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import {
  domainsAt,
  idOf,
  isLeftoverDomain,
  isNamed,
  newSubdomain,
  recordsNamed,
  remove,
  reserve,
  runDomain,
  unlessRefused,
} from '../../reseller/steps/domains.ts';
import { website } from '../../reseller/steps/login/session.ts';
import { givenStable, symmetricDifference } from '../../reseller/steps/quiet.ts';
import { recordOf, settingsOf, websitesOf } from '../../reseller/steps/records.ts';
import { type Candidate, differing, givenQuietSettings, textOf } from '../../reseller/steps/settings.ts';
import {
  clauseOfMissing,
  clauseOfOtherDomains,
  clauseOfPremium,
  clauseOfSetting,
  type Group,
  type Model,
  type ModelClause,
} from './state.ts';

/** What the calls for one website can change in a record. */
const SWITCHED = ['websiteStatus', 'websiteType', 'websiteIsPremium'];
/** More websites would cost a call each and prove nothing more. */
const MAX_OTHERS = 2;

/** What sequences may use on this target; the same for all of a property's runs. */
export interface Capabilities {
  readonly groups: ReadonlySet<Group>;
  /** Domain names that may be attached, the one of the profile first, unless it is attached already. */
  readonly names: readonly string[];
  /** Settings that take another text. */
  readonly settings: readonly Candidate[];
  /** Other websites of the account. */
  readonly others: readonly RecordId[];
}

/** Groups that the profile allows and gives the keys for. */
export function groupsOf({ profile }: Context): Set<Group> {
  const { reseller, allow } = profile;
  const groups = new Set<Group>(['session']);
  if (allow.has('settings')) groups.add('settings');
  if (reseller?.website === undefined) return groups;
  if (allow.has('domains') && reseller.domain !== undefined) groups.add('domains');
  if (allow.has('site-status')) groups.add('site-status');
  // A subscription costs money each time it is started: repeatedly only where no one pays.
  if (allow.has('billing') && isLoopbackProfile(profile)) groups.add('billing');
  return groups;
}

/** The domain of the profile, and two names below it, which a service is free to refuse: the second is long and begins with a digit. */
export function namesFor(context: Context): string[] {
  const below = newSubdomain(context);
  return [runDomain(context), below, `24-${below.replace('.', '-honey-and-tea-from-the-north.')}`];
}

export class SystemUnderTest {
  readonly context: Context;
  means: Capabilities;
  readonly step: (words: string) => void;
  /** Whether everything is read after each call, to find the one that went wrong. */
  readonly comparesState: boolean;
  /** What was put down for putting back. */
  readonly tracked = new Set<string>();
  /** Sent right before each call that may change something: what a refusal leaves behind does not show after a read. */
  beforeChange: () => Promise<unknown> = async () => undefined;

  constructor(context: Context, means: Capabilities, how: { step: (words: string) => void; comparesState: boolean }) {
    this.context = context;
    this.means = means;
    this.step = how.step;
    this.comparesState = how.comparesState;
  }

  /** The model of what is there before the first call. */
  async begin(): Promise<Model> {
    const { groups } = this.means;
    const model: Model = {
      attached: new Set(),
      settings: new Map(),
      set: new Map(),
      premium: undefined,
      enabled: true,
      domains: [],
      others: new Map(),
      last: undefined,
    };
    if (groups.has('settings')) model.settings = await this.#settings();
    if (groups.has('domains')) {
      await this.#leaveAttached();
      model.domains = await this.#otherDomains();
    }
    if (this.#hasWebsites) await this.#learnRecords(model);
    return model;
  }

  /**
   * Leaves names alone that are attached before a sequence: the user's own, and those that the service refuses to remove after a sequence.
   * One that the run attached is removed once more, which has to detach it if it is served.
   */
  async #leaveAttached(): Promise<void> {
    const { context } = this;
    const listed = async () => (await recordsNamed(context)).records;
    const isIn = (records: readonly Json[], name: string): boolean => records.some((record) => isNamed(record, name));
    const records = await listed();
    const names: string[] = [];
    for (const name of this.means.names) {
      if (!isIn(records, name)) names.push(name);
      else if (isLeftoverDomain(context, name)) {
        const response = await remove(context, await idOf(context, name));
        if (!isServed(response)) continue;
        const message = `${name} must no longer be listed`;
        this.expect('reseller.domain.remove-detaches', !isIn(await listed(), name), message, { response });
        names.push(name);
      }
    }
    this.means = { ...this.means, names };
  }

  expect(clause: ModelClause, holds: boolean, message: string, evidence: object = {}): void {
    this.context.expect.that(holds, message, { clauses: [clause], ...evidence });
  }

  async compareState(model: Model): Promise<void> {
    if (this.comparesState) await this.compare(model);
  }

  /** Compares everything that a group in play may have changed. */
  async compare(model: Model): Promise<void> {
    const { groups } = this.means;
    if (groups.has('domains')) await this.compareDomains(model);
    if (groups.has('settings')) await this.#compareSettings(model);
    if (this.#hasWebsites) await this.#compareRecords(model);
  }

  get #hasWebsites(): boolean {
    return this.means.groups.has('site-status') || this.means.groups.has('billing');
  }

  /** Asserts that the list has the names that were attached, each once, and all others are as they were. */
  compareDomains(model: Model): Promise<void> {
    return unlessRefused(!model.enabled, () => this.#compareListed(model));
  }

  async #compareListed(model: Model): Promise<void> {
    await this.compareAttached(model);
    const domains = await this.#otherDomains();
    const read = () => this.#otherDomains();
    await givenStable(
      this.context,
      { differences: symmetricDifference, read },
      symmetricDifference(model.domains, domains),
    );
    const clause = clauseOfOtherDomains(model.last);
    const message = 'domains that no call named must stay unchanged';
    this.expect(clause, isDeepStrictEqual(domains, model.domains), message, {
      expected: model.domains,
      actual: domains,
    });
  }

  async compareAttached(model: Model): Promise<void> {
    const { names } = this.means;
    const { records, response } = await recordsNamed(this.context);
    for (const name of names) {
      const times = records.filter((record) => isNamed(record, name)).length;
      const expected = model.attached.has(name) ? 1 : 0;
      const clause = expected === 1 ? clauseOfMissing(model.last, name) : 'reseller.domain.remove-detaches';
      this.expect(
        clause,
        times === expected,
        `${name} must ${expected === 1 ? 'be listed once' : 'no longer be listed'}`,
        {
          expected: `${expected} records of ${name}`,
          actual: `${times}`,
          pointer: '/domains',
          response,
        },
      );
    }
  }

  /** Writes a name down for removal; `false` where nothing shows whether it is free, because the website is disabled. */
  async reserved(model: Model, name: string): Promise<boolean> {
    if (this.tracked.has(name)) return true;
    const isFree = await unlessRefused(!model.enabled, async () => {
      await reserve(this.context, name);
      return true;
    });
    if (isFree === true) this.tracked.add(name);
    return isFree ?? false;
  }

  /**
   * What happens to domains by a switch or the end of a subscription is not shown: the list is what it is now. Resolves with the names that
   * were attached and are not listed any more.
   */
  async learnDomains(model: Model): Promise<string[]> {
    if (!this.means.groups.has('domains')) return [];
    const { records } = (await unlessRefused(!model.enabled, () => recordsNamed(this.context))) ?? {};
    if (records === undefined) return [];
    const lost = [...model.attached].filter((name) => !records.some((record) => isNamed(record, name)));
    for (const name of lost) model.attached.delete(name);
    model.domains = await this.#otherDomains();
    return lost;
  }

  /** Without the names of the model, and without their `www` names, which a service may list beside them. */
  async #otherDomains(): Promise<string[]> {
    const all = await domainsAt(this.context, [website(this.context), ...this.means.others.slice(0, MAX_OTHERS)]);
    const own = this.means.names.map(comparedName).flatMap((name) => [name, `www.${name}`]);
    return all.filter((line) => !own.some((name) => line.endsWith(` ${name}`)));
  }

  async #settings(): Promise<Map<string, string>> {
    const { settings } = await settingsOf(this.context);
    return new Map(Object.entries(settings).map(([name, value]) => [name, textOf(value)]));
  }

  async #compareSettings(model: Model): Promise<void> {
    const { settings, response } = await settingsOf(this.context);
    const expected = Object.fromEntries(model.settings);
    const [wrong] = differing(expected, settings);
    if (wrong === undefined) {
      this.context.expect.asserted += 1;
      return;
    }
    await givenQuietSettings(this.context, [wrong]);
    const text = model.set.get(wrong);
    this.expect(
      clauseOfSetting(model.last, wrong),
      false,
      `the setting ${wrong} must have the value that was set last`,
      {
        // What was there before the run is not judged.
        expected: text ?? 'as it was before',
        actual: text === undefined ? 'another text' : textOf(settings[wrong]),
        pointer: `/${wrong}`,
        response,
      },
    );
  }

  #premiumIn(records: readonly Json[]): boolean | undefined {
    const premium = recordOf(records, website(this.context))?.websiteIsPremium;
    return typeof premium === 'boolean' ? premium : undefined;
  }

  async #learnRecords(model: Model): Promise<void> {
    const { records } = await websitesOf(this.context);
    model.premium = this.#premiumIn(records);
    const others = records.filter((record) => recordId(record, 'websiteID') !== website(this.context));
    model.others = new Map(others.map((record) => [recordId(record, 'websiteID') ?? '', record]));
  }

  async #compareRecords(model: Model): Promise<void> {
    const { records, response } = await websitesOf(this.context);
    const premium = recordOf(records, website(this.context))?.websiteIsPremium;
    if (model.premium !== undefined && !isMissing(premium)) {
      const message = `websiteIsPremium must be ${model.premium}`;
      const evidence = { expected: model.premium, actual: premium, response };
      this.expect(clauseOfPremium(model.last, model.premium), premium === model.premium, message, evidence);
    }
    for (const [id, record] of model.others) {
      const now = recordOf(records, id);
      const field = now && switchedIn(record, now);
      if (field !== undefined) await this.#givenQuiet(model, field);
      const message = `${field} of website ${id}, which no call named, must stay unchanged`;
      const evidence = field === undefined ? {} : { expected: record[field], actual: now?.[field], response };
      this.expect('reseller.website.only-named-website-changes', field === undefined, message, evidence);
    }
  }

  /** Before a field of a website that no call named is blamed: the owners of such websites may be at work. */
  #givenQuiet({ others }: Model, field: string): Promise<void> {
    const read = async () => (await websitesOf(this.context)).records;
    const differences = (before: readonly Json[], after: readonly Json[]) =>
      [...others.keys()].filter((id) => {
        const [then, now] = [before, after].map((records) => recordOf(records, id));
        return then !== undefined && now !== undefined && switchedIn(then, now) !== undefined;
      });
    return givenStable(this.context, { differences, read }, [field]);
  }

  /** Learns whether there is a subscription: what a switch does to it is not shown. */
  async learnPremium(model: Model): Promise<void> {
    const { records } = await websitesOf(this.context);
    model.premium = this.#premiumIn(records);
  }

  /** What is refused says nothing where the token is good no longer: for how long one is, is not shown. */
  async givenToken(): Promise<void> {
    const { resources, send } = this.context;
    const reseller = await this.context.reseller();
    if (isServed(await send(reseller.readBalance(), 'session'))) return;
    resources.session.forget();
    throw new Inconclusive(
      'the token expired during a sequence of calls: give the test account tokens with a longer lifetime',
      'target',
    );
  }

  /** Learns whether a subscription that was stopped has ended. When one ends is open: until then it may do so at any moment. */
  async learnEnd(model: Model): Promise<void> {
    await this.learnPremium(model);
    if (model.premium === true) model.premium = undefined;
  }

  /** Takes over which domains of the website are left after a call that may take some with it; those of others have to stay. */
  async learnOwnDomains(model: Model): Promise<void> {
    const others = model.domains.filter((line) => !line.startsWith(`${website(this.context)} `));
    await this.learnDomains(model);
    const own = model.domains.filter((line) => line.startsWith(`${website(this.context)} `));
    model.domains = [...own, ...others].sort();
  }

  /** Asserts that a token is served no more. */
  async expectEnded(call: Parameters<Context['send']>[0]): Promise<void> {
    const response = await this.context.send(call, INSPECTION);
    this.expect('reseller.logout.invalidates', !isServed(response), 'a token must not be served after logout', {
      response,
    });
  }
}

/** The first field that switches or subscriptions change, where two readings of a website differ in one. */
const switchedIn = (before: Json, after: Json): string | undefined =>
  SWITCHED.find((name) => !isDeepStrictEqual(after[name], before[name]));
