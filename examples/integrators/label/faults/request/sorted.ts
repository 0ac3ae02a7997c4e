// Breaks provider.label.reports-back: The message is made of sorted fields, so that no request is ever authentic. Callbacks are signed right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.sorted',
  clauses: ['provider.label.reports-back'],
  about: 'The message is made of sorted fields, so that no request is ever authentic.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    return super.accepts([...fields].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
