// Breaks provider.callback.error-same-id: The error callback carries no label_request_id. The success callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.error.without-id',
  clauses: ['provider.callback.error-same-id'],
  about: 'The error callback carries no label_request_id.',
};

export default class extends LabelPage {
  override failure(_order: Order, problem: string): Fields {
    return [['error_msg', problem]];
  }
}
