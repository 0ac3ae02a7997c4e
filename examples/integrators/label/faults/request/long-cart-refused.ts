// Breaks provider.label.reports-back: A request of more than 10,000 bytes is refused, so that long carts are never printed. Shorter ones are printed.
import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.long-cart-refused',
  clauses: ['provider.label.reports-back'],
  about: 'A request of more than 10,000 bytes is refused, so that long carts are never printed.',
};

/** What a careless limit allows. */
const MAX_REQUEST_CHARS = 10_000;

export default class extends LabelPage {
  override async printLabel(fields: Fields): Promise<Response> {
    const length = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    return length > MAX_REQUEST_CHARS ? page('Too long', '', { status: 413 }) : super.printLabel(fields);
  }
}
