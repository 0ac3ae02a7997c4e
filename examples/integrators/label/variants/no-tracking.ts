// Correct: The callback carries no tracking fields.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.no-tracking',
  clauses: [],
  about: 'The callback carries no tracking fields.',
};

export default class extends LabelPage {
  override success(order: Order, labelId: string): Fields {
    const all = super.success(order, labelId);
    return this.signed(all.filter(([name]) => name === 'label_request_id' || name === 'label_url'));
  }
}
