/** Fields of forms as they were transmitted, in their order: urlencoded and multipart. */
import type { Fields } from '../signing/index.ts';

/** A form with more fields does not belong to this contract. */
const MAX_FIELDS = 10_000;

/** True for content types of forms. */
export function isFormType(contentType: string | undefined): boolean {
  return /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType ?? '');
}

/** The fields of a form body; undefined when the text is not a form of its type. Values are as transmitted, decoded. */
export function formFields(text: string, contentType: string | undefined): Fields | undefined {
  if (/^\s*multipart\/form-data\b/i.test(contentType ?? '')) return multipartFields(text, contentType ?? '');
  const parts = text.split('&', MAX_FIELDS + 1).filter((part) => part !== '');
  return parts.length > MAX_FIELDS ? undefined : parts.map(decodedPart);
}

/** One `name=value`: `+` and `%20` are spaces, a broken percent sign is literal. */
function decodedPart(part: string): readonly [name: string, value: string] {
  const [pair] = new URLSearchParams(part.replace(/^\?/, '%3F'));
  return pair ?? ['', ''];
}

function multipartFields(text: string, contentType: string): Fields | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const parts = `\r\n${text}`.split(`\r\n--${boundary}`, MAX_FIELDS + 2).slice(1);
  const fields: Array<readonly [string, string]> = [];
  for (const part of parts) {
    if (part.startsWith('--')) return fields;
    const end = part.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const name = /;\s*name="((?:[^"\\]|\\.)*)"/i.exec(part.slice(0, end))?.[1];
    if (name === undefined) return undefined;
    // Browsers write a quote in a name as %22 and leave the rest as it is.
    fields.push([name.replaceAll('%22', '"').replaceAll('%0D%0A', '\r\n'), part.slice(end + 4)]);
  }
  // Without its closing line the form was cut off.
  return undefined;
}
