/** Requests are GET or POST (spec: Endpoints, C. Reseller endpoints): whichever is taken, a reading call returns the same. */

import { isDeepStrictEqual } from 'node:util';
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import {
  ACCOUNT_SETTINGS,
  BALANCE,
  DOMAIN_RECORD,
  WEBSITE_RECORD,
} from '../../../contracts/fields/catalogue/reseller.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Reseller } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { type Build, website } from '../steps/login/session.ts';
import { OWN_WEBSITE, SETTINGS } from '../steps/options.ts';
import { settingsOf } from '../steps/records.ts';
import {
  acceptsCurrentValues,
  type Candidate,
  changed,
  noneChangeable,
  pairsOf,
  restorable,
  set,
  textOf,
  track,
  untestableSettings,
} from '../steps/settings.ts';

/** The values of a response by name; a record of a list has its id before the name. */
type Values = ReadonlyMap<string, unknown>;

interface Reading {
  readonly name: string;
  readonly build: (reseller: Reseller, website: RecordId) => Build;
  readonly valuesIn: (json: unknown) => Values;
}

/** Times that change while a user works on a website: a cached response may show the previous one. */
const MOVING: ReadonlySet<string> = new Set(['websiteModified', 'websiteAccessed']);

/** The members of the contract: others may say when, or how, a call was made. */
const membersOf = (record: unknown, fields: object, prefix = ''): [string, unknown][] =>
  isJsonObject(record)
    ? Object.keys(fields)
        .filter((name) => !MOVING.has(name))
        .map((name) => [prefix + name, record[name]])
    : [];

const recordsIn = (json: unknown, list: string, id: string, fields: object): Values => {
  const records = isJsonObject(json) && Array.isArray(json[list]) ? json[list].filter(isJsonObject) : [];
  return new Map(records.flatMap((record) => membersOf(record, fields, `${recordId(record, id)}.`)));
};

const SETTINGS_READING: Reading = {
  name: 'settings',
  build: (reseller) => (via) => reseller.readSettings(via),
  valuesIn: (json) => new Map(membersOf(resourceOf(json, 'settings'), ACCOUNT_SETTINGS)),
};

const READINGS: readonly Reading[] = [
  {
    name: 'websites',
    build: (reseller) => (via) => reseller.listWebsites(via),
    valuesIn: (json) => recordsIn(json, 'websites', 'websiteID', WEBSITE_RECORD),
  },
  {
    name: 'domains',
    build: (reseller, id) => (via) => reseller.listDomains(id, via),
    valuesIn: (json) => recordsIn(json, 'domains', 'domainID', DOMAIN_RECORD),
  },
  SETTINGS_READING,
  {
    name: 'balance',
    build: (reseller) => (via) => reseller.readBalance(via),
    valuesIn: (json) => new Map(membersOf(resourceOf(json, 'balance'), BALANCE)),
  },
];

const differing = (one: Values, other: Values): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => !isDeepStrictEqual(one.get(name), other.get(name)));

interface Difference {
  /** With the name of the reading. */
  readonly name: string;
  readonly value: string;
  readonly get: unknown;
  readonly post: unknown;
}

/**
 * The values that differ between two responses by GET and two by POST, read in turn, of which those by one method are equal: what
 * other clients change meanwhile does not come and go with the method. Undefined where the call does not take both methods.
 */
async function differingByMethod(
  context: Context,
  reseller: Reseller,
  { name, build, valuesIn }: Reading,
): Promise<{ readonly differences: readonly Difference[]; readonly response: ServiceResponse } | undefined> {
  const call = build(reseller, website(context));
  const pair = async () => {
    const [get, post] = await atOnce([
      () => context.send(call('GET'), 'GET'),
      () => context.send(call('POST'), 'POST'),
    ]);
    if (!isServed(get) || !isServed(post)) return undefined;
    return { get: valuesIn(get.json), post: valuesIn(post.json), response: post };
  };
  const first = await pair();
  if (first === undefined) return undefined;
  const found = differing(first.get, first.post);
  const second = found.length === 0 ? first : await pair();
  if (second === undefined) return undefined;
  const steady = (values: string): boolean =>
    isDeepStrictEqual(first.get.get(values), second.get.get(values)) &&
    isDeepStrictEqual(first.post.get(values), second.post.get(values));
  const differences = found
    .filter(steady)
    .map((value) => ({ name: `${name}.${value}`, value, get: second.get.get(value), post: second.post.get(value) }));
  return { differences, response: second.response };
}

/** Settings that were set to their new texts, whether the account applies that or not: all in one call, or else one that applies it. */
async function setAll(context: Context): Promise<readonly Candidate[]> {
  const all = await restorable(context);
  if (all.length === 0 || !(await acceptsCurrentValues(context, all))) return changed(context);
  track(context, ...all);
  return isServed(await set(context, pairsOf(all, 'fresh'))) ? all : changed(context);
}

export const checks: readonly Check[] = [
  check(
    'reseller.calls.reads-agree',
    'SHOULD return the same values by GET and by POST',
    { clauses: ['reseller.calls.by-get', 'reseller.calls.by-post'], ...OWN_WEBSITE, exactValues: ['method'] },
    async (context) => {
      const reseller = await context.reseller();
      const all = await atOnce(READINGS.map((reading) => () => differingByMethod(context, reseller, reading)));
      const compared = all.filter((result) => result !== undefined);
      for (const { differences, response } of compared) {
        const [first] = differences;
        context.expect.that(
          first === undefined,
          `${differences.map(({ name }) => name).join(', ')} must be the same by POST as by GET, read twice in turn`,
          { expected: first?.get ?? null, actual: first?.post ?? null, response },
        );
      }
      if (compared.length === 0) throw new Skipped('no reading call takes both GET and POST');
    },
  ),
  check(
    'reseller.calls.changed-settings',
    'MUST return a setting as it was set, by GET and by POST',
    { clauses: ['reseller.settings.set-applies'], ...SETTINGS, additional: true },
    async (context) => {
      const sent = await setAll(context);
      const compared = await differingByMethod(context, await context.reseller(), SETTINGS_READING);
      if (compared === undefined) throw new Skipped('settings are not returned by both GET and POST');
      // What both methods return in a form of the service's own is not judged.
      const isSetText = ({ value, get, post }: Difference): boolean =>
        sent.some(({ name, fresh }) => name === value && (textOf(get) === fresh || textOf(post) === fresh));
      const found = compared.differences.find(isSetText);
      if (found === undefined) {
        const { settings } = await settingsOf(context);
        const isApplied = sent.some(({ name, fresh }) => textOf(settings[name]) === fresh);
        if (!isApplied) throw noneChangeable(await untestableSettings(context));
      }
      const message = `${found?.name} was set, and only one of GET and POST returns the new text, read twice in turn`;
      context.expect.that(found === undefined, message, {
        ...(found && { expected: found.get ?? null, actual: found.post ?? null, response: compared.response }),
      });
    },
  ),
];
