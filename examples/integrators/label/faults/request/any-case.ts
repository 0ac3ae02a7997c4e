// Breaks provider.refusals.near-miss: The signature is compared without regard to case. What it is computed over is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.any-case',
  clauses: ['provider.refusals.near-miss'],
  about: 'The signature is compared without regard to case.',
};

export default class extends LabelPage {
  override matches(received: string, right: string): boolean {
    return super.matches(received.toLowerCase(), right.toLowerCase());
  }
}
