// Breaks provider.callback.tracking-signed: The tracking fields are no part of the signed message. Id and address are.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.tracking-unsigned',
  clauses: ['provider.callback.tracking-signed'],
  about: 'The tracking fields are no part of the signed message.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    const message = this.message(parameters.filter(([name]) => !name.startsWith('tracking_')));
    return [...parameters, ['signature', this.signature(message)]];
  }
}
