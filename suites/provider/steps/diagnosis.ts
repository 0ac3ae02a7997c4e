/**
 * Why a label page refuses an authentic request: it is posted others of its kind, signed with each mistake that is known. The
 * one that it takes says how it computes its own signature. Without one, message and signature are named, to compare with.
 */

import { randomBytes } from 'node:crypto';
import pMap from 'p-map';
import { AMID_FORGERIES } from '../../../contracts/run/events.ts';
import { hmacSha256, keyVariants } from '../../../contracts/signing/digests.ts';
import { type Fields, SIGNATURE_FIELD, sign, signedMessage } from '../../../contracts/signing/index.ts';
import { messageVariants } from '../../../contracts/signing/mistakes.ts';
import type { Evidence } from '../../../harness/check/failures.ts';
import type { Fetched } from '../../../harness/integrator/fetch/fetcher.ts';
import { unlikeRefusal } from '../../../harness/integrator/fetch/unlike-refusal.ts';
import { isInformativeRefusal, showsSamePage } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import type { DeliveryContext, LabelRequest } from '../session.ts';
import { callbacksOf } from './callbacks.ts';
import { wrongSignatures } from './forged/mistakes.ts';
import { requestPlain } from './forged/plain-request.ts';
import type { Visit } from './visit/follow.ts';
import { visit } from './visit/index.ts';

export interface Refusal {
  readonly sentence: string;
  readonly evidence: Evidence;
}

interface Guess {
  /** Ends a sentence that begins with "its own signature would be correct if". */
  readonly says: string;
  readonly made: (fields: Fields) => { readonly message: string; readonly signature: string };
}

/** So many guesses at most: each is a page of the integrator. */
const MAX_GUESSES = 48;
const AT_A_TIME = 4;
const PATIENCE = { documentMs: 10_000, callbackMs: 500 } as const;

/** Undefined where the page does not answer the request as it answers a forged one: then its signature is not the reason. */
export async function refusalOf(context: DeliveryContext, refused: Visit): Promise<Refusal | undefined> {
  const { provider } = context.session;
  if (!isInformativeRefusal(refused.snapshot)) return undefined;
  const forged = await tried(context, () => randomBytes(32).toString('base64'));
  if (forged.isTaken || !showsSamePage(forged.visit.snapshot, refused.snapshot)) return undefined;

  const guesses = await likelyGuesses(context);
  const trials = await pMap(
    guesses,
    async (guess) => ({ guess, ...(await tried(context, (fields) => guess.made(fields).signature)) }),
    { concurrency: AT_A_TIME },
  );
  const found = trials.find(({ isTaken }) => isTaken);
  const { fields } = found?.visit.request ?? refused.request;
  const expected = { message: signedMessage(fields), signature: sign(fields, provider.apiKey.reveal()) };
  if (found !== undefined) {
    const sentence = `your label page refuses an authentic signature; its own signature would be correct if ${found.guess.says}`;
    return { sentence, evidence: { expected, actual: found.guess.made(fields) } };
  }
  const { status } = refused.snapshot;
  return {
    sentence: `your label page refuses an authentic signature, and no known mistake explains it: it responds as it does to a forged one, with status ${status}. The message is the values of all fields but signature, in the order received, and the signature base64 of its HMAC-SHA-256 under your API key: print both in your page and compare`,
    evidence: { expected, actual: { message: 'it is unknown what your page signs', signature: 'its own' } },
  };
}

/** Posts a fresh authentic request with another signature. */
async function tried(
  { session }: DeliveryContext,
  signature: (fields: Fields) => string,
): Promise<{ readonly isTaken: boolean; readonly visit: Visit }> {
  const request: LabelRequest = session.counterpart.labelRequest({ kind: 'address' });
  const fields: Fields = [...request.fields, [SIGNATURE_FIELD, signature(request.fields)]];
  const made = await session.pages.use((page) => visit(session, page, request, fields, PATIENCE));
  return { isTaken: callbacksOf(session, request).length > 0, visit: made };
}

/** What plain requests show to be taken; where they show nothing, the most common mistakes. */
async function likelyGuesses(context: DeliveryContext): Promise<readonly Guess[]> {
  const { session } = context;
  const common = guessesOf(context);
  // What a driver does in a browser, no plain request can do.
  if (session.driver.signIn !== undefined) return common;
  const key = session.provider.apiKey.reveal();
  const post = async ({ made }: Guess): Promise<Fetched | undefined> => {
    const { fields } = session.counterpart.labelRequest({ kind: 'address' });
    const sent: Fields = [...fields, [SIGNATURE_FIELD, made(fields).signature]];
    const options = { role: AMID_FORGERIES, redirects: 0, timeoutMs: PATIENCE.documentMs };
    return requestPlain(session, { fields: sent }, options).catch(() => undefined);
  };
  const { fields: sample } = session.counterpart.labelRequest({ kind: 'address' });
  const rarer = wrongSignatures(sample, key).map(
    ({ says }, at): Guess => ({
      says,
      made: (fields) => {
        const made = wrongSignatures(fields, key)[at];
        return made?.says === says ? made : { message: '', signature: '' };
      },
    }),
  );
  const wrong: Guess = {
    says: '',
    made: (fields) => ({ message: signedMessage(fields), signature: randomBytes(32).toString('base64') }),
  };
  const known = new Set(common.map(({ says }) => says));
  const all = [...common, ...rarer.filter(({ says }) => !known.has(says))];
  const unlike = await unlikeRefusal(post, wrong, all);
  return unlike.length === 0 ? common : unlike;
}

/** One guess for each mistake that a request of this service can show: in the writing, in the key, in the message. */
function guessesOf({ session }: DeliveryContext): Guess[] {
  const key = session.provider.apiKey.reveal();
  const written = (says: string, signatureOf: (message: string) => string): Guess => ({
    says,
    made: (fields) => ({ message: signedMessage(fields), signature: signatureOf(signedMessage(fields)) }),
  });
  const { fields: sample } = session.counterpart.labelRequest({ kind: 'address' });
  const messages = new Map<string, Guess>();
  for (const { id, says } of messageVariants(sample)) {
    if (says === '' || id === 'fields-left-out' || messages.has(says)) continue;
    messages.set(says, {
      says,
      made: (fields) => {
        const value = messageVariants(fields).find((variant) => variant.says === says)?.value ?? '';
        return { message: value.toString(), signature: hmacSha256(key, value).toString('base64') };
      },
    });
  }
  const keys = keyVariants(key)
    .filter(({ says }) => says !== '')
    .map(({ says, value }) => written(says, (message) => hmacSha256(value, message).toString('base64')));
  return [
    written('it were base64 of the raw digest instead of hexadecimal', (message) =>
      hmacSha256(key, message).toString('hex'),
    ),
    ...keys,
    ...messages.values(),
  ].slice(0, MAX_GUESSES);
}
