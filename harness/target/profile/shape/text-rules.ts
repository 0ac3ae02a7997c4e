/** Mistakes in the text of a profile, found before its format: variables in another form, outer spaces, quotes and the like. */
import { quoted, shownText } from './words.ts';

/** A text of a profile. */
export interface ProfileText {
  readonly path: string;
  /** As it is written in the profile. */
  readonly template: string;
  /** With the values of its variables. */
  readonly text: string;
  /** Its variables. */
  readonly names: readonly string[];
}

/** How shells, templates and hand-written examples write a variable, which a profile does not read. */
const BARE_REFERENCE =
  /^(?:\$(?:env:)?([A-Z_][A-Z0-9_]*)|\$\(([A-Z_][A-Z0-9_]*)\)|%([A-Z_][A-Z0-9_]*)%|\{\{\s*([A-Z_][A-Z0-9_]*)\s*\}\}|<([A-Z_][A-Z0-9_]*)>)$/;

/** The scheme belongs into the header, which Proofmark writes; no key begins with one. */
const SCHEME = /^(?:authorization:\s*)?(?:apikey|bearer|basic|token)\s/i;
const API_KEY = /\.apiKey$|\.otherApiKey$/;

/** Texts that are sent in a header. */
const IN_HEADER = /\.apiKey$|\.otherApiKey$|^headers\./;

/** Texts that people enter in forms, so that a space at an end may belong to them. */
const AS_ENTERED = /^delivery\.public\.expectedFields\.|^reseller\.password$/;

/**
 * What a service issues, so that quotes around it come from how the variable was set: `docker --env-file` keeps them, for instance. A
 * password or a secret may begin and end with any sign.
 */
const ISSUED =
  /^delivery\.\w+\.(?:apiKey|otherApiKey|orderUuid|foreignOrderUuid)$|^apps\.(?:apiKey|authCode|otherAuthCode)$|^reseller\.email$/;

interface TextRule {
  readonly isBroken: (text: ProfileText) => boolean;
  /** A sentence. */
  readonly message: (text: ProfileText) => string;
}

/** A variable that a shell read from a file of Windows ends with a carriage return. */
function controlMessage({ path, text, names }: ProfileText): string {
  const where = names.length > 0 ? `${shownText(names[0] ?? '')}, the value of ${quoted(path)},` : quoted(path);
  return /^[^\u0000-\u001f\u007f]+[\r\n]+$/.test(text)
    ? `${where} ends with a line break: remove it (a file with the line ends of Windows leaves one: save it with those of Linux, or give it to --env-file).`
    : `${where} contains a line break or another control character: remove it.`;
}

/** In the order in which they are applied: only the first broken one is reported. */
const TEXT_RULES: readonly TextRule[] = [
  {
    isBroken: ({ template }) => bareName(template) !== undefined,
    message: ({ path, template }) =>
      `${quoted(path)} names an environment variable in another form: write "\${${bareName(template)}}".`,
  },
  {
    isBroken: ({ text }) => text.trim() === '',
    message: ({ path }) => `${quoted(path)} is empty: give it a value or remove it.`,
  },
  {
    isBroken: ({ text }) => /[\u0000-\u001f\u007f]/.test(text),
    message: controlMessage,
  },
  {
    isBroken: ({ path, text }) => text !== text.trim() && !AS_ENTERED.test(path),
    message: ({ path }) => `${quoted(path)} begins or ends with a space: remove it.`,
  },
  {
    isBroken: ({ path, text }) => API_KEY.test(path) && SCHEME.test(text),
    message: ({ path }) => `${quoted(path)} begins with the scheme of the header: write the key alone.`,
  },
  {
    isBroken: ({ path, text }) => IN_HEADER.test(path) && /[^\u0000-\u00ff]/.test(text),
    message: ({ path }) => `${quoted(path)} contains a letter that no header can carry: copy the value again.`,
  },
  {
    isBroken: (value) => isIssuedFromEnvironment(value) && /^(["'`]).*\1$/.test(value.text),
    message: ({ names }) =>
      `${shownText(names[0] ?? '')} begins and ends with a quote: remove both, they were not taken as quotes.`,
  },
  {
    isBroken: (value) => isIssuedFromEnvironment(value) && /^\$\{\w+\}$/.test(value.text),
    message: ({ names }) =>
      `${shownText(names[0] ?? '')} contains the name of another variable: write its value, env files do not insert variables.`,
  },
];

const isIssuedFromEnvironment = ({ path, names }: ProfileText): boolean => names.length > 0 && ISSUED.test(path);

const bareName = (template: string): string | undefined =>
  BARE_REFERENCE.exec(template)
    ?.slice(1)
    .find((name) => name !== undefined);

/** The first mistake in a text, as a sentence; undefined if there is no mistake. */
export function textFault(text: ProfileText): string | undefined {
  return TEXT_RULES.find(({ isBroken }) => isBroken(text))?.message(text);
}
