/** Words and places by which the functions in a page know its buttons: text, because a regular expression can't be handed to a page. */
import { ABANDONING, LEAVING } from './leaving-buttons.ts';
import { ASIDE, PRINTING, SEARCHING } from './printing-buttons.ts';

export interface Words {
  readonly leaving: string;
  readonly abandoning: string;
  readonly printing: string;
  readonly aside: string;
  readonly searching: string;
}
export const WORDS: Words = {
  leaving: LEAVING.source,
  abandoning: ABANDONING.source,
  printing: PRINTING.source,
  aside: ASIDE,
  searching: SEARCHING,
};
