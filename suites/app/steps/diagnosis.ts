/**
 * Why an app refuses authentic requests. It is shown the same request with hashes made in other ways: in the encodings of
 * other languages, which are as correct as the service's own, and then with every mistake that is known. What it takes says
 * how it computes its own.
 */

import { ENCODING_NAMES, type EncodingName, encodings, queryOf } from '../../../contracts/install-hash/index.ts';
import { queryVariants } from '../../../contracts/install-hash/mistakes.ts';
import { hmacSha256 } from '../../../contracts/signing/digests.ts';
import type { AppContext } from '../session.ts';
import { parametersOf, withHash, withoutHash } from './address.ts';
import { firstLoads } from './loads.ts';

export interface Mistake {
  readonly id: string;
  /** Ends a sentence that begins with "its own hash would be right if". */
  readonly says: string;
}

export type Diagnosis = { readonly encoding: EncodingName } | { readonly mistake: Mistake } | undefined;

/** So many guesses at most: each is a page of the app. */
const MAX_MISTAKES = 30;

/** What the app would take instead, if that can be found out. `patienceMs`: for its way back. */
export async function diagnose(context: AppContext, patienceMs: number): Promise<Diagnosis> {
  const secret = context.session.app.secret;
  if (secret === undefined) return undefined;
  const hexOf = (query: string): string => hmacSha256(secret.reveal(), query).toString('hex');
  const rightQueries = (url: string): string[] =>
    ENCODING_NAMES.map((name) => encodings[name](withoutHash(parametersOf(url))));

  // The service's own encoding was refused already.
  const others = ENCODING_NAMES.filter((name) => name !== 'php');
  const lower = others.filter((name) => name.endsWith('-lowercase') || name === 'dotnet').slice(0, 1);
  const asEncoded = await firstLoads(
    context,
    lower.map((name) => ({
      change: name,
      alter: (url) => withHash(url, hexOf(encodings[name](withoutHash(parametersOf(url))))),
    })),
    patienceMs,
  );
  const taken = asEncoded.find(({ callback }) => callback !== undefined);
  if (taken !== undefined) return { encoding: taken.change as EncodingName };

  const mistakes = mistakesOf(context);
  const guesses = await firstLoads(
    context,
    mistakes.map(({ id }, at) => ({
      change: String(at),
      alter: (url) => {
        const right = rightQueries(url);
        if (id === 'uppercase-hex') return withHash(url, hexOf(right[0] ?? '').toUpperCase());
        if (id === 'base64') return withHash(url, hmacSha256(secret.reveal(), right[0] ?? '').toString('base64'));
        const wrong = queryVariants(url, right).find((variant) => variant.id === id);
        return withHash(url, hexOf(wrong?.value ?? ''));
      },
    })),
    patienceMs,
  );
  const found = guesses.find(({ callback }) => callback !== undefined);
  return found === undefined ? undefined : { mistake: mistakes[Number(found.change)] as Mistake };
}

/** One guess for each kind of mistake that a request of this service can show. */
function mistakesOf({ session }: AppContext): Mistake[] {
  const { url } = session.counterpart.beginInstall();
  const pairs = withoutHash(parametersOf(url));
  const right = ENCODING_NAMES.map((name) => encodings[name](pairs));
  const kinds = new Map<string, Mistake>();
  for (const { id, says } of queryVariants(url, right)) {
    if (says !== '' && !kinds.has(id) && queryOf(url) !== '') kinds.set(id, { id, says });
  }
  return [
    { id: 'uppercase-hex', says: 'it were written in lower-case digits' },
    { id: 'base64', says: 'it were written in hexadecimal digits' },
    ...kinds.values(),
  ].slice(0, MAX_MISTAKES);
}
