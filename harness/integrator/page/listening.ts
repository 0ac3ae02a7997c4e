/** Elements that wait for a click by a listener of a script: neither their tag nor an attribute shows it. */
import type { Page } from '@playwright/test';
import { within } from '../../process/until.ts';

/** On elements that were found listening. */
export const LISTENS = 'data-proofmark-listens';

const CLICKS = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart'];
/** A library that listens for its whole page does so for every kind of event, at one element. */
const MAX_TYPES = 12;
const MAX_ELEMENTS = 50;
const TIMEOUT_MS = 3_000;

/** Marks what listens for clicks in a page. Never throws: where the browser does not say, nothing is marked. */
export async function markListening(page: Page): Promise<void> {
  await within(
    mark(page).catch(() => undefined),
    TIMEOUT_MS,
    () => undefined,
  );
}

async function mark(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const { result } = await devtools.send('Runtime.evaluate', { expression: 'document' });
    const { listeners } = await devtools.send('DOMDebugger.getEventListeners', {
      objectId: result.objectId ?? '',
      depth: -1,
      pierce: true,
    });
    const byElement = Object.groupBy(listeners, ({ backendNodeId = 0 }) => backendNodeId);
    const ids = Object.values(byElement).flatMap((own = []) => {
      const types = new Set(own.map(({ type }) => type));
      return types.size <= MAX_TYPES && CLICKS.some((type) => types.has(type)) ? [own[0]?.backendNodeId ?? 0] : [];
    });
    for (const backendNodeId of ids.slice(0, MAX_ELEMENTS)) {
      const { object } = await devtools.send('DOM.resolveNode', { backendNodeId });
      await devtools.send('Runtime.callFunctionOn', {
        objectId: object.objectId ?? '',
        functionDeclaration: `function () { if (this instanceof Element && !this.matches('html,body')) this.setAttribute('${LISTENS}', ''); }`,
      });
    }
  } finally {
    await devtools.detach().catch(() => undefined);
  }
}
