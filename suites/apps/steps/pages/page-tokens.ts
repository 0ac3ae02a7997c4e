/** What a page consists of, to compare it with itself at another time: elements and words, without numbers and attributes. */

/** Elements with one form, whose number pages change by themselves. */
const OF_NO_WEIGHT = new Set(['script', 'link', 'meta', 'style', 'noscript']);

/** How often each element and word is on a page. */
function tokensOf(html: string): Map<string, number> {
  const tokens = new Map<string, number>();
  const add = (token: string): void => void tokens.set(token, (tokens.get(token) ?? 0) + 1);
  for (const [piece] of withoutScripts(html).matchAll(/<[a-z][a-z0-9-]{0,100}|[^<]{1,10000}/gi)) {
    if (piece.startsWith('<')) {
      const name = piece.slice(1).toLowerCase();
      if (!OF_NO_WEIGHT.has(name)) add(`<${name}>`);
    } else for (const [word] of afterTag(piece).matchAll(/\p{L}{3,}/gu)) add(word);
  }
  return tokens;
}

/** The text behind the attributes of a tag, or the whole piece where it does not begin in a tag. */
const afterTag = (piece: string): string => piece.slice(piece.indexOf('>') + 1);

/** A page without what is in its scripts and styles; one without an end is left as it is. */
export function withoutScripts(html: string): string {
  const lower = html.toLowerCase();
  let kept = '';
  for (let at = 0; at < html.length; ) {
    const [open, name] = nextOf(lower, at);
    if (name === undefined) return kept + html.slice(at);
    kept += html.slice(at, open);
    const end = lower.indexOf(`</${name}`, open);
    if (end < 0) return kept + html.slice(open);
    at = end + name.length + 2;
  }
  return kept;
}

/** The next script or style of a page, and which it is. */
function nextOf(lower: string, from: number): readonly [at: number, name?: string] {
  const tag = /<(script|style)\b/g;
  tag.lastIndex = from;
  const found = tag.exec(lower);
  return found === null ? [lower.length] : [found.index, found[1]!];
}

/**
 * Elements and words of a page that are not, or less often, on another one.
 *
 * @example lostTokens('<nav>Shop now</nav>', '<p>Shop</p>') // ['<nav>', 'now']
 */
export function lostTokens(before: string, after: string): string[] {
  const there = tokensOf(after);
  return [...tokensOf(before)].filter(([token, times]) => (there.get(token) ?? 0) < times).map(([token]) => token);
}

/** Whether one of the marks on a page is not there at a later visit. `markIn` returns the first mark in a text. */
export function hasVanished(markIn: (html: string) => string | undefined, before: string, after: string): boolean {
  let rest = before;
  for (let mark = markIn(rest); mark !== undefined; mark = markIn(rest)) {
    if (!after.includes(mark)) return true;
    rest = rest.replaceAll(mark, '');
  }
  return false;
}
