// Breaks provider.refusals.unsigned: A request without a signature is taken for authentic. A signature that is there is checked.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.unsigned-accepted',
  clauses: ['provider.refusals.unsigned'],
  about: 'A request without a signature is taken for authentic.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    return !fields.some(([name]) => name === 'signature') || super.accepts(fields);
  }
}
