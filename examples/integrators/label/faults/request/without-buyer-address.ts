// Breaks provider.label.reports-back: The buyer’s own address is left out of the message, so that orders which have one are refused. All other orders are printed.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.without-buyer-address',
  clauses: ['provider.label.reports-back'],
  about: 'The buyer’s own address is left out of the message, so that orders which have one are refused.',
};

export default class extends LabelPage {
  override message(fields: Fields): string {
    return super.message(fields.filter(([name]) => !name.startsWith('buyer_')));
  }
}
