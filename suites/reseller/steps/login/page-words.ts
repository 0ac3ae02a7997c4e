/** The words of a page, without markup, comments, scripts and styles. Runs in linear time for any page. */

/** Elements whose content is not read. */
const UNREAD = ['script', 'style'];

/** Each word once, in lower case, in the order of the page. */
export function wordsOf(html: string): string[] {
  return [
    ...new Set(
      textOf(html)
        .toLowerCase()
        .match(/\p{L}{2,}/gu) ?? [],
    ),
  ];
}

function textOf(html: string): string {
  const lower = html.toLowerCase();
  let text = '';
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open < 0) return `${text}${html.slice(at)}`;
    text += `${html.slice(at, open)} `;
    if (lower.startsWith('<!--', open)) {
      at = behind(lower, '-->', open + 4);
      continue;
    }
    const name = UNREAD.find((one) => isTag(lower, one, open));
    at = behind(lower, '>', name === undefined ? open + 1 : behind(lower, `</${name}`, open + 1));
  }
  return text;
}

/** The index after the next such text, or the end, because browsers also read unclosed markup to the end. */
function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found + end.length;
}

const isTag = (lower: string, name: string, open: number): boolean =>
  lower.startsWith(name, open + 1) && !/\w/.test(lower[open + 1 + name.length] ?? '');
