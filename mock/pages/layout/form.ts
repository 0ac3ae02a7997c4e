/** Reads a browser's form with limits, and without exceptions from the framework. */
import type { Context } from 'hono';
import type { Pairs } from '../../http/call.ts';
import { boundParts } from '../../http/multipart.ts';
import { refuse } from '../../http/refusal.ts';

/** A manifest in four languages is below 100 KiB; more than this is not a form that a person filled in. */
const MAX_FORM_BYTES = 1024 * 1024;

/** Names and values of a posted form. */
export class Form {
  readonly pairs: Pairs;
  constructor(pairs: Pairs) {
    this.pairs = pairs;
  }

  /** The value of a field, `''` when the form has none. */
  text(name: string): string {
    return this.pairs.findLast(([key]) => key === name)?.[1] ?? '';
  }

  /** Whether a checkbox was ticked (or a button of that name pressed). */
  has(name: string): boolean {
    return this.pairs.some(([key]) => key === name);
  }
}

/**
 * Reads the body of a POST as a browser's form, urlencoded or multipart; files are left out. Refuses other content
 * (`malformed`) and too much of it (`too-large`).
 */
export async function readForm(c: Context): Promise<Form> {
  const declared = Number(c.req.header('content-length') ?? 0);
  if (declared > MAX_FORM_BYTES) return refuse('too-large', 'This form is larger than 1 MiB.');
  const type = (c.req.header('content-type') ?? '').toLowerCase();
  const body = await readBounded(c.req.raw.body);
  if (body.length === 0) return new Form([]);
  if (type.startsWith('multipart/form-data')) return new Form(await readMultipart(type, c, body));
  if (type === '' || type.startsWith('application/x-www-form-urlencoded')) {
    return new Form([...new URLSearchParams(body.toString('utf8'))]);
  }
  return refuse('malformed', 'This address takes the form of its page, urlencoded or multipart.');
}

async function readBounded(stream: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (stream) {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > MAX_FORM_BYTES) return refuse('too-large', 'This form is larger than 1 MiB.');
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

async function readMultipart(type: string, c: Context, body: Buffer): Promise<Pairs> {
  boundParts(body, c.req.header('content-type') ?? type);
  try {
    const headers = { 'content-type': c.req.header('content-type') ?? type };
    const data = await new Response(new Uint8Array(body), { headers }).formData();
    return [...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  } catch {
    return refuse('malformed', 'This multipart form could not be read.');
  }
}
