/**
 * Takes out of a text of a trace what must not be in it: the secrets that the redaction knows, personal data, and what no redaction can
 * know: texts that a driver typed, cookies, and values of parameters whose name says that they open something.
 */
import { isCredentialField } from '../redaction/credential-names.ts';
import { createRedaction, MIN_EVERYWHERE_CHARS, maskPersonalText, type Redaction } from '../redaction/index.ts';

export const NOT_SHOWN = '(not shown)';

/** Cleans the texts of one trace. */
export interface Cleaner {
  /** A text of the target, of a driver or of Playwright. */
  text(text: string): string;
  /** The value of a header. */
  header(name: string, value: string): string;
}

export interface CleanerOptions {
  readonly redaction: Redaction;
  /** What was typed into pages. */
  readonly typed: readonly string[];
  readonly showPersonalData: boolean;
}

/** Shorter texts occur by chance; the lines of the log that quote them are left out as a whole. */
const MIN_TYPED_CHARS = 3;
/** `?token=abc`, also where the address is itself a parameter. */
const PARAMETER =
  /((?:[?&;#\s]|%(?:25){0,3}(?:3[fF]|26|23))([\w.-]{1,80})(?:=|%(?:25){0,3}3[dD]))((?:(?!%(?:25){0,3}(?:3[fF]|26|23))[^&#;\s"'<>])+)/g;
/** `https://user:password@host/` */
const USER_IN_ADDRESS = /(:\/\/)[^/?#@\s"'<>]{1,600}(?=@)/g;
/** `Bearer $API_TOKEN`: what the redaction has left is a scheme and names. */
const ONLY_NAMES = /^(?:[A-Za-z]{1,20} )?\$[A-Z][A-Z0-9_]*(?:\(\w+\))?$/;

/** Builds the events of a trace again from members that are known to be harmless. */
export function createCleaner({ redaction, typed, showPersonalData }: CleanerOptions): Cleaner {
  // Apart from the run's own: a country that was chosen in a form must not be taken out of all reports.
  const ofForms = createRedaction({ fragments: false });
  const short: string[] = [];
  for (const value of new Set(typed)) {
    if (value.trim().length < MIN_TYPED_CHARS) continue;
    ofForms.add({ name: 'TYPED', value });
    if (value.length < MIN_EVERYWHERE_CHARS) short.push(value);
  }
  const withoutTyped = (text: string): string => {
    const pieces = ofForms.pieces(text).map((piece) => (piece.isLabel ? NOT_SHOWN : piece.text));
    return short.reduce((rest, value) => rest.replaceAll(value, NOT_SHOWN), pieces.join(''));
  };
  const withoutParameters = (text: string): string =>
    text
      .replace(USER_IN_ADDRESS, `$1${NOT_SHOWN}`)
      .replace(PARAMETER, (all, before: string, name: string, value: string) =>
        isCredentialField(name) && !ONLY_NAMES.test(value) ? `${before}${NOT_SHOWN}` : all,
      );
  const clean = (text: string): string => {
    const redacted = withoutParameters(redaction.text(text));
    return withoutTyped(showPersonalData ? redacted : maskPersonalText(redacted));
  };
  return {
    text: clean,
    header(name, value) {
      const lower = name.toLowerCase();
      if (lower === 'cookie') return value.replace(/=[^;]*/g, `=${NOT_SHOWN}`);
      if (lower === 'set-cookie') return value.replace(/(^|\n)([^=;\n]*)=[^;\n]*/g, `$1$2=${NOT_SHOWN}`);
      const redacted = clean(redaction.field(name, value));
      return isCredentialField(name) && !ONLY_NAMES.test(redacted) ? NOT_SHOWN : redacted;
    },
  };
}
