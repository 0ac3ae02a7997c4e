/** The document that a label_url leads to (spec: Events, Provider behaviour). */
import type { RuleContext } from '../../call.ts';
import type { SeenExchange } from '../../reading/seen.ts';
import { say } from '../../service/responses.ts';

export const IS_PDF = 'provider.label.is-pdf';
export const CONTENT_TYPE = 'provider.label.content-type';

/**
 * Whether a content type may be that of a PDF. The contract names none: a type that says no more than that there are bytes to be saved
 * is correct as well, as file stores give it.
 */
export const isTypeOfPdf = (type: string): boolean =>
  /^\s*(?:$|(?:application|text)\/(?:x-)?pdf\b|(?:application|binary)\/(?:octet-stream|force-download|(?:x-)?download)\b)/i.test(
    type,
  );

/** Judges a label that was served. One that a login or a time limit withholds later is not judged. */
export function judgeLabelDocument(scene: RuleContext, seen: SeenExchange): void {
  const { n, status, responseBody } = seen;
  if (status !== 200) return;
  const type = seen.responseHeader('content-type') ?? '';
  const text = responseBody.kind === 'text' || responseBody.kind === 'json' ? responseBody.text : undefined;
  const beginning = text ?? Buffer.from(seen.exchange.response?.body?.base64 ?? '', 'base64').toString('latin1');
  const isPdf = /^[\s\S]{0,1024}?%PDF-/.test(beginning);
  // A browser may record the page in which it shows a PDF in place of the PDF.
  if (!isPdf && /^\s*application\/pdf\b/i.test(type) && /^\s*</.test(text ?? '')) return;
  if (text !== undefined || /^\s*text\/html\b/i.test(type)) {
    say(scene, IS_PDF, n, isPdf, {
      message: 'the document at the label_url is not a PDF',
      pointer: '',
      expected: 'a PDF document',
      actual: type === '' ? 'no content type' : type,
    });
  }
  if (!isPdf || type === '') return;
  say(scene, CONTENT_TYPE, n, isTypeOfPdf(type), {
    message: 'the label is a PDF, and is served as another kind of document',
    pointer: 'header content-type',
    expected: 'application/pdf, or a type that names no kind of document',
    actual: type,
  });
}
