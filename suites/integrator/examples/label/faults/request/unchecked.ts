// Breaks labels.page.unsigned-refused, labels.page.tampered-refused, labels.page.other-key-refused, labels.page.near-miss-signature-refused: The signature is never checked. The callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.unchecked',
  clauses: [
    'labels.page.unsigned-refused',
    'labels.page.tampered-refused',
    'labels.page.other-key-refused',
    'labels.page.near-miss-signature-refused',
  ],
  about: 'The signature is never checked.',
};

export default class extends LabelPage {
  override accepts(): boolean {
    return true;
  }
}
