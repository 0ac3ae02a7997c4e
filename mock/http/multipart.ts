/** Limits the parts of multipart forms: each costs much more memory than its few bytes. */
import { refuse } from './refusal.ts';

/** Forms of this contract have about forty fields. */
const MAX_FORM_PARTS = 1_000;

/** Refuses a multipart body (`too-many`) with more parts than any form has, before it is parsed. */
export function boundParts(body: Uint8Array, contentType: string): void {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let count = 0;
  for (
    let at = bytes.indexOf(`--${boundary}`);
    at >= 0;
    at = bytes.indexOf(`--${boundary}`, at + boundary.length + 2)
  ) {
    count += 1;
    // The last one closes the form.
    if (count > MAX_FORM_PARTS + 1) refuse('too-many', `This form has more than ${MAX_FORM_PARTS} fields.`);
  }
}
