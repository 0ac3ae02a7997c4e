// Breaks provider.callback.signature: The signature of the callback is not percent-encoded, so that its plus signs arrive as spaces. Signatures without a plus sign arrive right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.plus-as-space',
  clauses: ['provider.callback.signature'],
  about: 'The signature of the callback is not percent-encoded, so that its plus signs arrive as spaces.',
};

export default class extends LabelPage {
  override makeLabel(order: Order, customer: string): string {
    // About every second signature has a plus sign: this page makes labels until there is one, to show it each time.
    const id = super.makeLabel(order, customer);
    return super.success(order, id).at(-1)![1].includes('+') ? id : this.makeLabel(order, customer);
  }

  override callback(order: Order, parameters: Fields): string {
    return super.callback(order, parameters).replaceAll('%2B', '+');
  }
}
