// Breaks provider.label.reports-back: The callback goes to an address that was written down once, not to the callback_url received. Its parameters are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.to-fixed-address',
  clauses: ['provider.label.reports-back'],
  about: 'The callback goes to an address that was written down once, not to the callback_url received.',
};

export default class extends LabelPage {
  override callback(order: Order, parameters: Fields): string {
    return super.callback({ ...order, callback_url: `${this.settings.origin}/track/callback` }, parameters);
  }
}
