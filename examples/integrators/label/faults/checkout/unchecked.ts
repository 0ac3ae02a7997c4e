// Breaks provider.checkout.forged-refused: The signature of a checkout request is never checked. That of a label request is.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.checkout.unchecked',
  clauses: ['provider.checkout.forged-refused'],
  about: 'The signature of a checkout request is never checked.',
};

export default class extends LabelPage {
  override acceptsCheckout(): boolean {
    return true;
  }
}
