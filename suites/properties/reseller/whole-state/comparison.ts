/** Compares all that an account shows, by GET and by POST, with what the calls left. */

import { isDeepStrictEqual } from 'node:util';
import { resourceOf } from '../../../../contracts/envelopes/index.ts';
import {
  ACCOUNT_SETTINGS,
  BALANCE,
  DOMAIN_RECORD,
  WEBSITE_RECORD,
} from '../../../../contracts/fields/catalogue/reseller.ts';
import { type Fields, fieldsOfClause } from '../../../../contracts/fields/catalogue/row.ts';
import { isMissing } from '../../../../contracts/fields/forms.ts';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import { recordId } from '../../../../contracts/json/record-ids.ts';
import { inWords } from '../../../../contracts/json/words.ts';
import type { Context } from '../../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import type { Via } from '../../../../harness/target/interfaces/reseller.ts';
import { isLoopbackProfile } from '../../../../harness/target/profile/index.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { FIXED_FIELDS } from '../../../reseller/account/whole.ts';
import { ask, setFirstMethod, website } from '../../../reseller/steps/login/session.ts';
import { givenStable } from '../../../reseller/steps/quiet.ts';
import { recordOf, websitesOf } from '../../../reseller/steps/records.ts';
import type { Group, Model } from '../state.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

const ONLY_NAMED = 'reseller.website.only-named-website-changes';
const NOTHING_ELSE = 'reseller.account.nothing-else-changes';

/** Fields that change whenever a user works on a website, and one that follows its domains. */
const MOVING = ['websiteModified', 'websiteAccessed', 'websiteAlias'];

interface Rule extends ReturnType<typeof fieldsOfClause> {
  readonly clause: string;
}

const rules = (rows: Fields, ...clauses: readonly string[]): readonly Rule[] =>
  clauses.map((clause) => ({ clause, ...fieldsOfClause(rows, clause) }));

const WEBSITE_RULES = rules(
  WEBSITE_RECORD,
  ...['reseller.website.id', 'reseller.website.type-and-status', 'reseller.website.booleans'],
  'reseller.website.strings',
);
const SETTING_RULES = rules(ACCOUNT_SETTINGS, 'reseller.settings.reseller-id', 'reseller.settings.credit-limit');
const BALANCE_RULES = rules(BALANCE, ...Object.values(BALANCE).map(({ form }) => form));
const DOMAIN_RULES = rules(DOMAIN_RECORD, 'reseller.domain.id');

export const COMPARED_CLAUSES: readonly string[] = [
  ...new Set([...WEBSITE_RULES, ...SETTING_RULES, ...BALANCE_RULES, ...DOMAIN_RULES].map(({ clause }) => clause)),
];

/** Groups of calls that can't move money, by which the balance has to stay as it is. */
const FREE: readonly Group[] = ['settings', 'session'];

export class Comparison {
  readonly #context: Context;
  readonly #system: SystemUnderTest;
  readonly #isHere: boolean;
  #looks = 0;
  #balance: Json | undefined;
  #others: ReadonlyMap<string, Json> = new Map();
  #own: Json = {};

  constructor(context: Context, system: SystemUnderTest) {
    this.#context = context;
    this.#system = system;
    this.#isHere = isLoopbackProfile(context.profile);
  }

  /** Notes what calls for one website leave alone. */
  async before(): Promise<void> {
    const { records } = await websitesOf(this.#context);
    this.#others = this.#othersIn(records);
    this.#own = this.#ownIn(records);
    this.#balance = await this.#readBalance();
  }

  /** Compares everything, by GET and by POST in turn: what one way leaves, the other has to show. */
  async compare(model: Model): Promise<void> {
    const via: Via = this.#looks % 2 === 0 ? 'GET' : 'POST';
    this.#looks += 1;
    setFirstMethod(this.#context, via);
    await this.#system.compare(model);
    await this.#compareRecords(via);
    await this.#judgeRead('settings', SETTING_RULES, via);
    await this.#judgeDomains(via);
    await this.#compareBalance(model, via);
  }

  /** The websites that no call names, with the fields that nothing else changes meanwhile. */
  #othersIn(records: readonly Json[]): Map<string, Json> {
    const own = this.#context.profile.reseller?.website;
    // Elsewhere the owners of those websites may be at work: what calls can change of them is compared by the model.
    const others = this.#isHere ? records.filter((record) => recordId(record, 'websiteID') !== own) : [];
    // Fields that the contract does not name may show anything, such as when a record was read.
    const isStill = (name: string): boolean => Object.hasOwn(WEBSITE_RECORD, name) && !MOVING.includes(name);
    const still = (record: Json) => Object.fromEntries(Object.entries(record).filter(([name]) => isStill(name)));
    return new Map(others.map((record) => [recordId(record, 'websiteID') ?? '', still(record)]));
  }

  /** The website that calls name, with what none of them changes and it shows. */
  #ownIn(records: readonly Json[]): Json {
    const own = this.#context.profile.reseller?.website;
    const record = (own === undefined ? undefined : recordOf(records, own)) ?? {};
    return Object.fromEntries(
      FIXED_FIELDS.filter((name) => !isMissing(record[name])).map((name) => [name, record[name]]),
    );
  }

  async #compareOwn(records: readonly Json[], response: ServiceResponse): Promise<void> {
    const differences = (one: Json, other: Json): string[] =>
      Object.keys(one).filter((name) => Object.hasOwn(other, name) && !isDeepStrictEqual(one[name], other[name]));
    const now = this.#ownIn(records);
    const names = differences(this.#own, now);
    const [name = ''] = names;
    const read = async () => this.#ownIn((await websitesOf(this.#context)).records);
    // Its user may be at work.
    await givenStable(this.#context, { differences, read }, names);
    this.#expect(NOTHING_ELSE, names.length === 0, `${name} of the website must stay as it was`, {
      ...{ expected: this.#own[name], actual: now[name], response },
    });
  }

  async #compareRecords(via: Via): Promise<void> {
    const { records, response } = await websitesOf(this.#context);
    this.#judge(records, WEBSITE_RULES, via);
    await this.#compareOwn(records, response);
    const now = this.#othersIn(records);
    for (const [id, record] of this.#others) {
      const found = now.get(id);
      const names = Object.keys(record).filter((name) => !isDeepStrictEqual(found?.[name], record[name]));
      const what = found === undefined ? 'is no longer listed' : `has another ${names[0]}`;
      const isSame = found !== undefined && names.length === 0;
      if (!isSame) await this.#givenQuiet();
      this.#expect(ONLY_NAMED, isSame, `website ${id}, which no call named, ${what}`, {
        ...{ expected: 'as it was before', actual: what, response },
      });
    }
  }

  /** Before another website is blamed on the calls: its user may be at work. */
  #givenQuiet(): Promise<void> {
    const read = async () => this.#othersIn((await websitesOf(this.#context)).records);
    const differences = (one: unknown, other: unknown) => (isDeepStrictEqual(one, other) ? [] : [other]);
    return givenStable(this.#context, { differences, read }, ['a website']);
  }

  async #judgeRead(what: 'settings', judged: readonly Rule[], via: Via): Promise<void> {
    const reseller = await this.#context.reseller();
    const response = await ask(this.#context, (by) => reseller.readSettings(by));
    const resource = resourceOf(response.json, what);
    if (isServed(response) && isJsonObject(resource)) this.#judge([resource], judged, via);
  }

  async #judgeDomains(via: Via): Promise<void> {
    if (!this.#system.means.groups.has('domains')) return;
    const reseller = await this.#context.reseller();
    const response = await ask(this.#context, (by) => reseller.listDomains(website(this.#context), by));
    const domains = isJsonObject(response.json) && Array.isArray(response.json.domains) ? response.json.domains : [];
    this.#judge(domains.filter(isJsonObject), DOMAIN_RULES, via);
  }

  async #readBalance(): Promise<Json | undefined> {
    const reseller = await this.#context.reseller();
    const response = await ask(this.#context, (by) => reseller.readBalance(by));
    const balance = resourceOf(response.json, 'balance');
    return isServed(response) && isJsonObject(balance) ? balance : undefined;
  }

  async #compareBalance({ last }: Model, via: Via): Promise<void> {
    const balance = await this.#readBalance();
    if (balance === undefined) return;
    this.#judge([balance], BALANCE_RULES, via);
    const former = this.#balance;
    this.#balance = balance;
    // Others may pay and order meanwhile where the account is a real one.
    if (!this.#isHere || former === undefined || last === undefined || !FREE.includes(last.group)) return;
    // A subscription of another website may be paid from it.
    // A value that is missing says nothing.
    const differs = (one: unknown, other: unknown): boolean =>
      !isMissing(one) && !isMissing(other) && !isDeepStrictEqual(one, other);
    const differences = (one: Json, other: Json) =>
      Object.keys(BALANCE).filter((field) => differs(one[field], other[field]));
    const read = async () => (await this.#readBalance()) ?? {};
    await givenStable(this.#context, { differences, read }, differences(former, balance));
    for (const [field, { form: clause }] of Object.entries(BALANCE))
      this.#expect(clause, !differs(balance[field], former[field]), `${field} must stay as it was`, {
        ...{ expected: former[field], actual: balance[field] },
      });
  }

  /** Judges the types of fields that are given, whichever way they were read. */
  #judge(records: readonly Json[], judged: readonly Rule[], via: Via): void {
    for (const record of records) {
      for (const { clause, fields, form } of judged) {
        for (const field of fields) {
          const value = record[field];
          if (form.isUnset(value)) continue;
          const evidence = { expected: form.expected, actual: inWords(value) };
          this.#expect(clause, form.holds(value), `${field}, read by ${via}, must be ${form.expected}`, evidence);
        }
      }
    }
  }

  #expect(clause: string, holds: boolean, message: string, evidence: object): void {
    this.#context.expect.that(holds, message, { clauses: [clause], ...evidence });
  }
}
