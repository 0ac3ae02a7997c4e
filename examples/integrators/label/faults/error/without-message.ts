// Breaks provider.callback.error-message: The error callback has an empty error_msg. The success callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.error.without-message',
  clauses: ['provider.callback.error-message'],
  about: 'The error callback has an empty error_msg.',
};

export default class extends LabelPage {
  override failure(order: Order): Fields {
    return super.failure(order, '');
  }
}
