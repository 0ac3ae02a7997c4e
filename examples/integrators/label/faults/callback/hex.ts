// Breaks provider.callback.signature: The signature of the callback is written in hexadecimal digits. Its bytes are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.hex',
  clauses: ['provider.callback.signature'],
  about: 'The signature of the callback is written in hexadecimal digits.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    const right = Buffer.from(this.signature(this.message(parameters)), 'base64');
    return [...parameters, ['signature', right.toString('hex')]];
  }
}
