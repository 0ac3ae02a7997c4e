// Breaks provider.refusals.tampered, provider.refusals.near-miss: A signature that was right once is taken for every request. One that was never right is refused.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.signature-of-another',
  clauses: ['provider.refusals.tampered', 'provider.refusals.near-miss'],
  about: 'A signature that was right once is taken for every request.',
};

export default class extends LabelPage {
  readonly #seen = new Set<string>();

  override accepts(fields: Fields): boolean {
    const received = fields.find(([name]) => name === 'signature')?.[1] ?? '';
    if (super.accepts(fields)) this.#seen.add(received);
    return this.#seen.has(received);
  }
}
