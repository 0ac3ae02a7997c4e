/**
 * A screenshot of a page as evidence, without a secret on it. Everything that the page draws as text is read as the browser
 * lays it out: shadow roots, placeholders and generated content too. What is drawn in another way is covered unread.
 */
import type { CDPSession, Page } from '@playwright/test';

export interface ScreenshotOptions {
  /** Secrets whose elements are covered; a page that shows another one, or one in another encoding, gets no screenshot. */
  readonly covered: readonly string[];
  /** Whether a text holds a secret, in any encoding. */
  readonly holdsSecret: (text: string) => boolean;
  /** Whether texts that hold any other secret, as a field shows a code that the target handed out, are covered as well. */
  readonly coversAll?: boolean;
  readonly timeoutMs: number;
}

const MAX_CHARACTERS = 200_000;
const COVERED = 'data-proofmark-covered';
/** Elements whose content cannot be read as text of this page. */
const UNREADABLE = ['canvas', 'iframe', 'frame', 'object', 'embed', 'video'] as const;
/** Properties that draw a picture, which may be one made of text. */
const DRAWN_STYLES = ['background-image', 'border-image-source', 'list-style-image', 'mask-image', 'content', 'cursor'];
const SHOWN_ATTRIBUTES: readonly string[] = ['placeholder', 'alt', 'label', 'title', 'value'];
const DRAWN_ATTRIBUTES: readonly string[] = ['src', 'srcset', 'href', 'xlink:href', 'poster'];

/** The screenshot of what is seen now, in PNG; `undefined` where a secret could be on it. */
export async function takeScreenshot(page: Page, options: ScreenshotOptions): Promise<Buffer | undefined> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const others = options.coversAll === true ? await textsWithSecret(page, options) : [];
    await page.evaluate(cover, { values: [...options.covered, ...others], mark: COVERED, maxCharacters: 0 });
    if (!(await isPresentable(devtools, page, options))) return undefined;
    const hidden = [`[${COVERED}]`, ...UNREADABLE].join(',');
    const take = (): Promise<Buffer> =>
      page.screenshot({
        mask: [page.locator(hidden)],
        // Text may be larger than the box of its element, which is all that a mask covers.
        style: `${hidden}{opacity:0!important}[${COVERED}]::before,[${COVERED}]::after{content:none!important}`,
        animations: 'disabled',
        timeout: options.timeoutMs,
      });
    // On a busy machine Chromium now and then has no frame to take the picture from.
    const png = await take().catch((error: Error) => {
      if (error.message.includes('Unable to capture screenshot')) return take();
      throw error;
    });
    // The page may have changed meanwhile.
    return (await isPresentable(devtools, page, options)) ? png : undefined;
  } finally {
    await devtools.detach().catch(() => undefined);
  }
}

/** The texts of single elements that hold a secret. */
async function textsWithSecret(page: Page, { holdsSecret }: ScreenshotOptions): Promise<string[]> {
  const texts = await page.evaluate(cover, { values: [], mark: COVERED, maxCharacters: MAX_CHARACTERS });
  return holdsSecret(texts.join('\n')) ? texts.filter(holdsSecret) : [];
}

async function isPresentable(devtools: CDPSession, page: Page, { holdsSecret }: ScreenshotOptions): Promise<boolean> {
  const { documents, strings } = await devtools.send('DOMSnapshot.captureSnapshot', { computedStyles: DRAWN_STYLES });
  const [main] = documents;
  if (main === undefined) return false;
  const text = (index: number | undefined): string => (index === undefined || index < 0 ? '' : (strings[index] ?? ''));
  const { parentIndex = [], nodeName = [], nodeValue = [], attributes = [], inputValue, textValue } = main.nodes;
  const attributesOf = (node: number): [string, string][] => {
    const pairs = attributes[node] ?? [];
    return Array.from({ length: pairs.length / 2 }, (_, at) => [text(pairs[at * 2]), text(pairs[at * 2 + 1])]);
  };
  const isCovered = (node: number): boolean => {
    for (let at: number | undefined = node; at !== undefined && at >= 0; at = parentIndex[at])
      if (attributesOf(at).some(([name]) => name === COVERED)) return true;
    return false;
  };
  const seen: string[] = [];
  const drawn: string[] = [];
  let unreadable = 0;
  for (const [at, node] of main.layout.nodeIndex.entries()) {
    const name = text(nodeName[node]).toLowerCase();
    if ((UNREADABLE as readonly string[]).includes(name)) unreadable += 1;
    if (isCovered(node)) continue;
    seen.push(text(main.layout.text[at]));
    for (const style of main.layout.styles[at] ?? []) drawn.push(text(style));
    for (const [attribute, value] of attributesOf(node)) if (DRAWN_ATTRIBUTES.includes(attribute)) drawn.push(value);
  }
  // The layout leaves out the text of fields, of pictures and of SVG.
  for (const values of [inputValue, textValue])
    for (const [at, node] of (values?.index ?? []).entries()) if (!isCovered(node)) seen.push(text(values?.value[at]));
  for (const [node, name] of nodeName.entries()) {
    const attributesShown = attributesOf(node).filter(([attribute]) => SHOWN_ATTRIBUTES.includes(attribute));
    const own = text(name) === '#text' ? [text(nodeValue[node])] : attributesShown.map(([, value]) => value);
    if (own.length > 0 && !isCovered(node)) seen.push(...own);
  }
  // A canvas in a closed shadow root is laid out, and not to be found from outside.
  if ((await page.locator(UNREADABLE.join(',')).count()) < unreadable) return false;
  const pictures = drawn.filter((value) => /data:/i.test(value)).join('\n');
  const length = seen.reduce((sum, one) => sum + one.length, pictures.length);
  if (length > MAX_CHARACTERS) return false;
  // A secret may be split over several pieces of text.
  return ![seen.join('\n'), seen.join(''), pictures].some(holdsSecret);
}

/**
 * In the page: marks what shows one of the values, in open shadow roots too, and returns the texts that it compared, up to so many
 * characters. No function in it may have a name: the loader's way to keep names is not there in the page.
 */
function cover({ values, mark, maxCharacters }: { values: string[]; mark: string; maxCharacters: number }): string[] {
  const texts = new Set<string>();
  let length = 0;
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.shift(); root !== undefined; root = roots.shift()) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot !== null) roots.push(element.shadowRoot);
      const own = [...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map(({ nodeValue }) => nodeValue ?? '');
      const field = element as Partial<HTMLInputElement>;
      const shown = [own.join(''), String(field.value ?? ''), String(field.placeholder ?? ''), String(field.alt ?? '')];
      if (values.some((value) => shown.some((text) => text.includes(value)))) element.setAttribute(mark, '');
      for (const text of shown) {
        if (length + text.length > maxCharacters || text.trim() === '' || texts.has(text)) continue;
        length += text.length;
        texts.add(text);
      }
    }
  }
  return [...texts];
}
