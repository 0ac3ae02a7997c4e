// Breaks provider.refusals.near-miss: Only the first ten characters of the signature are compared. Those have to be right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.prefix',
  clauses: ['provider.refusals.near-miss'],
  about: 'Only the first ten characters of the signature are compared.',
};

export default class extends LabelPage {
  override matches(received: string, right: string): boolean {
    return super.matches(received.slice(0, 10), right.slice(0, 10));
  }
}
