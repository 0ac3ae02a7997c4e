/**
 * Values that the profile states and that no call changes: the languages of its website, the custom fields of its order. The checks of
 * their clauses read them once; here every response of the run that shows them is compared, whichever check asked for it and whatever it
 * had changed before.
 */
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Breach } from '../../../contracts/run/events.ts';
import { encodePairs, type ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { Delivery } from '../../target/interfaces/delivery.ts';
import type { Profile } from '../../target/profile/types.ts';
import { isServed } from '../../target/response/judge-response.ts';

/** A call that shows stated values, and how its response differs from them. */
interface Stated {
  readonly call: ServiceRequest;
  readonly clause: string;
  readonly pointer: string;
  readonly expected: unknown;
  /** What a response shows instead; undefined where it agrees, or has a form that other clauses are about. */
  differs(json: Readonly<Record<string, unknown>>): unknown;
}

/** What a profile states: it does not change within a run. */
const known = new WeakMap<Profile, readonly Stated[]>();

/** What the profile states, as the calls that show it. */
function statedBy({ apps, delivery, website }: Profile): Stated[] {
  const stated: Stated[] = [];
  if (apps?.apiKey !== undefined && apps.authCode !== undefined && website?.languages !== undefined)
    stated.push(languagesOf(new Apps(apps.apiKey, apps.authCode), website.languages));
  const { apiKey, orderUuid, expectedFields } = delivery?.public ?? {};
  if (apiKey !== undefined && orderUuid !== undefined && expectedFields !== undefined)
    stated.push(fieldsOf(new Delivery('public', apiKey).readProviderSettings(orderUuid), expectedFields));
  return stated;
}

function languagesOf(apps: Apps, languages: readonly string[]): Stated {
  const expected = [...languages].sort();
  return {
    call: apps.getLanguages(),
    clause: 'apps.languages.exactly-website-languages',
    pointer: '/languages',
    expected,
    differs: ({ languages: listed }) => {
      if (!Array.isArray(listed)) return undefined;
      const all = listed.map(String).sort();
      return all.join() === expected.join() ? undefined : all;
    },
  };
}

function fieldsOf(call: ServiceRequest, expected: Readonly<Record<string, string>>): Stated {
  return {
    call,
    clause: 'delivery.settings.values-of-order',
    pointer: '/fields',
    expected,
    differs: ({ fields }) => {
      if (!isJsonObject(fields)) return undefined;
      // A profile contains texts; the JSON type of numbers and checkboxes is not stated.
      const shown = Object.keys(expected).map((name) => [name, String(fields[name] ?? '')] as const);
      // An order without any value may be one that its store did not fill in: its own check distinguishes that.
      const isEmpty = shown.every(([, text]) => text === '');
      const isAsStated = shown.every(([name, text]) => text === expected[name]);
      return isEmpty || isAsStated ? undefined : Object.fromEntries(shown);
    },
  };
}

/** What a response breaks that shows other values than those the profile states. */
export function otherThanStated(profile: Profile, call: ServiceRequest, response: ServiceResponse): Breach | undefined {
  const { json, exchange } = response;
  const stated = known.get(profile) ?? statedBy(profile);
  known.set(profile, stated);
  const one = stated.find((row) => isSameCall(row.call, call));
  if (one === undefined || !isServed(response) || !isJsonObject(json)) return undefined;
  const { clause, pointer, expected } = one;
  const actual = one.differs(json);
  if (actual === undefined) return undefined;
  const reason = `${call.method} ${call.path} returned other values than the profile states`;
  return { clause, exchange, reason, pointer, expected, actual };
}

const isSameCall = (one: ServiceRequest, other: ServiceRequest): boolean =>
  one.path === other.path &&
  one.method === other.method &&
  encodePairs(one.query) === encodePairs(other.query) &&
  encodePairs(one.headers) === encodePairs(other.headers) &&
  JSON.stringify(one.body) === JSON.stringify(other.body);
