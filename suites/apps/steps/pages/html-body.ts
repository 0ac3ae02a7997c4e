/**
 * Whether a text is in the body element of an HTML page, as markup: not in its head, not in a comment, not as the text of
 * a script. Reads tags as the HTML standard tokenises them, as far as that question needs it; builds no tree.
 */

/** Elements that may be in a head; anything else begins the body, whose own tag is optional. */
const OF_HEAD = new Set(
  'html head title base basefont bgsound link meta noframes style script template noscript'.split(' '),
);
/** Elements whose content is text or inert to a browser that runs scripts. */
const WITHOUT_MARKUP = new Set('script style textarea title xmp iframe noembed noframes noscript template'.split(' '));

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface PageShape {
  /** Index of the first character of the body element's content; the length of the page when it has none. */
  readonly bodyFrom: number;
  /** Stretches in which markup is not markup: comments, tags themselves, contents of scripts and the like. */
  readonly opaque: readonly Range[];
}

/**
 * True when the text is in the body of the page at least once, whole, unescaped and as markup.
 *
 * @example isInBody('<html><body><p>Hi</p></body></html>', '<p>Hi</p>') // true
 * @example isInBody('<body>&lt;p>Hi&lt;/p></body>', '<p>Hi</p>')       // false: escaped
 * @example isInBody('<head><b>x</b></head>', '<b>x</b>')                // true: an element like b ends the head
 */
export function isInBody(page: string, text: string): boolean {
  return timesInBody(page, text) > 0;
}

/** How often it is there. */
export function timesInBody(page: string, text: string): number {
  const { bodyFrom, opaque } = shapeOf(page);
  let times = 0;
  for (let at = page.indexOf(text, bodyFrom); at >= 0; at = page.indexOf(text, at + 1)) {
    if (!opaque.some(({ from, to }) => from <= at && at < to)) times += 1;
  }
  return times;
}

/** Reads a page from its beginning to its end. What follows `</body>` is still in the body: so the standard parses it. */
export function shapeOf(page: string): PageShape {
  const opaque: Range[] = [];
  let bodyFrom: number | undefined;
  let at = 0;
  /** A comment or tag that begins here is opaque behind its first character. */
  const pass = (to: number): void => {
    opaque.push({ from: at + 1, to });
    at = to;
  };
  while (at < page.length) {
    if (page[at] !== '<') {
      const end = indexFrom(page, '<', at);
      const ink = page.slice(at, end).search(/[^\s\uFEFF]/);
      if (ink >= 0) bodyFrom ??= at + ink;
      at = end;
    } else if (page.startsWith('<!--', at)) {
      pass(endOfComment(page, at));
    } else if (/^<(?:!|\?|\/[^a-z])/i.test(page.slice(at, at + 3))) {
      pass(indexFrom(page, '>', at) + 1);
    } else {
      const tag = /^<(\/?)([a-z][^\s/>]*)/i.exec(page.slice(at, at + MAX_NAME_CHARS));
      if (tag === null) {
        bodyFrom ??= at;
        at += 1;
        continue;
      }
      const name = tag[2]!.toLowerCase();
      const isEnd = tag[1] === '/';
      const begin = at;
      pass(endOfTag(page, at + tag[0].length));
      if (isEnd) continue;
      if (name === 'body') bodyFrom ??= at;
      else if (!OF_HEAD.has(name)) bodyFrom ??= begin;
      if (WITHOUT_MARKUP.has(name)) {
        const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
        close.lastIndex = at;
        const end = close.exec(page)?.index ?? page.length;
        opaque.push({ from: at, to: end });
        at = end;
      }
    }
  }
  return { bodyFrom: bodyFrom ?? page.length, opaque };
}

/** Longer than the name of any element, custom ones included. */
const MAX_NAME_CHARS = 200;

function indexFrom(page: string, what: string, from: number): number {
  const found = page.indexOf(what, from);
  return found < 0 ? page.length : found;
}

/** `<!-->` and `<!--->` are whole comments. */
function endOfComment(page: string, at: number): number {
  const short = /^<!--(-?)>/.exec(page.slice(at, at + 6));
  if (short !== null) return at + short[0].length;
  const end = /--!?>/g;
  end.lastIndex = at + 4;
  return end.exec(page) === null ? page.length : end.lastIndex;
}

/** Behind the `>` of a tag; one within quotes of an attribute does not end it. */
function endOfTag(page: string, from: number): number {
  for (let at = from; at < page.length; at += 1) {
    const character = page[at];
    if (character === '>') return at + 1;
    if (character === '=') {
      const quote = /^=\s*(["'])/.exec(page.slice(at, at + MAX_NAME_CHARS));
      if (quote === null) continue;
      at = indexFrom(page, quote[1]!, at + quote[0].length);
    }
  }
  return page.length;
}
