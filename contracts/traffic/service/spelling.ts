/** Spellings of ids and handles that a service may treat as equal: databases ignore case, accents, form of letters, or spaces. */

/** The same for all spellings of one id. */
export const spellingOf = (id: string): string =>
  PLAIN_ID.test(id) ? id : id.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
const PLAIN_ID = /^[!-@[-`{-~]*$/;
