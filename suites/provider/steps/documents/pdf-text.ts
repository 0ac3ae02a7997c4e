/** The text of a PDF, where it is written in letters and not in numbers of glyphs: enough to know a name again. */
import { packedStreamsOf } from '../../../../harness/evidence/packed-streams.ts';

/** A string in parentheses, or in hexadecimal digits, as the operators that show text take it. */
const STRINGS = /\(((?:\\[\s\S]|[^\\()])*)\)|<([0-9A-Fa-f\s]{2,})>/g;
/** Streams that show no text hold pictures and fonts. */
const SHOWS_TEXT = /\bT[jJ]\b|['"]\s*$/m;

export interface PdfText {
  /** The strings that are shown, one after another: names are often split to move their letters together. */
  readonly text: string;
  /** The instructions that show them. */
  readonly contents: readonly string[];
}

/** The text of a document. Empty where it is encrypted, packed in another way, or names glyphs by numbers. */
export function pdfTextOf(bytes: Uint8Array): PdfText {
  const contents = streamsOf(bytes).filter((content) => SHOWS_TEXT.test(content));
  return { text: contents.map(stringsOf).join(''), contents };
}

/** What the streams of a document consist of: instructions, and in newer documents most objects, such as what is said of its author. */
export const streamsOf = (bytes: Uint8Array): string[] => packedStreamsOf(bytes).map(({ content }) => content);

const stringsOf = (content: string): string =>
  [...content.matchAll(STRINGS)]
    .map(([, literal, digits]) =>
      literal === undefined ? Buffer.from((digits ?? '').replaceAll(/\s/g, ''), 'hex').toString('latin1') : literal,
    )
    .join('');
