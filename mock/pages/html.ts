/**
 * HTML that escapes by default. A page is written as an `html` template; every value put into it is escaped for text
 * and for double- or single-quoted attributes, so a hostile title can't become markup anywhere. The only way past the
 * escaping is `raw`, which exists for one purpose: snippets on the public website, which the contract wants in the
 * body exactly as the app set them (interfaces.md, B, set_snippet).
 */

const markup = Symbol('markup');

/** Markup that has been escaped (or is trusted) and may be put into a page as it is. */
export interface Html {
  readonly [markup]: string;
}

/** What a template takes: text is escaped, lists are joined, `null`, `undefined` and `false` disappear. */
export type HtmlValue = Html | string | number | bigint | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for element content and for quoted attribute values. Line breaks stay, so that a `pre` keeps them. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Declares a string to be markup already. For snippets and for this folder's own constants, for nothing else. */
export function raw(trusted: string): Html {
  return { [markup]: trusted };
}

function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && markup in value;
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  if (isHtml(value)) return value[markup];
  return escapeHtml(String(value));
}

/**
 * The template tag: html`<p>${text}</p>`. Attribute values must be written in quotes, the escaping relies on it.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let out = strings[0] ?? '';
  for (const [index, value] of values.entries()) out += render(value) + (strings[index + 1] ?? '');
  return raw(out);
}

/** The finished markup as a string. */
export function toText(page: Html): string {
  return page[markup];
}

/**
 * A value for a hidden input. A browser drops no character of an attribute but turns CR LF and lone CR into LF while
 * it parses, and writes CR LF when it submits; a numeric reference keeps the carriage return apart until then, so
 * what is submitted is the one well-defined form: every line break as CR LF.
 */
export function hiddenInputs(fields: readonly (readonly [name: string, value: string])[]): Html {
  return html`${fields.map(([name, value]) => raw(`<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value).replaceAll('\r', '&#13;').replaceAll('\n', '&#10;')}">\n`))}`;
}
