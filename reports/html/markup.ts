/**
 * HTML that can't be written unescaped: whatever goes into a `html` template is text unless it is markup already.
 */
import { visible } from '../words/text.ts';

/** Markup that was built by `html`; the only thing that goes into a page as it is. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | Markup | null | undefined | false | readonly Part[];

/** A template whose values are escaped: texts with hidden characters written out, lists joined, nothing for null and false. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += rendered(value) + (strings[index + 1] ?? '');
  return new Markup(text);
}

/** The exact text for an attribute that a script reads (a command to copy): escaped, but nothing written out. */
export function exactly(text: string): Markup {
  return new Markup(escaped(text));
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  return escaped(visible(String(part)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\r': '&#13;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"'`\r]/g, (character) => ENTITIES[character] as string);
}
