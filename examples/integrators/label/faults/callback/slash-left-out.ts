// Breaks provider.callback.by-get: The callback goes to the address without the slash at its end. What it carries is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.slash-left-out',
  clauses: ['provider.callback.by-get'],
  about: 'The callback goes to the address without the slash at its end.',
};

export default class extends LabelPage {
  override callback(order: Order, parameters: Fields): string {
    return super.callback(order, parameters).replace('/?', '?');
  }
}
