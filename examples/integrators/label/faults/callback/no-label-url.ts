// Breaks provider.callback.label-url: The success callback carries no label_url. It is signed over what it carries.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.no-label-url',
  clauses: ['provider.callback.label-url'],
  about: 'The success callback carries no label_url.',
};

export default class extends LabelPage {
  override success(order: Order, labelId: string): Fields {
    const parameters = super.success(order, labelId);
    return this.signed(parameters.filter(([name]) => name !== 'label_url' && name !== 'signature'));
  }
}
