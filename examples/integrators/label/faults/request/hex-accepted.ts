// Breaks provider.refusals.near-miss: A signature in hexadecimal digits is taken, too. Its bytes have to be right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.hex-accepted',
  clauses: ['provider.refusals.near-miss'],
  about: 'A signature in hexadecimal digits is taken, too.',
};

export default class extends LabelPage {
  override matches(received: string, right: string): boolean {
    return super.matches(received, right) || super.matches(received, Buffer.from(right, 'base64').toString('hex'));
  }
}
