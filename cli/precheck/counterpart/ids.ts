/** Codes and ids that the counterpart gives out: similar ones, and of letters in both cases, so that a program that changes them is noticed. */
import { randomInt, randomUUID } from 'node:crypto';

const DIGITS = '0123456789';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const ALL = DIGITS + SMALL + SMALL.toUpperCase();

const drawn = (alphabet: string): string => alphabet.charAt(randomInt(alphabet.length));

/** Letters and digits alone: none of them is written otherwise in an address. A small and a capital letter begin it. */
export const mixedCase = (length: number): string =>
  drawn(SMALL) + drawn(SMALL.toUpperCase()) + Array.from({ length: length - 2 }, () => drawn(ALL)).join('');

/** This part of such an id is the same at its beginning, and as much at its end: a column or a key may hold far less than an id. */
const SHARED = 0.3;

/**
 * Makes different ids of `length` characters with the same beginning and the same end, as counters and clocks do: a program that
 * identifies something by a part of its id confuses it with another one.
 */
export function similarIds(length: number): () => string {
  const shared = Math.floor(length * SHARED);
  const [begin, end] = [mixedCase(shared), mixedCase(shared)];
  return () => `${begin}${mixedCase(length - 2 * shared)}${end}`;
}

/** Hexadecimal digits at the beginning and at the end that similar UUIDs share: the upper part of a time, and most of a node. */
const SHARED_DIGITS = 8;

/** Makes different UUIDs with the same beginning and the same end, as those of one day and those of one machine have. */
export function similarUuids(): () => string {
  const shared = randomUUID();
  return () =>
    shared.slice(0, SHARED_DIGITS) + randomUUID().slice(SHARED_DIGITS, -SHARED_DIGITS) + shared.slice(-SHARED_DIGITS);
}
