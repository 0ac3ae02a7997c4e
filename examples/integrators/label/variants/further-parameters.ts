// Correct: The callback carries a parameter of the carrier’s own, signed with the rest, and a tracking code only.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.further-parameters',
  clauses: [],
  about: 'The callback carries a parameter of the carrier’s own, signed with the rest, and a tracking code only.',
};

export default class extends LabelPage {
  override success(order: Order, labelId: string): Fields {
    return this.signed([
      ['label_request_id', order.label_request_id ?? ''],
      ['label_url', `${this.settings.origin}/label/${labelId}.pdf?copy=1&format=a6`],
      ['tracking_code', 'Sūtījums 7 + 1/2'],
      ['carrier', 'example'],
    ]);
  }
}
