// Breaks provider.callback.label-url: label_url is a path without a host. It is signed as it is sent.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.relative-label-url',
  clauses: ['provider.callback.label-url'],
  about: 'label_url is a path without a host.',
};

export default class extends LabelPage {
  override success(order: Order, labelId: string): Fields {
    const parameters = super.success(order, labelId).filter(([name]) => name !== 'signature');
    return this.signed(
      parameters.map(([name, value]) => [name, name === 'label_url' ? `/label/${labelId}.pdf` : value]),
    );
  }
}
