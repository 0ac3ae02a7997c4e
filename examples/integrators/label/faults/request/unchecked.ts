// Breaks provider.refusals.unsigned, provider.refusals.tampered, provider.refusals.other-key, provider.refusals.near-miss: The signature is never checked. The callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.unchecked',
  clauses: [
    'provider.refusals.unsigned',
    'provider.refusals.tampered',
    'provider.refusals.other-key',
    'provider.refusals.near-miss',
  ],
  about: 'The signature is never checked.',
};

export default class extends LabelPage {
  override accepts(): boolean {
    return true;
  }
}
