// HTML with automatic escaping: only output of `html` is inserted verbatim.
import type { ServiceResponse } from '../server/http.ts';

/** A piece of markup; a plain string is escaped. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Piece = string | number | Markup | Markup[];

function rendered(piece: Piece): string {
  if (piece instanceof Markup) return piece.source;
  if (Array.isArray(piece)) return piece.map(rendered).join('\n');
  // A line break is written as a character reference: the parser would change a raw one.
  return String(piece).replace(/[&<>"'\r\n]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** A template: values are escaped, markup and lists of markup are not. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(
    parts.map((part, index) => part + (index < pieces.length ? rendered(pieces[index]!) : '')).join(''),
  );
}

/** A whole page. */
export function page(title: string, body: Markup, status = 200, language = 'en'): ServiceResponse {
  const { source } = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: source };
}

/**
 * A page that posts fields to another address at once, and has a button for browsers without scripts. The button has
 * no name, so that it adds nothing to the signed fields.
 */
export function postOnward(title: string, address: string, fields: [string, string][]): ServiceResponse {
  const inputs = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return page(
    title,
    html`<form method="post" action="${address}" accept-charset="utf-8">
${inputs}
<button>Continue</button>
</form>
<script>document.forms[0].submit();</script>`,
  );
}
