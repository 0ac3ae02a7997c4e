/** What the console of a browser says went wrong in a page: its own policy stopped its form, its script failed. */
import type { ConsoleMessage, Page } from '@playwright/test';

export interface PageErrors {
  /** Why the browser did not send a form of the page, as the end of a sentence; undefined if it sent all. */
  blockedForm(): string | undefined;
  /** The last error of a script of the page, as the end of a sentence; undefined if there was none. */
  scriptError(): string | undefined;
  /** Stops watching. */
  forget(): void;
}

const FORM_POLICY = /form data .*Content Security Policy directive: "(form-action [^"]*)"/;
const SANDBOXED_FORM = /form submission .* 'allow-forms'/;
const SCRIPT_POLICY = /(?:script|event handler|JavaScript|eval).*violates .*Content Security Policy directive/is;
const MAX_QUOTED_CHARACTERS = 160;

/** Watches a page from now on. */
export function watchPageErrors(page: Page): PageErrors {
  let form: string | undefined;
  let script: string | undefined;
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() !== 'error') return;
    const text = message.text();
    const directive = FORM_POLICY.exec(text)?.[1];
    if (directive !== undefined) form = `its Content-Security-Policy forbids it (${directive})`;
    else if (SANDBOXED_FORM.test(text)) form = 'it is in a sandbox without allow-forms';
    else if (SCRIPT_POLICY.test(text)) script = `its Content-Security-Policy stops its script: ${quoted(text)}`;
  };
  const onError = (error: Error): void => {
    script = `its script failed: ${quoted(error.message)}`;
  };
  page.on('console', onConsole).on('pageerror', onError);
  return {
    blockedForm: () => form,
    scriptError: () => script,
    forget: () => void page.off('console', onConsole).off('pageerror', onError),
  };
}

const quoted = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_QUOTED_CHARACTERS ? `${line.slice(0, MAX_QUOTED_CHARACTERS)}…` : line;
};
