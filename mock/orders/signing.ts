/** The signatures and hashes of this service, with the functions of the contract. */
import { encodings, installHash } from '../../contracts/install-hash/index.ts';
import { sign, signedMessage } from '../../contracts/signing/index.ts';
import type { Pairs } from '../http/call.ts';

export const signingMessage = (fields: Pairs): string => signedMessage(fields);
export const signFields = (fields: Pairs, key: string): string => sign(fields, key);

/** Hash of a query string that has no `hash` in it. */
export const hashQuery = (query: string, secret: string): string => installHash(query, secret);

/** Parameters as a query string, in the encoding that is both sent and hashed. */
export const encoded = (pairs: Pairs): string => encodings.php(pairs);
