/** Reading and setting the data of an installation that was there before: what it held is written down first and put back. */
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { inWords } from '../../../contracts/json/words.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Installation } from '../../../harness/cleanup/ledger.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';
import { exactTextOf } from '../../../harness/target/response/exact-json.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { isNeverSet } from './never-set.ts';
import { givenServedLikeFirst } from './second-installation.ts';
import { isTracked, trackOnce } from './tracked.ts';

export type DataClause = 'apps.data.string-kept' | 'apps.data.object-kept';

/** Whose data: one of the two installations of the profile. */
export interface Owner {
  readonly apps: Apps;
  readonly installation: Installation;
}

export const ownData = (context: Context): Owner => ({ apps: context.apps, installation: 'own' });

/** The `data` of a response. */
export function dataIn(response: ServiceResponse): unknown {
  return isJsonObject(response.json) ? response.json.data : undefined;
}

/** Reads what is there and has it put back in the end; returns it. As `saveForRestore` of snippets. */
export async function rememberData(
  context: Context,
  owner: Owner,
  clause: DataClause,
  judge = false,
): Promise<unknown> {
  const { given, expect } = context;
  const response = await context.send(owner.apps.getData(), 'old value');
  const old = settable(isNeverSet(response) ? null : isServed(response) ? dataIn(response) : 0);
  const place = { kind: 'app-data', installation: owner.installation } as const;
  // A list that an earlier check of this run tried is neither the user's nor a fault.
  if (old === undefined && isServed(response) && isTracked(context, place)) return dataIn(response);
  // What is there may be private; the exchange shows it to those who may see it.
  const what = `data must be returned as a string or an object (status ${response.status})`;
  if (judge && old === undefined) expect.that(false, what, { actual: inWords(response.json), response });
  if (old === undefined && !isServed(response)) given.granted(false, clause, what, { response });
  given.holds(old !== undefined, clause, what, { response });
  trackOnce(context, { ...place, old, text: exactTextOf(response.text, 'data') });
  return old;
}

/** The same where what is there does not matter to the check: the first check has it written down for all. */
export async function dataRemembered(context: Context, owner: Owner, clause: DataClause): Promise<void> {
  if (!isTracked(context, { kind: 'app-data', installation: owner.installation }))
    await rememberData(context, owner, clause);
}

/** Data in a form that may be set again; `undefined` for what the contract does not know. */
function settable(read: unknown): unknown {
  if (read === undefined || read === null || read === '') return null;
  // An empty map of a language that has no other empty list.
  if (Array.isArray(read)) return read.length === 0 ? {} : undefined;
  return typeof read === 'string' || isJsonObject(read) ? read : undefined;
}

/** Sets data that is remembered already. */
export async function setData(
  context: Context,
  owner: Owner,
  data: unknown,
  clause: DataClause,
): Promise<ServiceResponse> {
  const response = await context.send(owner.apps.setData(data), 'given');
  if (owner.installation === 'other' && !isServed(response)) {
    await dataRemembered(context, ownData(context), clause);
    await givenServedLikeFirst(context, response, clause, (apps) => apps.setData(data));
  }
  return context.given.accepted(response, clause);
}

/** Reads the data of an installation; the call is promised whatever it holds. */
export async function readData(context: Context, owner: Owner, clause: DataClause): Promise<unknown> {
  return dataIn(await context.given.promised(context.send(owner.apps.getData(), 'read'), clause));
}

/** Sets a string and makes sure that it is there; returns it as it reads. */
export async function storeString(context: Context, owner: Owner, text: string): Promise<unknown> {
  await setData(context, owner, text, 'apps.data.string-kept');
  const read = await readData(context, owner, 'apps.data.string-kept');
  context.given.holds(
    typeof read === 'string' && read.includes(text),
    'apps.data.string-kept',
    'the data is not what was set',
    {
      expected: text,
      actual: read,
    },
  );
  return read;
}

/** The response to a read of a value that was set. What a read of an emptied one is answered with is open. */
export function readBack(
  { given }: Context,
  value: unknown,
  response: ServiceResponse | Promise<ServiceResponse>,
  clause: string,
): Promise<ServiceResponse> {
  const isEmptied = isUnset(value) || (isJsonObject(value) && Object.keys(value).length === 0);
  return isEmptied ? given.accepted(response, clause) : given.promised(response, clause);
}
