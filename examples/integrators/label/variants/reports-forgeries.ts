// Correct: A request with a wrong signature is reported by error_msg, as far as it names a callback.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage, { type Fields } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.reports-forgeries',
  clauses: [],
  about: 'A request with a wrong signature is reported by error_msg, as far as it names a callback.',
};

export default class extends LabelPage {
  override async printLabel(fields: Fields): Promise<Response> {
    const order = Object.fromEntries(fields);
    if (this.accepts(fields) || !order.callback_url?.startsWith('http')) return super.printLabel(fields);
    return this.report(order, this.failure(order, 'The signature is wrong.'));
  }
}
