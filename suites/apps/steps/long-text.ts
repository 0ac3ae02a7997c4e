/** A text that is longer than services like to keep. */
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';

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

/** The clause that a refused text breaks if it is stored all the same. */
export const REFUSED = 'envelope.delivery.refusal-changes-nothing';

/** Asserts that a long text is kept whole where it is taken; it may be refused, since no limit is shown, and is not kept then. */
export async function keepsLongText(context: Context, { name, pointer, set, get, valueIn }: Place): Promise<void> {
  const mark = context.resources.newMark();
  // Where the first one is refused, it may be for its letter.
  for (const letter of ['ā', 'a']) {
    const text = `<p>${mark} ${letter.repeat(LONG_CHARACTERS)}</p>`;
    const sent = await context.send(set(text), 'long');
    if (!isServed(sent) && isRefused(sent) !== 'refused') return;
    const response = await context.send(get(), 'read');
    const read = valueIn(response);
    if (isServed(sent)) {
      context.expect.that(read === text, `an accepted long text must be kept whole as ${name}`, {
        expected: `${text.length} characters`,
        actual: typeof read === 'string' ? `${read.length} characters` : read,
        pointer,
        response,
      });
      return;
    }
    const isKept = typeof read === 'string' && read.includes(mark);
    context.expect.that(!isKept, `a long text that is refused as ${name} must not be kept`, {
      clauses: [REFUSED],
      expected: 'what was set before',
      actual: isKept ? `${read.length} characters of the refused text` : read,
      pointer,
      response,
    });
  }
}
