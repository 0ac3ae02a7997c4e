// Breaks provider.callback.signature: Only the request’s id is signed, not the label’s address. The key and the encoding are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.id-only-signed',
  clauses: ['provider.callback.signature'],
  about: 'Only the request’s id is signed, not the label’s address.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    return [...parameters, ['signature', this.signature(this.message(parameters.slice(0, 1)))]];
  }
}
