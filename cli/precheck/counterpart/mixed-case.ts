/** Codes and ids that the counterpart gives out: of letters in both cases, so that a program that changes the case is noticed. */
import { randomInt } from 'node:crypto';

const DIGITS = '0123456789';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const ALL = DIGITS + SMALL + SMALL.toUpperCase();

const drawn = (alphabet: string): string => alphabet.charAt(randomInt(alphabet.length));

/** Letters and digits alone: none of them is written otherwise in an address. A small and a capital letter begin it. */
export const mixedCase = (length: number): string =>
  drawn(SMALL) + drawn(SMALL.toUpperCase()) + Array.from({ length: length - 2 }, () => drawn(ALL)).join('');
