/** What a person sees on a page, also in the trees that elements have of their own: whole panels are made of such elements. */
import type { Page } from '@playwright/test';

export interface VisibleContent {
  /** Without the text of scripts and hidden parts. */
  readonly text: string;
  /** What is there besides text, by name: fields, buttons, pictures. */
  readonly things: readonly string[];
  /** A password is asked for. */
  readonly asksToSignIn: boolean;
  /** Content type of the document, as the browser reads it. */
  readonly contentType?: string;
}

const MAX_TEXT_CHARACTERS = 20_000;
const MAX_THINGS = 200;

export const NOTHING_VISIBLE: VisibleContent = { text: '', things: [], asksToSignIn: false };

/** Reads a page as it is now. Throws while it is between two documents. */
export async function visibleContent(page: Page): Promise<VisibleContent> {
  const { isWhole, ...seen } = await page.evaluate(contentNow, { maxText: MAX_TEXT_CHARACTERS, maxThings: MAX_THINGS });
  if (isWhole) return seen;
  const hidden = await closedContent(page).catch(() => NOTHING_VISIBLE);
  return {
    ...seen,
    text: [seen.text, hidden.text].filter((text) => text !== '').join('\n'),
    things: [...seen.things, ...hidden.things].slice(0, MAX_THINGS),
    asksToSignIn: seen.asksToSignIn || hidden.asksToSignIn,
  };
}

/**
 * In the page: what is in the document and in the open trees of its elements; `isWhole` is false where an element may have a closed
 * one. No function in it may have a name: the loader's way to keep names is not there in the page.
 */
function contentNow({ maxText, maxThings }: { maxText: number; maxThings: number }): VisibleContent & {
  readonly isWhole: boolean;
} {
  const { body } = document;
  if (body === null) return { text: '', things: [], asksToSignIn: false, isWhole: false };
  const every = 'img,svg,canvas,video,iframe,input:not([type=hidden]),button,select,textarea,object,embed';
  const trees: (HTMLElement | ShadowRoot)[] = [body];
  let isWhole = true;
  for (const tree of trees)
    for (const element of tree.querySelectorAll('*')) {
      if (element.shadowRoot !== null) trees.push(element.shadowRoot);
      else if (
        element.localName.includes('-') &&
        element.childNodes.length === 0 &&
        element.getClientRects().length > 0
      )
        isWhole = false;
    }
  const texts: string[] = [];
  const things: string[] = [];
  let asksToSignIn = false;
  for (const tree of trees) {
    const parts = tree instanceof ShadowRoot ? [...tree.children] : [tree];
    for (const part of parts)
      if (part instanceof HTMLElement && !part.matches('style,script,template')) texts.push(part.innerText);
    for (const thing of tree.querySelectorAll(every)) {
      if (things.length >= maxThings) break;
      const name = thing.getAttribute('name') ?? thing.getAttribute('alt') ?? thing.id;
      things.push(`${thing.localName} ${thing.getAttribute('type') ?? ''} ${name}`);
    }
    asksToSignIn ||= [...tree.querySelectorAll<HTMLElement>('input[type=password]')].some(
      (field) => field.offsetParent !== null,
    );
  }
  const text = texts
    .filter((one) => one.trim() !== '')
    .join('\n')
    .slice(0, maxText);
  // Nothing at all is as suspicious as an element that seems empty.
  const { contentType } = document;
  return { text, things, asksToSignIn, contentType, isWhole: isWhole && (text.trim() !== '' || things.length > 0) };
}

/** Roles of elements other than text, as the browser reports them to screen readers. */
const THINGS = ['button', 'textbox', 'checkbox', 'radio', 'combobox', 'listbox', 'slider', 'image', 'Iframe', 'Canvas'];

/** What the browser itself knows of a page: the only way into closed trees, which scripts cannot read. */
async function closedContent(page: Page): Promise<VisibleContent> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const { nodes } = await devtools.send('Accessibility.getFullAXTree');
    const shown = nodes.filter(({ ignored }) => !ignored);
    const nameOf = ({ name }: (typeof nodes)[number]): string => String(name?.value ?? '');
    return {
      text: shown
        .filter(({ role }) => role?.value === 'StaticText')
        .map(nameOf)
        .join('\n')
        .slice(0, MAX_TEXT_CHARACTERS),
      things: shown
        .filter(({ role }) => THINGS.includes(String(role?.value)))
        .map((node) => `${node.role?.value} ${nameOf(node)}`)
        .slice(0, MAX_THINGS),
      asksToSignIn: false,
    };
  } finally {
    await devtools.detach().catch(() => undefined);
  }
}
