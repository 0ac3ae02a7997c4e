/** A text that is longer than services like to keep. */
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/** More than 65,535 characters, where a popular kind of column ends; in bytes, nearly twice as many. */
const LONG_CHARACTERS = 66_000;

interface Place {
  /** In a sentence. */
  readonly name: string;
  readonly pointer: string;
  set(text: string): ServiceRequest;
  get(): ServiceRequest;
  valueIn(response: ServiceResponse): unknown;
}

/** Asserts that a long text is kept whole where it is taken; it may be refused, since no limit is shown. */
export async function keepsLongText(context: Context, { name, pointer, set, get, valueIn }: Place): Promise<void> {
  const text = `<p>${context.resources.newMark()} ${'ā'.repeat(LONG_CHARACTERS)}</p>`;
  if (!isServed(await context.send(set(text), 'long'))) return;
  const response = await context.send(get(), 'read');
  const read = valueIn(response);
  context.expect.that(read === text, `an accepted long text must be kept whole as ${name}`, {
    expected: `${text.length} characters`,
    actual: typeof read === 'string' ? `${read.length} characters` : read,
    pointer,
    response: response,
  });
}
