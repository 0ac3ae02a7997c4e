/** The passwords that a run sets for a while, each in a form that some services demand. */
import { createHmac } from 'node:crypto';
import type { Secret } from '../../../target/secrets/secret.ts';

/**
 * The password that a run sets for a while. It is derived from the old one, so that it need not be written down and a crash
 * can be repaired; anyone who has the old one can compute it. 12 characters: upper and lower case, digits, a `-`.
 */
export function temporaryPassword(old: Secret, run: string): string {
  return `Pm1-${lettersOf(old, run)}`;
}

/** The same without a sign, for a service that takes letters and digits only. */
export function plainTemporaryPassword(old: Secret, run: string): string {
  return `Pm1x${lettersOf(old, run)}`;
}

/** The first one at greater length: 20 characters, for a service that wants more than 12. */
export function longTemporaryPassword(old: Secret, run: string): string {
  return `Pm1-${lettersOf(old, run, LONG_LETTERS)}`;
}

/** One with signs that are escaped in texts and in forms, and with outer spaces. */
const awkwardTemporaryPassword = (old: Secret, run: string): string => awkward(old, run, '');

const awkward = (old: Secret, run: string, more: string): string => ` Pm1&+%41"<\\'${lettersOf(old, run)}${more}  `;

/** Letters outside ASCII, outside Latin-1, and of another script. */
const AWKWARD_LETTERS = 'éžЖ';
/** Others in their places, each with the same last byte. */
const OTHER_LETTERS = 'ǩɾԖ';

/** The same with letters outside ASCII. */
const letteredTemporaryPassword = (old: Secret, run: string): string => awkward(old, run, AWKWARD_LETTERS);

/** The same, and longer than the 72 bytes that some hash functions read. */
function longAwkwardTemporaryPassword(old: Secret, run: string): string {
  return `${awkwardTemporaryPassword(old, run)}${AWKWARD_LETTERS}${lettersOf(old, run, ALL_LETTERS).repeat(2)}  `;
}

/** One of 19 characters with such letters, signs and outer spaces, for a service that takes at most 20. */
const shortAwkwardTemporaryPassword = (old: Secret, run: string): string =>
  ` P1&"\\${AWKWARD_LETTERS}${lettersOf(old, run)}  `;

/** A password with other letters outside ASCII, as if only the others mattered. */
export const withOtherLetters = (password: string): string => password.replace(AWKWARD_LETTERS, OTHER_LETTERS);

/** Few services want more than 12 characters, and some take no more. */
const TEMPORARY_LETTERS = 8;
const LONG_LETTERS = 16;
/** Of SHA-256 in base64url. */
const ALL_LETTERS = 43;

function lettersOf(old: Secret, run: string, count = TEMPORARY_LETTERS): string {
  const digest = createHmac('sha256', old.reveal()).update(`proofmark temporary password ${run}`).digest('base64url');
  return digest.replaceAll(/[-_]/g, 'x').slice(0, count);
}

/** All forms, the likeliest first: clean-up tries them in this order. */
export const TEMPORARY_FORMS = {
  ...{ usual: temporaryPassword, plain: plainTemporaryPassword, long: longTemporaryPassword },
  ...{ awkward: awkwardTemporaryPassword, lettered: letteredTemporaryPassword },
  ...{ longAwkward: longAwkwardTemporaryPassword, shortAwkward: shortAwkwardTemporaryPassword },
} as const;
