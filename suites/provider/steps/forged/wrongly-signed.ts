/** Forged label requests whose signature is made in a wrong way: a page may accept one besides the right one, as an earlier version of it did. */
import { type Fields, SIGNATURE_FIELD } from '../../../../contracts/signing/index.ts';
import type { DeliveryContext } from '../../session.ts';
import { type Forgery, freshRequest } from './forgery.ts';
import { wrongSignatures } from './mistakes.ts';
import { partlySigned } from './partly-signed.ts';

/** A request for each mistake that is known, and for each part of the fields that may be signed alone. */
export async function wronglySigned(context: DeliveryContext): Promise<Forgery[]> {
  return [...(await each(context, mistaken)), ...(await each(context, partlySigned))];
}

type Made = Pick<Forgery, 'change' | 'fields'>;

const mistaken = (fields: Fields, key: string): Made[] =>
  wrongSignatures(fields, key).map(({ says, signature }) => ({
    change: `a signature that would be right if ${says}`,
    fields: [...fields, [SIGNATURE_FIELD, signature]],
  }));

/** Each of the ways to sign, for a request of its own. */
async function each(
  context: DeliveryContext,
  ways: (fields: Fields, key: string) => readonly Made[],
): Promise<Forgery[]> {
  const key = context.session.provider.apiKey.reveal();
  const sample = ways((await freshRequest(context)).fields, key);
  const all: Forgery[] = [];
  for (const [at, { change }] of sample.entries()) {
    const request = await freshRequest(context);
    // Other values may make two of them the same.
    const made = ways(request.fields, key)[at];
    if (made?.change === change) all.push({ request, ...made });
  }
  return all;
}
