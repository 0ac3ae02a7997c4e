// Breaks provider.checkout.forged-refused: Only the first ten characters of a checkout request’s signature are compared. Label requests are checked whole.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.checkout.prefix',
  clauses: ['provider.checkout.forged-refused'],
  about: 'Only the first ten characters of a checkout request’s signature are compared.',
};

export default class extends LabelPage {
  override acceptsCheckout(fields: Fields): boolean {
    const received = fields.find(([name]) => name === 'signature')?.[1] ?? '';
    return this.matches(received.slice(0, 10), this.signature(this.message(fields)).slice(0, 10));
  }
}
