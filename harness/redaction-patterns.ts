/**
 * How a secret may look when it is written somewhere: character by character, each in any of the escapes that URLs, JSON,
 * HTML, mail and shells use, freely mixed and nested; or as base64 at each of the three offsets; or as hexadecimal digits.
 */

/** One way to find a secret. `first` and `second` hold the unescaped characters it can begin with. */
export interface Pattern {
  readonly label: string;
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Sticky; compiled when it is first needed. */
  regex(): RegExp;
}

/** The characters that begin an escape: any character of a secret may be written with one of them. */
export const ESCAPE_BEGINNINGS = ['\\', '%', '&', '='] as const;

/** `%25` repeated: encoded up to four times; more has no use, and bounds keep the search linear. */
const PERCENT = '%(?:25){0,3}';
/** One backslash, plain or percent-encoded. */
const BACKSLASH = `(?:\\\\|${PERCENT}5[cC])`;
/** `&`, itself escaped up to three times. */
const AMPERSAND = '&(?:amp;){0,3}';
/** A base64 text may be folded: line ends, plain or as escapes, and the soft break of quoted-printable. */
const FOLD = '(?:=?[\\r\\n]|\\\\{1,7}[rn]){0,4}';

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
  '@': 'commat',
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
  '\\': 'bsol',
  '%': 'percnt',
  $: 'dollar',
  ' ': 'nbsp',
};

/** Code of the character that a named entity stands for. */
export const ENTITY_CODES: ReadonlyMap<string, number> = new Map(
  Object.entries(NAMED_ENTITIES).map(([char, name]) => [name, char.charCodeAt(0)]),
);

/** Characters that are escaped by setting backslashes before them, once for each level of nesting. */
const BACKSLASHED = new Set(['"', "'", '/', '`', '$']);

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Hexadecimal digits in either case. */
const digits = (hex: string): string => hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const hexOf = (byte: number, width: number): string => digits(byte.toString(16).padStart(width, '0'));

const otherCase = (char: string): string => {
  const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
  return /^[a-z]$/i.test(char) ? other : char;
};

/** Every way to write one character of a secret, as a regular expression; `plain` are its unescaped forms. */
function charPattern(char: string, plain: readonly string[]): string {
  const code = char.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(char, 'utf8')];
  const units = [...char.split('')].map((unit) => unit.charCodeAt(0));
  const unicode = units.map((unit) => `${BACKSLASH}{1,7}u(?:${hexOf(unit, 4)}|\\{0{0,4}${hexOf(unit, 1)}\\})`).join('');
  const ways = plain.map(literal);
  ways.push(unicode, bytes.map((byte) => `${PERCENT}${hexOf(byte, 2)}`).join(''));
  ways.push(`${AMPERSAND}#0{0,6}${code};?`, `${AMPERSAND}#[xX]0{0,6}${hexOf(code, 1)};?`);
  ways.push(bytes.map((byte) => `=${hexOf(byte, 2)}`).join(''));
  ways.push(bytes.map((byte) => `${BACKSLASH}{1,7}x${hexOf(byte, 2)}`).join(''));
  const entity = NAMED_ENTITIES[char];
  if (entity !== undefined) ways.push(`${AMPERSAND}${entity};`);
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) ways.push(`${BACKSLASH}{1,7}${short}`);
  if (char === ' ') ways.push(`${PERCENT}2[bB]`);
  if (char === '\n') ways.push('\\r\\n', `${PERCENT}0[dD]${PERCENT}0[aA]`);
  if (char === "'") ways.push(`'\\\\{1,2}''`, "''");
  if (char === '"') ways.push('""');
  if (bytes.length > 1) {
    // UTF-8 read as Latin-1, as header values and byte strings are.
    ways.push(literal(String.fromCharCode(...bytes)));
    ways.push(units.length === 2 ? `${BACKSLASH}{1,7}u\\{0{0,3}${hexOf(code, 1)}\\}` : '(?!)');
  }
  const any = `(?:${ways.join('|')})`;
  return BACKSLASHED.has(char) ? `${BACKSLASH}{0,7}${any}` : any;
}

/** A run of backslashes doubles with every level; written in one piece, so that a search for it stays linear. */
function backslashRun(length: number): string {
  const encoded = `(?:${PERCENT}5[cC]|${BACKSLASH}{1,7}u005[cC]|${AMPERSAND}#0{0,6}92;?|${AMPERSAND}#[xX]0{0,6}5[cC];?|=5[cC]|${AMPERSAND}bsol;)`;
  return `(?:\\\\{${length},${length * 8}}|${encoded}{${length},${length * 8}})`;
}

/** Between two characters, quoted-printable may break the line. */
const SOFT_BREAK = '(?:=\\r?\\n)?';

/** The plain and escaped forms of a text. Letters match in either case: services write e-mails and names as they like. */
export function textPattern(value: string, label: string): Pattern {
  const chars = [...value];
  const plainOf = (char: string | undefined): string[] => {
    if (char === undefined) return [];
    const forms = [char, otherCase(char)];
    if (char === ' ') forms.push('+', '\u00a0');
    if (char === '\n') forms.push('\r');
    if (char.length > 1 || char.charCodeAt(0) > 127) forms.push(Buffer.from(char, 'utf8').toString('latin1'));
    return [...new Set(forms)];
  };
  return {
    label,
    first: plainOf(chars[0]),
    second: [...plainOf(chars[1]), ...(chars[0] === '\r' ? ['\n'] : [])],
    regex: lazy(() => {
      const parts: string[] = [];
      for (let at = 0; at < chars.length; at += 1) {
        const char = chars[at]!;
        let run = 0;
        while (chars[at + run] === '\\') run += 1;
        if (run > 0) {
          parts.push(backslashRun(run));
          at += run - 1;
        } else {
          const forms = char === ' ' ? [' ', '+', '\u00a0'] : [...new Set([char, otherCase(char)])];
          parts.push(charPattern(char, forms));
        }
      }
      return parts.join(SOFT_BREAK);
    }),
  };
}

/** The part of a base64 text that a secret alone decides, when `offset` bytes (0, 1 or 2) stand before it in its group. */
function base64Core(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value, 'utf8')]);
  const encoded = bytes.toString('base64').replace(/=+$/, '');
  const undecidedBefore = Math.ceil((offset * 8) / 6);
  return encoded.slice(undecidedBefore, Math.floor((bytes.length * 8) / 6));
}

/** Base64 in the standard or the URL alphabet, padded or not, folded or not, itself escaped or not. */
export function base64Patterns(value: string, label: string): Pattern[] {
  return [0, 1, 2].map((offset) => {
    const core = base64Core(value, offset);
    const plainOf = (char: string | undefined): string[] => {
      if (char === '+') return ['+', '-', ' '];
      if (char === '/') return ['/', '_'];
      return char === undefined ? [] : [char];
    };
    return {
      label,
      first: plainOf(core[0]),
      second: [...plainOf(core[1]), '\r', '\n'],
      regex: lazy(() => [...core].map((char) => charPattern(char, plainOf(char))).join(FOLD)),
    };
  });
}

/** Hexadecimal digits of the UTF-8 bytes, in either case. */
export function hexPattern(value: string, label: string): Pattern {
  const hex = Buffer.from(value, 'utf8').toString('hex');
  const plainOf = (char: string | undefined): string[] => (char === undefined ? [] : [char, otherCase(char)]);
  return { label, first: plainOf(hex[0]), second: plainOf(hex[1]), regex: lazy(() => digits(hex)) };
}

function lazy(source: () => string): () => RegExp {
  let compiled: RegExp | undefined;
  return () => {
    compiled ??= new RegExp(source(), 'y');
    return compiled;
  };
}
