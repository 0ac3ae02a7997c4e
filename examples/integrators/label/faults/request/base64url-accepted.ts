// Breaks provider.refusals.near-miss: A signature in the alphabet of addresses is taken, too. Its bytes have to be right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.base64url-accepted',
  clauses: ['provider.refusals.near-miss'],
  about: 'A signature in the alphabet of addresses is taken, too.',
};

export default class extends LabelPage {
  override matches(received: string, right: string): boolean {
    return super.matches(Buffer.from(received, 'base64').toString('hex'), Buffer.from(right, 'base64').toString('hex'));
  }
}
