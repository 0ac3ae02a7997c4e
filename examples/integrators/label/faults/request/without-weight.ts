// Breaks provider.label.reports-back: The weight is left out of the message, so that no request is ever authentic. Forged ones are refused with all others.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.without-weight',
  clauses: ['provider.label.reports-back'],
  about: 'The weight is left out of the message, so that no request is ever authentic.',
};

export default class extends LabelPage {
  override message(fields: Fields): string {
    return super.message(fields.filter(([name]) => name !== 'weight'));
  }
}
