/** Requests are GET or POST (spec: Endpoints, C. Reseller endpoints): whichever is taken, a reading call returns the same. */
import { isDeepStrictEqual } from 'node:util';
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import {
  ACCOUNT_SETTINGS,
  BALANCE,
  DOMAIN_RECORD,
  WEBSITE_RECORD,
} from '../../../contracts/fields/catalogue/reseller.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { Reseller } from '../../../harness/target/interfaces/reseller.ts';
import { isObject, isServed } from '../../../harness/target/response/judge-response.ts';
import { type Build, website } from '../steps/login/session.ts';
import { OWN_WEBSITE } from '../steps/options.ts';

/** The values of a response by name; a record of a list has its id before the name. */
type Values = ReadonlyMap<string, unknown>;

interface Reading {
  readonly name: string;
  readonly build: (reseller: Reseller, website: number) => Build;
  readonly valuesIn: (json: unknown) => Values;
}

/** Times that change while a user works on a website: a cached response may show the previous one. */
const MOVING: ReadonlySet<string> = new Set(['websiteModified', 'websiteAccessed']);

/** The members of the contract: others may say when, or how, a call was made. */
const membersOf = (record: unknown, fields: object, prefix = ''): [string, unknown][] =>
  isObject(record)
    ? Object.keys(fields)
        .filter((name) => !MOVING.has(name))
        .map((name) => [prefix + name, record[name]])
    : [];

const recordsIn = (json: unknown, list: string, id: string, fields: object): Values => {
  const records = isObject(json) && Array.isArray(json[list]) ? json[list].filter(isObject) : [];
  return new Map(records.flatMap((record) => membersOf(record, fields, `${String(record[id])}.`)));
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
  {
    name: 'settings',
    build: (reseller) => (via) => reseller.readSettings(via),
    valuesIn: (json) => new Map(membersOf(resourceOf(json, 'settings'), ACCOUNT_SETTINGS)),
  },
  {
    name: 'balance',
    build: (reseller) => (via) => reseller.readBalance(via),
    valuesIn: (json) => new Map(membersOf(resourceOf(json, 'balance'), BALANCE)),
  },
];

const differing = (one: Values, other: Values): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => !isDeepStrictEqual(one.get(name), other.get(name)));

/**
 * The values that differ between two responses by GET and two by POST, read in turn, of which those by one method are equal: what
 * other clients change meanwhile does not come and go with the method. Undefined where the call does not take both methods.
 */
async function differingByMethod(context: Context, reseller: Reseller, { name, build, valuesIn }: Reading) {
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
    .map((value) => ({ name: `${name}.${value}`, get: second.get.get(value), post: second.post.get(value) }));
  return { differences, response: second.response };
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
];
