// Correct: The page says that it is done, and refreshes itself to the callback after a second.
import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.refreshes-to-callback',
  clauses: [],
  about: 'The page says that it is done, and refreshes itself to the callback after a second.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    return page('The label is printed', '<p>You will be taken back to the store.</p>', {
      headers: { refresh: `1; url=${this.callback(order, parameters)}` },
    });
  }
}
