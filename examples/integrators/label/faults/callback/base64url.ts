// Breaks provider.callback.signature: The signature of the callback is written in the alphabet of addresses, without padding. Its bytes are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.base64url',
  clauses: ['provider.callback.signature'],
  about: 'The signature of the callback is written in the alphabet of addresses, without padding.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    const right = Buffer.from(this.signature(this.message(parameters)), 'base64');
    return [...parameters, ['signature', right.toString('base64url')]];
  }
}
