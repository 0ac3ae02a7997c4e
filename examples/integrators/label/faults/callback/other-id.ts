// Breaks provider.callback.same-id: The success callback names another label_request_id than was received. It is signed right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.other-id',
  clauses: ['provider.callback.same-id'],
  about: 'The success callback names another label_request_id than was received.',
};

export default class extends LabelPage {
  override success(order: Order, labelId: string): Fields {
    return super.success({ ...order, label_request_id: `${order.label_request_id}-1` }, labelId);
  }
}
