/** Hashes of something else. */
import { randomBytes } from 'node:crypto';
import { withHash } from '../steps/address.ts';
import type { Alteration } from '../steps/loads/index.ts';

/** A digest of nothing: it has the shape of a hash. */
export const unrelated = (): string => randomBytes(32).toString('hex');

export const WRONG_HASH: Alteration = {
  change: 'a request with the hash of something else',
  alter: (url) => withHash(url, unrelated()),
};
