// Breaks provider.callback.error-same-id: The error callback names another label_request_id than was received. The success callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.error.other-id',
  clauses: ['provider.callback.error-same-id'],
  about: 'The error callback names another label_request_id than was received.',
};

export default class extends LabelPage {
  override failure(order: Order, problem: string): Fields {
    return super.failure({ ...order, label_request_id: `${order.label_request_id}-1` }, problem);
  }
}
