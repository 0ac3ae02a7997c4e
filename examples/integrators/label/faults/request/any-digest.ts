// Breaks provider.refusals.tampered, provider.refusals.other-key, provider.refusals.near-miss: Anything that has the shape of a signature is taken for one. A missing signature is refused.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.any-digest',
  clauses: ['provider.refusals.tampered', 'provider.refusals.other-key', 'provider.refusals.near-miss'],
  about: 'Anything that has the shape of a signature is taken for one.',
};

export default class extends LabelPage {
  override matches(received: string): boolean {
    return Buffer.from(received, 'base64').length === 32;
  }
}
