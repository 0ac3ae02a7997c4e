/** Words and places by which the functions in a page know its buttons: text, because a regular expression can't be handed to a page. */
import { ABANDONING, LEAVING } from './leaving-buttons.ts';
import { ASIDE, PRINTING, SEARCHING, SERVING, SITE_FIELDS } from './printing-buttons.ts';

export interface Words {
  readonly leaving: string;
  readonly abandoning: string;
  readonly printing: string;
  readonly aside: string;
  readonly searching: string;
  readonly serving: string;
  readonly siteFields: string;
}
export const WORDS: Words = {
  leaving: LEAVING.source,
  abandoning: ABANDONING.source,
  printing: PRINTING.source,
  aside: ASIDE,
  searching: SEARCHING,
  serving: SERVING.source,
  siteFields: SITE_FIELDS.source,
};
