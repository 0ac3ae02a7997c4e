/** Which values are plain: short, of common characters, so that no target has a reason to refuse them. */

/** Letters, digits, spaces and hyphens, but no word that software may read as a missing value. */
export const PLAIN_TEXT = /^(?!(?:null|true|false|undefined)$)[A-Za-z0-9](?:[A-Za-z0-9 -]{0,14}[A-Za-z0-9])?$/;
/** An address is a street and the number of a house, without which a service may refuse it. */
export const PLAIN_STREET = /^[A-Za-z]+(?: [A-Za-z]+)? \d{1,3}$/;
/** Texts of a common limit of length, whatever is in them. */
export const isShortText = (text: string): boolean => [...text].length <= MAX_SHORT_CHARS;
const MAX_SHORT_CHARS = 20;
/** Texts of a limit that leaves most texts as they are. */
export const isOfUsualLength = (text: string): boolean => [...text].length <= MAX_USUAL_CHARS;
const MAX_USUAL_CHARS = 40;
export const PLAIN_ID = /^[A-Za-z][A-Za-z0-9-]{0,15}$/;
/** References are often codes. Small letters may be accepted where capitals are not; capitals have a form of their own. */
export const PLAIN_REFERENCE = /^[a-z](?:[a-z\d-]{0,14}[a-z\d])?$/;
export const PLAIN_KEY = /^\w{1,20}$/;
export const PLAIN_ADDRESS = /^https:\/\/[a-z0-9.]+\/[a-z0-9/]{0,30}$/;
/** Plain attributes have no more keys than that. */
export const MAX_PLAIN_KEYS = 5;

/** The members of the contract that carry values of a check's own, by the member that holds them. */
export const WRAPPER_MEMBERS = ['delivery_method', 'pickup_point'] as const;
